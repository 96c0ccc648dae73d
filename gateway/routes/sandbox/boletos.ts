import Type from 'typebox'
import { readInstant } from '../../../engine/calendar.ts'
import type { TransactionId } from '../../../engine/ids.ts'
import { toCents } from '../../../engine/money.ts'
import { commandRoute } from '../../http/route.ts'
import { amount, word } from '../../http/schema.ts'
import { boletoView } from '../../views/boleto.ts'
import { boleto } from '../answers.ts'
import { shows } from '../charge-input.ts'
import { centsMax } from '../pix/create-charge.ts'
import { sandboxRoute } from './sandbox-route.ts'

export const paySandboxBoleto = commandRoute({
  ...sandboxRoute,
  verb: 'POST',
  path: '/v1/sandbox/boletos/:id/pay',
  operationId: 'paySandboxBoleto',
  summary: 'Let a boleto be paid',
  refusals: [403, 404, 409, 422],
  body: Type.Object({
    amount: Type.Optional(amount(centsMax, 'Another amount than the payable one is refused.')),
    paidAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'Default now; not before the boleto was issued.' }),
    ),
    clearing: Type.Optional(word('IMMEDIATE', 'NEXT_BUSINESS_DAY')),
  }),
  answer: boleto,
  read: (body) => ({
    amountCents: body.amount === undefined ? null : toCents(Number(body.amount)),
    paidAtMs: body.paidAt === undefined ? null : readInstant(body.paidAt),
    clearing: body.clearing ?? 'IMMEDIATE',
  }),
  command: (input, { accountId, by, id }) => ({
    type: 'PayBoleto',
    accountId,
    by,
    transactionId: id as TransactionId,
    ...input,
  }),
  view: shows(boletoView),
})

export const expireSandboxBoleto = commandRoute({
  ...sandboxRoute,
  verb: 'POST',
  path: '/v1/sandbox/boletos/:id/expire',
  operationId: 'expireSandboxBoleto',
  summary: 'Let an open boleto be written off now',
  refusals: [403, 404, 409],
  answer: boleto,
  read: () => null,
  command: (_, { accountId, by, id }) => ({
    type: 'ExpireCharge',
    accountId,
    by,
    transactionId: id as TransactionId,
    method: 'BOLETO',
  }),
  view: shows(boletoView),
})
