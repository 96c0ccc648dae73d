import { type ListedKind, listedKinds } from '../engine/actors.ts'
import { assert, unreachable } from '../engine/assert.ts'
import type { AccountId } from '../engine/ids.ts'
import type { Part } from '../engine/ports.ts'
import { type DueQueue, newDueQueue } from './due-queue.ts'
import type { IndexFact } from './index-facts.ts'
import { newReplyRegister, type ReplyRegister } from './reply-register.ts'

/**
 * What a shard knows of every actor without its state: the entries that made it, its place in the lists, what it waits
 * for. Some tens of bytes an actor, all in memory; states are folded from the journal's entries when they are wanted.
 * It is itself a fold, over index facts, so that a snapshot is nothing but these facts in order.
 */
export type ActorIndex = {
  readonly apply: (fact: IndexFact) => void
  readonly ordinalOf: (id: string) => number | undefined
  /** The entries that made the actor, oldest first. */
  readonly sequencesOf: (ordinal: number) => readonly number[]
  /** `never` where it waits for nothing. */
  readonly dueAtMsOf: (ordinal: number) => number
  /** Visits an account's actors of one kind created in [fromMs, toMs), newest first. */
  readonly scan: (
    accountId: AccountId,
    kind: ListedKind,
    fromMs: number,
    toMs: number,
    visit: (id: string, label: string, bornAt: number) => void,
  ) => void
  /** The actors of an account that wait for its environment clock. */
  readonly timersOf: (accountId: AccountId) => DueQueue | undefined
  readonly accountsWithTimers: () => Iterable<readonly [AccountId, DueQueue]>
  /** The deliveries that wait for the real clock. */
  readonly attempts: DueQueue
  readonly deliveriesOf: (objectId: string) => readonly string[]
  /** The actor that a part belongs to. */
  readonly ownerOf: (partId: string) => string | undefined
  /** An account's parts, oldest first. */
  readonly partsOf: (accountId: AccountId) => readonly Part[]
  /** What is looked up by a key, oldest first. */
  readonly lookup: (accountId: AccountId, kind: ListedKind, key: string) => readonly string[]
  readonly isAsking: (ordinal: number) => boolean
  /** The actors that wait for a provider's answer. */
  readonly asking: () => Iterable<string>
  readonly replies: ReplyRegister
  /** Up to which sequence an account's actors are forgotten. */
  readonly clearedAt: (accountId: AccountId) => number
}

const noChange = -1
/** A number like the others: with null among them each would be an object of its own. */
const never = Number.POSITIVE_INFINITY

export const newActorIndex = (): ActorIndex => {
  const ordinals = new Map<string, number>()
  // Columns by ordinal, in order of birth.
  const ids: string[] = []
  const createdAtMs: number[] = []
  const labels: string[] = []
  const dueAtMs: number[] = []
  const bornAt: number[] = []
  /** The place of the newest later entry of each actor in the two columns below it, which lead back to the first. */
  const lastChange: number[] = []
  const changeSequence: number[] = []
  const changeBefore: number[] = []

  const accounts = new Map<AccountId, AccountIndex>()
  const attempts = newDueQueue()
  const deliveries = new Map<string, string[]>()
  /** Ordinals by part. */
  const owners = new Map<string, number>()
  const asking = new Set<number>()
  const replies = newReplyRegister()

  const apply = (fact: IndexFact): void => {
    switch (fact.type) {
      case 'Born': {
        assert(!ordinals.has(fact.id), `${fact.id} is born once`)
        const ordinal = ids.push(fact.id) - 1
        ordinals.set(fact.id, ordinal)
        createdAtMs.push(fact.createdAtMs)
        labels.push(interned(fact.label))
        bornAt.push(fact.sequence)
        lastChange.push(noChange)
        dueAtMs.push(fact.dueAtMs ?? never)
        const account = accountOf(fact.accountId)
        insert(account[fact.kind], ordinal)
        if (fact.dueAtMs !== null) queueFor(account, fact.kind).push(fact.dueAtMs, fact.id)
        if (fact.objectId === null) return
        const siblings = deliveries.get(fact.objectId)
        if (siblings === undefined) deliveries.set(fact.objectId, [fact.id])
        else siblings.push(fact.id)
        return
      }
      case 'Changed': {
        const { ordinal } = fact
        changeSequence.push(fact.sequence)
        lastChange[ordinal] = changeBefore.push(lastChange[ordinal]!) - 1
        labels[ordinal] = interned(fact.label)
        if (fact.dueAtMs !== null && fact.dueAtMs !== dueAtMs[ordinal])
          queueFor(accountOf(fact.accountId), fact.kind).push(fact.dueAtMs, ids[ordinal]!)
        dueAtMs[ordinal] = fact.dueAtMs ?? never
        return
      }
      case 'Keyed':
        replies.put(fact.hash, fact.sequence, fact.atMs)
        return
      case 'Cleared': {
        const account = accountOf(fact.accountId)
        for (const ordinal of listedKinds.flatMap((kind) => account[kind])) {
          ordinals.delete(ids[ordinal]!)
          deliveries.delete(ids[ordinal]!)
          asking.delete(ordinal)
        }
        for (const { id } of account.parts) owners.delete(id)
        accounts.set(fact.accountId, newAccountIndex(fact.sequence))
        return
      }
      case 'Owns': {
        const { accountId, ordinal, partId, sequence } = fact
        owners.set(partId, ordinal)
        accountOf(accountId).parts.push({ id: partId, bornAt: sequence })
        return
      }
      case 'Known': {
        const { lookups } = accountOf(fact.accountId)
        const key = `${fact.kind} ${fact.key}`
        const others = lookups.get(key)
        if (others === undefined) lookups.set(key, [fact.ordinal])
        else others.push(fact.ordinal)
        return
      }
      case 'Asking':
        if (fact.asks) asking.add(fact.ordinal)
        else asking.delete(fact.ordinal)
        return
      default:
        unreachable(fact)
    }
  }

  const queueFor = (account: AccountIndex, kind: ListedKind): DueQueue =>
    kind === 'delivery' ? attempts : account.timers

  const accountOf = (id: AccountId): AccountIndex => {
    let account = accounts.get(id)
    if (account === undefined) {
      account = newAccountIndex(0)
      accounts.set(id, account)
    }
    return account
  }

  /** Into its place by creation time, then by id. Nearly every new actor is the newest. */
  const insert = (sorted: number[], ordinal: number): void => {
    const place = placeOf(sorted, createdAtMs[ordinal]!, ids[ordinal]!)
    if (place === sorted.length) sorted.push(ordinal)
    else sorted.splice(place, 0, ordinal)
  }

  /** The first place whose actor is not before (atMs, id). */
  const placeOf = (sorted: readonly number[], atMs: number, id: string): number => {
    let low = 0
    let high = sorted.length
    if (high > 0 && isBefore(sorted[high - 1]!, atMs, id)) return high
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isBefore(sorted[middle]!, atMs, id)) low = middle + 1
      else high = middle
    }
    return low
  }

  const isBefore = (ordinal: number, atMs: number, id: string): boolean =>
    createdAtMs[ordinal]! < atMs || (createdAtMs[ordinal]! === atMs && ids[ordinal]! < id)

  return {
    apply,
    ordinalOf: (id) => ordinals.get(id),
    sequencesOf: (ordinal) => {
      const sequences: number[] = []
      for (let change = lastChange[ordinal]!; change !== noChange; change = changeBefore[change]!)
        sequences.push(changeSequence[change]!)
      sequences.push(bornAt[ordinal]!)
      return sequences.reverse()
    },
    dueAtMsOf: (ordinal) => dueAtMs[ordinal]!,
    scan: (accountId, kind, fromMs, toMs, visit) => {
      const sorted = accounts.get(accountId)?.[kind] ?? []
      for (let place = placeOf(sorted, toMs, '') - 1; place >= 0; place--) {
        const ordinal = sorted[place]!
        if (createdAtMs[ordinal]! < fromMs) return
        visit(ids[ordinal]!, labels[ordinal]!, bornAt[ordinal]!)
      }
    },
    timersOf: (accountId) => accounts.get(accountId)?.timers,
    accountsWithTimers: function* () {
      for (const [id, { timers }] of accounts) yield [id, timers] as const
    },
    attempts,
    deliveriesOf: (objectId) => deliveries.get(objectId) ?? [],
    ownerOf: (partId) => {
      const ordinal = owners.get(partId)
      return ordinal === undefined ? undefined : ids[ordinal]
    },
    partsOf: (accountId) => accounts.get(accountId)?.parts ?? [],
    lookup: (accountId, kind, key) =>
      (accounts.get(accountId)?.lookups.get(`${kind} ${key}`) ?? []).map((ordinal) => ids[ordinal]!),
    isAsking: (ordinal) => asking.has(ordinal),
    asking: function* () {
      for (const ordinal of asking) yield ids[ordinal]!
    },
    replies,
    clearedAt: (accountId) => accounts.get(accountId)?.clearedAt ?? 0,
  }
}

/** Ordinals by kind, each in the order of its list, and what waits for the account's clock. */
type AccountIndex = Record<ListedKind, number[]> & {
  readonly timers: DueQueue
  readonly parts: Part[]
  /** Ordinals by kind and key. */
  readonly lookups: Map<string, number[]>
  readonly clearedAt: number
}

const newAccountIndex = (clearedAt: number): AccountIndex => ({
  transaction: [],
  received: [],
  delivery: [],
  customer: [],
  batch: [],
  timers: newDueQueue(),
  parts: [],
  lookups: new Map(),
  clearedAt,
})

const labelsSeen = new Map<string, string>()

/** Labels are few; a million actors share their texts. */
const interned = (label: string): string => {
  const seen = labelsSeen.get(label)
  if (seen !== undefined) return seen
  labelsSeen.set(label, label)
  return label
}
