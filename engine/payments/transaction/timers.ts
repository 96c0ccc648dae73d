import { earliestOf, type Timer } from '../../kernel/due-work.ts'
import type { Command } from '../../kernel/registry.ts'
import type { Initiator } from '../../shared/initiator.ts'
import { reviewMs } from '../methods/card/chargeback.ts'
import { authorizationOf, authorizationUnknownMs } from '../methods/card/payment.ts'
import type { Transaction } from './transaction.ts'

/** Longer than any provider may take to answer: after this nobody will hear the answer any more. */
const answerLostMs = 60_000

/** What the clock will do to a transaction next, derived from its state: after a restart nothing has to be re-armed. */
export const nextTransactionTimer = (transaction: Transaction): Timer | null =>
  earliestOf(timersOf(transaction))

const timersOf = (transaction: Transaction): readonly (Timer | null)[] => {
  switch (transaction.status) {
    case 'PENDING':
      return [overdue(transaction), expires(transaction)]
    case 'PROCESSING':
      return [clears(transaction), givesUp(transaction), asksAgain(transaction)]
    case 'AUTHORIZED':
      return [expires(transaction), asksAgain(transaction)]
    case 'APPROVED':
    case 'PARTIALLY_REFUNDED':
    case 'CHARGEBACK':
    case 'FAILED':
      return [asksAgain(transaction), chargebackEnds(transaction), medEnds(transaction)]
    default:
      return none
  }
}

const none: readonly never[] = []

const expires = (transaction: Transaction): Timer | null => {
  const { expiresAtMs, calls } = transaction
  // The acquirer is asked to capture or void: its answer decides first.
  if (expiresAtMs === null || calls.length > 0) return null
  return timer(transaction, expiresAtMs, { type: 'ExpireCharge', method: null })
}

const overdue = (transaction: Transaction): Timer | null => {
  const { boleto } = transaction
  if (boleto === null || boleto.overdue || boleto.lateAtMs === null) return null
  return timer(transaction, boleto.lateAtMs, { type: 'MarkOverdue' })
}

const clears = (transaction: Transaction): Timer | null => {
  const payment = transaction.boleto?.payment
  return payment ? timer(transaction, payment.clearsAtMs, { type: 'ClearBoleto' }) : null
}

/**
 * While a question is on its way its answer comes first: an acquirer that hears it after the reversal would authorize
 * again, and nobody would take that back.
 */
const givesUp = (transaction: Transaction): Timer | null => {
  const call = authorizationOf(transaction)
  if (call === undefined) return null
  const unknownAtMs = call.openedAtMs + authorizationUnknownMs
  const lostAtMs = transaction.updatedAtMs + answerLostMs
  const atMs = call.dueAtMs === null ? Math.max(unknownAtMs, lostAtMs) : unknownAtMs
  return timer(transaction, atMs, { type: 'GiveUpAuthorization' })
}

/** The earliest call that nobody answered. */
const asksAgain = (transaction: Transaction): Timer | null =>
  earliestOf(
    transaction.calls.map(({ id: callId, dueAtMs }) =>
      dueAtMs === null ? null : timer(transaction, dueAtMs, { type: 'CallAgain', callId }),
    ),
  )

const chargebackEnds = (transaction: Transaction): Timer | null => {
  const [chargeback] = transaction.reversals.chargebacks
  if (chargeback === undefined) return null
  const resolve = (atMs: number, result: 'WON' | 'LOST') =>
    timer(transaction, atMs, { type: 'ResolveChargeback', partId: chargeback.id, result })
  if (chargeback.status === 'OPEN') return resolve(chargeback.defenseDueAtMs + 1, 'LOST')
  if (chargeback.status !== 'UNDER_REVIEW') return null
  return resolve(chargeback.defense!.submittedAtMs + reviewMs, 'LOST')
}

const medEnds = (transaction: Transaction): Timer | null => {
  const med = transaction.reversals.meds.find(({ status }) => status === 'OPEN')
  if (med === undefined) return null
  return timer(transaction, med.analysisDueAtMs, {
    type: 'CloseMed',
    partId: med.id,
    result: 'ACCEPTED',
    returnedCents: null,
  })
}

/** A transaction's due work: a command without what all of them say, by the clock unless somebody else is named. */
export const timer = (
  { id: transactionId, accountId }: Transaction,
  dueAtMs: number,
  command: Readonly<Record<string, unknown>> & Pick<Command, 'type'>,
  by: Initiator = clock,
): Timer => ({ dueAtMs, command: { accountId, by, transactionId, ...command } as Command })

const clock: Initiator = { kind: 'CLOCK', id: null }
