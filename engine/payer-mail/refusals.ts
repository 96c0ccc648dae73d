declare module '../kernel/registry.ts' {
  interface FolderRefusals {
    readonly payerMail: PayerMailRefusal
  }
}

/** Why mail to payers is refused. */
export type PayerMailRefusal =
  /** The service sends no mail. */
  | { readonly reason: 'MAIL_NOT_SET_UP' }
  /** The charge has no address to write to. */
  | { readonly reason: 'PAYER_EMAIL_MISSING' }
  /** This charge, or all of them, were sent too often. */
  | {
      readonly reason: 'TOO_MANY_MAILS'
      readonly of: 'CHARGE' | 'COMPANY'
      readonly mailsMax: number
      readonly availableAtMs: number
    }
