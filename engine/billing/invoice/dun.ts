import { contextId } from '../../kernel/context.ts'
import type { Draft } from '../../kernel/draft.ts'
import { factOf } from '../../kernel/fact.ts'
import type { Rejection } from '../../kernel/registry.ts'
import type { Transaction } from '../../payments/transaction/transaction.ts'
import { addDays } from '../../shared/calendar.ts'
import { retryDay, tryOnceMore } from '../mandate/charge.ts'
import { mandateChargeOf } from '../mandate/held.ts'
import type { DunInvoice } from '../subscription/commands.ts'
import { collect } from './collect.ts'
import { dunningOnceTaken } from './dunning.ts'
import { type Dunning, type Invoice, type NewAttempt, runningAttempt } from './invoice.ts'
import { cancelLiveCharge, isDeciding, isTried, liveCharge } from './live-charge.ts'
import { markUncollectible } from './mark-uncollectible.ts'
import { failAttempt } from './outcome.ts'

/** The clock reached an invoice: its boleto was not paid in time, another attempt is due, or dunning ends. */
export const dunInvoice = (draft: Draft, invoice: Invoice, { by }: DunInvoice): Rejection | null => {
  const { id, dunning } = invoice
  const fact = factOf(draft, 'invoice', id)
  const charge = liveCharge(draft, invoice)
  const running = runningAttempt(invoice)
  if (running !== null) {
    // The payer has paid, but the bank has not cleared it yet.
    if (isDeciding(charge)) {
      const failsAtMs = draft.context.nowMs + lookAgainMs
      draft.add({ type: 'AttemptExtended', number: running.number, failsAtMs, ...fact })
    } else failAttempt(draft, id, running.number, { failureReason: 'CHARGE_EXPIRED', retryable: true }, by)
    return null
  }
  if (dunning === null) return null
  if (isDeciding(charge) || isTried(draft, invoice)) {
    const nextAtMs = draft.context.nowMs + lookAgainMs
    draft.add({ type: 'DunningPostponed', dunning: { ...dunning, nextAtMs }, ...fact })
    return null
  }
  if (dunning.isEnding) {
    markUncollectible(draft, id, dunning.policy, by)
    return null
  }
  if (retryByMandate(draft, invoice, dunning, charge)) return null
  cancelLiveCharge(draft, id, by)
  const { timeZone } = draft.find('subscription', invoice.subscriptionId)!
  const taken = dunningOnceTaken(dunning, timeZone)
  draft.add({ type: 'DunningPostponed', dunning: taken, ...fact })
  return collect(draft, id, { trigger: 'DUNNING', by, means: null, idempotency: null })
}

/** Takes a step by the mandate instead of a QR code; says whether it could. */
const retryByMandate = (
  draft: Draft,
  { id, subscriptionId, attempts, totalCents, periodEnd }: Invoice,
  dunning: Dunning,
  charge: Transaction | null,
): boolean => {
  const of = mandateChargeOf(draft, charge?.id ?? null)
  const days = dunning.policy.retryDays[dunning.steps]
  if (of === null || days === undefined || dunning.steps >= (dunning.byMandate ?? 0)) return false
  const on = retryDay(draft, of, addDays(dunning.failedOn, days), periodEnd)
  if (on === null) return false
  const { timeZone } = draft.find('subscription', subscriptionId)!
  const attempt: NewAttempt = {
    id: contextId(draft.context, 'att'),
    number: attempts.length + 1,
    trigger: 'DUNNING',
    method: 'PIX',
    card: null,
    // The bank tries the same charge once more.
    transactionId: charge!.id,
    amountCents: totalCents,
    failsAtMs: null,
  }
  const fact = factOf(draft, 'invoice', id)
  draft.add(
    { type: 'DunningPostponed', dunning: dunningOnceTaken(dunning, timeZone), ...fact },
    { type: 'AttemptStarted', attempt, ...fact },
  )
  tryOnceMore(draft, of, on)
  return true
}

const lookAgainMs = 6 * 3_600_000
