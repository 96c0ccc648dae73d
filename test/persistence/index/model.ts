import type { Entry } from '../../../engine/kernel/entry.ts'
import type { ListFilter } from '../../../engine/kernel/ports.ts'
import type { ActorState, ActorStates, ListedKind } from '../../../engine/kernel/registry.ts'
import { hasPartyId, type PartyIdName, rowOf } from '../../../engine/payments/transaction/row.ts'
import type {
  FoundTransactions,
  GroupFigures,
  ReceivedFigures,
  TransactionFilter,
  TransactionPage,
} from '../../../engine/payments/transaction/search.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { definitionOf, evolve, listedKinds } from '../../../engine/registry.ts'
import { foldCase } from '../../../engine/shared/fold-case.ts'
import type { AccountId } from '../../../engine/shared/ids.ts'

/** The oracle of the columns: every state in a map, every question answered by looking at all of them. */
export type Model = {
  readonly apply: (sequence: number, entry: Entry) => void
  readonly all: <Kind extends ListedKind>(accountId: AccountId, kind: Kind) => readonly ActorStates[Kind][]
  /** One of them, by a random number. */
  readonly one: <Kind extends ListedKind>(
    accountId: AccountId,
    kind: Kind,
    random: (below: number) => number,
  ) => ActorStates[Kind] | undefined
  readonly transactions: (
    accountId: AccountId,
    filter: TransactionFilter,
    page: TransactionPage,
  ) => FoundTransactions
  readonly list: <Kind extends ListedKind>(
    accountId: AccountId,
    kind: Kind,
    filter: ListFilter<ActorStates[Kind]>,
  ) => { readonly ids: readonly string[]; readonly total: number }
  readonly receivedFigures: (accountId: AccountId, fromMs: number, toMs: number) => ReceivedFigures
}

type Known = {
  readonly kind: ListedKind
  readonly state: Exclude<ActorState, ActorStates['account']>
  readonly createdSequence: number
  /** Of the transaction that it paid, as it was then. */
  readonly paidFor: Transaction | undefined
}

export const newModel = (): Model => {
  const known = new Map<string, Known>()
  const ids = new Map<string, string[]>()

  const idsOf = (accountId: AccountId, kind: ListedKind): string[] => {
    const key = `${accountId} ${kind}`
    if (!ids.has(key)) ids.set(key, [])
    return ids.get(key)!
  }

  const knownOf = (accountId: AccountId, kind: ListedKind): Known[] =>
    idsOf(accountId, kind).map((id) => known.get(id)!)

  const apply = (sequence: number, entry: Entry): void => {
    for (const event of entry.events) {
      if (event.type === 'SandboxCleared') {
        for (const kind of listedKinds) for (const id of idsOf(event.id, kind).splice(0)) known.delete(id)
      }
      if (event.actor === 'account') continue
      const before = known.get(event.id)
      const state = evolve(before?.state, event) as Known['state']
      const paidFor =
        event.type === 'PixReceived'
          ? (known.get(event.received.transactionId)?.state as Transaction | undefined)
          : undefined
      if (before === undefined) idsOf(state.accountId, event.actor).push(event.id)
      known.set(event.id, {
        kind: event.actor,
        state,
        createdSequence: before?.createdSequence ?? sequence,
        paidFor,
      })
    }
  }

  const transactions = (
    accountId: AccountId,
    filter: TransactionFilter,
    { order, start, limit, tells }: TransactionPage,
  ): FoundTransactions => {
    const sign = order.isDescending ? -1 : 1
    const keyOf = (state: Transaction): number =>
      order.by === 'amount' ? state.amountCents : state.createdAtMs
    const compare = (keyA: number, idA: string, keyB: number, idB: string): number =>
      sign * (keyA - keyB) || (order.by === 'amount' ? -1 : sign) * (idA < idB ? -1 : idA > idB ? 1 : 0)
    const fitting = knownOf(accountId, 'transaction')
      .filter(({ state, createdSequence }) => fits(state as Transaction, createdSequence, filter))
      .map(({ state }) => state as Transaction)
      .sort((a, b) => compare(keyOf(a), a.id, keyOf(b), b.id))
    const behind =
      'after' in start
        ? fitting.filter((state) => compare(keyOf(state), state.id, start.after.at, start.after.id) > 0)
        : fitting.slice(start.offset)
    const states = behind.slice(0, limit)
    const last = states.at(-1)
    return {
      states,
      packed: null,
      next: last === undefined || states.length < limit ? null : { at: keyOf(last), id: last.id },
      total: tells === 'nothing' ? 0 : fitting.length,
      groups: tells === 'figures' ? groupsOf(fitting) : [],
    }
  }

  return {
    apply,
    all: (accountId, kind) =>
      knownOf(accountId, kind).map(({ state }) => state as unknown as ActorStates[typeof kind]),
    one: (accountId, kind, random) => {
      const own = idsOf(accountId, kind)
      return known.get(own[random(Math.max(1, own.length))]!)?.state as never
    },
    transactions,
    list: (accountId, kind, filter) => {
      const fitting = knownOf(accountId, kind)
        .filter(({ state, createdSequence }) => {
          const atMs = definitionOf(kind).createdAtMs(state)
          return (
            createdSequence <= (filter.asOf ?? Number.POSITIVE_INFINITY) &&
            atMs >= (filter.fromMs ?? Number.NEGATIVE_INFINITY) &&
            atMs < (filter.toMs ?? Number.POSITIVE_INFINITY) &&
            (!filter.fits || filter.fits(definitionOf(kind).label!(state)!)) &&
            (!filter.matches || filter.matches(state as never))
          )
        })
        .map(({ state }) => ({ id: state.id as string, atMs: definitionOf(kind).createdAtMs(state) }))
        .sort((a, b) => b.atMs - a.atMs || (a.id < b.id ? 1 : -1))
      const { offset, limit } = filter
      return { ids: fitting.slice(offset, offset + limit).map(({ id }) => id), total: fitting.length }
    },
    receivedFigures: (accountId, fromMs, toMs) => {
      const own = knownOf(accountId, 'received').flatMap(({ state, paidFor }) => {
        const received = state as ActorStates['received']
        return received.receivedAtMs >= fromMs && received.receivedAtMs < toMs ? { received, paidFor } : []
      })
      const kept = own.filter(({ received }) => received.returnReason === null)
      const tally = (some: typeof own) => ({
        count: some.length,
        cents: some.reduce((sum, { received }) => sum + BigInt(received.amountCents), 0n),
      })
      return {
        received: tally(kept),
        deposits: tally(kept.filter(({ paidFor }) => paidFor?.origin === 'DEPOSIT')),
        returned: tally(own.filter(({ received }) => received.returnReason !== null)),
        feeCents: kept.reduce((sum, { paidFor }) => sum + BigInt(paidFor?.feeCents ?? 0), 0n),
      }
    },
  }
}

const isDated = (state: Transaction, filter: TransactionFilter): boolean => {
  const { dateField, fromMs, toMs, from, to } = filter
  const isIn = (atMs: number | null): boolean =>
    atMs !== null && (fromMs === null || atMs >= fromMs) && (toMs === null || atMs < toMs)
  if (dateField !== 'settledOn')
    return isIn(dateField === 'createdAt' ? state.createdAtMs : state.approvedAtMs)
  return state.receivables.some(({ type, status, expectedOn, settledAtMs }) => {
    if (status === 'SCHEDULED')
      return (from === null || expectedOn >= from) && (to === null || expectedOn <= to)
    return type === 'CREDIT' && status === 'SETTLED' && isIn(settledAtMs)
  })
}

const fits = (state: Transaction, createdSequence: number, filter: TransactionFilter): boolean => {
  const row = rowOf(state)
  const { payer } = row
  const contains = (text: string | null | undefined, part: string): boolean =>
    text !== null && text !== undefined && foldCase(text).includes(foldCase(part))
  return (
    (filter.asOf === null || createdSequence <= filter.asOf) &&
    isDated(state, filter) &&
    filter.fits(row) &&
    (filter.minAmountCents === null || row.amountCents >= filter.minAmountCents) &&
    (filter.maxAmountCents === null || row.amountCents <= filter.maxAmountCents) &&
    (filter.ids.length === 0 || filter.ids.includes(state.id)) &&
    (filter.externalIds.length === 0 || filter.externalIds.includes(row.externalId ?? '')) &&
    Object.entries(filter.partyIds).every(([name, id]) => hasPartyId(row, name as PartyIdName, id)) &&
    (filter.customerId === null || row.customerId === filter.customerId) &&
    (filter.customer === null ||
      contains(payer?.name, filter.customer) ||
      (payer?.email && foldCase(payer.email) === foldCase(filter.customer)) === true ||
      payer?.document === filter.customer) &&
    (filter.search === null ||
      [state.id, row.externalId, ...row.keys, payer?.document].includes(filter.search) ||
      contains(payer?.name, filter.search) ||
      contains(payer?.email, filter.search))
  )
}

const groupsOf = (states: readonly Transaction[]): readonly GroupFigures[] => {
  const groups = new Map<string, { -readonly [Name in keyof GroupFigures]: GroupFigures[Name] }>()
  for (const state of states) {
    const { status, method, origin, currency, overdue, hasDocuments, providerId, ...row } = rowOf(state)
    const key = [status, method, origin, currency, overdue, hasDocuments, providerId].join()
    let group = groups.get(key)
    if (group === undefined) {
      const zero = { amountCents: 0n, paidCents: 0n, feeCents: 0n, refundedCents: 0n, disputedCents: 0n }
      group = { status, method, origin, currency, overdue, hasDocuments, providerId, count: 0, ...zero }
      groups.set(key, group)
    }
    group.count += 1
    group.amountCents += BigInt(row.amountCents)
    group.paidCents += BigInt(row.paidCents)
    group.feeCents += BigInt(row.feeCents)
    group.refundedCents += BigInt(row.refundedCents)
    group.disputedCents += BigInt(row.disputedCents)
  }
  return [...groups.values()]
}
