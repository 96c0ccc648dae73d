import Type from 'typebox'
import { newId } from '../../../../engine/shared/ids.ts'
import { toCents } from '../../../../engine/shared/money.ts'
import { commandRoute } from '../../../api/route.ts'
import { bounds } from '../../../base/bounds.ts'
import { isAllowed } from '../../../identity/caller.ts'
import { cardPayment } from '../../../resources/payments/card-payment.ts'
import { transaction } from '../../../resources/payments/transaction.ts'
import { amount } from '../../../schema/schema.ts'
import { todayOf } from '../../charge-input.ts'
import { forExisting } from '../../command-target.ts'
import { cardWrites } from '../../groups.ts'
import {
  captureFailed,
  isCapturing,
  isVoiding,
  unknownOutcome,
  voidRefused,
} from './capture-and-void-problems.ts'

export const captureCardPaymentRoute = commandRoute({
  ...cardWrites,
  path: '/v1/card-payments/:id/capture',
  operationId: 'captureCardPayment',
  summary: 'Capture a card payment',
  description:
    'Captures the authorized amount or a part of it. Possible once, within 7 days; what is not captured is released.',
  refusals: [404, 409, 422],
  body: Type.Object({
    amount: Type.Optional(amount(bounds.amountCentsMax, 'Default: all that was authorized.')),
  }),
  answer: cardPayment,
  read: (body) => ({ amountCents: body.amount === undefined ? null : toCents(Number(body.amount)) }),
  command: ({ amountCents }, request) => ({
    type: 'CaptureCharge',
    ...forExisting('transactionId', request),
    amountCents,
  }),
  view: (reply, _, request) => {
    const payment = reply.state
    if (isCapturing(payment)) return unknownOutcome('capture')
    // CANCELLED is a sale that the acquirer took back by itself.
    if (payment.status === 'AUTHORIZED' || payment.status === 'CANCELLED') return captureFailed(payment)
    return { body: transaction.view(payment, todayOf(request, reply)) }
  },
})

export const cancelCardPaymentRoute = commandRoute({
  ...cardWrites,
  path: '/v1/card-payments/:id/cancel',
  operationId: 'cancelCardPayment',
  summary: 'Cancel a card payment',
  description:
    'An AUTHORIZED payment is voided: nothing is charged, and it becomes CANCELLED. An APPROVED or PARTIALLY_REFUNDED payment is refunded in full, under the rules of refunds; a person needs the permission refunds.create for that.',
  refusals: [404, 409, 422],
  answer: cardPayment,
  command: (_, request) => ({
    type: 'CancelCardPayment',
    ...forExisting('transactionId', request),
    refundId: newId('rfd', request.atMs, request.entropy),
    address: request.address(),
    // A key with charges.create alone may, as the table of the API has it; a person needs what a refund needs.
    mayRefund: request.caller.kind === 'KEY' || isAllowed(request.caller, 'refunds.create'),
  }),
  view: (reply, _, request) => {
    const payment = reply.state
    if (isVoiding(payment)) return unknownOutcome('void')
    if (payment.status === 'AUTHORIZED') return voidRefused(payment)
    return { body: transaction.view(payment, todayOf(request, reply)) }
  },
})
