import type { Request } from '../kernel/command.ts'
import type { Listed, Paging, Question } from '../kernel/query.ts'
import type { CalendarDate } from '../shared/calendar.ts'
import type { ConnectionId, ReconciliationId } from '../shared/ids.ts'
import type { Cents } from '../shared/money.ts'
import type { ComparedDay, Reconciliation, ReconciliationStatus } from './reconciliation.ts'

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
    readonly ListBookedPix: BookedPage
    readonly FindBookedPix: readonly BookedPix[]
  }
}

export type ReconciliationCommand = RecordComparedDay | AcceptDifference

/** The books of a day were compared. The same outcome as before changes nothing. */
export type RecordComparedDay = Request<'RecordComparedDay'> & {
  /** That of the connection and the day. */
  readonly reconciliationId: ReconciliationId
  readonly compared: Omit<ComparedDay, 'accountId'>
}

/** A person accepts that the books of a day differ. */
export type AcceptDifference = Request<'AcceptDifference'> & {
  readonly reconciliationId: ReconciliationId
  readonly reason: string
}

export type ReconciliationQuery = ListReconciliations | FindReconciliation | ListBookedPix | FindBookedPix

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
