import type { Rejection } from '../../engine/kernel/registry.ts'
import type { PixEvidence } from '../../engine/payments/methods/pix/commands.ts'
import type { AccountId, TransactionId } from '../../engine/shared/ids.ts'
import type { Cents } from '../../engine/shared/money.ts'

/**
 * What a provider says unasked, as plain data. A real provider states amount, time and end-to-end id; what is null is made up,
 * which only the Sandbox's may leave to us.
 */
export type Notice = PixIn | UnrequestedPixIn | BoletoPaid

/** A PIX has arrived by the QR code of a charge or of a boleto. */
export type PixIn = Stated<'PIX_IN'> &
  Required<PixEvidence> & {
    readonly pays: { readonly kind: 'CHARGE' | 'BOLETO'; readonly id: TransactionId }
    /** Null for what it costs. */
    readonly amountCents: Cents | null
  }

/** A PIX has arrived at the account's key. */
export type UnrequestedPixIn = Stated<'PIX_IN'> &
  Required<PixEvidence> & { readonly pays: null; readonly amountCents: Cents }

/** A boleto was paid by its bar code. The money is there at once, or on the next business day. */
export type BoletoPaid = Stated<'BOLETO_PAID'> & {
  readonly transactionId: TransactionId
  /** Null for what it costs on the day. */
  readonly amountCents: Cents | null
  /** Null for now. */
  readonly paidAtMs: number | null
  readonly clearing: 'IMMEDIATE' | 'NEXT_BUSINESS_DAY'
}

/** What has become of a notice. */
export type NoticeOutcome =
  /** It is in the journal. */
  | { readonly type: 'TAKEN' }
  /** It was taken before, and changes nothing. */
  | { readonly type: 'REPEAT' }
  /** Nothing is known by that id. */
  | { readonly type: 'UNKNOWN' }
  /** It is about something that cannot take it as it is. A person has to look. */
  | { readonly type: 'REFUSED'; readonly rejection: Rejection }

type Stated<Kind extends string> = { readonly kind: Kind; readonly accountId: AccountId }
