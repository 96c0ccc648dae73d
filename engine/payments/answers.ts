import type { Memory } from '../kernel/ports.ts'
import type { Listed } from '../kernel/query.ts'
import type { Answerers, QueryResult, Reader } from '../kernel/reader.ts'
import type { Answers } from '../kernel/registry.ts'
import type { Work } from '../kernel/work.ts'
import type { Account } from '../ledger/account.ts'
import { assert } from '../shared/assert.ts'
import { addDays, type CalendarDate, dateIn, startOfDay } from '../shared/calendar.ts'
import { foldCase } from '../shared/fold-case.ts'
import type { SettlementId } from '../shared/ids.ts'
import { familyOf } from './methods/index.ts'
import { summarisePix } from './methods/pix/overview.ts'
import type { ReceivedPix } from './received/received.ts'
import { facetsOf, totalsOf } from './transaction/figures.ts'
import { figuresOnly, filterOf } from './transaction/filters.ts'
import {
  agendaDaysMax,
  type FindTransaction,
  type ListChargebacks,
  type ListMeds,
  type ListReceivables,
  type ListReceived,
  type ReadAgenda,
  type TransactionQuery,
} from './transaction/queries.ts'
import type { TransactionGroup } from './transaction/row.ts'
import {
  agendaDays,
  type BatchesAhead,
  type SchedulePeriod,
  scheduledSumOf,
} from './transaction/scheduled.ts'
import type { Chargeback, Med, Transaction } from './transaction/transaction.ts'

/** Answers about transactions, refunds and disputes, and received PIX. */
export const paymentAnswers: Answerers<TransactionQuery> = {
  FindTransaction: (query, reader) => findTransaction(query, reader),
  ListTransactions: function* (query, { memory, nowMs, spanOf, result }) {
    const { page, pageSize, order, totals } = query
    const datedIn = spanOf(query)
    const found = yield* memory.transactions(query.accountId, filterOf(query, datedIn), {
      order,
      start: { offset: (page - 1) * pageSize },
      limit: pageSize,
      tells: totals ? 'figures' : 'total',
    })
    const { states: rows, total, groups } = found
    return result({ rows, total, asOf: datedIn.asOf, totals: totals ? totalsOf(groups) : null, nowMs })
  },
  FacetTransactions: function* (query, { memory, spanOf, result }) {
    const filter = filterOf(query, spanOf(query))
    return result(facetsOf((yield* memory.transactions(query.accountId, filter, figuresOnly)).groups))
  },
  ExportTransactions: function* (query, { memory, spanOf, result }) {
    const { order, after, limit } = query
    const datedIn = spanOf(query)
    const { asOf } = datedIn
    const found = yield* memory.transactions(query.accountId, filterOf(query, datedIn), {
      order,
      start: after === null ? { offset: 0 } : { after },
      limit,
      packs: true,
      tells: after === null ? 'total' : 'nothing',
    })
    return result({
      packed: found.packed!,
      next: found.next,
      total: after === null ? found.total : null,
      asOf,
    })
  },
  ListReceived: function* (query, { list, result }) {
    const statuses = new Set<string>(query.statuses)
    const fits = (label: string): boolean => statuses.size === 0 || statuses.has(label)
    return result(yield* list('received', query, fits, receivedMatches(query)))
  },
  ListChargebacks: (query, reader) => reader.result(listChargebacks(query, reader)),
  ListMeds: (query, reader) => reader.result(listMeds(query, reader)),
  ListReceivables: (query, reader) => listReceivables(query, reader),
  ReadAgenda: function* (query, { memory, account, nowMs, result }) {
    assert(account !== undefined, 'a caller exists only for an open account')
    const { timeZone } = account.profile
    const period = schedulePeriod(query, dateIn(timeZone, nowMs))
    const ahead = yield* batchesAhead(memory, account, period, nowMs)
    const days = agendaDays(yield* memory.scheduledFigures(query.accountId, { ...period, ahead }))
    return result({ ...period, timeZone, totals: scheduledSumOf(days), days })
  },
  OverviewPix: function* (query, { memory, account, nowMs, result }) {
    assert(account !== undefined, 'a key exists only for an open account')
    return result(yield* summarisePix(query, memory, account, nowMs))
  },
}

const findTransaction = (
  query: FindTransaction,
  { memory, nowMs, find }: Reader,
): QueryResult<Answers['FindTransaction']> => {
  const { value: transaction, sequence: changedAt } = find('transaction', query.transactionId)
  if (transaction === null) return { value: null, sequence: 0 }
  if (query.family !== null && familyOf(transaction) !== query.family) return { value: null, sequence: 0 }
  const deliveries = memory.lookup('delivery', query.accountId, transaction.id).map(({ state }) => state)
  const settledAt: Record<string, number> = {}
  let sequence = changedAt
  for (const { status, settlementId } of transaction.receivables) {
    const batch = status === 'SCHEDULED' ? memory.find('batch', settlementId!) : undefined
    if (batch === undefined) continue
    settledAt[batch.state.id] = batch.state.settledAtMs
    sequence = Math.max(sequence, batch.sequence)
  }
  return { value: { transaction, deliveries, settledAt, nowMs }, sequence }
}

const listReceivables = function* (
  query: ListReceivables,
  { memory, account, nowMs, appended, result }: Reader,
): Work<QueryResult<Answers['ListReceivables']>> {
  assert(account !== undefined, 'a caller exists only for an open account')
  const period = schedulePeriod(query, dateIn(account.profile.timeZone, nowMs))
  const asOf = query.asOf ?? appended()
  const { methods, providerId, accountId, page, pageSize } = query
  const fits = ({ method, ...group }: TransactionGroup): boolean =>
    (methods.length === 0 || methods.includes(method)) &&
    (providerId === null || group.providerId === providerId)
  const paging = { offset: (page - 1) * pageSize, limit: pageSize }
  const ahead = yield* batchesAhead(memory, account, period, nowMs)
  const { rows, total } = yield* memory.scheduledReceivables(
    accountId,
    { ...period, ahead, asOf, fits },
    paging,
  )
  const figures = yield* memory.scheduledFigures(accountId, { ...period, ahead })
  const settledAtMs = (id: SettlementId): number | null => memory.find('batch', id)?.state.settledAtMs ?? null
  return result({
    rows: rows.map((row) => ({ ...row, settledAtMs: settledAtMs(row.receivable.settlementId!) })),
    total,
    asOf,
    nowMs,
    totals: scheduledSumOf(figures.filter(({ group }) => fits(group))),
  })
}

/** The days asked for: by default from today on, and at most a year. */
const schedulePeriod = (
  { from: asked, to: end }: Pick<ReadAgenda, 'from' | 'to'>,
  today: CalendarDate,
): SchedulePeriod => {
  const from = asked ?? (end !== null && end < today ? end : today)
  const last = addDays(from, agendaDaysMax - 1)
  const to = end ?? addDays(from, agendaDaysByDefault - 1)
  return { from, to: to < last ? to : last }
}

const agendaDaysByDefault = 90

/** The batches of these days that ran later than the clock shows now. */
const batchesAhead = function* (
  memory: Memory,
  { id, profile: { timeZone } }: Account,
  { from, to }: SchedulePeriod,
  nowMs: number,
): Work<BatchesAhead | null> {
  const { states } = yield* memory.listing(id, 'batch', {
    offset: 0,
    limit: batchesAheadMax,
    fromMs: Math.max(nowMs + 1, startOfDay(timeZone, from)),
    toMs: startOfDay(timeZone, addDays(to, 1)),
  })
  if (states.length === 0) return null
  return {
    days: new Set(states.map(({ settledAtMs }) => dateIn(timeZone, settledAtMs))),
    ids: new Set(states.map(({ id }) => id)),
  }
}

/** For each day of an agenda and each method some, one for each time that the clock was put back. */
const batchesAheadMax = 20 * agendaDaysMax

const listChargebacks = (query: ListChargebacks, reader: Reader): Answers['ListChargebacks'] =>
  listDisputes(
    query,
    reader,
    'cbk',
    ({ reversals }) => reversals.chargebacks,
    (chargeback, transaction) => ({
      chargeback,
      transaction,
    }),
  )

const listMeds = (query: ListMeds, reader: Reader): Answers['ListMeds'] =>
  listDisputes(
    query,
    reader,
    'med',
    ({ reversals }) => reversals.meds,
    (med, transaction) => ({
      med,
      transaction,
    }),
  )

/** Lists chargebacks or MEDs. An account has few, so all are read. */
const listDisputes = <Dispute extends Chargeback | Med, Row>(
  query: ListChargebacks | ListMeds,
  { memory, nowMs, spanOf }: Reader,
  prefix: 'cbk' | 'med',
  disputesOf: (transaction: Transaction) => readonly Dispute[],
  rowOf: (dispute: Dispute, transaction: Transaction) => Row,
): Listed<Row> => {
  const { asOf, fromMs, toMs } = spanOf(query)
  const statuses: readonly string[] = query.statuses
  const found: { readonly dispute: Dispute; readonly transaction: Transaction }[] = []
  for (const { id, createdSequence } of memory.reversals(query.accountId, prefix)) {
    if (createdSequence > asOf) continue
    const transaction = memory.transactionOfReversal(id)!.state
    const dispute = disputesOf(transaction).find((other) => other.id === id)!
    if (statuses.length > 0 && !statuses.includes(dispute.status)) continue
    if (query.transactionId !== null && query.transactionId !== transaction.id) continue
    if (fromMs !== null && dispute.openedAtMs < fromMs) continue
    if (toMs !== null && dispute.openedAtMs >= toMs) continue
    found.push({ dispute, transaction })
  }
  found.sort(({ dispute: a }, { dispute: b }) => b.openedAtMs - a.openedAtMs || (a.id < b.id ? 1 : -1))
  const first = (query.page - 1) * query.pageSize
  const rows = found
    .slice(first, first + query.pageSize)
    .map(({ dispute, transaction }) => rowOf(dispute, transaction))
  return { rows, total: found.length, asOf, nowMs }
}

const receivedMatches = (query: ListReceived): ((received: ReceivedPix) => boolean) | null => {
  const { endToEndId, txid, externalId, search } = query
  if (endToEndId === null && txid === null && externalId === null && search === null) return null
  return (received) =>
    (endToEndId === null || received.endToEndId === endToEndId) &&
    (txid === null || received.txid === txid) &&
    (externalId === null || received.externalId === externalId) &&
    (search === null || receivedSays(received, search))
}

const receivedSays = (received: ReceivedPix, search: string): boolean => {
  const { id, transactionId, endToEndId, txid, externalId, payer } = received
  if ([id, transactionId, endToEndId, txid, externalId, payer?.document].includes(search)) return true
  return payer !== null && foldCase(payer.name).includes(foldCase(search))
}
