import Type from 'typebox'
import { heldOf } from '../../../../engine/billing/mandate/mandate.ts'
import { toCents } from '../../../../engine/shared/money.ts'
import { commandRoute } from '../../../api/route.ts'
import { bounds } from '../../../base/bounds.ts'
import { pixMandate } from '../../../resources/billing/pix-mandate.ts'
import { described } from '../../../schema/named-schema.ts'
import { amount, choice } from '../../../schema/schema.ts'
import { forExisting } from '../../command-target.ts'
import { sandboxRoute } from './sandbox-route.ts'

const paymentSystemCode = (description: string) => Type.String({ format: 'payment-system-code', description })

export const resolveSandboxMandateRoute = commandRoute({
  ...sandboxRoute,
  path: '/v1/sandbox/mandates/:id/resolve',
  operationId: 'resolveSandboxMandate',
  summary: 'Decide a mandate',
  description:
    'Decides a mandate of Pix Automático in the place of the payer. An active one can only be cancelled, which also cancels what was to be charged.',
  refusals: [403, 404, 409],
  body: Type.Object({
    result: described(choice('ACCEPTED', 'REJECTED', 'EXPIRED', 'CANCELLED'), 'What the payer does.'),
    code: Type.Optional(paymentSystemCode('Why it is rejected or cancelled.')),
    maximumAmount: Type.Optional(
      amount(bounds.amountCentsMax, 'The largest charge that the payer accepts. Default: any.'),
    ),
  }),
  answer: pixMandate.schema,
  read: ({ result, code, maximumAmount }) =>
    ({
      status: result === 'ACCEPTED' ? 'ACTIVE' : result,
      closedBy: result === 'REJECTED' || result === 'CANCELLED' ? 'PAYER' : null,
      code: result === 'ACCEPTED' ? null : (code ?? null),
      maximumCents: maximumAmount === undefined ? null : toCents(Number(maximumAmount)),
    }) as const,
  command: (input, request) => ({ type: 'PlayMandate', ...forExisting('mandateId', request), ...input }),
  view: ({ state }) => ({ body: pixMandate.view(heldOf(state)) }),
})

export const chargeSandboxMandateRoute = commandRoute({
  ...sandboxRoute,
  path: '/v1/sandbox/mandates/:id/charge',
  operationId: 'chargeSandboxMandate',
  summary: 'Decide a charge by mandate',
  description:
    'Decides what the payer’s bank does with the oldest charge by this mandate that it has under way. Without it the attempt expires at the end of its day.',
  refusals: [403, 404, 409],
  body: Type.Object({
    result: described(choice('PAID', 'REJECTED', 'EXPIRED'), 'What becomes of it.'),
    code: Type.Optional(paymentSystemCode('Why it is REJECTED, such as AM04 for a lack of money.')),
  }),
  answer: pixMandate.schema,
  read: ({ result, code }) => ({ result, code: code ?? null }),
  command: (input, request) => ({
    type: 'PlayMandateCharge',
    ...forExisting('mandateId', request),
    ...input,
  }),
  view: ({ state }) => ({ body: pixMandate.view(heldOf(state)) }),
})
