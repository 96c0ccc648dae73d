import type { Receivable, Reversal } from '../../../ledger/receivable.ts'
import type { ChargebackId } from '../../../shared/ids.ts'
import type { Cents } from '../../../shared/money.ts'
import type { Collection } from '../../transaction/collected.ts'
import type { Fact } from '../../transaction/facts.ts'
import type { Chargeback, FailureDetail, FailureReason } from '../../transaction/transaction.ts'
import type { AcquirerData } from './card.ts'

export type CardFact =
  | AuthorizationPending
  | CardApproved
  | CardAuthorized
  | CardDeclined
  | AuthorizationTimedOut
  | AuthorizationReversed
  | CardCaptured
  | CaptureRefused
  | CardVoided
  | VoidRefused
  | ChargebackOpened
  | ChargebackGrown
  | ChargebackDisputed
  | ChargebackWon
  | ChargebackLost

/** A fact that ends or postpones a call to the acquirer. */
type CallFact<Type extends string> = Fact<Type> & { readonly callId: string }

/** The acquirer needs longer to decide than the merchant waits. */
export type AuthorizationPending = CallFact<'AuthorizationPending'> & { readonly dueAtMs: number }

/** Authorized and captured at once. */
export type CardApproved = CallFact<'CardApproved'> & Collection & { readonly acquirer: AcquirerData }

export type CardAuthorized = CallFact<'CardAuthorized'> & {
  readonly acquirer: AcquirerData
  readonly expiresAtMs: number
}

export type CardDeclined = CallFact<'CardDeclined'> & {
  readonly acquirer: AcquirerData
  readonly failureReason: FailureReason
  readonly failureDetail: FailureDetail
}

/** The outcome is unknown, so any authorization that the acquirer made is reversed. */
export type AuthorizationTimedOut = CallFact<'AuthorizationTimedOut'>
export type AuthorizationReversed = CallFact<'AuthorizationReversed'>
export type CardCaptured = CallFact<'CardCaptured'> & Collection & { readonly capturedCents: Cents }

export type CaptureRefused = CallFact<'CaptureRefused'> & { readonly message: string }
export type CardVoided = CallFact<'CardVoided'> & { readonly reason: string | null }
export type VoidRefused = CallFact<'VoidRefused'> & { readonly message: string }
export type ChargebackOpened = Fact<'ChargebackOpened'> & {
  readonly chargeback: Chargeback
  readonly reversal: Reversal
}

/** A refund that was on its way when it was opened was not made: the chargeback takes that part, too. */
export type ChargebackGrown = Fact<'ChargebackGrown'> & {
  readonly chargebackId: ChargebackId
  /** The part of the fee in it. */
  readonly feeCents: Cents
  readonly reversal: Reversal
}

export type ChargebackDisputed = Fact<'ChargebackDisputed'> & {
  readonly chargebackId: ChargebackId
  readonly text: string
}

export type ChargebackWon = Fact<'ChargebackWon'> & {
  readonly chargebackId: ChargebackId
  /** Undoes the reversal: the money returns to where it was taken from. */
  readonly release: Reversal
}

export type ChargebackLost = Fact<'ChargebackLost'> & {
  readonly chargebackId: ChargebackId
  readonly lostReason: NonNullable<Chargeback['lostReason']>
  readonly receivables: readonly Receivable[]
}
