import type { Brand } from '../../../ledger/card-rates.ts'
import type { Cents } from '../../../shared/money.ts'
import type { Means, Transaction } from '../../transaction/transaction.ts'

export type Card = {
  /** The acquirer's, from its SDK. Nobody outside is shown it again. */
  readonly token: string
  /** SHA-256 of the token, in part: tells that two payments used one card. */
  readonly tokenFingerprint: string
  readonly brand: Brand
  readonly last4: string
  readonly bin: string | null
  readonly holderName: string | null
  readonly installments: number
  /** Whether authorizing takes the money at once. */
  readonly captures: boolean
  readonly acquirer: AcquirerData | null
  readonly authorizedAtMs: number | null
  readonly capturedAtMs: number | null
  readonly capturedCents: Cents | null
}

/** What the acquirer said of an authorization. All of it is text: codes have letters and leading zeros. */
export type AcquirerData = {
  readonly nsu: string | null
  readonly tid: string | null
  readonly authorizationCode: string | null
  readonly returnCode: string
  readonly message: string
}

/** The card of a card payment, credit or debit; null of every other method. */
export const cardOf = ({ means }: Pick<Transaction, 'means'>): Card | null =>
  'card' in means ? means.card : null

/** The same card, one step on. */
export const withCard = (transaction: Pick<Transaction, 'means'>, changes: Partial<Card>): Means => ({
  card: { ...cardOf(transaction)!, ...changes },
})
