import type { Receivable, Reversal } from '../../../ledger/receivable.ts'
import type { ChargebackId } from '../../../shared/ids.ts'
import type { Cents } from '../../../shared/money.ts'
import type { Fact } from '../../transaction/events.ts'
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
  | ChargebackDisputed
  | ChargebackWon
  | ChargebackLost

/** The acquirer needs longer to decide than the merchant waits. */
export type AuthorizationPending = Fact<'AuthorizationPending'> & {
  readonly callId: string
  readonly dueAtMs: number
}

/** Authorized and captured at once. */
export type CardApproved = Fact<'CardApproved'> & {
  readonly callId: string
  readonly acquirer: AcquirerData
  readonly feeCents: Cents
  readonly receivables: readonly Receivable[]
}

export type CardAuthorized = Fact<'CardAuthorized'> & {
  readonly callId: string
  readonly acquirer: AcquirerData
  readonly expiresAtMs: number
}

export type CardDeclined = Fact<'CardDeclined'> & {
  readonly callId: string
  readonly acquirer: AcquirerData
  readonly failureReason: FailureReason
  readonly failureDetail: FailureDetail
}

/** It is unknown whether the card was charged, so whatever the acquirer did is taken back. */
export type AuthorizationTimedOut = Fact<'AuthorizationTimedOut'> & { readonly callId: string }
export type AuthorizationReversed = Fact<'AuthorizationReversed'> & { readonly callId: string }
export type CardCaptured = Fact<'CardCaptured'> & {
  readonly callId: string
  readonly capturedCents: Cents
  readonly feeCents: Cents
  readonly receivables: readonly Receivable[]
}

export type CaptureRefused = Fact<'CaptureRefused'> & { readonly callId: string; readonly message: string }
export type CardVoided = Fact<'CardVoided'> & { readonly callId: string; readonly reason: string | null }
export type VoidRefused = Fact<'VoidRefused'> & { readonly callId: string; readonly message: string }
export type ChargebackOpened = Fact<'ChargebackOpened'> & {
  readonly chargeback: Chargeback
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
