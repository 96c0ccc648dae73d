import Type, { type Static } from 'typebox'
import type { Proration } from '../../../engine/billing/catalog/proration.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { amountOf, booleanOf, cents, count, nullable } from '../fields.ts'
import { invoiceDetail } from './invoice.ts'
import { subscription } from './subscription.ts'

const proration = Type.Object({
  creditAmount: amountOf('What is left of the old plan.'),
  chargeAmount: amountOf('What the rest of the period costs by the new one.'),
  netAmount: described(
    cents,
    '`chargeAmount` less `creditAmount`; negative becomes credit. In centavos, as digits.',
  ),
  daysRemaining: count('Days that are left of the period, with today.'),
  daysInPeriod: count('Days of the period.'),
})

/** What a change of plan does (decisions, section 22). */
export const planChange = namedObject('PlanChange', 'What a change of plan does, or would do.', {
  subscription: described(subscription, 'The subscription after the change.'),
  invoice: nullable(invoiceDetail, 'The invoice for the difference, where there is one.'),
  proration: nullable(proration, 'Null where the change waits for the period to end, or for a trial.'),
  preview: booleanOf('True: nothing was changed.'),
})

/** The credits and charges of a change of plan. */
export const prorationView = (p: Proration): Static<typeof proration> => ({
  creditAmount: String(p.creditCents),
  chargeAmount: String(p.chargeCents),
  netAmount: String(p.netCents),
  daysRemaining: p.daysRemaining,
  daysInPeriod: p.daysInPeriod,
})
