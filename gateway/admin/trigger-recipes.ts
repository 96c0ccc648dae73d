import type { EventType } from '../../engine/kernel/public-event.ts'
import type { Route } from '../http/route.ts'
import { createBoleto } from '../routes/boletos/create-boleto.ts'
import { createCardPayment } from '../routes/cards/create-payment.ts'
import { createPixCharge } from '../routes/pix/create-charge.ts'
import { createPlan } from '../routes/plans/plans.ts'
import { paySandboxBoleto } from '../routes/sandbox/boletos.ts'
import { openSandboxChargeback } from '../routes/sandbox/cards.ts'
import { closeSandboxMed, openSandboxMed } from '../routes/sandbox/meds.ts'
import { paySandboxCharge, receiveSandboxPix } from '../routes/sandbox/pay-charge.ts'
import { settleSandboxTransaction } from '../routes/sandbox/transactions.ts'
import { createSubscription } from '../routes/subscriptions/create-subscription.ts'
import { refundTransaction } from '../routes/transactions/refund-transaction.ts'

/** Makes an API request in a Sandbox, about the resource `id` if the path has one. */
export type CallRoute = (route: Route, body: object, id?: string) => Promise<Made>
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
  'payment.refunded': async (call) => {
    const { id } = await paidPix(call)
    return call(refundTransaction, { amount: 500, reason: 'payments trigger' }, id)
  },
  'payment.chargeback': async (call) => {
    const { id } = await approvedCard(call)
    return call(openSandboxChargeback, {}, id)
  },
  'pix.received': (call) => call(receiveSandboxPix, { amount: 1990 }),
  'pix.med_opened': (call) => openedMed(call),
  'pix.med_closed': async (call) => {
    const { id } = await openedMed(call)
    return call(closeSandboxMed, { result: 'ACCEPTED' }, id)
  },
  'boleto.paid': async (call, { dueDate }) => {
    const { id } = await call(createBoleto, { ...charge, customer, dueDate, amount: 4990 })
    return call(paySandboxBoleto, {}, id)
  },
  'subscription.created': (call) => subscribed(call, 'tok_test_approved'),
  'subscription.paid': (call) => subscribed(call, 'tok_test_approved'),
  'subscription.failed': (call) => subscribed(call, 'tok_test_recurring_fail_1'),
  'settlement.processing': (call) => settled(call),
  'settlement.completed': (call) => settled(call),
  'crypto.received': null,
  'crypto.expired': null,
  'crypto.withdrawal_completed': null,
  'crypto.withdrawal_failed': null,
  'conversion.completed': null,
  'conversion.failed': null,
  'transfer.scheduled': null,
  'transfer.pending_approval': null,
  'transfer.completed': null,
  'transfer.failed': null,
}

const charge = { amount: 1990, description: 'payments trigger' }
const customer = { name: 'Cliente de Teste', document: '52998224725', email: 'cliente@example.com' }
const cardOf = (token: string) => ({ token, brand: 'VISA', last4: '4242' })

const paidPix = async (call: CallRoute): Promise<Made> => {
  const { id } = await call(createPixCharge, charge)
  return call(paySandboxCharge, {}, id)
}

const openedMed = async (call: CallRoute): Promise<Made> => {
  const { id } = await paidPix(call)
  return call(openSandboxMed, {}, id)
}

const approvedCard = (call: CallRoute): Promise<Made> =>
  call(createCardPayment, { ...charge, card: cardOf('tok_test_approved') })

const settled = async (call: CallRoute): Promise<Made> => {
  const { id } = await approvedCard(call)
  return call(settleSandboxTransaction, {}, id)
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
