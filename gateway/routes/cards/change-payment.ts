import Type from 'typebox'
import { newId, type TransactionId } from '../../../engine/ids.ts'
import { toCents } from '../../../engine/money.ts'
import type { Transaction } from '../../../engine/transaction/transaction.ts'
import { commandRoute } from '../../http/route.ts'
import { amount } from '../../http/schema.ts'
import { transactionView } from '../../views/transaction.ts'
import { transaction } from '../answers.ts'
import { todayOf } from '../charge-input.ts'
import { centsMax } from '../pix/create-charge.ts'
import { captureFailed, isCapturing, isVoiding, unknownOutcome, voidRefused } from './outcome.ts'

export const captureCardPayment = commandRoute({
  verb: 'POST',
  path: '/v1/card-payments/:id/capture',
  operationId: 'captureCardPayment',
  summary: 'Capture an authorization, in full or in part',
  description: 'Once: what is not captured is released.',
  tag: 'Card',
  scope: 'charges.create',
  product: 'CARD',
  idempotent: true,
  refusals: [404, 409, 422],
  body: Type.Object({
    amount: Type.Optional(amount(centsMax, 'Default: all that was authorized.')),
  }),
  answer: transaction,
  read: (body) => ({ amountCents: body.amount === undefined ? null : toCents(Number(body.amount)) }),
  command: ({ amountCents }, { accountId, by, id }) => ({
    type: 'CaptureCharge',
    accountId,
    by,
    transactionId: id as TransactionId,
    amountCents,
  }),
  view: (reply, _, request) => {
    const payment = reply.state as Transaction
    if (isCapturing(payment)) return unknownOutcome('capture')
    if (payment.status === 'AUTHORIZED') return captureFailed(payment)
    return { body: transactionView(payment, todayOf(request, reply)) }
  },
})

export const cancelCardPayment = commandRoute({
  verb: 'POST',
  path: '/v1/card-payments/:id/cancel',
  operationId: 'cancelCardPayment',
  summary: 'Void an authorization, or refund a capture in full',
  tag: 'Card',
  scope: 'charges.create',
  product: 'CARD',
  idempotent: true,
  refusals: [404, 409, 422],
  answer: transaction,
  read: () => null,
  command: (_, { accountId, by, id, atMs, entropy, address }) => ({
    type: 'CancelCardPayment',
    accountId,
    by,
    transactionId: id as TransactionId,
    refundId: newId('rfd', atMs, entropy),
    address: address(),
  }),
  view: (reply, _, request) => {
    const payment = reply.state as Transaction
    if (isVoiding(payment)) return unknownOutcome('void')
    if (payment.status === 'AUTHORIZED') return voidRefused(payment)
    return { body: transactionView(payment, todayOf(request, reply)) }
  },
})
