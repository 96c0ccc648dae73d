import type { Request } from '../kernel/command.ts'
import type { Listed, Paging, Question } from '../kernel/query.ts'
import type { Declaration } from '../payments/sent-money.ts'
import type { Standing } from '../people/standing.ts'
import type { CalendarDate } from '../shared/calendar.ts'
import type { ConnectionId, ReconciliationId, SplitTransferId, TransferId } from '../shared/ids.ts'
import type { Cents } from '../shared/money.ts'
import type { ComparedDay, Reconciliation, ReconciliationStatus } from './reconciliation.ts'
import type { StatementMovement, StrangePix, ThirdBook } from './statement.ts'

declare module '../kernel/registry.ts' {
  interface FolderCommands {
    readonly reconciliation: ReconciliationCommand
  }
  interface FolderQueries {
    readonly reconciliation: ReconciliationQuery
  }
  interface Answers {
    readonly ListReconciliations: Listed<Reconciliation>
    readonly FindReconciliation: Reconciliation | null
    readonly ListAwaitingDays: readonly CalendarDate[]
    readonly ListBookedPix: BookedPage
    readonly FindBookedPix: readonly BookedPix[]
    readonly ListBookedOut: readonly BookedOut[]
  }
  interface FolderRefusals {
    readonly reconciliation:
      | { readonly reason: 'STATEMENT_REFUSED'; readonly why: StatementRefusal }
      | {
          readonly reason: 'NOT_BORNE_OUT'
          readonly why: EvidenceRefusal
          readonly date: CalendarDate | null
        }
  }
}

export type ReconciliationCommand =
  | RecordComparedDay
  | AcceptDifference
  | GiveStatement
  | DeclareTransfer
  | DeclarePayout

/** The books of a day were compared. The same outcome as before changes nothing. */
export type RecordComparedDay = Request<'RecordComparedDay'> & {
  /** That of the connection and the day. */
  readonly reconciliationId: ReconciliationId
  readonly compared: Omit<ComparedDay, 'accountId'>
  /** Left out where no statement was compared. */
  readonly third?: ThirdBook
  /** What left by the statement for nothing that is known. Left out where that is nothing. */
  readonly strange?: readonly StrangePix[]
}

/** A person gives a file with the bank's statement. It is never what money is booked by. */
export type GiveStatement = Request<'GiveStatement'> & {
  readonly reconciliationId: ReconciliationId
  readonly given: {
    /** Why it is not that of this connection and day; null where it is. */
    readonly why: StatementRefusal | null
    /** What its bytes hash to. */
    readonly digest: string
    /** Those of the day. */
    readonly movements: readonly StatementMovement[]
  }
}

/**
 * It is of another account; it is not known which account the connection has; it does not cover the day; the day has too many lines; or the bank itself
 * has given its statement.
 */
export type StatementRefusal =
  | 'OTHER_ACCOUNT'
  | 'ACCOUNT_UNKNOWN'
  | 'OTHER_DAYS'
  | 'TOO_MANY'
  | 'BANK_GAVE_IT'

/** What a person says became of money about which its bank can be asked no more, and since when that person may approve. */
type Declares = Declaration & {
  /** How many other PIX of the same amount the person has seen in the statements, none of which is this one. */
  readonly othersCount: number
  readonly standing: Standing | null
}

/** A person says what became of a transfer; the second one who says the same decides it. */
export type DeclareTransfer = Request<'DeclareTransfer'> & Declares & { readonly transferId: TransferId }

/** The same of a payout to a recipient. */
export type DeclarePayout = Request<'DeclarePayout'> &
  Declares & { readonly splitTransferId: SplitTransferId }

/**
 * The id is none of a payment, is of before the transfer, or is known for something else; the statement of a day has not been compared; it does not
 * show the payment; or it shows others of the amount than the person has counted.
 */
export type EvidenceRefusal =
  | 'ID_UNREADABLE'
  | 'ID_OF_OTHER_TIME'
  | 'ID_KNOWN'
  | 'NO_STATEMENT'
  | 'NOT_IN_STATEMENT'
  | 'OTHERS_COUNT'

/** A person accepts that the books of a day differ. */
export type AcceptDifference = Request<'AcceptDifference'> & {
  readonly reconciliationId: ReconciliationId
  readonly reason: string
}

export type ReconciliationQuery =
  | ListReconciliations
  | FindReconciliation
  | ListAwaitingDays
  | ListBookedPix
  | FindBookedPix
  | ListBookedOut

/** Lists days that were compared, the newest comparison first. */
export type ListReconciliations = Question<'ListReconciliations'> &
  Paging & {
    readonly statuses: readonly ReconciliationStatus[]
    readonly connectionId: string | null
    readonly date: CalendarDate | null
  }

export type FindReconciliation = Question<'FindReconciliation'> & {
  readonly reconciliationId: ReconciliationId
}

/** Asks for the days of a connection whose statement was given, however long ago they were, and is not compared yet. */
export type ListAwaitingDays = Question<'ListAwaitingDays'> & { readonly connectionId: ConnectionId }

/** Asks for what we have of payments by a connection that were made in a window, by the time of the bank. */
export type ListBookedPix = Question<'ListBookedPix'> & {
  readonly connectionId: ConnectionId
  readonly fromMs: number
  /** Exclusive. */
  readonly toMs: number
  readonly page: number
  /** The journal position of the first page, for the pages after it. */
  readonly asOf: number | null
}

/** Asks for what we have of these payments, whenever they were made. */
export type FindBookedPix = Question<'FindBookedPix'> & {
  readonly connectionId: ConnectionId
  readonly endToEndIds: readonly string[]
}

/** Asks for the money that left by a connection in a window: refunds, returns and transfers. */
export type ListBookedOut = Question<'ListBookedOut'> & {
  readonly connectionId: ConnectionId
  readonly fromMs: number
  /** Exclusive. */
  readonly toMs: number
}

/** Money that left, as we have it. */
export type BookedOut = {
  /** The ids by which a bank may name it: its own, and that of the payment that it gives back. */
  readonly ids: readonly string[]
  readonly amountCents: Cents
  readonly isTransfer: boolean
  /** Which transfer or payout it is; null for what went back. */
  readonly sentId: TransferId | SplitTransferId | null
  /** Which call of a payout, from 1; missing for what has one call alone. */
  readonly callNumber?: number
  /** When it was through; null where that is not known, so that no day has to show it. */
  readonly atMs: number | null
}

/** A payment as we have it. */
export type BookedPix = {
  readonly endToEndId: string
  readonly txid: string | null
  readonly amountCents: Cents
  readonly returnedCents: Cents
  readonly paidAtMs: number
  /** Whether two people have said that it is not at the bank any more. */
  readonly isWrittenOff: boolean
}

export type BookedPage = {
  readonly booked: readonly BookedPix[]
  readonly asOf: number
  readonly hasMore: boolean
}
