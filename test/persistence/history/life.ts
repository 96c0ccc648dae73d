import type { Command } from '../../../engine/kernel/registry.ts'
import { cardOf } from '../../../engine/payments/methods/card/card.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import type { AccountId, DeliveryId, PlanId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { aPlan } from '../../engine/billing/catalog.ts'
import { aSubscription } from '../../engine/billing/subscription/subscribing.ts'
import { key } from '../../engine/world.ts'
import { arrivedPix, endpoints, idFor, newCharge, pastCharge, payerOf, type Scene } from './charges.ts'
import { accounts } from './known.ts'

/** Something that happens next to a transaction; any command where nothing in particular does. */
const nextOf = (scene: Scene, one: Transaction): Command => {
  const { pick, chance, random } = scene.dice
  const { accountId, id: transactionId, status, reversals } = one
  const by = { accountId, by: key } as const
  const sandbox = { accountId, by: { kind: 'SANDBOX', id: 'key_1' } } as const
  const chargeback = reversals.chargebacks[0]
  const med = reversals.meds.at(-1)
  const part = chance(50) ? null : toCents(1 + random(500))
  const wanted: Command[] = []
  if (status === 'PENDING' && one.method === 'PIX')
    wanted.push(
      { ...by, type: 'ReceivePix', transactionId, amountCents: null, payer: null },
      { ...by, type: 'ReceivePix', transactionId, amountCents: null, payer: null },
      { ...sandbox, type: 'ExpireCharge', transactionId, method: 'PIX' },
    )
  if (status === 'PENDING' && one.method === 'BOLETO')
    wanted.push({
      ...by,
      type: 'PayBoleto',
      transactionId,
      amountCents: null,
      paidAtMs: null,
      clearing: pick(['IMMEDIATE', 'NEXT_BUSINESS_DAY']),
    })
  if (status === 'AUTHORIZED') wanted.push({ ...by, type: 'CaptureCharge', transactionId, amountCents: null })
  if (status === 'PENDING' || status === 'AUTHORIZED')
    wanted.push({ ...by, type: 'CancelCharge', transactionId, family: null, reason: null })
  if (chargeback?.status === 'OPEN')
    wanted.push({ ...by, type: 'DisputeChargeback', reversalId: chargeback.id, text: 'it was delivered' })
  if (chargeback?.status === 'UNDER_REVIEW')
    wanted.push({
      ...sandbox,
      type: 'ResolveChargeback',
      reversalId: chargeback.id,
      result: pick(['WON', 'LOST']),
    })
  if (med?.status === 'OPEN')
    wanted.push({
      ...sandbox,
      type: 'CloseMed',
      reversalId: med.id,
      result: pick(['ACCEPTED', 'REJECTED']),
      returnedCents: null,
    })
  if (status === 'APPROVED' || status === 'PARTIALLY_REFUNDED') {
    const refundId = idFor(scene, 'rfd')
    const refund = { type: 'RequestRefund', transactionId, refundId, reason: null, address: null } as const
    wanted.push({ ...by, ...refund, amountCents: part })
    if (one.method === 'PIX')
      wanted.push({ ...sandbox, type: 'OpenMed', transactionId, amountCents: null, reason: null })
    else if (cardOf(one) !== null)
      wanted.push(
        { ...sandbox, type: 'OpenChargeback', transactionId, amountCents: null, reason: null },
        { ...sandbox, type: 'SettleTransaction', transactionId },
      )
  }
  return wanted.length > 0 ? pick(wanted) : pastCharge(scene, accountId)
}

/** One of the newest, one of the oldest, or any. */
const someTransaction = ({ twins, dice, known }: Scene, accountId: AccountId): Transaction | undefined => {
  const { random, chance } = dice
  const ids = known.ids(accountId, 'transaction')
  if (ids.length === 0) return undefined
  const among = Math.max(1, Math.floor(ids.length / 20))
  const place = chance(40) ? ids.length - 1 - random(among) : chance(50) ? random(among) : random(ids.length)
  return twins.oracle.find('transaction', ids[place]!)!.state
}

/** The next thing that happens in an account. */
export const nextCommand = (scene: Scene, accountId: AccountId): Command => {
  const { random, pick, chance } = scene.dice
  const by = { accountId, by: key } as const
  const what = random(100)
  if (what < 30) return newCharge(scene, accountId)
  if (what < 70) {
    const one = someTransaction(scene, accountId)
    return one === undefined ? newCharge(scene, accountId) : nextOf(scene, one)
  }
  if (what < 76) return deliveries(scene, accountId)
  if (what < 84) return attempts(scene, accountId)
  if (what < 88)
    return {
      ...by,
      type: 'RegisterCustomer',
      customerId: idFor(scene, 'cus'),
      customer: payerOf(scene.dice),
      externalId: null,
      metadata: {},
    }
  if (what < 91) return arrivedPix(scene, accountId)
  if (what < 93) return subscription(scene, accountId)
  return chance(20) ? { ...aPlan(), ...by, planId: idFor(scene, 'pln') } : pastCharge(scene, pick(accounts))
}

/** Deliveries of events of one transaction. */
const deliveries = (scene: Scene, accountId: AccountId): Command => {
  const { random, chance } = scene.dice
  const objectId = someTransaction(scene, accountId)?.id ?? 'txn_none'
  return {
    type: 'ScheduleDeliveries',
    accountId,
    by: key,
    events: Array.from({ length: 1 + random(30) }, () => ({
      eventId: idFor(scene, 'evt'),
      eventType: 'payment.approved',
      objectId,
      body: new Uint8Array(20),
      endpointIds: chance(50) ? endpoints : endpoints.slice(0, 1),
    })),
  }
}

const attempts = ({ twins, dice, known }: Scene, accountId: AccountId): Command => {
  const { random, pick } = dice
  const ids = known.ids(accountId, 'delivery') as readonly DeliveryId[]
  const chosen = ids.length === 0 ? [] : Array.from({ length: 1 + random(6) }, () => pick(ids))
  return {
    type: 'RecordAttempts',
    accountId,
    by: key,
    attempts: [...new Set(chosen)].map((deliveryId) => ({
      deliveryId,
      outcome: {
        url: '',
        startedAtMs: twins.now(),
        latencyMs: random(900),
        statusCode: pick([200, 204, 500]),
        error: null,
        responseSnippet: '',
      },
    })),
  }
}

const subscription = (scene: Scene, accountId: AccountId): Command => {
  const { pick } = scene.dice
  const plans = scene.known.ids(accountId, 'plan') as readonly PlanId[]
  if (plans.length === 0) return { ...aPlan(), accountId, by: key, planId: idFor(scene, 'pln') }
  return {
    ...aSubscription(pick(plans)),
    accountId,
    by: key,
    subscriptionId: idFor(scene, 'sub'),
    customer: { ...payerOf(scene.dice), document: '12345678909' },
  }
}
