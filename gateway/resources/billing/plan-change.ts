import type { Proration } from '../../../engine/billing/catalog/proration.ts'
import type { Invoice } from '../../../engine/billing/invoice/invoice.ts'
import type { Subscription } from '../../../engine/billing/subscription/subscription.ts'
import { described } from '../../schema/named-schema.ts'
import { amountOf, booleanOf, cents, count, nullableField } from '../fields.ts'
import { part, resource, same } from '../resource.ts'
import { invoiceDetail } from './invoice.ts'
import { subscription } from './subscription.ts'

const proration = part<Proration>().with({
  creditAmount: [amountOf('What is left of the old plan.'), ({ creditCents }) => String(creditCents)],
  chargeAmount: [amountOf('What the rest of the period costs by the new one.'), (p) => String(p.chargeCents)],
  netAmount: [
    described(cents, '`chargeAmount` less `creditAmount`; negative becomes credit. In centavos, as digits.'),
    ({ netCents }) => String(netCents),
  ],
  daysRemaining: [count('Days that are left of the period, with today.'), same],
  daysInPeriod: [count('Days of the period.'), same],
})

type PlanChange = {
  readonly subscription: Subscription
  /** Null also for a preview, whose invoice has no id that could be looked up. */
  readonly invoice: Invoice | null
  readonly proration: Proration | null
  readonly isPreview: boolean
}

/** What a change of plan does, at an instant (decisions, section 22). */
export const planChange = resource<PlanChange, [number]>(
  'PlanChange',
  'What a change of plan does, or would do.',
).with({
  subscription: [
    described(subscription.schema, 'The subscription after the change.'),
    (c) => subscription.view(c.subscription),
  ],
  invoice: [
    nullableField(invoiceDetail.schema, 'The invoice for the difference, where there is one.'),
    ({ invoice }, nowMs) => invoice && invoiceDetail.view(invoice, nowMs),
  ],
  proration: [
    nullableField(proration.schema, 'Null where the change waits for the period to end, or for a trial.'),
    (c) => c.proration && proration.view(c.proration),
  ],
  preview: [booleanOf('True: nothing was changed.'), ({ isPreview }) => isPreview],
})
