import type { EventType } from '../../engine/kernel/public-event.ts'
import type { TransferScenario } from '../../engine/sandbox/scenarios.ts'
import type { Route } from '../api/route.ts'
import { createPlan } from '../routes/billing/plans.ts'
import { createSubscription } from '../routes/billing/subscriptions/create-subscription.ts'
import { createCryptoCharge } from '../routes/crypto/charges.ts'
import { paySandboxBoleto } from '../routes/developers/sandbox/boletos.ts'
import { openSandboxChargeback } from '../routes/developers/sandbox/cards.ts'
import { paySandboxCryptoCharge } from '../routes/developers/sandbox/crypto.ts'
import { closeSandboxMed, openSandboxMed } from '../routes/developers/sandbox/meds.ts'
import { paySandboxCharge, receiveSandboxPix } from '../routes/developers/sandbox/pay-charge.ts'
import { settleSandboxTransaction } from '../routes/developers/sandbox/transactions.ts'
import { lookUpPixKey } from '../routes/money-out/pix-lookups.ts'
import { transfers } from '../routes/money-out/transfers.ts'
import { createBoleto } from '../routes/payments/boletos/create-boleto.ts'
import { createCardPayment } from '../routes/payments/cards/create-payment.ts'
import { createPixCharge } from '../routes/payments/pix/create-charge.ts'
import { refundTransaction } from '../routes/payments/transactions/refund-transaction.ts'

/** Makes an API request in a Sandbox, about what an earlier one made if the path names a resource. */
export type CallRoute = (route: Route, body: object, about?: Promise<Made>) => Promise<Made>
export type Made = { readonly id: string }

/** Makes the requests that cause an event; resolves to the resource that the event is about. */
export type Recipe = (call: CallRoute, dates: Dates) => Promise<Made>
/** Days of the Sandbox's clock in the company's time zone, for due dates of boletos. */
export type Dates = { readonly dueDate: string }

/** How to cause each event in the Sandbox; null if a request or two cannot, so that a sample has to do. */
export const recipes: Readonly<Record<EventType, Recipe | null>> = {
  'payment.created': (call) => call(createPixCharge, charge),
  'payment.pending': (call) => call(createPixCharge, charge),
  'payment.approved': (call) => paidPix(call),
  'payment.failed': (call) => call(createCardPayment, { ...charge, card: cardOf('tok_test_declined_51') }),
  'payment.refunded': (call) =>
    call(refundTransaction, { amount: 500, reason: 'payments trigger' }, paidPix(call)),
  'payment.chargeback': (call) => call(openSandboxChargeback, {}, approvedCard(call)),
  'pix.received': (call) => call(receiveSandboxPix, { amount: 1990 }),
  'pix.med_opened': (call) => openedMed(call),
  'pix.med_closed': (call) => call(closeSandboxMed, { result: 'ACCEPTED' }, openedMed(call)),
  'boleto.paid': (call, { dueDate }) =>
    call(paySandboxBoleto, {}, call(createBoleto, { ...charge, customer, dueDate, amount: 4990 })),
  'subscription.created': (call) => subscribed(call, 'tok_test_approved'),
  'subscription.paid': (call) => subscribed(call, 'tok_test_approved'),
  'subscription.failed': (call) => subscribed(call, 'tok_test_recurring_fail_1'),
  'settlement.processing': (call) => settled(call),
  'settlement.completed': (call) => settled(call),
  'crypto.received': (call) =>
    call(
      paySandboxCryptoCharge,
      {},
      call(createCryptoCharge, { ...charge, asset: 'USDT', network: 'POLYGON' }),
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
}

const charge = { amount: 1990, description: 'payments trigger' }
const customer = { name: 'Cliente de Teste', document: '52998224725', email: 'cliente@example.com' }
const cardOf = (token: string) => ({ token, brand: 'VISA', last4: '4242' })

const paidPix = (call: CallRoute): Promise<Made> => call(paySandboxCharge, {}, call(createPixCharge, charge))

const openedMed = (call: CallRoute): Promise<Made> => call(openSandboxMed, {}, paidPix(call))

const approvedCard = (call: CallRoute): Promise<Made> =>
  call(createCardPayment, { ...charge, card: cardOf('tok_test_approved') })

const settled = (call: CallRoute): Promise<Made> => call(settleSandboxTransaction, {}, approvedCard(call))

const sent = async (call: CallRoute, scenario?: TransferScenario): Promise<Made> => {
  await paidPix(call)
  const { id: lookupId } = await call(lookUpPixKey, { key: 'fornecedor@example.com' })
  const body = { kind: 'PIX', amount: 100, lookupId, allowDuplicate: true }
  return call(transfers.create, {
    ...body,
    ...(scenario && { metadata: { sandboxScenario: scenario } }),
  })
}

const subscribed = async (call: CallRoute, token: string): Promise<Made> => {
  const { id: planId } = await call(createPlan, {
    name: 'payments trigger',
    amount: 4900,
    interval: 'MONTH',
    methods: ['CREDIT_CARD'],
  })
  return call(createSubscription, { planId, customer, method: 'CREDIT_CARD', card: cardOf(token) })
}
