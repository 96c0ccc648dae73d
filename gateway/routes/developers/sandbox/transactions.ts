import Type from 'typebox'
import { installmentsMax } from '../../../../engine/ledger/card-rates.ts'
import { readInstant } from '../../../../engine/shared/calendar.ts'
import type { RefundId } from '../../../../engine/shared/ids.ts'
import { toCents } from '../../../../engine/shared/money.ts'
import { commandRoute } from '../../../api/route.ts'
import { bounds } from '../../../base/bounds.ts'
import { currency, origin, paymentMethod, transactionStatus } from '../../../resources/enumerations.ts'
import { detailsInput, readDetails, referenceInput } from '../../../resources/payments/charge-details.ts'
import { customerInput, readCustomer } from '../../../resources/payments/customer.ts'
import { refund, refundOf } from '../../../resources/payments/refund.ts'
import { transaction } from '../../../resources/payments/transaction.ts'
import { described } from '../../../schema/named-schema.ts'
import { amount, choice, wholeNumber } from '../../../schema/schema.ts'
import { refusedField, transactionResponse } from '../../charge-input.ts'
import { forExisting, forNew } from '../../command-target.ts'
import { sandboxRoute } from './sandbox-route.ts'

export const seedSandboxTransactionRoute = commandRoute({
  ...sandboxRoute,
  path: '/v1/sandbox/transactions',
  operationId: 'seedSandboxTransaction',
  summary: 'Seed a transaction',
  description:
    'Creates a transaction of any method, origin and status, so that lists and exports have something to show. It causes no webhooks.',
  status: 201,
  refusals: [403],
  body: Type.Object({
    method: described(paymentMethod, 'How it is paid.'),
    origin: Type.Optional(described(origin, 'Where it was asked for. Default API.')),
    status: described(transactionStatus, 'Its status.'),
    currency: Type.Optional(described(currency, 'Default BRL; USDT for CRYPTO.')),
    amount: amount(bounds.amountCentsMax, 'Its amount.'),
    installments: Type.Optional(wholeNumber(1, installmentsMax, 'Instalments of a card payment. Default 1.')),
    createdAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'Default now; not in the future.' }),
    ),
    customer: Type.Optional(customerInput),
    ...detailsInput,
    reference: referenceInput,
  }),
  answer: transaction.schema,
  read: (body) => {
    const currency = body.currency ?? (body.method === 'CRYPTO' ? 'USDT' : 'BRL')
    if ((body.method === 'CRYPTO') === (currency === 'BRL'))
      return refusedField('currency', 'INVALID_VALUE', (say) => say.currencyOfMethod('currency'))
    return {
      ok: true,
      input: {
        method: body.method,
        origin: body.origin ?? 'API',
        status: body.status,
        currency,
        amountCents: toCents(Number(body.amount)),
        installments: body.installments ?? 1,
        details: readDetails(body),
        customer: body.customer ? readCustomer(body.customer) : null,
        createdAtMs: body.createdAt === undefined ? null : readInstant(body.createdAt),
      },
    }
  },
  command: (input, request) => ({ type: 'SeedTransaction', ...forNew('transactionId', request), ...input }),
  view: (reply, _, request) => transactionResponse(transaction.view, reply, request, '/v1/transactions'),
})

export const settleSandboxTransactionRoute = commandRoute({
  ...sandboxRoute,
  path: '/v1/sandbox/transactions/:id/settle',
  operationId: 'settleSandboxTransaction',
  summary: 'Settle a transaction',
  description:
    'Settles all receivables of the transaction now, instead of on the days on which they are expected.',
  refusals: [403, 404],
  answer: transaction.schema,
  command: (_, request) => ({ type: 'SettleTransaction', ...forExisting('transactionId', request) }),
  view: (reply, _, request) => transactionResponse(transaction.view, reply, request),
})

export const resolveSandboxRefundRoute = commandRoute({
  ...sandboxRoute,
  path: '/v1/sandbox/refunds/:id/resolve',
  operationId: 'resolveSandboxRefund',
  summary: 'Resolve a refund',
  description: 'Gives the answer of the bank or acquirer to a refund that is PROCESSING.',
  refusals: [403, 404, 409],
  body: Type.Object({ result: described(choice('COMPLETED', 'FAILED'), 'The outcome.') }),
  answer: refund.schema,
  read: ({ result }) => ({ result }),
  command: ({ result }, { accountId, by, id }) => ({
    type: 'ResolveRefund',
    accountId,
    by,
    reversalId: id as RefundId,
    result,
  }),
  view: ({ state, reversalId, nowMs }) => ({ body: refundOf(state, reversalId, nowMs) }),
})
