/** Card payments: authorization and capture by an acquirer, declines, and chargebacks. */
import type { Brand } from '../../../ledger/card-rates.ts'
import type { Cents } from '../../../shared/money.ts'
import type { Means, Transaction } from '../../transaction/transaction.ts'

export type Card = {
  /** The acquirer's token, from its SDK: sealed by the gateway, which opens it for the acquirer alone. It is never shown outside again. */
  readonly token: string
  /** Part of the token's SHA-256: equal for payments with the same card. */
  readonly tokenFingerprint: string
  readonly brand: Brand
  readonly last4: string
  readonly bin: string | null
  readonly holderName: string | null
  readonly installments: number
  /** Whether authorizing also captures. */
  readonly captures: boolean
  readonly acquirer: AcquirerData | null
  readonly authorizedAtMs: number | null
  readonly capturedAtMs: number | null
  readonly capturedCents: Cents | null
  /** What the card's bank said of its holder; null where it was not asked. */
  readonly threeDSecure: ThreeDSecure | null
}

/** How the bank of a card knew its holder (EMV 3-D Secure). Unless it did, a stolen card is the merchant's loss. */
export type ThreeDSecure = {
  /** ATTEMPTED: the bank takes no part, but answers for it. UNAVAILABLE: the bank could not be asked. */
  readonly status: 'AUTHENTICATED' | 'ATTEMPTED' | 'NOT_AUTHENTICATED' | 'UNAVAILABLE'
  /** The electronic commerce indicator of the brand; null where none was given. */
  readonly eci: string | null
}

/** What the acquirer said about an authorization. All text: codes have letters and leading zeros. */
export type AcquirerData = {
  readonly nsu: string | null
  readonly tid: string | null
  readonly authorizationCode: string | null
  readonly returnCode: string
  readonly message: string
}

/** The card of a credit or debit card payment; null for every other method. */
export const cardOf = ({ means }: Pick<Transaction, 'means'>): Card | null =>
  'card' in means ? means.card : null

/** The card with these changes. */
export const withCard = (transaction: Pick<Transaction, 'means'>, changes: Partial<Card>): Means => ({
  card: { ...cardOf(transaction)!, ...changes },
})
