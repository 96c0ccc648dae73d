import type { AccountId, ConnectionId } from '../../engine/shared/ids.ts'
import type { ProviderInstance } from '../providers/port.ts'

/** A connection that is open here, as far as what it reports is concerned. */
export type Reporting = {
  readonly connectionId: ConnectionId
  readonly accountId: AccountId
  /** The name of its provider. */
  readonly provider: string
  /** When the connection was first put to use: what its bank account had received before that is no business of ours. */
  readonly sinceMs: number
  /** When it was retired; null for one that is in use. */
  readonly retiredAtMs: number | null
  readonly instance: Pick<
    ProviderInstance,
    'readNotice' | 'fetch' | 'poll' | 'registerHooks' | 'received' | 'statement'
  >
  /** The address that the bank is given for its notices; null where it gets none from us. */
  readonly hookAddress: string | null
}

/** What a person has to look at. */
export type InboxAlert = {
  readonly kind: /** What was sent to the address of a connection cannot be read. */
    | 'UNREADABLE_NOTICE'
    /** It names something that the bank does not know: its certificate or the address may be in other hands. */
    | 'FORGED_NOTICE'
    /** It names something that cannot take it. */
    | 'REFUSED_NOTICE'
    /** Money came in that belongs to nothing here. */
    | 'UNMATCHED_MONEY'
    /** A notice has been open for an hour. */
    | 'STUCK_NOTICE'
    /** The bank does not take our address, and reports nothing: polls find it. */
    | 'HOOKS_UNREGISTERED'
    /** Another amount than that of its charge came in, and goes back. */
    | 'AMOUNT_MISMATCH'
    /** The bank has refused on four days to send money back: it stays in suspense. */
    | 'RETURN_FAILED'
    /** The books of a day differ from the bank's, and booking what it alone has did not help. */
    | 'BOOKS_DIFFER'
    /** The bank has not listed a day for another day, so that its books could not be compared. */
    | 'BOOKS_UNCOMPARED'
    /** The bank has not given its statement of a day for three days. */
    | 'STATEMENT_MISSING'
  readonly connectionId: ConnectionId
  readonly accountId: AccountId
  /** What it names: ids at the bank, never a body. */
  readonly detail: string
}
