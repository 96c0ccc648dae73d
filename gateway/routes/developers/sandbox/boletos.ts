// Routes that exist only in the Sandbox: they do what payers, banks, networks and time would do.
import Type from 'typebox'
import type { PayBoleto } from '../../../../engine/payments/methods/boleto/commands.ts'
import { readInstant } from '../../../../engine/shared/calendar.ts'
import type { TransactionId } from '../../../../engine/shared/ids.ts'
import { toCents } from '../../../../engine/shared/money.ts'
import { commandRoute, type Read } from '../../../api/route.ts'
import { bounds } from '../../../base/bounds.ts'
import { sandboxBank } from '../../../providers/sandbox-bank/adapter.ts'
import { sandboxPsp } from '../../../providers/sandbox-psp/adapter.ts'
import { boleto } from '../../../resources/payments/boleto.ts'
import { described } from '../../../schema/named-schema.ts'
import { amount, choice } from '../../../schema/schema.ts'
import { refusedField, transactionResponse } from '../../charge-input.ts'
import { forExisting } from '../../command-target.ts'
import { deliverNotice, sandboxRoute, unspecifiedPayment } from './sandbox-route.ts'

type BoletoPaymentInput = Pick<PayBoleto, 'amountCents' | 'paidAtMs' | 'clearing'> & {
  readonly means: 'BAR_CODE' | 'PIX'
}

export const paySandboxBoletoRoute = commandRoute({
  ...sandboxRoute,
  path: '/v1/sandbox/boletos/:id/pay',
  operationId: 'paySandboxBoleto',
  summary: 'Pay a boleto',
  refusals: [403, 404, 409, 422],
  description:
    'Pays the boleto with what it costs on the day of the payment, by its bar code or by PIX with its QR code. A PIX clears at once; a PIX for a boleto that can no longer be paid is returned: see the list of received PIX.',
  body: Type.Object({
    by: Type.Optional(described(choice('BAR_CODE', 'PIX'), 'How it is paid. Default BAR_CODE.')),
    amount: Type.Optional(amount(bounds.amountCentsMax, 'Another amount than the payable one is refused.')),
    paidAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When a BAR_CODE payment is made. Default now; not before the boleto was issued.',
      }),
    ),
    clearing: Type.Optional(
      described(
        choice('IMMEDIATE', 'NEXT_BUSINESS_DAY'),
        'When the money of a BAR_CODE payment arrives. Default IMMEDIATE.',
      ),
    ),
  }),
  answer: boleto.schema,
  read: (body): Read<BoletoPaymentInput> => {
    const { by = 'BAR_CODE', clearing = 'IMMEDIATE' } = body
    if (by === 'PIX' && body.paidAt !== undefined)
      return refusedField('paidAt', 'MUTUALLY_EXCLUSIVE', (say) => say.pixClearsAtOnce('paidAt'))
    if (by === 'PIX' && clearing !== 'IMMEDIATE')
      return refusedField('clearing', 'MUTUALLY_EXCLUSIVE', (say) => say.pixClearsAtOnce('clearing'))
    return {
      ok: true,
      input: {
        means: by,
        amountCents: body.amount === undefined ? null : toCents(Number(body.amount)),
        paidAtMs: body.paidAt === undefined ? null : readInstant(body.paidAt),
        clearing,
      },
    }
  },
  command: ({ means, amountCents, paidAtMs, clearing }, request) => {
    const { accountId } = request
    const id = request.id as TransactionId
    if (means === 'BAR_CODE') {
      const paid = {
        kind: 'BOLETO_PAID',
        accountId,
        transactionId: id,
        amountCents,
        paidAtMs,
        clearing,
      } as const
      return deliverNotice(sandboxBank, paid, request)
    }
    const pays = { kind: 'BOLETO', id } as const
    return deliverNotice(
      sandboxPsp,
      { kind: 'PIX_IN', accountId, pays, amountCents, ...unspecifiedPayment },
      request,
    )
  },
  view: (reply, _, request) => transactionResponse(boleto.view, reply, request),
})

export const expireSandboxBoletoRoute = commandRoute({
  ...sandboxRoute,
  path: '/v1/sandbox/boletos/:id/expire',
  operationId: 'expireSandboxBoleto',
  summary: 'Expire a boleto',
  description: 'Writes the boleto off now, as the bank does 59 days after the due date.',
  refusals: [403, 404, 409],
  answer: boleto.schema,
  command: (_, request) => ({
    type: 'ExpireCharge',
    ...forExisting('transactionId', request),
    method: 'BOLETO',
  }),
  view: (reply, _, request) => transactionResponse(boleto.view, reply, request),
})
