import type { Request } from '../../../kernel/command.ts'
import type { MedId, TransactionId } from '../../../shared/ids.ts'
import type { Cents } from '../../../shared/money.ts'
import type { EvidenceFile, Med, MedResult } from '../../transaction/transaction.ts'
import type { Payer } from './pix.ts'

export type PixCommand =
  | ReceivePix
  | ReceiveUnrequestedPix
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
}

/** A payment of the charge's QR code. */
export type ReceivePix = Request<'ReceivePix'> &
  PixEvidence & {
    readonly transactionId: TransactionId
    readonly amountCents: Cents | null
  }

/** A PIX to the account's key that no charge asked for. */
export type ReceiveUnrequestedPix = Request<'ReceiveUnrequestedPix'> &
  PixEvidence & {
    readonly transactionId: TransactionId
    readonly amountCents: Cents
    /** The name of the reporting provider. */
    readonly providerId: string
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
