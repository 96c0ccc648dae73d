import {
  couponMatches,
  findPlan,
  isKept,
  planMatches,
  validateCoupon,
} from './billing/catalog/answer-catalog.ts'
import { overviewOf } from './billing/catalog/figures.ts'
import {
  invoiceFits,
  invoiceMatches,
  isWanted,
  isWantedInvoice,
  subscriberFits,
  subscriberMatches,
  subscriptionFits,
  subscriptionMatches,
} from './billing/subscription/filters.ts'
import type { RegisteredCustomer } from './customers/customer.ts'
import type { ListCustomers } from './customers/queries.ts'
import { clockNow } from './kernel/clock.ts'
import type { Draft } from './kernel/draft.ts'
import type { Memory } from './kernel/ports.ts'
import type { Listed, Paging, Period } from './kernel/query.ts'
import type { ActorStates, Answers, ListedKind, Query } from './kernel/registry.ts'
import type { Work } from './kernel/work.ts'
import type { Account } from './ledger/account.ts'
import { pixOverview } from './payments/methods/pix/overview.ts'
import type { ReceivedPix } from './payments/received/received.ts'
import { familyOf } from './payments/transaction/family.ts'
import { facetsOf, totalsOf } from './payments/transaction/figures.ts'
import { figuresOnly, filterOf } from './payments/transaction/filters.ts'
import type {
  ExportTransactions,
  FacetTransactions,
  FindTransaction,
  ListChargebacks,
  ListedChargeback,
  ListReceived,
  ListTransactions,
} from './payments/transaction/queries.ts'
import type { ListRecipients, ListSplitTransfers } from './payouts/queries.ts'
import { simulateSplit } from './payouts/simulate.ts'
import type { SplitTransfer } from './payouts/transfer.ts'
import { publicEventsOf } from './public-events.ts'
import type { Recipient } from './recipients/recipient.ts'
import { assert, unreachable } from './shared/assert.ts'
import { dateIn, endOfDay, startOfDay } from './shared/calendar.ts'
import { folded } from './shared/folded.ts'
import { limits } from './shared/limits.ts'

/** What is told, and the newest sequence that it tells of: it must be on disk before anybody hears it. */
type Told<Value> = { readonly value: Value; readonly sequence: number }

/**
 * Answers a question from memory. A single actor tells only of its own change; whatever looks at many tells of
 * everything appended until it ends, because others may have changed them between its slices.
 */
export const answer = function* (
  query: Query,
  memory: Memory,
  account: Account | undefined,
  realMs: number,
  appended: () => number,
  shard: number,
): Work<Told<Answers[Query['type']]>> {
  const nowMs = account === undefined ? realMs : clockNow(account, realMs)
  switch (query.type) {
    case 'FindTransaction':
      return findTransaction(query, memory, nowMs)
    case 'FindAccount': {
      const value = account === undefined ? null : { account, nowMs, realMs }
      return { value, sequence: appended() }
    }
    case 'FindCustomer': {
      const kept = memory.find('customer', query.customerId)
      const value = kept?.state.accountId === query.accountId ? kept.state : null
      return { value, sequence: kept?.sequence ?? 0 }
    }
    case 'ListCustomers':
      return told(yield* list('customer', query, () => true, customerMatches(query)))
    case 'ListChargebacks':
      return told(listChargebacks(query))
    case 'FindDelivery': {
      const kept = memory.find('delivery', query.deliveryId)
      const value = kept?.state.accountId === query.accountId ? kept.state : null
      return { value, sequence: kept?.sequence ?? 0 }
    }
    case 'ListTransactions':
      return told(yield* listTransactions(query))
    case 'FacetTransactions':
      return told(yield* facetTransactions(query))
    case 'ExportTransactions':
      return told(yield* exportTransactions(query))
    case 'ListReceived': {
      const statuses = new Set<string>(query.statuses)
      const fits = (label: string): boolean => statuses.size === 0 || statuses.has(label)
      return told(yield* list('received', query, fits, receivedMatches(query)))
    }
    case 'ListDeliveries': {
      const statuses = new Set<string>(query.statuses)
      const fits = (label: string): boolean => {
        const [endpointId, status] = label.split(' ')
        if (query.endpointId !== null && query.endpointId !== endpointId) return false
        return statuses.size === 0 || statuses.has(status!)
      }
      return told(yield* list('delivery', query, fits, null, query.scheduledBeforeMs))
    }
    case 'ListEvents': {
      const { entries, next, end } = yield* memory.history(query.accountId, query, limits.historyPage)
      return told({ events: entries.flatMap((entry) => publicEventsOf(entry, shard)), next, end })
    }
    case 'FindPlan':
      return findPlan(query, memory)
    case 'ListPlans':
      return told(yield* list('plan', query, isKept(query), planMatches(query)))
    case 'ListCoupons':
      return told(yield* list('coupon', query, isKept(query), couponMatches(query, nowMs)))
    case 'ValidateCoupon':
      return told(validateCoupon(query, memory, nowMs))
    case 'FindRecipient':
      return findListed('recipient', query.recipientId)
    case 'ListRecipients':
      return told(yield* list('recipient', query, activeFits(query), recipientMatches(query)))
    case 'FindSplitRule':
      return findListed('splitRule', query.ruleId)
    case 'ListSplitRules':
      return told(yield* list('splitRule', query, activeFits(query), null))
    case 'SimulateSplit': {
      assert(account !== undefined, 'a key exists only for an open account')
      const find: Draft['find'] = (kind, id) => own(memory.find(kind, id)?.state)
      return told(simulateSplit(query, { find }, account, nowMs))
    }
    case 'ListSplitTransfers':
      return told(
        query.transactionId === null
          ? yield* list('splitTransfer', query, transferFits(query), null)
          : listByKey('splitTransfer', query.transactionId, query, isWantedTransfer(query)),
      )
    case 'FindSubscription':
      return findOwn(query, memory, 'subscription', query.subscriptionId)
    case 'FindInvoice': {
      const { value: invoice, sequence } = findOwn(query, memory, 'invoice', query.invoiceId)
      return { value: invoice && { invoice, nowMs }, sequence }
    }
    case 'ListSubscriptions':
      return told(
        query.customerId === null
          ? yield* list('subscription', query, subscriptionFits(query), subscriptionMatches(query))
          : listByKey('subscription', query.customerId, query, (state) => isWanted(query, state)),
      )
    case 'ListInvoices': {
      const key = query.subscriptionId ?? query.customerId
      return told(
        key === null
          ? yield* list('invoice', query, invoiceFits(query), invoiceMatches(query))
          : listByKey('invoice', key, query, (state) => isWantedInvoice(query, state)),
      )
    }
    case 'ListSubscribers':
      return told(yield* list('subscriber', query, subscriberFits(query), subscriberMatches(query)))
    case 'OverviewRecurring': {
      assert(account !== undefined, 'a key exists only for an open account')
      const { recurring: figures, profile } = account
      return told({ figures, ...overviewOf(figures, dateIn(profile.timeZone, nowMs)), nowMs })
    }
    case 'OverviewPix': {
      assert(account !== undefined, 'a key exists only for an open account')
      return told(yield* pixOverview(query, memory, account, nowMs))
    }
    default:
      return unreachable(query)
  }

  function own<State extends object>(state: State | undefined): State | undefined {
    return state !== undefined && 'accountId' in state && state.accountId !== query.accountId
      ? undefined
      : state
  }

  function findListed<Kind extends 'recipient' | 'splitRule'>(
    kind: Kind,
    id: string,
  ): Told<ActorStates[Kind] | null> {
    const kept = memory.find(kind, id)
    const state = own(kept?.state)
    return { value: state === undefined || state.isRemoved ? null : state, sequence: kept?.sequence ?? 0 }
  }

  function told<Value>(value: Value): Told<Value> {
    return { value, sequence: appended() }
  }

  function* listTransactions(query: ListTransactions): Work<Answers['ListTransactions']> {
    const { page, pageSize, order, totals } = query
    const { asOf, fromMs, toMs } = periodOf(query)
    const found = yield* memory.transactions(query.accountId, filterOf(query, fromMs, toMs, asOf), {
      order,
      start: { offset: (page - 1) * pageSize },
      limit: pageSize,
      tells: totals ? 'figures' : 'total',
    })
    return {
      rows: found.states,
      total: found.total,
      asOf,
      totals: totals ? totalsOf(found.groups) : null,
      nowMs,
    }
  }

  function* facetTransactions(query: FacetTransactions): Work<Answers['FacetTransactions']> {
    const { asOf, fromMs, toMs } = periodOf(query)
    const filter = filterOf(query, fromMs, toMs, asOf)
    return facetsOf((yield* memory.transactions(query.accountId, filter, figuresOnly)).groups)
  }

  function* exportTransactions(query: ExportTransactions): Work<Answers['ExportTransactions']> {
    const { order, after, limit } = query
    const { asOf, fromMs, toMs } = periodOf(query)
    const found = yield* memory.transactions(query.accountId, filterOf(query, fromMs, toMs, asOf), {
      order,
      start: after === null ? { offset: 0 } : { after },
      limit,
      tells: after === null ? 'total' : 'nothing',
    })
    return { rows: found.states, next: found.next, total: after === null ? found.total : null, asOf }
  }

  function* list<Kind extends ListedKind>(
    kind: Kind,
    paging: Paging & Query,
    fits: (label: string) => boolean,
    matches: ((state: ActorStates[Kind]) => boolean) | null,
    createdBeforeMs: number | null = null,
  ): Work<Listed<ActorStates[Kind]>> {
    const { asOf, fromMs, toMs: periodEndsMs } = periodOf(paging)
    const toMs =
      createdBeforeMs === null ? periodEndsMs : Math.min(createdBeforeMs, periodEndsMs ?? createdBeforeMs)
    const { states, total } = yield* memory.listing(paging.accountId, kind, {
      offset: (paging.page - 1) * paging.pageSize,
      limit: paging.pageSize,
      asOf,
      fromMs,
      toMs,
      fits,
      matches,
    })
    return { rows: states, total, asOf, nowMs }
  }

  /** Those that go by a key, newest first: few, so they are all looked at. */
  function listByKey<Kind extends 'subscription' | 'invoice' | 'splitTransfer'>(
    kind: Kind,
    key: string,
    paging: Paging & Query,
    matches: (state: ActorStates[Kind]) => boolean,
  ): Listed<ActorStates[Kind]> {
    const { asOf, fromMs, toMs } = periodOf(paging)
    const rows = memory
      .lookup(kind, paging.accountId, key)
      .filter(({ state, bornAt }) => {
        const { createdAtMs } = state
        if (bornAt > asOf || (fromMs !== null && createdAtMs < fromMs)) return false
        return (toMs === null || createdAtMs < toMs) && matches(state)
      })
      .map(({ state }) => state)
      .sort((a, b) => b.createdAtMs - a.createdAtMs || (a.id < b.id ? 1 : -1))
    const first = (paging.page - 1) * paging.pageSize
    return { rows: rows.slice(first, first + paging.pageSize), total: rows.length, asOf, nowMs }
  }

  /** There are few, so they are all looked at. */
  function listChargebacks(query: ListChargebacks): Answers['ListChargebacks'] {
    const { asOf, fromMs, toMs } = periodOf(query)
    const rows: ListedChargeback[] = []
    for (const { id, bornAt } of memory.parts(query.accountId, 'cbk')) {
      if (bornAt > asOf) continue
      const transaction = memory.ownerOf(id)!.state
      const chargeback = transaction.reversals.chargebacks.find((other) => other.id === id)!
      if (query.statuses.length > 0 && !query.statuses.includes(chargeback.status)) continue
      if (query.transactionId !== null && query.transactionId !== transaction.id) continue
      if (fromMs !== null && chargeback.openedAtMs < fromMs) continue
      if (toMs !== null && chargeback.openedAtMs >= toMs) continue
      rows.push({ chargeback, transaction })
    }
    rows.sort(
      (a, b) =>
        b.chargeback.openedAtMs - a.chargeback.openedAtMs || (a.chargeback.id < b.chargeback.id ? 1 : -1),
    )
    const first = (query.page - 1) * query.pageSize
    return { rows: rows.slice(first, first + query.pageSize), total: rows.length, asOf, nowMs }
  }

  function periodOf(period: Period) {
    const zone = account?.profile.timeZone ?? 'UTC'
    return {
      asOf: period.asOf ?? appended(),
      fromMs: period.from && startOfDay(zone, period.from),
      toMs: period.to && endOfDay(zone, period.to),
    }
  }
}

/** One actor of the account; null where it has no such one. */
const findOwn = <Kind extends 'subscription' | 'invoice'>(
  { accountId }: Query,
  memory: Memory,
  kind: Kind,
  id: string,
): Told<ActorStates[Kind] | null> => {
  const kept = memory.find(kind, id)
  return { value: kept?.state.accountId === accountId ? kept.state : null, sequence: kept?.sequence ?? 0 }
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
  const deliveries = memory.lookup('delivery', query.accountId, transaction.id).map(({ state }) => state)
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

const activeFits =
  ({ active }: { readonly active: boolean | null }) =>
  (label: string): boolean =>
    label !== 'REMOVED' && (active === null || active === (label === 'ACTIVE'))

const transferFits = ({ recipientId, statuses }: ListSplitTransfers) => {
  const wanted = new Set<string>(statuses)
  return (label: string): boolean => {
    const [status, recipient] = label.split(' ')
    return (wanted.size === 0 || wanted.has(status!)) && (recipientId === null || recipientId === recipient)
  }
}

const isWantedTransfer = (query: ListSplitTransfers) => {
  const fits = transferFits(query)
  return ({ status, recipientId }: SplitTransfer): boolean => fits(`${status} ${recipientId}`)
}

const recipientMatches = ({
  document,
  search,
}: ListRecipients): ((recipient: Recipient) => boolean) | null => {
  if (document === null && search === null) return null
  return (recipient) =>
    (document === null || recipient.document === document) &&
    (search === null ||
      recipient.id === search ||
      recipient.document === search ||
      folded(recipient.name).includes(folded(search)))
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
