declare module '../kernel/registry.ts' {
  interface FolderRefusals {
    readonly webhooks: WebhookRefusal
  }
}

/** Refusals of deliveries. */
export type WebhookRefusal =
  | { readonly reason: 'DELIVERY_UNFINISHED' }
  | { readonly reason: 'DELIVERY_FINISHED' }
  | { readonly reason: 'DELIVERY_FORGOTTEN' }
