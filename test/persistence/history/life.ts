import type { Command } from '../../../engine/kernel/registry.ts'
import { cardOf } from '../../../engine/payments/methods/card/card.ts'
import { methodNames } from '../../../engine/payments/methods/index.ts'
import { noDetails } from '../../../engine/payments/transaction/details.ts'
import { type Transaction, transactionStatuses } from '../../../engine/payments/transaction/transaction.ts'
import { addDays, dateIn } from '../../../engine/shared/calendar.ts'
import type { Customer } from '../../../engine/shared/customer.ts'
import {
  type AccountId,
  companyIdOf,
  type DeliveryId,
  type EndpointId,
  newId,
  type PlanId,
} from '../../../engine/shared/ids.ts'
import { origins } from '../../../engine/shared/method.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { aPlan } from '../../engine/billing/catalog.ts'
import { aCardOf, aSubscription } from '../../engine/billing/subscription/subscribing.ts'
import { plainProfile } from '../../engine/profile.ts'
import { dayMs, key } from '../../engine/world.ts'
import { accounts, type Dice, type Known } from './known.ts'
import type { Twins } from './twins.ts'

/** What random commands follow from. */
export type Scene = { readonly twins: Twins; readonly dice: Dice; readonly known: Known }

export const zone = 'America/Sao_Paulo'
export const endpoints = ['whk_1', 'whk_2'] as unknown as readonly EndpointId[]
export const givenNames = ['Ana', 'João', 'Zoë', 'Conceição', 'Li', 'O’Neil', 'Ângela', 'Bruno']
export const surnames = ['Souza', 'Lima', 'de Sá', 'Araújo', 'Li', 'Nunes']
export const payers = 300

/** One of the people who pay, with what they gave of themselves. */
export const payerOf = ({ random, pick, chance }: Dice): Customer => {
  const number = random(payers)
  return {
    name: `${pick(givenNames)} ${pick(surnames)}`,
    document: chance(70) ? String(10_000_000_000 + number) : null,
    documentType: 'CPF',
    email: chance(70) ? `${number % 2 === 0 ? 'Ana' : 'joao'}.${number}@exemplo.com` : null,
    phone: null,
    address: null,
  }
}

export const opening = (accountId: AccountId): Command => ({
  type: 'OpenAccount',
  accountId,
  by: key,
  profile: {
    companyId: companyIdOf(accountId),
    environment: 'SANDBOX',
    name: 'Loja',
    city: 'Recife',
    timeZone: zone,
    ...plainProfile,
  },
})

/** The clock of an account. */
export const clockOf = ({ twins }: Scene, accountId: AccountId): number =>
  twins.now() + twins.oracle.find('account', accountId)!.state.clockOffsetMs

/** Ids in the order of birth, but for nodes whose clocks differ, and one in two hundred of a clock that is days off. */
const idFor = <Prefix extends Parameters<typeof newId>[0]>({ twins, dice }: Scene, prefix: Prefix) => {
  const { random, chance, entropy } = dice
  const offMs = chance(0.5) ? random(20 * dayMs) - 10 * dayMs : chance(5) ? -random(5000) : 0
  return newId<Prefix>(prefix, twins.now() + offMs, entropy)
}

/** A charge that has happened already, on any day of the years before. */
export const pastCharge = (scene: Scene, accountId: AccountId): Command => {
  const { random, pick, chance } = scene.dice
  const method = pick(methodNames)
  return {
    type: 'SeedTransaction',
    accountId,
    by: key,
    transactionId: idFor(scene, 'txn'),
    method,
    origin: pick(origins),
    status: chance(60) ? 'APPROVED' : pick(transactionStatuses),
    currency: method === 'CRYPTO' ? pick(['USDT', 'USDC']) : 'BRL',
    amountCents: amount(scene.dice),
    installments: method === 'CREDIT_CARD' ? 1 + random(6) : 1,
    details: details(scene),
    customer: chance(60) ? payerOf(scene.dice) : null,
    createdAtMs: chance(30)
      ? null
      : clockOf(scene, accountId) - random(chance(80) ? 30 * dayMs : 700 * dayMs),
  }
}

const amount = ({ random, chance }: Dice) => {
  if (chance(3)) return toCents(999_999_999_999 - random(3))
  return toCents(chance(30) ? 1990 : 100 + random(100_000))
}

const details = ({ dice: { random, chance } }: Scene) => ({
  ...noDetails,
  externalId: chance(50) ? `order-${random(4000)}` : null,
})

/** A PIX that nobody asked for. */
export const arrivedPix = (scene: Scene, accountId: AccountId): Command => ({
  type: 'ReceiveUnrequestedPix',
  accountId,
  by: key,
  transactionId: idFor(scene, 'txn'),
  amountCents: toCents(1 + scene.dice.random(5000)),
  payer: null,
  providerId: 'sandbox-psp',
})

/** A charge that waits to be paid. */
const newCharge = (scene: Scene, accountId: AccountId): Command => {
  const { random, pick, chance } = scene.dice
  const method = pick(['PIX', 'PIX', 'PIX', 'BOLETO', 'CREDIT_CARD', 'CREDIT_CARD'] as const)
  const today = dateIn(zone, clockOf(scene, accountId))
  const terms = {
    PIX: () => ({ method, expiresInSeconds: chance(50) ? 60 + random(90_000) : null, due: null }),
    BOLETO: () => ({
      method,
      dueDate: addDays(today, 1 + random(20)),
      interestBps: 100,
      fineBps: 200,
      discountCents: toCents(0),
      instructions: null,
      withPix: chance(50),
    }),
    CREDIT_CARD: () => ({
      method,
      installments: 1 + random(12),
      captures: chance(80),
      card: {
        ...aCardOf(chance(75) ? 'tok_test_approved' : pick(['tok_test_declined_51', 'tok_test_processing'])),
        brand: pick(['VISA', 'MASTERCARD']),
      },
    }),
  }
  return {
    type: 'CreateCharge',
    accountId,
    by: key,
    transactionId: idFor(scene, 'txn'),
    origin: pick(['API', 'DASHBOARD', 'LINK', 'CHECKOUT']),
    amountCents: toCents(100 + random(50_000)),
    customer: method === 'BOLETO' || chance(60) ? payerOf(scene.dice) : null,
    customerId: null,
    collects: null,
    splitRuleId: null,
    terms: terms[method]() as never,
    details: details(scene),
    ...(chance(20) && { idempotency: { key: `key-${random(500)}`, fingerprint: `${random(400)}` } }),
  }
}

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
