import type { Rejection } from '../../engine/kernel/registry.ts'
import type { DropTransfers, ReportTransfer } from '../../engine/payments/methods/crypto/commands.ts'
import type { PixEvidence } from '../../engine/payments/methods/pix/commands.ts'
import type { AccountId, TransactionId } from '../../engine/shared/ids.ts'
import type { Cents } from '../../engine/shared/money.ts'

/**
 * What a provider reports unasked, as plain data. A real provider states amount, time and end-to-end id; nulls are filled in by
 * us, and only the Sandbox's providers may send them.
 */
export type Notice = PixIn | UnrequestedPixIn | BoletoPaid | TransferNotice | TransferLost

/** A PIX arrived through the QR code of a charge or boleto. */
export type PixIn = Stated<'PIX_IN'> &
  Arrived & {
    readonly pays: { readonly kind: 'CHARGE' | 'BOLETO'; readonly id: TransactionId }
    /** Null means the amount of the charge. */
    readonly amountCents: Cents | null
  }

/** A PIX arrived at the account's key. */
export type UnrequestedPixIn = Stated<'PIX_IN'> &
  Arrived & { readonly pays: null; readonly amountCents: Cents }

/** What is said of it; tax only where some was withheld. */
type Arrived = Required<Omit<PixEvidence, 'taxWithheldCents'>> & Pick<PixEvidence, 'taxWithheldCents'>

/** A boleto was paid by its bar code. The money is there at once, or on the next business day. */
export type BoletoPaid = Stated<'BOLETO_PAID'> & {
  readonly transactionId: TransactionId
  /** Null means the amount payable on that day. */
  readonly amountCents: Cents | null
  /** Null means now. */
  readonly paidAtMs: number | null
  readonly clearing: 'IMMEDIATE' | 'NEXT_BUSINESS_DAY'
}

/** A transfer to the address of a charge in a stablecoin: reported when seen, and again as it is confirmed. */
export type TransferNotice = Stated<'TRANSFER_SEEN'> & Pick<ReportTransfer, ReportedMembers>

/** The network has dropped such a transfer. */
export type TransferLost = Stated<'TRANSFER_DROPPED'> & Pick<DropTransfers, 'transactionId' | 'txHash'>

type ReportedMembers = 'transactionId' | 'txHash' | 'asset' | 'units' | 'fromAddress' | 'confirmations'

/** The outcome of a notice. */
export type NoticeOutcome =
  /** It is recorded in the journal. */
  | { readonly type: 'TAKEN' }
  /** It was taken before, and changes nothing. */
  | { readonly type: 'REPEAT' }
  /** Nothing is known by that id. */
  | { readonly type: 'UNKNOWN' }
  /** What it is about cannot take it in its present state. A person has to look. */
  | { readonly type: 'REFUSED'; readonly rejection: Rejection }

type Stated<Kind extends string> = { readonly kind: Kind; readonly accountId: AccountId }
