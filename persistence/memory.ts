import type { Account } from '../engine/account/account.ts'
import {
  type ActorKind,
  type ActorState,
  type ActorStates,
  createdAtMsOf,
  dueAtMsOf,
  evolve,
  isAsking,
  type ListedKind,
  labelOf,
  listedKinds,
  lookupKeysOf,
  nextTimer,
  partsOf,
} from '../engine/actors.ts'
import { effectOf } from '../engine/apply.ts'
import { assert } from '../engine/assert.ts'
import type { Delivery } from '../engine/delivery/delivery.ts'
import { fnv1a } from '../engine/hash.ts'
import type { AccountId } from '../engine/ids.ts'
import { limits as engineLimits } from '../engine/limits.ts'
import type { Journal, Kept, KeptReply, ListFilter, Memory } from '../engine/ports.ts'
import { newRecentMap } from '../engine/recent-map.ts'
import type { Timer } from '../engine/timer.ts'
import { newActorIndex } from './actor-index.ts'
import type { IndexFact } from './index-facts.ts'
import { limits } from './limits.ts'
import { newSegments } from './segments.ts'
import type { Checkpoint, Store } from './store.ts'

/**
 * What a shard remembers: every account, an index of every other actor, and the states of the actors used last. Any
 * other state is folded from the journal when it is wanted, so memory is bounded whatever the history.
 */
export type StoredMemory = Memory & {
  /** How many index facts a snapshot does not hold yet. */
  readonly unsaved: () => number
  /** Takes what the snapshot does not hold yet, as it stands at `sequence`: the caller writes it, or starts anew. */
  readonly takeCheckpoint: (sequence: number) => Checkpoint
}

type Hot = Kept<ActorState> & { readonly kind: ListedKind }

export const openMemory = (store: Store, journal: Pick<Journal, 'at'>): StoredMemory => {
  const accounts = new Map<string, Kept<Account>>(store.accounts())
  const changedAccounts = new Set<string>()
  const index = newActorIndex()
  for (const fact of store.facts()) index.apply(fact)
  const unsaved = newSegments()
  const hot = newRecentMap<Hot>(limits.hotActorsMax)

  const find = <Kind extends ActorKind>(kind: Kind, id: string): Kept<ActorStates[Kind]> | undefined => {
    const kept = kind === 'account' ? accounts.get(id) : findListed(kind, id)
    return kept as unknown as Kept<ActorStates[Kind]> | undefined
  }

  const findListed = (kind: ListedKind, id: string): Hot | undefined => {
    const kept = hot.get(id) ?? coldOf(id)
    return kept?.kind === kind ? kept : undefined
  }

  const coldOf = (id: string): Hot | undefined => {
    const ordinal = index.ordinalOf(id)
    if (ordinal === undefined) return undefined
    const kept = fold(id, index.sequencesOf(ordinal))
    hot.set(id, kept)
    return kept
  }

  /** What the entries of these sequences made of an actor. */
  const fold = (id: string, sequences: readonly number[]): Hot => {
    let kind: ActorKind | undefined
    let state: ActorState | undefined
    for (const sequence of sequences) {
      for (const event of journal.at(sequence).events) {
        if (event.id !== id) continue
        kind = event.actor
        state = evolve(state, event)
      }
    }
    assert(kind !== undefined && kind !== 'account' && state !== undefined, `${id} follows from its entries`)
    return { kind, state, sequence: sequences.at(-1)! }
  }

  const keep = (kind: ActorKind, id: string, { state, sequence }: Kept<ActorState>): void => {
    if (kind === 'account') {
      accounts.set(id, { state: state as Account, sequence })
      changedAccounts.add(id)
      return
    }
    const { accountId } = state as Exclude<ActorState, Account>
    const label = labelOf(kind, state)
    const dueAtMs = dueAtMsOf(kind, state)
    const ordinal = index.ordinalOf(id)
    noteExtras(kind, id, { state, sequence }, ordinal === undefined)
    if (ordinal !== undefined) {
      hot.set(id, { kind, state, sequence })
      note({ type: 'Changed', kind, ordinal, accountId, sequence, label, dueAtMs })
      return
    }
    // Most are not asked for again soon: a new state leaves memory with its request. A delivery is attempted at once.
    if (kind === 'delivery') hot.set(id, { kind, state, sequence })
    const createdAtMs = createdAtMsOf(kind, state)
    const objectId = kind === 'delivery' ? (state as Delivery).objectId : null
    note({ type: 'Born', kind, id, accountId, createdAtMs, sequence, label, dueAtMs, objectId })
  }

  // Interim: columns will hold these.
  const owners = new Map<string, string>()
  const partsByAccount = new Map<string, { id: string; bornAt: number }[]>()
  const lookups = new Map<string, string[]>()
  const askingIds = new Set<string>()
  const noteExtras = (
    kind: ListedKind,
    id: string,
    { state, sequence }: Kept<ActorState>,
    isNew: boolean,
  ): void => {
    const { accountId } = state as Exclude<ActorState, Account>
    for (const part of partsOf(kind, state)) {
      if (owners.has(part)) continue
      owners.set(part, id)
      const parts = partsByAccount.get(accountId) ?? []
      partsByAccount.set(accountId, parts)
      parts.push({ id: part, bornAt: sequence })
    }
    if (isNew) {
      for (const key of lookupKeysOf(kind, state)) {
        const place = `${accountId} ${kind} ${key}`
        lookups.set(place, [...(lookups.get(place) ?? []), id])
      }
    }
    if (isAsking(kind, state)) askingIds.add(id)
    else askingIds.delete(id)
  }

  const note = (fact: IndexFact): void => {
    index.apply(fact)
    unsaved.add(fact)
  }

  const findReply = (accountId: AccountId, key: string, nowMs: number): KeptReply | undefined => {
    for (const sequence of index.replies.find(hashOf(accountId, key))) {
      const entry = journal.at(sequence)
      if (entry.accountId !== accountId || entry.idempotency?.key !== key) continue
      // A cleared Sandbox forgets its keys with its charges.
      if (sequence <= index.clearedAt(accountId)) return undefined
      if (entry.atMs + engineLimits.idempotencyRetentionMs <= nowMs) return undefined
      return {
        fingerprint: entry.idempotency.fingerprint,
        events: entry.events,
        state: stateAt(sequence, ...effectOf(entry)),
        sequence,
      }
    }
    return undefined
  }

  /** An actor as an earlier entry left it. */
  const stateAt = (sequence: number, kind: ActorKind, id: string): ActorState => {
    const now = find(kind, id)!
    if (now.sequence === sequence) return now.state
    const until = index.sequencesOf(index.ordinalOf(id)!).filter((other) => other <= sequence)
    return fold(id, until).state
  }

  const hashOf = (accountId: AccountId, key: string): number => hash(hash(store.seed, accountId), key)

  const clear = (accountId: AccountId, sequence: number): void => {
    for (const kind of listedKinds) {
      index.scan(accountId, kind, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, (id) => {
        hot.delete(id)
        askingIds.delete(id)
      })
    }
    for (const { id } of partsByAccount.get(accountId) ?? []) owners.delete(id)
    partsByAccount.delete(accountId)
    for (const place of lookups.keys()) if (place.startsWith(`${accountId} `)) lookups.delete(place)
    note({ type: 'Cleared', accountId, sequence })
  }

  const dueTimer = (accountId: AccountId, nowMs: number): Timer | undefined => {
    const own = nextTimer('account', accounts.get(accountId)!.state)
    const first = firstTimer(accountId, nowMs)
    return own !== null && own.dueAtMs <= nowMs && (first === undefined || own.dueAtMs < first.dueAtMs)
      ? own
      : first
  }

  const firstTimer = (accountId: AccountId, nowMs: number): Timer | undefined => {
    const queue = index.timersOf(accountId)
    if (queue === undefined) return undefined
    for (let next = queue.peek(); next !== undefined && next.dueAtMs <= nowMs; next = queue.peek()) {
      const ordinal = index.ordinalOf(next.id)
      if (ordinal !== undefined && index.dueAtMsOf(ordinal) === next.dueAtMs) {
        const { kind, state } = hot.get(next.id) ?? coldOf(next.id)!
        return nextTimer(kind, state)!
      }
      queue.pop()
    }
    return undefined
  }

  const accountsDue = (nowMs: (accountId: AccountId) => number): readonly AccountId[] => {
    const due: AccountId[] = []
    for (const [id, queue] of index.accountsWithTimers()) {
      const next = queue.peek()
      if (next !== undefined && next.dueAtMs <= nowMs(id)) due.push(id)
    }
    for (const [id, { state }] of accounts) {
      const own = nextTimer('account', state)
      if (own !== null && own.dueAtMs <= nowMs(id as AccountId)) due.push(id as AccountId)
    }
    return due
  }

  const takeDueAttempts = (atMs: number, limit: number): readonly Delivery[] => {
    const { attempts } = index
    const due: Delivery[] = []
    for (let next = attempts.peek(); next !== undefined && next.dueAtMs <= atMs; next = attempts.peek()) {
      if (due.length >= limit) break
      attempts.pop()
      const ordinal = index.ordinalOf(next.id)
      if (ordinal !== undefined && index.dueAtMsOf(ordinal) === next.dueAtMs)
        due.push(find('delivery', next.id)!.state)
    }
    // First attempts that became due together go out in the order of their events.
    due.sort((a, b) => a.nextAttemptAtMs! - b.nextAttemptAtMs! || (a.eventId < b.eventId ? -1 : 1))
    return due
  }

  const list = <Kind extends ListedKind>(
    accountId: AccountId,
    kind: Kind,
    filter: ListFilter<ActorStates[Kind]>,
  ) => {
    const { offset, limit, fits, matches } = filter
    const asOf = filter.asOf ?? Number.POSITIVE_INFINITY
    const fromMs = filter.fromMs ?? Number.NEGATIVE_INFINITY
    const toMs = filter.toMs ?? Number.POSITIVE_INFINITY
    const shown: string[] = []
    let total = 0
    const stateOf = (id: string): ActorStates[Kind] => find(kind, id)!.state
    index.scan(accountId, kind, fromMs, toMs, (id, label, bornAt) => {
      if (bornAt > asOf || (fits && !fits(label)) || (matches && !matches(stateOf(id)))) return
      if (total >= offset && shown.length < limit) shown.push(id)
      total++
    })
    return { states: shown.map(stateOf), total }
  }

  const takeCheckpoint = (sequence: number): Checkpoint => {
    const changed = [...changedAccounts].map((id) => [id, accounts.get(id)!] as const)
    changedAccounts.clear()
    return { sequence, accounts: changed, segments: unsaved.take() }
  }

  return {
    find,
    keep,
    findReply,
    keepReply: (accountId, key, sequence, atMs) =>
      note({ type: 'Keyed', hash: hashOf(accountId, key), sequence, atMs }),
    dueTimer,
    accountsDue,
    takeDueAttempts,
    list,
    deliveriesOf: (objectId) =>
      index.deliveriesOf(objectId).flatMap((id) => find('delivery', id)?.state ?? []),
    ownerOf: (partId) => {
      const id = owners.get(partId)
      return id === undefined ? undefined : find('transaction', id)
    },
    parts: (accountId, prefix) =>
      (partsByAccount.get(accountId) ?? []).filter(({ id }) => id.startsWith(prefix)),
    lookup: (kind, accountId, key) =>
      (lookups.get(`${accountId} ${kind} ${key}`) ?? []).map((id) => find(kind, id)!),
    asking: () => askingIds,
    clear,
    unsaved: unsaved.count,
    takeCheckpoint,
  }
}

/** From a random start: which keys share a hash is not known beforehand. */
const hash = (seed: number, text: string): number => {
  const bits = fnv1a(text, seed)
  return (bits ^ (bits >>> 15)) | 0
}
