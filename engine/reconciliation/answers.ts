import type { Answerers, Reader } from '../kernel/reader.ts'
import type { ActorStates } from '../kernel/registry.ts'
import { timeOfEndToEnd } from '../payments/methods/pix/end-to-end-id.ts'
import { returnOf } from '../payments/methods/pix/evolve.ts'
import { pixOf } from '../payments/methods/pix/pix.ts'
import { paidOutKey } from '../payments/sent-money.ts'
import { leftInSuspenseCents, type Suspense } from '../payments/suspense/suspense.ts'
import { toReturnCents } from '../payments/transaction/amounts.ts'
import type { Transaction } from '../payments/transaction/transaction.ts'
import { dayMs } from '../shared/calendar.ts'
import type { ConnectionId } from '../shared/ids.ts'
import { type Cents, toCents } from '../shared/money.ts'
import type { BookedOut, BookedPix, ListBookedOut, ReconciliationQuery } from './commands.ts'
import { awaitingKey } from './reconciliation.ts'

type ReceivedPix = ActorStates['received']

/** Payments of a page: each is looked up with its transaction. */
const bookedPerPage = 500

/** Answers about the books of days. */
export const reconciliationAnswers: Answerers<ReconciliationQuery> = {
  ListReconciliations: function* (query, { list, result }) {
    const { connectionId, date } = query
    const statuses = new Set<string>(query.statuses)
    const fits = (label: string): boolean => {
      const [status, id] = label.split(' ') as [string, string]
      return (statuses.size === 0 || statuses.has(status)) && (connectionId === null || id === connectionId)
    }
    return result(
      yield* list('reconciliation', query, fits, date === null ? null : (state) => state.date === date),
    )
  },
  FindReconciliation: ({ reconciliationId }, { find }) => find('reconciliation', reconciliationId),
  ListAwaitingDays: ({ accountId, connectionId }, { memory, result }) =>
    result(
      memory
        .lookup('reconciliation', accountId, awaitingKey(connectionId))
        .map(({ state }) => state.date)
        .sort(),
    ),
  ListBookedPix: function* (query, reader) {
    const { accountId, connectionId, fromMs, toMs, page } = query
    const { memory, appended, result } = reader
    const asOf = query.asOf ?? appended()
    const { states, total } = yield* memory.listing(accountId, 'received', {
      offset: page * bookedPerPage,
      limit: bookedPerPage,
      asOf,
      fromMs,
      toMs,
    })
    const booked = states.flatMap((received) => bookedOf(reader, received, connectionId) ?? [])
    const hasMore = (page + 1) * bookedPerPage < total
    if (hasMore) return result({ booked, asOf, hasMore })
    // Money comes into suspense a day after it was paid, and there is little of it.
    const suspended = yield* memory.listing(accountId, 'suspense', {
      offset: 0,
      limit: suspendedMax,
      fromMs,
      matches: (item) =>
        item.connectionId === connectionId &&
        item.status !== 'ASSIGNED' &&
        item.paidAtMs >= fromMs &&
        item.paidAtMs < toMs,
    })
    return result({ booked: [...booked, ...suspended.states.map(bookedInSuspense)], asOf, hasMore })
  },
  ListBookedOut: function* (query, reader) {
    const { accountId, connectionId, fromMs, toMs } = query
    const { memory, result } = reader
    const { states: lines } = yield* memory.listing(accountId, 'statementLine', {
      offset: 0,
      limit: linesMax,
      fromMs: fromMs - throughWithinMs,
      toMs,
      fits: (type) => leaving.has(type),
    })
    const objects = new Set(lines.map(({ objectId }) => objectId))
    const known = Math.min(toMs + throughWithinMs, reader.nowMs)
    const outs = [
      ...[...objects].flatMap((id) => outsOf(reader, id, connectionId)),
      ...payoutsOf(reader, query, known),
    ]
    // What was never kept moved no balance, and when it went back is not written down.
    const { states: received } = yield* memory.listing(accountId, 'received', {
      offset: 0,
      limit: linesMax,
      fromMs: fromMs - throughWithinMs,
      toMs,
      fits: (label) => label === 'RETURNED',
    })
    const returned = received.flatMap((pix) => {
      const booked = bookedOf(reader, pix, connectionId)
      return booked === null ? [] : [outOf([pix.endToEndId], pix.amountCents, null)]
    })
    return result([
      ...outs.filter(({ atMs }) => atMs === null || (atMs >= fromMs && atMs < toMs)),
      ...returned,
    ])
  },
  FindBookedPix: ({ accountId, connectionId, endToEndIds }, reader) => {
    const { memory, result } = reader
    return result(
      endToEndIds.flatMap((endToEndId) => {
        const [received] = memory.lookup('received', accountId, endToEndId)
        const booked = received && bookedOf(reader, received.state, connectionId)
        if (booked != null) return [booked]
        const [item] = memory.lookup('suspense', accountId, endToEndId)
        const isThere =
          item !== undefined && item.state.status !== 'ASSIGNED' && item.state.connectionId === connectionId
        return isThere ? [bookedInSuspense(item.state)] : []
      }),
    )
  },
}

const suspendedMax = 10_000

/** Lines of a statement that money leaves by. */
const leaving: ReadonlySet<string> = new Set(['REFUND', 'MED', 'TRANSFER'])
const linesMax = 20_000
/** A bank may take so long to carry out what has left the balance. */
const throughWithinMs = 7 * dayMs

const outOf = (
  ids: readonly (string | null | undefined)[],
  amountCents: Cents,
  atMs: number | null,
  sentId: BookedOut['sentId'] = null,
): BookedOut => ({
  ids: ids.filter((id): id is string => typeof id === 'string'),
  amountCents,
  isTransfer: sentId !== null,
  sentId,
  atMs,
})

/** What has left by this connection for a transaction or a transfer. */
const outsOf = ({ memory }: Reader, id: string, connectionId: ConnectionId): readonly BookedOut[] => {
  if (id.startsWith('trf_')) {
    const transfer = memory.find('transfer', id)?.state
    if (transfer?.connectionId !== connectionId || transfer.completedAtMs === null) return []
    const { railId, amountCents, completedAtMs } = transfer
    return [outOf([railId], amountCents, sentAtMs(railId, completedAtMs), transfer.id)]
  }
  if (!id.startsWith('txn_')) return []
  const transaction = memory.find('transaction', id)?.state
  if (transaction?.connectionId !== connectionId) return []
  const paidBy = pixOf(transaction)?.payment?.endToEndId
  return transaction.reversals.refunds.flatMap(
    ({ status, completedAtMs, returnId, bankReturnId, amountCents }) =>
      status === 'COMPLETED' ? [outOf([returnId, bankReturnId, paidBy], amountCents, completedAtMs)] : [],
  )
}

/** When the bank sent it, by its own id: what has become of it may be known days later. */
const sentAtMs = (railId: string | null | undefined, knownAtMs: number): number =>
  (railId == null ? null : timeOfEndToEnd(railId)) ?? knownAtMs

/** The payouts to recipients that have left by a connection since a time; what became of some is known days later. */
const payoutsOf = (
  { memory }: Reader,
  { accountId, connectionId, fromMs }: ListBookedOut,
  untilMs: number,
): readonly BookedOut[] => {
  const outs: BookedOut[] = []
  for (let ms = fromMs; ms < untilMs + dayMs; ms += dayMs)
    for (const { state } of memory.lookup('splitTransfer', accountId, paidOutKey(connectionId, ms))) {
      const { id, railId, dueCents, completedAtMs, failures } = state
      const out = outOf([railId], dueCents, sentAtMs(railId, completedAtMs!), id)
      outs.push({ ...out, callNumber: failures + 1 })
    }
  return outs
}

/** A payment that came by this connection; null for one that did not. */
const bookedOf = (
  { memory }: Reader,
  received: ReceivedPix,
  connectionId: ConnectionId,
): BookedPix | null => {
  const transaction = memory.find('transaction', received.transactionId)!.state
  if (transaction.connectionId !== connectionId) return null
  const { endToEndId, txid, amountCents, receivedAtMs: paidAtMs } = received
  return {
    endToEndId,
    txid,
    amountCents,
    returnedCents: returnedOf(received, transaction),
    paidAtMs,
    isWrittenOff: false,
  }
}

/** What is not kept goes back in full, if not at once; what is kept may be refunded. */
const returnedOf = (
  { id, returnReason, returning, amountCents }: ReceivedPix,
  transaction: Transaction,
): BookedPix['returnedCents'] => {
  if (returnReason !== null) {
    if (returning === null || returning === 'RETURNED') return amountCents
    return toCents(amountCents - toReturnCents(returnOf(transaction, id)!))
  }
  return toCents(
    transaction.reversals.refunds.reduce(
      (sum, { status, amountCents: cents }) => sum + (status === 'COMPLETED' ? cents : 0),
      0,
    ),
  )
}

const bookedInSuspense = (item: Suspense): BookedPix => {
  const { endToEndId, txid, amountCents, paidAtMs, status } = item
  const returnedCents = toCents(amountCents - leftInSuspenseCents(item))
  return { endToEndId, txid, amountCents, returnedCents, paidAtMs, isWrittenOff: status === 'WRITTEN_OFF' }
}
