import type { EventType } from '../../engine/kernel/event-types.ts'
import type { TransferScenario } from '../../engine/sandbox/scenarios.ts'
import type { Route } from '../api/route.ts'
import { createPlanRoute } from '../routes/billing/plans.ts'
import { createSubscriptionRoute } from '../routes/billing/subscriptions/create-subscription.ts'
import { createCheckoutSessionRoute, expireCheckoutSessionRoute } from '../routes/checkout/sessions.ts'
import { createCryptoChargeRoute } from '../routes/crypto/charges.ts'
import { paySandboxBoletoRoute } from '../routes/developers/sandbox/boletos.ts'
import { openSandboxChargebackRoute } from '../routes/developers/sandbox/cards.ts'
import { paySandboxCryptoChargeRoute } from '../routes/developers/sandbox/crypto.ts'
import { closeSandboxMedRoute, openSandboxMedRoute } from '../routes/developers/sandbox/meds.ts'
import { paySandboxChargeRoute, receiveSandboxPixRoute } from '../routes/developers/sandbox/pay-charge.ts'
import {
  resolveSandboxRefundRoute,
  settleSandboxTransactionRoute,
} from '../routes/developers/sandbox/transactions.ts'
import { returnSandboxTransferRoute } from '../routes/developers/sandbox/transfers.ts'
import { lookUpPixKeyRoute } from '../routes/money-out/pix-lookups.ts'
import { transfers } from '../routes/money-out/transfers.ts'
import { createBoletoRoute } from '../routes/payments/boletos/create-boleto.ts'
import { createCardPaymentRoute } from '../routes/payments/cards/create-payment.ts'
import { createPixChargeRoute } from '../routes/payments/pix/create-charge.ts'
import { refundTransactionRoute } from '../routes/payments/transactions/refund-transaction.ts'

/** Makes an API request in a Sandbox, about what an earlier one made if the path names a resource. */
export type CallRoute = (route: Route, body: object, about?: Promise<Made>) => Promise<Made>
export type Made = { readonly id: string }

/** Makes the requests that cause an event; resolves to the resource that the event is about. */
export type Recipe = (call: CallRoute, dates: Dates) => Promise<Made>
/** Days of the Sandbox's clock in the company's time zone, for due dates of boletos. */
export type Dates = { readonly dueDate: string }

/** How to cause each event in the Sandbox; null if a request or two cannot, so that a sample has to do. */
export const recipes: Readonly<Record<EventType, Recipe | null>> = {
  'payment.created': (call) => call(createPixChargeRoute, charge),
  'payment.pending': (call) => call(createPixChargeRoute, charge),
  'payment.approved': (call) => paidPix(call),
  'payment.failed': (call) =>
    call(createCardPaymentRoute, { ...charge, card: cardOf('tok_test_declined_51') }),
  'payment.refunded': (call) =>
    call(refundTransactionRoute, { amount: 500, reason: 'payments trigger' }, paidPix(call)),
  'payment.chargeback': (call) => call(openSandboxChargebackRoute, {}, approvedCard(call)),
  'pix.received': (call) => call(receiveSandboxPixRoute, { amount: 1990 }),
  'pix.med_opened': (call) => openedMed(call),
  'pix.med_closed': (call) => call(closeSandboxMedRoute, { result: 'ACCEPTED' }, openedMed(call)),
  'boleto.paid': (call, { dueDate }) =>
    call(paySandboxBoletoRoute, {}, call(createBoletoRoute, { ...charge, customer, dueDate, amount: 4990 })),
  'subscription.created': (call) => subscribed(call, 'tok_test_approved'),
  'subscription.paid': (call) => subscribed(call, 'tok_test_approved'),
  'subscription.failed': (call) => subscribed(call, 'tok_test_recurring_fail_1'),
  'settlement.processing': (call) => settled(call),
  'settlement.completed': (call) => settled(call),
  'crypto.received': (call) =>
    call(
      paySandboxCryptoChargeRoute,
      {},
      call(createCryptoChargeRoute, { ...charge, asset: 'USDT', network: 'POLYGON' }),
    ),
  'crypto.expired': null,
  // A wallet can be used a day after it was registered, and a trigger moves no clock. Quotes and approvals are of people.
  'crypto.withdrawal_completed': null,
  'crypto.withdrawal_failed': null,
  'conversion.completed': null,
  'conversion.failed': null,
  'transfer.scheduled': (call) => sent(call),
  'transfer.pending_approval': null,
  'transfer.completed': (call) => sent(call),
  'transfer.failed': (call) => sent(call, 'transfer_fails'),
  'transfer.returned': (call) => call(returnSandboxTransferRoute, {}, sent(call)),
  'checkout.completed': null,
  'checkout.expired': (call) =>
    call(
      expireCheckoutSessionRoute,
      {},
      call(createCheckoutSessionRoute, { amount: 1990, methods: ['PIX'] }),
    ),
  'payment.refund_failed': (call) => call(resolveSandboxRefundRoute, { result: 'FAILED' }, slowRefund(call)),
}

const charge = { amount: 1990, description: 'payments trigger' }
const customer = { name: 'Cliente de Teste', document: '52998224725', email: 'cliente@example.com' }
const cardOf = (token: string) => ({ token, brand: 'VISA', last4: '4242' })

const paidPix = (call: CallRoute): Promise<Made> =>
  call(paySandboxChargeRoute, {}, call(createPixChargeRoute, charge))

const openedMed = (call: CallRoute): Promise<Made> => call(openSandboxMedRoute, {}, paidPix(call))

const approvedCard = (call: CallRoute, token = 'tok_test_approved'): Promise<Made> =>
  call(createCardPaymentRoute, { ...charge, card: cardOf(token) })

const slowRefund = (call: CallRoute): Promise<Made> =>
  call(refundTransactionRoute, { amount: 500 }, approvedCard(call, 'tok_test_refund_slow'))

const settled = (call: CallRoute): Promise<Made> =>
  call(settleSandboxTransactionRoute, {}, approvedCard(call))

const sent = async (call: CallRoute, scenario?: TransferScenario): Promise<Made> => {
  await paidPix(call)
  const { id: lookupId } = await call(lookUpPixKeyRoute, { key: 'fornecedor@example.com' })
  const body = { kind: 'PIX', amount: 100, lookupId, allowDuplicate: true }
  return call(transfers.create, {
    ...body,
    ...(scenario && { metadata: { sandboxScenario: scenario } }),
  })
}

const subscribed = async (call: CallRoute, token: string): Promise<Made> => {
  const { id: planId } = await call(createPlanRoute, {
    name: 'payments trigger',
    amount: 4900,
    interval: 'MONTH',
    methods: ['CREDIT_CARD'],
  })
  return call(createSubscriptionRoute, { planId, customer, method: 'CREDIT_CARD', card: cardOf(token) })
}
