import type { Account } from './account/account.ts'
import type { ActorStates, ListedKind } from './actors.ts'
import { assert, unreachable } from './assert.ts'
import { endOfDay, startOfDay } from './calendar.ts'
import type { RegisteredCustomer } from './customer/customer.ts'
import { type PixOverview, pixOverview } from './methods/pix/overview.ts'
import type { Memory } from './ports.ts'
import type {
  Answers,
  FindTransaction,
  ListChargebacks,
  ListCustomers,
  Listed,
  ListedChargeback,
  ListReceived,
  ListTransactions,
  Paging,
  Query,
} from './queries.ts'
import type { ReceivedPix } from './received/received.ts'
import { familyOf } from './transaction/family.ts'
import type { Transaction } from './transaction/transaction.ts'

/** What is told, and the newest sequence that it tells of: it must be on disk before anybody hears it. */
type Told<Value> = { readonly value: Value; readonly sequence: number }

/** Answers a question from memory. Lists tell of everything appended so far; a single actor only of its own change. */
export const answer = (
  query: Query,
  memory: Memory,
  account: Account | undefined,
  realMs: number,
  appended: number,
): Told<Answers[Query['type']]> => {
  const nowMs = realMs + (account?.clockOffsetMs ?? 0)
  switch (query.type) {
    case 'FindTransaction':
      return findTransaction(query, memory, nowMs)
    case 'FindAccount': {
      const value = account === undefined ? null : { account, nowMs, realMs }
      return { value, sequence: appended }
    }
    case 'FindCustomer': {
      const kept = memory.find('customer', query.customerId)
      const value = kept?.state.accountId === query.accountId ? kept.state : null
      return { value, sequence: kept?.sequence ?? 0 }
    }
    case 'ListCustomers':
      return list('customer', query, () => true, customerMatches(query))
    case 'ListChargebacks':
      return { value: listChargebacks(query), sequence: appended }
    case 'FindDelivery': {
      const kept = memory.find('delivery', query.deliveryId)
      const value = kept?.state.accountId === query.accountId ? kept.state : null
      return { value, sequence: kept?.sequence ?? 0 }
    }
    case 'ListTransactions': {
      const statuses = new Set(query.statuses.map((status) => `${query.family} ${status}`))
      const fits = statuses.size > 0 ? (label: string) => statuses.has(label) : isOf(query.family)
      return list('transaction', query, fits, transactionMatches(query))
    }
    case 'ListReceived': {
      const statuses = new Set<string>(query.statuses)
      const fits = (label: string): boolean => statuses.size === 0 || statuses.has(label)
      return list('received', query, fits, receivedMatches(query))
    }
    case 'ListDeliveries': {
      const statuses = new Set<string>(query.statuses)
      const fits = (label: string): boolean => {
        const [endpointId, status] = label.split(' ')
        if (query.endpointId !== null && query.endpointId !== endpointId) return false
        return statuses.size === 0 || statuses.has(status!)
      }
      return list('delivery', query, fits, null)
    }
    case 'OverviewPix': {
      assert(account !== undefined, 'a key exists only for an open account')
      const value: PixOverview = pixOverview(query, memory, account, nowMs)
      return { value, sequence: appended }
    }
    default:
      return unreachable(query)
  }

  function list<Kind extends ListedKind>(
    kind: Kind,
    paging: Paging & Query,
    fits: (label: string) => boolean,
    matches: ((state: ActorStates[Kind]) => boolean) | null,
  ): Told<Listed<ActorStates[Kind]>> {
    const zone = account?.profile.timeZone ?? 'UTC'
    const asOf = paging.asOf ?? appended
    const { states, total } = memory.list(paging.accountId, kind, {
      offset: (paging.page - 1) * paging.pageSize,
      limit: paging.pageSize,
      asOf,
      fromMs: paging.from && startOfDay(zone, paging.from),
      toMs: paging.to && endOfDay(zone, paging.to),
      fits,
      matches,
    })
    return { value: { rows: states, total, asOf, nowMs }, sequence: appended }
  }

  /** There are few, so they are all looked at. */
  function listChargebacks(query: ListChargebacks): Answers['ListChargebacks'] {
    const zone = account?.profile.timeZone ?? 'UTC'
    const asOf = query.asOf ?? appended
    const fromMs = query.from === null ? Number.NEGATIVE_INFINITY : startOfDay(zone, query.from)
    const toMs = query.to === null ? Number.POSITIVE_INFINITY : endOfDay(zone, query.to)
    const rows: ListedChargeback[] = []
    for (const { id, bornAt } of memory.parts(query.accountId, 'cbk_')) {
      if (bornAt > asOf) continue
      const transaction = memory.ownerOf(id)!.state
      const chargeback = transaction.reversals.chargebacks.find((other) => other.id === id)!
      if (query.statuses.length > 0 && !query.statuses.includes(chargeback.status)) continue
      if (query.transactionId !== null && query.transactionId !== transaction.id) continue
      if (chargeback.openedAtMs >= fromMs && chargeback.openedAtMs < toMs)
        rows.push({ chargeback, transaction })
    }
    rows.sort(
      (a, b) =>
        b.chargeback.openedAtMs - a.chargeback.openedAtMs || (a.chargeback.id < b.chargeback.id ? 1 : -1),
    )
    const first = (query.page - 1) * query.pageSize
    return { rows: rows.slice(first, first + query.pageSize), total: rows.length, asOf, nowMs }
  }
}

const findTransaction = (
  query: FindTransaction,
  memory: Memory,
  nowMs: number,
): Told<Answers['FindTransaction']> => {
  const kept = memory.find('transaction', query.transactionId)
  const transaction = kept?.state
  if (transaction === undefined || transaction.accountId !== query.accountId)
    return { value: null, sequence: 0 }
  if (query.family !== null && familyOf(transaction) !== query.family) return { value: null, sequence: 0 }
  const deliveries = memory.deliveriesOf(transaction.id)
  const settledAt: Record<string, number> = {}
  let { sequence } = kept!
  for (const { status, settlementId } of transaction.receivables) {
    const batch = status === 'SCHEDULED' ? memory.find('batch', settlementId!) : undefined
    if (batch === undefined) continue
    settledAt[batch.state.id] = batch.state.settledAtMs
    sequence = Math.max(sequence, batch.sequence)
  }
  return { value: { transaction, deliveries, settledAt, nowMs }, sequence }
}

const isOf = (family: string) => (label: string) => label.startsWith(`${family} `)

const transactionMatches = (query: ListTransactions): ((transaction: Transaction) => boolean) | null => {
  const { externalId, search, overdue } = query
  if (externalId === null && search === null && overdue === null) return null
  return (transaction) =>
    // Among open boletos alone: a paid one that was late is not left out beside those that are not.
    (overdue === null || transaction.status !== 'PENDING' || transaction.boleto?.overdue === overdue) &&
    (externalId === null || transaction.externalId === externalId) &&
    (search === null || transactionSays(transaction, search))
}

const transactionSays = (transaction: Transaction, search: string): boolean => {
  const { id, externalId, pix, customer } = transaction
  if ([id, externalId, pix?.txid, pix?.payment?.endToEndId, customer?.document].includes(search)) return true
  return [customer?.name, customer?.email].some((text) => text && folded(text).includes(folded(search)))
}

const customerMatches = (query: ListCustomers): ((registered: RegisteredCustomer) => boolean) | null => {
  const { document, email, externalId, search } = query
  if (document === null && email === null && externalId === null && search === null) return null
  return (registered) => {
    const { customer } = registered
    if (document !== null && customer.document !== document) return false
    if (email !== null && customer.email !== email) return false
    if (externalId !== null && registered.externalId !== externalId) return false
    if (search === null) return true
    if ([registered.id, registered.externalId, customer.document, customer.phone].includes(search))
      return true
    return [customer.name, customer.email].some((text) => text && folded(text).includes(folded(search)))
  }
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
  if ([id, transactionId, endToEndId, txid, externalId, payer.document].includes(search)) return true
  return folded(payer.name).includes(folded(search))
}

/** Without case and accents. */
const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
