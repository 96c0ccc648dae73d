import type { Request } from '../../../kernel/command.ts'
import type { ChargebackId, TransactionId } from '../../../shared/ids.ts'
import type { Cents } from '../../../shared/money.ts'
import type { ChargebackReason } from '../../transaction/transaction.ts'
import type { DeclineCode } from './decline-codes.ts'

export type CardCommand =
  | CaptureCharge
  | TimeOutAuthorization
  | ResolveAuthorization
  | OpenChargeback
  | DisputeChargeback
  | ResolveChargeback

export type CaptureCharge = Request<'CaptureCharge'> & {
  readonly transactionId: TransactionId
  /** Null for the full authorized amount. */
  readonly amountCents: Cents | null
}

/** An authorization has been unknown for too long. */
export type TimeOutAuthorization = Request<'TimeOutAuthorization'> & { readonly transactionId: TransactionId }

/** The Sandbox decides an authorization that is PROCESSING. */
export type ResolveAuthorization = Request<'ResolveAuthorization'> & {
  readonly transactionId: TransactionId
  readonly result: 'APPROVED' | 'DECLINED' | 'FAILED'
  readonly providerCode: DeclineCode
}

/** The issuer takes a card payment back. */
export type OpenChargeback = Request<'OpenChargeback'> & {
  readonly transactionId: TransactionId
  readonly amountCents: Cents | null
  readonly reason: ChargebackReason | null
  /** Opened by a scenario, so the time limit does not apply. */
  readonly isForced?: true
}

export type DisputeChargeback = Request<'DisputeChargeback'> & {
  readonly reversalId: ChargebackId
  readonly text: string
}

/** The network decides, or a time limit passes. */
export type ResolveChargeback = Request<'ResolveChargeback'> & {
  readonly reversalId: ChargebackId
  readonly result: 'WON' | 'LOST'
}
