import type { Command } from '../../../engine/kernel/registry.ts'
import { methodNames } from '../../../engine/payments/methods/index.ts'
import { noDetails } from '../../../engine/payments/transaction/details.ts'
import { transactionStatuses } from '../../../engine/payments/transaction/transaction.ts'
import { addDays, dateIn } from '../../../engine/shared/calendar.ts'
import type { Customer } from '../../../engine/shared/customer.ts'
import { type AccountId, companyIdOf, type EndpointId, newId } from '../../../engine/shared/ids.ts'
import { origins } from '../../../engine/shared/method.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { aCardOf } from '../../engine/billing/subscription/subscribing.ts'
import { plainProfile } from '../../engine/profile.ts'
import { dayMs, key } from '../../engine/world.ts'
import type { Dice, Known } from './known.ts'
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
export const idFor = <Prefix extends Parameters<typeof newId>[0]>({ twins, dice }: Scene, prefix: Prefix) => {
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
export const newCharge = (scene: Scene, accountId: AccountId): Command => {
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
