import Type from 'typebox'
import type { Proration } from '../../../../engine/billing/catalog/proration.ts'
import type { Invoice } from '../../../../engine/billing/invoice/invoice.ts'
import type { Subscription } from '../../../../engine/billing/subscription/subscription.ts'
import type { Transaction } from '../../../../engine/payments/transaction/transaction.ts'
import type { PlanId } from '../../../../engine/shared/ids.ts'
import { type Accepted, commandRoute } from '../../../api/route.ts'
import { type Problem, problem } from '../../../problems/problem.ts'
import { planChange } from '../../../resources/billing/plan-change.ts'
import { booleanOf } from '../../../resources/fields.ts'
import { choice, idParameter } from '../../../schema/schema.ts'
import { manageScope } from '../../catalog.ts'
import { forExisting } from '../../command-target.ts'

export const changePlanRoute = commandRoute({
  ...manageScope,
  verb: 'POST',
  path: '/v1/subscriptions/:id/change-plan',
  operationId: 'changePlan',
  summary: 'Change the plan',
  description:
    'NOW prorates by days: the rest of the period is credited at the old price and charged at the new one. A card is charged first, and 402 leaves the plan as it was; with PIX or boleto the change waits in `pendingChange` until its invoice is paid. PERIOD_END changes with the next period. AUTO is NOW for a plan that costs more a day, else PERIOD_END. The current plan clears what is scheduled.',
  refusals: [402, 404, 409, 422],
  body: Type.Object({
    planId: idParameter('The plan to change to.'),
    effective: Type.Optional({
      ...choice('AUTO', 'NOW', 'PERIOD_END'),
      description: 'When. Default AUTO.',
    }),
    preview: Type.Optional(booleanOf('True only answers what it would come to, and changes nothing.')),
  }),
  answer: planChange.schema,
  read: (body) => ({
    planId: body.planId as PlanId,
    effective: body.effective ?? 'AUTO',
    isPreview: body.preview ?? false,
  }),
  command: (input, request) => ({ type: 'ChangePlan', ...forExisting('subscriptionId', request), ...input }),
  view: (reply, { isPreview }) => {
    const invoice = invoiceIn(reply)
    const charge = reply.steps.findLast(({ event }) => event.actor === 'transaction')?.after as Transaction
    if (invoice?.status === 'VOID') return declined(charge)
    const shown = {
      subscription: reply.state,
      invoice: isPreview ? null : invoice,
      proration: prorationIn(reply),
      isPreview,
    }
    return { body: planChange.view(shown, reply.nowMs) }
  },
})

/** The invoice for the difference. That of the next period, which the change revokes, is of another kind. */
const invoiceIn = ({ steps }: Accepted): Invoice | null => {
  const invoices = steps.filter(({ event }) => event.actor === 'invoice').map(({ after }) => after as Invoice)
  return invoices.findLast(({ kind }) => kind === 'PRORATION') ?? null
}

/** Stored in the pending change if the acquirer is silent. */
const prorationIn = ({ steps, state }: Accepted<Subscription>): Proration | null => {
  for (const { event } of steps) {
    if (event.type === 'PlanChangeApplied' && event.proration !== null) return event.proration
    if (event.type === 'PlanChangeAwaited') return event.changes.pendingChange!.proration
  }
  const isScheduled = steps.some(({ event }) => event.type === 'PlanChangeScheduled')
  return isScheduled ? null : (state.pendingChange?.proration ?? null)
}

const declined = ({ id, failureReason }: Transaction): Problem =>
  problem('PAYMENT_DECLINED', null, { extra: { transactionId: id, failureReason } })
