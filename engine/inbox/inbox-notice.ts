import type { ActorDefinition } from '../kernel/actor.ts'
import type { ActorFact } from '../kernel/fact.ts'
import { assert } from '../shared/assert.ts'
import { bounds } from '../shared/bounds.ts'
import type { AccountId, ConnectionId, InboxNoticeId } from '../shared/ids.ts'

declare module '../kernel/registry.ts' {
  interface ActorStates {
    readonly inboxNotice: InboxNotice
  }
  interface ActorFacts {
    readonly inboxNotice: InboxNoticeFact
  }
}

/**
 * What a bank or acquirer sent to the address of a connection, as it came. It is open until everything that it names is booked, or known to
 * be nothing. All times are real.
 */
export type InboxNotice = NewInboxNotice & {
  readonly id: InboxNoticeId
  readonly createdAtMs: number
  /** Null while it is open. */
  readonly closed: { readonly atMs: number; readonly outcome: InboxOutcome } | null
}

export type NewInboxNotice = {
  readonly accountId: AccountId
  readonly connectionId: ConnectionId
  /** The same for the same bytes at the same address. */
  readonly key: string
  /** Whether the provider sent it, or a poll found what it names and could not book it at once. */
  readonly source: 'HOOK' | 'POLL'
  /** What stood behind the token of the address: never the token itself. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The body, compressed. Empty once the notice is closed: the journal still has it. */
  readonly packed: Uint8Array
}

/** What became of a notice; of several things that it names, the first in this order counts. */
export type InboxOutcome =
  /** The adapter could not read it. */
  | 'UNREADABLE'
  /** It names something that the provider itself does not know. */
  | 'FORGED'
  /** It names something that cannot take it in its present state: a person has to look. */
  | 'REFUSED'
  /** It names money that belongs to nothing here, which is in suspense. */
  | 'UNMATCHED'
  /** All is booked, by this notice or before it. */
  | 'TAKEN'
  /** It names nothing, as the tests of banks do. */
  | 'EMPTY'

export type InboxNoticeFact =
  | (Fact<'NoticeReceived'> & { readonly notice: NewInboxNotice })
  | (Fact<'NoticeClosed'> & { readonly outcome: InboxOutcome })

type Fact<Type extends string> = ActorFact<'inboxNotice', Type>

export const inboxNoticeKind: ActorDefinition<InboxNotice, InboxNoticeFact> = {
  prefix: 'ibn',
  evolve: (state, event) => {
    if (event.type === 'NoticeReceived') {
      assert(state === undefined, 'a notice is received once')
      return { id: event.id, createdAtMs: event.atMs, closed: null, ...event.notice }
    }
    assert(state !== undefined && state.closed === null, 'NoticeClosed follows NoticeReceived')
    return { ...state, packed: nothing, closed: { atMs: event.atMs, outcome: event.outcome } }
  },
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  label: ({ closed, connectionId }) => (closed === null ? connectionId : ''),
  lookupKeys: ({ connectionId, key, closed }) => [
    closed === null ? openKey(connectionId, key) : closedKey(connectionId, key, closed.atMs),
  ],
  isOver: ({ closed }) => closed !== null,
  // Connections are of Production, where nothing is reset.
  isKeptByReset: true,
}

/** The key under which a notice is found while it is open. */
export const openKey = (connectionId: ConnectionId, key: string): string => `${connectionId} ${key}`

/** The key under which a notice is found for a while after it was closed: a bank that repeats it at once has said nothing new. */
export const closedKey = (connectionId: ConnectionId, key: string, atMs: number): string =>
  `${connectionId} ${key} ${Math.floor(atMs / bounds.noticeRepeatedMs)}`

const nothing = new Uint8Array()
