import type { Account, SettledBatch } from './account/account.ts'
import { evolveAccount } from './account/evolve.ts'
import { batchAtMs, nextSettlements } from './account/schedule.ts'
import { assert, unreachable } from './assert.ts'
import { evolveCustomer, type RegisteredCustomer } from './customer/customer.ts'
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
  readonly customer: RegisteredCustomer
  readonly batch: SettledBatch
}
export type ActorKind = keyof ActorStates
export type ActorState = ActorStates[ActorKind]
/** The kinds that an account has many of: they are listed, newest first. */
export const listedKinds = [
  'transaction',
  'received',
  'delivery',
  'customer',
  'batch',
] as const satisfies readonly ActorKind[]
export type ListedKind = (typeof listedKinds)[number]

/** What the ids of each kind begin with. */
export const idPrefixes: Readonly<Record<ListedKind, IdPrefix>> = {
  transaction: 'txn',
  received: 'rpx',
  delivery: 'dlv',
  customer: 'cus',
  batch: 'set',
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
    case 'customer':
      assert(state === undefined, 'a customer is registered once')
      return evolveCustomer(event)
    case 'batch':
      assert(state === undefined, 'a batch is settled once')
      return event.batch
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
    case 'customer':
      return (state as RegisteredCustomer).createdAtMs
    case 'batch':
      return (state as SettledBatch).settledAtMs
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
    case 'customer':
    case 'batch':
      return ''
    default:
      return unreachable(kind)
  }
}

/** What the environment clock will do to an actor next; null when only a command can change it. */
export const nextTimer = (kind: ActorKind, state: ActorState): Timer | null => {
  switch (kind) {
    case 'account':
      return nextBatch(state as Account)
    case 'transaction':
      return nextTransactionTimer(state as Transaction)
    case 'received':
    case 'delivery':
    case 'customer':
    case 'batch':
      return null
    default:
      return unreachable(kind)
  }
}

const nextBatch = (account: Account): Timer | null => {
  const [next] = nextSettlements(account.schedule)
  if (next === undefined) return null
  const { date } = next
  return {
    dueAtMs: batchAtMs(account.profile.timeZone, date),
    command: { type: 'SettleDay', accountId: account.id, by: { kind: 'CLOCK', id: null }, date },
  }
}

/** When an actor is due: a delivery on the real clock, for its next attempt; the others on the environment clock. */
export const dueAtMsOf = (kind: ActorKind, state: ActorState): number | null =>
  kind === 'delivery' ? (state as Delivery).nextAttemptAtMs : (nextTimer(kind, state)?.dueAtMs ?? null)

/** Whether a provider is being asked, and has not answered. */
export const isAsking = (kind: ListedKind, state: ActorState): boolean =>
  kind === 'transaction' && (state as Transaction).calls.some(({ dueAtMs }) => dueAtMs === null)

/** The ids of what an actor owns beside its own: each finds it. */
export const partsOf = (kind: ListedKind, state: ActorState): readonly string[] => {
  if (kind !== 'transaction') return none
  const { refunds, chargebacks, meds } = (state as Transaction).reversals
  if (refunds.length === 0 && chargebacks.length === 0 && meds.length === 0) return none
  return [...refunds, ...chargebacks, ...meds].map(({ id }) => id)
}

/** What an actor is looked up by, beside its id. Several actors may share one. */
export const lookupKeysOf = (kind: ListedKind, state: ActorState): readonly string[] => {
  if (kind === 'delivery') return [(state as Delivery).objectId]
  if (kind !== 'customer') return none
  const { document } = (state as RegisteredCustomer).customer
  return document === null ? none : [document]
}

const none: readonly string[] = []
