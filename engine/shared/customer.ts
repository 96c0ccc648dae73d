import type { PostalAddress } from './address.ts'
import type { DocumentType } from './documents.ts'

/** The payer as the merchant described them, copied into the transaction. */
export type Customer = {
  readonly name: string
  readonly document: string | null
  readonly documentType: DocumentType | null
  readonly email: string | null
  readonly phone: string | null
  /** Printed on boletos; null if the merchant sent none. */
  readonly address: PostalAddress | null
}

/** A payer of whom nothing is left. */
export const forgottenCustomer: Customer = {
  name: '',
  document: null,
  documentType: null,
  email: null,
  phone: null,
  address: null,
}
