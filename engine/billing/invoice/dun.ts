import type { Draft } from '../../kernel/draft.ts'
import { factOf } from '../../kernel/fact.ts'
import type { Rejection } from '../../kernel/registry.ts'
import type { DunInvoice } from '../subscription/commands.ts'
import { collect } from './collect.ts'
import { dunningOnceTaken } from './dunning.ts'
import { type Invoice, runningAttempt } from './invoice.ts'
import { cancelLiveCharge, isDeciding, liveCharge } from './live-charge.ts'
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
  if (isDeciding(charge)) {
    const nextAtMs = draft.context.nowMs + lookAgainMs
    draft.add({ type: 'DunningPostponed', dunning: { ...dunning, nextAtMs }, ...fact })
    return null
  }
  if (dunning.isEnding) {
    markUncollectible(draft, id, dunning.policy, by)
    return null
  }
  cancelLiveCharge(draft, id, by)
  const { timeZone } = draft.find('subscription', invoice.subscriptionId)!
  const taken = dunningOnceTaken(dunning, timeZone)
  draft.add({ type: 'DunningPostponed', dunning: taken, ...fact })
  return collect(draft, id, { trigger: 'DUNNING', by, means: null, idempotency: null })
}

const lookAgainMs = 6 * 3_600_000
