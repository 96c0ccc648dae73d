import type { ActorDefinition } from '../kernel/actor.ts'
import type { ActorFact } from '../kernel/fact.ts'
import { assert } from '../shared/assert.ts'
import type { AccountId, ConnectionId, PollId } from '../shared/ids.ts'

declare module '../kernel/registry.ts' {
  interface ActorStates {
    readonly poll: Poll
  }
  interface ActorFacts {
    readonly poll: PollFact
  }
}

/** How far the polls of a connection have come: what lies before their cursors is booked, or an open notice. */
export type Poll = PollState & {
  readonly id: PollId
  readonly createdAtMs: number
}

export type PollState = {
  readonly accountId: AccountId
  readonly connectionId: ConnectionId
  readonly cursors: PollCursors
}

/** The cursor of each loop by its name, as the adapter wrote it. */
export type PollCursors = Readonly<Record<string, string>>

/** It carries the whole state, so the latest fact alone is enough. */
export type PollFact = ActorFact<'poll', 'PollAdvanced'> & {
  readonly poll: PollState & { readonly createdAtMs: number }
}

export const pollKind: ActorDefinition<Poll, PollFact> = {
  prefix: 'pol',
  evolve: (_, { id, poll }) => ({ id, ...poll }),
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  label: () => '',
  isSnapshot: () => true,
  isKeptByReset: true,
}

/** The polls of a connection have its id under a prefix of their own. */
export const pollIdOf = (connectionId: ConnectionId): PollId => {
  assert(/^[a-z]{3}_[0-9A-Z]{26}$/.test(connectionId), 'the id of a connection has the shape of an id')
  return `pol_${connectionId.slice(4)}` as PollId
}
