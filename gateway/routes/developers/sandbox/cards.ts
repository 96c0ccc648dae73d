import Type from 'typebox'
import { type DeclineCode, declines } from '../../../../engine/payments/methods/card/decline-codes.ts'
import type { ChargebackId } from '../../../../engine/shared/ids.ts'
import { toCents } from '../../../../engine/shared/money.ts'
import { commandRoute } from '../../../api/route.ts'
import { bounds } from '../../../base/bounds.ts'
import { chargebackReason } from '../../../resources/enumerations.ts'
import { cardPayment } from '../../../resources/payments/card-payment.ts'
import { chargeback, chargebackOf } from '../../../resources/payments/chargeback.ts'
import { transaction } from '../../../resources/payments/transaction.ts'
import { described } from '../../../schema/named-schema.ts'
import { amount, choice } from '../../../schema/schema.ts'
import { transactionResponse } from '../../charge-input.ts'
import { forExisting } from '../../command-target.ts'
import { sandboxRoute } from './sandbox-route.ts'

export const resolveSandboxCardPaymentRoute = commandRoute({
  ...sandboxRoute,
  path: '/v1/sandbox/card-payments/:id/resolve',
  operationId: 'resolveSandboxCardPayment',
  summary: 'Resolve a card payment',
  description: 'Gives the acquirer’s answer to a payment that is PROCESSING.',
  refusals: [403, 404, 409],
  body: Type.Object({
    result: described(choice('APPROVED', 'DECLINED', 'FAILED'), 'The outcome.'),
    providerCode: Type.Optional(
      described(
        choice(...(Object.keys(declines) as DeclineCode[])),
        'The code of ABECS for DECLINED. Default 05.',
      ),
    ),
  }),
  answer: cardPayment,
  read: ({ result, providerCode }) => ({ result, providerCode: providerCode ?? '05' }),
  command: (input, request) => ({
    type: 'ResolveAuthorization',
    ...forExisting('transactionId', request),
    ...input,
  }),
  view: (reply, _, request) => transactionResponse(transaction.view, reply, request),
})

export const openSandboxChargebackRoute = commandRoute({
  ...sandboxRoute,
  path: '/v1/sandbox/card-payments/:id/chargeback',
  operationId: 'openSandboxChargeback',
  summary: 'Open a chargeback',
  description: 'Opens a chargeback as the card’s issuer would. It can be defended for 10 days.',
  refusals: [403, 404, 409, 422],
  body: Type.Object({
    amount: Type.Optional(amount(bounds.amountCentsMax, 'Default: all that was paid and not refunded.')),
    reason: Type.Optional(chargebackReason),
  }),
  answer: chargeback.schema,
  read: ({ amount, reason }) => ({
    amountCents: amount === undefined ? null : toCents(Number(amount)),
    reason: reason ?? null,
  }),
  command: (input, request) => ({
    type: 'OpenChargeback',
    ...forExisting('transactionId', request),
    ...input,
  }),
  view: ({ state, reversalId }) => ({ body: chargebackOf(state, reversalId) }),
})

export const resolveSandboxChargebackRoute = commandRoute({
  ...sandboxRoute,
  path: '/v1/sandbox/chargebacks/:id/resolve',
  operationId: 'resolveSandboxChargeback',
  summary: 'Resolve a chargeback',
  description:
    'Decides a chargeback that is UNDER_REVIEW, as the card network would. If it is WON the money comes back and the payment has the status that it had before.',
  refusals: [403, 404, 409],
  body: Type.Object({ result: described(choice('WON', 'LOST'), 'What is decided.') }),
  answer: chargeback.schema,
  read: ({ result }) => ({ result }),
  command: ({ result }, { accountId, by, id }) => ({
    type: 'ResolveChargeback',
    accountId,
    by,
    reversalId: id as ChargebackId,
    result,
  }),
  view: ({ state, reversalId }) => ({ body: chargebackOf(state, reversalId) }),
})
