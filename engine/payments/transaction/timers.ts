import type { Timer } from '../../kernel/due-work.ts'
import type { Command } from '../../kernel/registry.ts'
import { losingEvidence, type Scenario, scenarioOf, winningEvidence } from '../../sandbox/scenarios.ts'
import { environmentOf } from '../../shared/ids.ts'
import type { Initiator } from '../../shared/initiator.ts'
import { payableDaysAfterDue } from '../methods/boleto/decide.ts'
import { reviewMs } from '../methods/card/chargeback.ts'
import { authorizationOf, authorizationUnknownMs } from '../methods/card/payment.ts'
import { heldCents } from './amounts.ts'
import type { Transaction } from './transaction.ts'
import { dayMs } from './turn.ts'

/** What Sandbox scenarios wait for: a payment after two seconds, what follows it after five (decisions, section 29). */
const paysAfterMs = 2000
const followsAfterMs = 5000
/** A boleto with the scenario `paid_overdue` is paid at noon of the fifth day after its due date. */
const overdueBeforeExpiryMs = (payableDaysAfterDue - 4) * dayMs - dayMs / 2

/** Longer than any provider may take to answer: after this nobody will hear the answer any more. */
const answerLostMs = 60_000

/** What the clock will do to a transaction next, derived from its state: after a restart nothing has to be re-armed. */
export const nextTransactionTimer = (transaction: Transaction): Timer | null => {
  let next: Timer | null = null
  for (const timer of timersOf(transaction)) {
    if (timer !== null && (next === null || timer.dueAtMs < next.dueAtMs)) next = timer
  }
  return next
}

/** Of two that are due at the same moment the first one here comes first. */
const timersOf = (transaction: Transaction): readonly (Timer | null)[] => {
  switch (transaction.status) {
    case 'PENDING':
      return [pays(transaction), overdue(transaction), expires(transaction)]
    case 'PROCESSING':
      return [clears(transaction), givesUp(transaction), asksAgain(transaction)]
    case 'AUTHORIZED':
      return [expires(transaction), asksAgain(transaction)]
    case 'EXPIRED':
      return [pays(transaction)]
    case 'APPROVED':
    case 'PARTIALLY_REFUNDED':
    case 'CHARGEBACK':
    case 'FAILED':
      return [
        pays(transaction),
        disputes(transaction),
        asksAgain(transaction),
        chargebackEnds(transaction),
        medEnds(transaction),
      ]
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
const asksAgain = (transaction: Transaction): Timer | null => {
  let next: Timer | null = null
  for (const { id: callId, dueAtMs } of transaction.calls) {
    if (dueAtMs !== null && (next === null || dueAtMs < next.dueAtMs))
      next = timer(transaction, dueAtMs, { type: 'CallAgain', callId })
  }
  return next
}

const chargebackEnds = (transaction: Transaction): Timer | null => {
  const [chargeback] = transaction.reversals.chargebacks
  if (chargeback === undefined) return null
  const resolve = (atMs: number, result: 'WON' | 'LOST') =>
    timer(transaction, atMs, { type: 'ResolveChargeback', partId: chargeback.id, result })
  if (chargeback.status === 'OPEN') return resolve(chargeback.defenseDueAtMs + 1, 'LOST')
  if (chargeback.status !== 'UNDER_REVIEW') return null
  const { text, submittedAtMs } = chargeback.defense!
  if (isSandbox(transaction)) {
    if (text.includes(winningEvidence)) return resolve(submittedAtMs + followsAfterMs, 'WON')
    if (text.includes(losingEvidence)) return resolve(submittedAtMs + followsAfterMs, 'LOST')
  }
  return resolve(submittedAtMs + reviewMs, 'LOST')
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

/** Payments that a scenario makes by itself. */
const pays = (transaction: Transaction): Timer | null => {
  const scenario = scenarioOf(transaction)
  if (scenario === null) return null
  const { status, boleto, createdAtMs, approvedAtMs, expiredAtMs } = transaction
  if (boleto !== null) {
    if (status !== 'PENDING') return null
    const paid = { type: 'PayBoleto', amountCents: null, paidAtMs: null, clearing: 'IMMEDIATE' } as const
    if (paysOnTime.includes(scenario)) return timer(transaction, createdAtMs + paysAfterMs, paid)
    if (scenario !== 'paid_overdue' || transaction.expiresAtMs === null) return null
    return timer(transaction, transaction.expiresAtMs - overdueBeforeExpiryMs, paid)
  }
  if (transaction.method !== 'PIX') return null
  const paid = { type: 'ReceivePix', amountCents: null, payer: null } as const
  if (status === 'PENDING')
    return paysOnTime.includes(scenario) ? timer(transaction, createdAtMs + paysAfterMs, paid) : null
  if (transaction.timeline.some(({ type }) => type === 'PaymentReturned')) return null
  if (status === 'APPROVED' && scenario === 'paid_twice')
    return timer(transaction, approvedAtMs! + paysAfterMs, paid)
  if (status === 'EXPIRED' && scenario === 'paid_late') return timer(transaction, expiredAtMs!, paid)
  return null
}

const paysOnTime: readonly Scenario[] = ['paid', 'paid_twice', 'med']

/** Disputes that a scenario opens by itself, once; of a seed, too. */
const disputes = (transaction: Transaction): Timer | null => {
  const { status, approvedAtMs, reversals } = transaction
  if (status !== 'APPROVED') return null
  const scenario = scenarioOf(transaction)
  const isDue = reversals.chargebacks.length === 0 && reversals.meds.length === 0
  if (!isDue || scenario === null) return null
  const atMs = approvedAtMs! + followsAfterMs
  // While all of a PIX is on its way back nothing is left to contest: a timer that is refused would be due for ever.
  if (scenario === 'med' && transaction.method === 'PIX' && heldCents(transaction) > 0)
    return timer(transaction, atMs, { type: 'OpenMed', amountCents: null, reason: null })
  if (scenario === 'chargeback' && transaction.card !== null)
    return timer(transaction, atMs, { type: 'OpenChargeback', amountCents: null, reason: null })
  return null
}

const isSandbox = ({ accountId }: Transaction): boolean => environmentOf(accountId) === 'SANDBOX'

const timer = (
  { id: transactionId, accountId }: Transaction,
  dueAtMs: number,
  command: Readonly<Record<string, unknown>> & Pick<Command, 'type'>,
): Timer => ({
  dueAtMs,
  command: { accountId, by: command.type in byClock ? clock : sandbox, transactionId, ...command } as Command,
})

const clock: Initiator = { kind: 'CLOCK', id: null }
const sandbox: Initiator = { kind: 'SANDBOX', id: null }

/** What happens by itself in Production too. */
const byClock: Readonly<Partial<Record<Command['type'], true>>> = {
  ExpireCharge: true,
  MarkOverdue: true,
  ClearBoleto: true,
  GiveUpAuthorization: true,
  CallAgain: true,
  ResolveChargeback: true,
  CloseMed: true,
}
