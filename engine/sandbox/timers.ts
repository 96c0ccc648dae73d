import { earliestOf, type Timer } from '../kernel/due-work.ts'
import { payableDaysAfterDue } from '../payments/methods/boleto/decide.ts'
import { cardOf } from '../payments/methods/card/card.ts'
import { heldCents } from '../payments/transaction/amounts.ts'
import { timer } from '../payments/transaction/due-work.ts'
import type { Transaction } from '../payments/transaction/transaction.ts'
import { dayMs } from '../shared/calendar.ts'
import { environmentOf } from '../shared/ids.ts'
import type { Initiator } from '../shared/initiator.ts'
import { losingEvidence, type Scenario, scenarioIn, winningEvidence } from './scenarios.ts'

/** Delays of Sandbox scenarios: a payment after two seconds, its consequences after five (decisions, section 29). */
const paysAfterMs = 2000
const followsAfterMs = 5000
/** A boleto with scenario `paid_overdue` is paid at noon of the fifth day after its due date. */
const overdueBeforeExpiryMs = (payableDaysAfterDue - 4) * dayMs - dayMs / 2

/** What a scenario does to a transaction next; null in Production or without a scenario. */
export const nextScenarioTimer = (transaction: Transaction): Timer | null => {
  if (environmentOf(transaction.accountId) !== 'SANDBOX') return null
  const { chargebacks, meds } = transaction.reversals
  // Nearly all of them: every change of a transaction asks.
  if (chargebacks.length === 0 && meds.length === 0 && scenarioIn(transaction) === null) return null
  return earliestOf([
    pays(transaction),
    disputes(transaction),
    decidesChargeback(transaction),
    decidesMed(transaction),
    decidesContest(transaction),
  ])
}

/** Payments made by a scenario. */
const pays = (transaction: Transaction): Timer | null => {
  const scenario = scenarioIn(transaction)
  if (scenario === null) return null
  const { status, createdAtMs, approvedAtMs, expiredAtMs } = transaction
  if (transaction.method === 'BOLETO') {
    if (status !== 'PENDING') return null
    const paid = { type: 'PayBoleto', amountCents: null, paidAtMs: null, clearing: 'IMMEDIATE' } as const
    if (paysOnTime.includes(scenario)) return act(transaction, createdAtMs + paysAfterMs, paid)
    if (scenario !== 'paid_overdue' || transaction.expiresAtMs === null) return null
    return act(transaction, transaction.expiresAtMs - overdueBeforeExpiryMs, paid)
  }
  if (transaction.method !== 'PIX') return null
  const paid = { type: 'ReceivePix', amountCents: null, payer: null } as const
  if (status === 'PENDING')
    return paysOnTime.includes(scenario) ? act(transaction, createdAtMs + paysAfterMs, paid) : null
  if (transaction.timeline.some(({ type }) => type === 'PaymentReturned')) return null
  if (status === 'APPROVED' && scenario === 'paid_twice')
    return act(transaction, approvedAtMs! + paysAfterMs, paid)
  if (status === 'EXPIRED' && scenario === 'paid_late') return act(transaction, expiredAtMs!, paid)
  return null
}

const paysOnTime: readonly Scenario[] = ['paid', 'paid_twice', 'med']

/** Disputes opened by a scenario, once, for seeds too. */
const disputes = (transaction: Transaction): Timer | null => {
  const { status, approvedAtMs, reversals } = transaction
  if (status !== 'APPROVED') return null
  const scenario = scenarioIn(transaction)
  const isDue = reversals.chargebacks.length === 0 && reversals.meds.length === 0
  if (!isDue || scenario === null) return null
  const atMs = approvedAtMs! + followsAfterMs
  // While the whole PIX is being refunded there is nothing to contest: the timer would be refused and stay due for
  // ever.
  if (scenario === 'med' && transaction.method === 'PIX' && heldCents(transaction) > 0)
    return act(transaction, atMs, { type: 'OpenMed', amountCents: null, reason: null, isForced: true })
  if (scenario === 'chargeback' && cardOf(transaction) !== null)
    return act(transaction, atMs, { type: 'OpenChargeback', amountCents: null, reason: null, isForced: true })
  return null
}

/** Certain phrases in a defense decide a chargeback. */
const decidesChargeback = (transaction: Transaction): Timer | null => {
  const [chargeback] = transaction.reversals.chargebacks
  if (chargeback?.status !== 'UNDER_REVIEW') return null
  const { text, submittedAtMs } = chargeback.defense!
  const result = resultOf(text)
  if (result === null) return null
  const command = { type: 'ResolveChargeback', reversalId: chargeback.id, result } as const
  return timer(transaction, submittedAtMs + followsAfterMs, command)
}

/** Certain phrases in a defense decide an open MED. */
const decidesMed = (transaction: Transaction): Timer | null => {
  const med = transaction.reversals.meds.find(({ status }) => status === 'OPEN')
  const result = med?.defense === undefined ? null : resultOf(med.defense.text)
  if (med === undefined || result === null) return null
  return act(transaction, med.defense!.submittedAtMs + followsAfterMs, {
    type: 'CloseMed',
    reversalId: med.id,
    result: result === 'WON' ? 'REJECTED' : 'ACCEPTED',
    returnedCents: null,
  })
}

/** Certain phrases in a contest decide it. */
const decidesContest = (transaction: Transaction): Timer | null =>
  earliestOf(
    transaction.reversals.meds.map(({ id: reversalId, contest }) => {
      const result = contest?.status === 'UNDER_REVIEW' ? resultOf(contest.text) : null
      if (result === null) return null
      const command = { type: 'ResolveMedContest', reversalId, result } as const
      return act(transaction, contest!.submittedAtMs + followsAfterMs, command)
    }),
  )

const resultOf = (text: string): 'WON' | 'LOST' | null =>
  text.includes(winningEvidence) ? 'WON' : text.includes(losingEvidence) ? 'LOST' : null

/** A timer whose initiator is the Sandbox. */
const act = (transaction: Transaction, dueAtMs: number, command: Parameters<typeof timer>[2]): Timer =>
  timer(transaction, dueAtMs, command, sandbox)

const sandbox: Initiator = { kind: 'SANDBOX', id: null }
