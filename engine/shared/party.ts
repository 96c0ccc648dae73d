import type { DocumentType } from './documents.ts'

/** The payer as the merchant described them, copied into the transaction. */
export type Customer = {
  readonly name: string
  readonly document: string | null
  readonly documentType: DocumentType | null
  readonly email: string | null
  readonly phone: string | null
}
