import type { Account } from './account/account.ts'
import { evolveAccount } from './account/evolve.ts'
import { assert, unreachable } from './assert.ts'
import type { Delivery } from './delivery/delivery.ts'
import { evolveDelivery } from './delivery/evolve.ts'
import type { Event } from './events.ts'
import type { IdPrefix } from './ids.ts'
import type { ReceivedPix } from './received/received.ts'
import type { Timer } from './timer.ts'
import { evolveTransaction } from './transaction/evolve.ts'
import { nextTransactionTimer } from './transaction/timers.ts'
import type { Transaction } from './transaction/transaction.ts'

/** The kinds of actor, and the state of each. Ids are unique over all kinds. */
export type ActorStates = {
  readonly account: Account
  readonly transaction: Transaction
  readonly received: ReceivedPix
  readonly delivery: Delivery
}
export type ActorKind = keyof ActorStates
export type ActorState = ActorStates[ActorKind]
/** The kinds that an account has many of: they are listed, newest first. */
export const listedKinds = ['transaction', 'received', 'delivery'] as const satisfies readonly ActorKind[]
export type ListedKind = (typeof listedKinds)[number]

/** What the ids of each kind begin with. */
export const idPrefixes: Readonly<Record<ListedKind, IdPrefix>> = {
  transaction: 'txn',
  received: 'rpx',
  delivery: 'dlv',
}

/** What a fact makes of the actor that it belongs to. */
export const evolve = (state: ActorState | undefined, event: Event): ActorState => {
  switch (event.actor) {
    case 'account':
      return evolveAccount(state as Account | undefined, event)
    case 'transaction':
      return evolveTransaction(state as Transaction | undefined, event)
    case 'received':
      assert(state === undefined, 'a received PIX is written once')
      return event.received
    case 'delivery':
      return evolveDelivery(state as Delivery | undefined, event)
    default:
      return unreachable(event)
  }
}

/** When an actor enters the lists, which are ordered by creation. */
export const createdAtMsOf = (kind: ListedKind, state: ActorState): number => {
  switch (kind) {
    case 'transaction':
      return (state as Transaction).createdAtMs
    case 'received':
      return (state as ReceivedPix).receivedAtMs
    case 'delivery':
      return (state as Delivery).createdAtMs
    default:
      return unreachable(kind)
  }
}

/** A few words that list filters look at; equal actors share one. Null for transactions, which have columns for it. */
export const labelOf = (kind: ListedKind, state: ActorState): string | null => {
  switch (kind) {
    case 'transaction':
      return null
    case 'received':
      return (state as ReceivedPix).returnReason === null ? 'RECEIVED' : 'RETURNED'
    case 'delivery': {
      const { endpointId, status } = state as Delivery
      return `${endpointId} ${status}`
    }
    default:
      return unreachable(kind)
  }
}

/** The keys by which an actor is looked up besides its id. Several actors may share one. */
export const lookupKeysOf = (kind: ListedKind, state: ActorState): readonly string[] => {
  switch (kind) {
    case 'transaction':
    case 'received':
      return []
    case 'delivery':
      return [(state as Delivery).objectId]
    default:
      return unreachable(kind)
  }
}

/** The ids of the refunds, chargebacks and MEDs that an actor owns. None is ever taken from it. */
export const partsOf = (kind: ListedKind, _state: ActorState): readonly string[] => {
  switch (kind) {
    case 'transaction':
    case 'received':
    case 'delivery':
      return []
    default:
      return unreachable(kind)
  }
}

/** Whether an outside party was asked and its answer is not here yet: after a crash it is asked again. */
export const isAsking = (kind: ListedKind, _state: ActorState): boolean => {
  switch (kind) {
    case 'transaction':
    case 'received':
    case 'delivery':
      return false
    default:
      return unreachable(kind)
  }
}

/** What the environment clock will do to an actor next; null when only a command can change it. */
export const nextTimer = (kind: ActorKind, state: ActorState): Timer | null => {
  switch (kind) {
    case 'transaction':
      return nextTransactionTimer(state as Transaction)
    case 'account':
    case 'received':
    case 'delivery':
      return null
    default:
      return unreachable(kind)
  }
}

/** When an actor is due: a delivery on the real clock, for its next attempt; the others on the environment clock. */
export const dueAtMsOf = (kind: ActorKind, state: ActorState): number | null =>
  kind === 'delivery' ? (state as Delivery).nextAttemptAtMs : (nextTimer(kind, state)?.dueAtMs ?? null)
