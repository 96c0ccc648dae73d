import type { Account } from './account/account.ts'
import type { ActorStates, ListedKind } from './actors.ts'
import { assert, unreachable } from './assert.ts'
import { endOfDay, startOfDay } from './calendar.ts'
import { type PixOverview, pixOverview } from './methods/pix/overview.ts'
import type { Memory } from './ports.ts'
import type {
  Answers,
  FindTransaction,
  Listed,
  ListReceived,
  ListTransactions,
  Paging,
  Query,
} from './queries.ts'
import type { ReceivedPix } from './received/received.ts'
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
  switch (query.type) {
    case 'FindTransaction':
      return findTransaction(query, memory)
    case 'FindAccount': {
      const value = account === undefined ? null : { account, nowMs: realMs + account.clockOffsetMs, realMs }
      return { value, sequence: appended }
    }
    case 'FindDelivery': {
      const kept = memory.find('delivery', query.deliveryId)
      const value = kept?.state.accountId === query.accountId ? kept.state : null
      return { value, sequence: kept?.sequence ?? 0 }
    }
    case 'ListTransactions': {
      const statuses = new Set(query.statuses.map((status) => `${query.family} ${status}`))
      const fits = statuses.size > 0 ? (label: string) => statuses.has(label) : familyOf(query.family)
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
      const value: PixOverview = pixOverview(query, memory, account, realMs + account.clockOffsetMs)
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
    return { value: { rows: states, total, asOf }, sequence: appended }
  }
}

const findTransaction = (query: FindTransaction, memory: Memory): Told<Answers['FindTransaction']> => {
  const kept = memory.find('transaction', query.transactionId)
  const transaction = kept?.state
  if (transaction === undefined || transaction.accountId !== query.accountId)
    return { value: null, sequence: 0 }
  if (query.family !== null && transaction.origin !== query.family) return { value: null, sequence: 0 }
  const deliveries = memory.deliveriesOf(transaction.id)
  return { value: { transaction, deliveries }, sequence: kept!.sequence }
}

const familyOf = (family: string) => (label: string) => label.startsWith(`${family} `)

const transactionMatches = (query: ListTransactions): ((transaction: Transaction) => boolean) | null => {
  const { externalId, search } = query
  if (externalId === null && search === null) return null
  return (transaction) =>
    (externalId === null || transaction.externalId === externalId) &&
    (search === null || transactionSays(transaction, search))
}

const transactionSays = (transaction: Transaction, search: string): boolean => {
  const { id, externalId, pix, customer } = transaction
  if ([id, externalId, pix.txid, pix.payment?.endToEndId, customer?.document].includes(search)) return true
  return [customer?.name, customer?.email].some((text) => text && folded(text).includes(folded(search)))
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
