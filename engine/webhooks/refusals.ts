declare module '../kernel/registry.ts' {
  interface FolderRefusals {
    readonly webhooks: WebhookRefusal
  }
}

/** Why a delivery refuses. */
export type WebhookRefusal = { readonly reason: 'DELIVERY_UNFINISHED' }
