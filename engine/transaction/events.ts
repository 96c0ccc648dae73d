import type { TransactionId } from '../ids.ts'
import type { Cents } from '../money.ts'
import type {
  Actor,
  FailureReason,
  Pix,
  PixPayment,
  Receivable,
  ReturnReason,
  Transaction,
} from './transaction.ts'

/** The facts of a transaction, in the past tense. Each raises the version by one. */
export type TransactionEvent =
  | ChargeCreated
  | ChargeIssued
  | ChargeRefused
  | ChargePaid
  | ChargeExpired
  | ChargeCancelled
  | PaymentReturned

type Fact<Type extends string> = {
  readonly actor: 'transaction'
  readonly type: Type
  readonly id: TransactionId
  readonly by: Actor
  readonly atMs: number
}

export type ChargeCreated = Fact<'ChargeCreated'> & {
  readonly charge: Pick<
    Transaction,
    | 'accountId'
    | 'method'
    | 'origin'
    | 'amountCents'
    | 'description'
    | 'reference'
    | 'externalId'
    | 'customer'
    | 'metadata'
  > & { readonly pix: Pix }
}

/** The QR code exists and can be paid until `expiresAtMs`. */
export type ChargeIssued = Fact<'ChargeIssued'> & {
  readonly txid: string
  readonly copyPaste: string
  readonly expiresAtMs: number
}

/** The institution did not register the charge. */
export type ChargeRefused = Fact<'ChargeRefused'> & { readonly failureReason: FailureReason }

export type ChargePaid = Fact<'ChargePaid'> & {
  readonly paidCents: Cents
  readonly feeCents: Cents
  readonly payment: PixPayment
  readonly receivables: readonly Receivable[]
}

export type ChargeExpired = Fact<'ChargeExpired'>

export type ChargeCancelled = Fact<'ChargeCancelled'> & { readonly reason: string | null }

/** Money arrived that this charge could not take, and went back in full at once. */
export type PaymentReturned = Fact<'PaymentReturned'> & {
  readonly returnReason: ReturnReason
  readonly amountCents: Cents
  readonly payment: PixPayment
}
