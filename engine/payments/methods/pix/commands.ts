import type { Request } from '../../../kernel/command.ts'
import type { ConnectionId, MedId, ReceivedPixId, TransactionId } from '../../../shared/ids.ts'
import type { Cents } from '../../../shared/money.ts'
import type { EvidenceFile, Med, MedResult } from '../../transaction/transaction.ts'
import type { Payer, PixAtBank, ReturnAtBank } from './pix.ts'

export type PixCommand =
  | ReceivePix
  | ReceivePixAtBank
  | ReceiveUnrequestedPix
  | TimeOutRegistration
  | RepeatReturn
  | ReportReturn
  | ReportMed
  | OpenMed
  | DefendMed
  | CloseMed
  | ContestMed
  | ResolveMedContest

/** What the provider reports about an arrived PIX. Missing values are filled in, as in the Sandbox. */
export type PixEvidence = {
  readonly payer?: Payer | null
  /** The same for the same money, however often it is reported. */
  readonly endToEndId?: string | null
  readonly paidAtMs?: number | null
  /** What was withheld as tax, and is not in the amount. */
  readonly taxWithheldCents?: Cents | null | undefined
}

/** A payment of the charge's QR code. */
export type ReceivePix = Request<'ReceivePix'> &
  PixEvidence & {
    readonly transactionId: TransactionId
    readonly amountCents: Cents | null
  }

/** A bank has taken a payment of the charge with this txid: it is kept or goes back, and counts once by whatever road it comes. */
export type ReceivePixAtBank = Request<'ReceivePixAtBank'> & PixAtBank & { readonly txid: string }

/** A PIX to the account's key that no charge asked for. */
export type ReceiveUnrequestedPix = Request<'ReceiveUnrequestedPix'> &
  PixEvidence & {
    readonly transactionId: TransactionId
    readonly amountCents: Cents
    /** The name of the reporting provider. */
    readonly providerId: string
    /** The connection that reports it, and the key there that was paid. Missing where the money came by no connection. */
    readonly connectionId?: ConnectionId
    readonly pixKey?: string
  }

/** A bank has not said for too long whether it has registered a charge. */
export type TimeOutRegistration = Request<'TimeOutRegistration'> & { readonly transactionId: TransactionId }

/** A return that the bank refused is begun once more. */
export type RepeatReturn = Request<'RepeatReturn'> & {
  readonly transactionId: TransactionId
  readonly receivedPixId: ReceivedPixId
}

/** A bank says what became of money of a PIX that goes back, by our request or without one. The same said twice changes nothing. */
export type ReportReturn = Request<'ReportReturn'> & {
  readonly endToEndId: string
  readonly returned: ReturnAtBank
}

/** A bank says where an infraction report about a PIX stands. */
export type ReportMed = Request<'ReportMed'> & {
  readonly endToEndId: string
  readonly med: {
    /** The bank's own id. */
    readonly bankMedId: string
    readonly state: 'OPEN' | 'IN_DEFENCE' | 'ACCEPTED' | 'REJECTED' | 'CANCELLED'
    readonly amountCents: Cents
    readonly reason: Med['reason'] | null
    readonly details: string | null
    /** Whether one that is accepted has money that went back or is to; null where the bank has not shown that yet. */
    readonly hasReturn: boolean | null
  }
}

/** The payer's bank contests a PIX. */
export type OpenMed = Request<'OpenMed'> & {
  readonly transactionId: TransactionId
  readonly amountCents: Cents | null
  readonly reason: Med['reason'] | null
  /** What the payer's bank says. */
  readonly details?: string | null
  /** The contested payment, if it went to another account and the money was traced to this one. */
  readonly rootEndToEndId?: string | null
  /** Opened by a scenario, so the time limit does not apply. */
  readonly isForced?: true
}

export type CloseMed = Request<'CloseMed'> & {
  readonly reversalId: MedId
  readonly result: MedResult
  /** The amount that an accepted MED returns; null for the whole blocked amount. */
  readonly returnedCents: Cents | null
}

/** The merchant says, while a MED is open, why the payment is theirs. */
export type DefendMed = Request<'DefendMed'> & Stated

/** The merchant wants back what a MED has returned. */
export type ContestMed = Request<'ContestMed'> & Stated

type Stated = {
  readonly reversalId: MedId
  readonly text: string
  readonly files: readonly EvidenceFile[]
}

export type ResolveMedContest = Request<'ResolveMedContest'> & {
  readonly reversalId: MedId
  readonly result: 'WON' | 'LOST'
}
