import type { Request } from '../../kernel/command.ts'
import type { PixAtBank } from '../../payments/methods/pix/pix.ts'
import type { MandateId } from '../../shared/ids.ts'
import type { Cents } from '../../shared/money.ts'
import type { Mandate, MandateAttempt, MandateStatus } from './mandate.ts'
import type { MandateAnswer } from './mandate-request.ts'

declare module '../../kernel/registry.ts' {
  interface FolderCommands {
    readonly mandates: MandateCommand
  }
}

export type MandateCommand =
  | RecordMandateAnswer
  | CallMandateAgain
  | RunMandate
  | ReportMandate
  | ReportMandateCharge
  | PlayMandate
  | PlayMandateCharge

/** A bank's answer to a call. */
export type RecordMandateAnswer = Request<'RecordMandateAnswer'> & {
  readonly mandateId: MandateId
  readonly callId: string
  readonly answer: MandateAnswer
}

/** An unanswered call is due again. */
export type CallMandateAgain = Request<'CallMandateAgain'> & {
  readonly mandateId: MandateId
  readonly callId: string
}

/** The clock has reached the end of something that a charge waits for. */
export type RunMandate = Request<'RunMandate'> & { readonly mandateId: MandateId }

/** A mandate as it is at the bank now. */
export type ReportMandate = Request<'ReportMandate'> & {
  /** The bank's id of it. */
  readonly idRec: string
} & MandateReport

/** A charge by a mandate as it is at the bank now. */
export type ReportMandateCharge = Request<'ReportMandateCharge'> & { readonly txid: string } & ChargeReport

/** The payer, or their bank, decides in the Sandbox. */
export type PlayMandate = Request<'PlayMandate'> & { readonly mandateId: MandateId } & MandateReport

/** What becomes of the attempt that the Sandbox has under way. */
export type PlayMandateCharge = Request<'PlayMandateCharge'> & {
  readonly mandateId: MandateId
  readonly result: 'PAID' | 'REJECTED' | 'EXPIRED'
  readonly code: string | null
}

export type MandateReport = {
  readonly status: MandateStatus
  readonly closedBy: Mandate['closedBy']
  readonly code: string | null
  readonly maximumCents: Cents | null
}

export type ChargeReport = {
  readonly state: 'CREATED' | 'ACTIVE' | 'PAID' | 'EXPIRED' | 'REJECTED' | 'CANCELLED'
  readonly attempts: readonly MandateAttempt[]
  /** The money that it brought. */
  readonly payments: readonly PixAtBank[]
}
