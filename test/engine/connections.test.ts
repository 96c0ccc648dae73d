import t from 'tap'
import type { Command } from '../../engine/kernel/registry.ts'
import type { Rail } from '../../engine/shared/rail.ts'
import { aPlan, stateOf } from './billing/catalog.ts'
import {
  aRetry,
  aSubscription,
  byBoleto,
  byPix,
  chargeOf,
  everyMethod,
  invoicesOf,
  lastInvoice,
  pays,
  subscribed,
  subscriptionOf,
} from './billing/subscription/subscribing.ts'
import { live, openLive } from './connections/live.ts'
import {
  aBoleto,
  aCardPayment,
  aCharge,
  aPayer,
  connectedTo,
  institution,
  newWorld,
  opened,
  refusalOf,
} from './world.ts'

/** A world whose account in Production is open, with connections for these rails. */
const liveWorld = async (...rails: readonly Rail[]) => {
  const world = await opened(undefined, undefined, [], connectedTo(...rails))
  await openLive(world)
  return world
}

const keyed = { ...live, customer: aPayer, idempotency: { key: 'order-1', fingerprint: 'f' } }

const charges: readonly (readonly [string, Rail, Command])[] = [
  ['a PIX charge', 'PIX', aCharge(keyed)],
  ['a PIX deposit', 'PIX', aCharge({ ...keyed, origin: 'DEPOSIT' })],
  ['a boleto', 'BOLETO', aBoleto({}, keyed)],
  ['a boleto with a due date that is over', 'BOLETO', aBoleto({ dueDate: '2026-01-01' as never }, keyed)],
  ['a card payment', 'CARD', aCardPayment({}, keyed)],
]

for (const [title, rail, command] of charges) {
  t.test(`in Production without a connection ${title} is refused before anything is stored`, async (t) => {
    const others = (['PIX', 'BOLETO', 'CARD', 'PAYOUT'] as const).filter((other) => other !== rail)
    const world = await liveWorld(...others)
    const appended = world.journal.appended()
    t.strictSame(await refusalOf(world, command), { reason: 'PROVIDER_ABSENT', rail })
    const elseAsked = { ...command, idempotency: { key: 'order-1', fingerprint: 'other' } } as Command
    t.strictSame(await refusalOf(world, elseAsked), { reason: 'PROVIDER_ABSENT', rail }, 'the key is free')
    t.equal(world.journal.appended(), appended, 'neither a charge nor a customer nor a key')
  })
}

t.test('in Production a boleto has a QR code only where a provider of PIX is connected', async (t) => {
  const both = await liveWorld('BOLETO', 'PIX')
  t.match((await both.accepted(aBoleto({}, keyed))).means, { pix: { txid: /^\w{25,35}$/ } })
  const alone = await liveWorld('BOLETO')
  t.match((await alone.accepted(aBoleto({}, keyed))).means, { boleto: { numbers: {} }, pix: null })
})

t.test('what a request names and is not there comes before a missing connection', async (t) => {
  const world = await liveWorld()
  const unknown = { ...live, customerId: 'cus_00000000000000000000000000' as never }
  t.match(await refusalOf(world, aCharge(unknown)), { reason: 'REFERENCE_NOT_FOUND' })
  t.match(await refusalOf(world, aBoleto({}, { ...unknown, customer: null })), {
    reason: 'REFERENCE_NOT_FOUND',
  })
})

t.test('a charge keeps the name of the provider that was connected when it was made', async (t) => {
  const world = await liveWorld('PIX', 'BOLETO')
  t.equal((await world.accepted(aCharge(live))).providerId, 'simulated-pix')
  t.equal((await world.accepted(aBoleto({}, live))).providerId, 'simulated-boleto')
  t.equal((await world.accepted(aCharge())).providerId, 'sandbox-psp')
})

for (const [method, rail] of [
  ['PIX', 'PIX'],
  ['BOLETO', 'BOLETO'],
  ['CREDIT_CARD', 'CARD'],
] as const) {
  t.test(
    `no subscription by ${method} begins on a rail without a connection, not even a trial`,
    async (t) => {
      const world = await liveWorld()
      const plan = stateOf<any>(
        await world.execute({ ...aPlan({ methods: everyMethod, trialDays: 7 }), ...live } as Command),
      )
      const appended = world.journal.appended()
      const card = method === 'CREDIT_CARD' ? {} : { card: null }
      const command = aSubscription(plan.id, { ...live, method, ...card })
      t.strictSame(await refusalOf(world, command), { reason: 'PROVIDER_ABSENT', rail })
      t.equal(world.journal.appended(), appended)
    },
  )
}

/** Some days after the next cycle is first tried: a boleto is issued well before it. */
for (const [means, wait] of [
  [byPix, 'P31D'],
  [byBoleto, 'P25D'],
  [{}, 'P31D'],
] as const) {
  t.test(
    `a cycle that cannot be charged by ${'method' in means ? means.method : 'card'} is dunned`,
    async (t) => {
      const before = await opened()
      const { id } = await subscribed(before, {}, means)
      if ('method' in means) await pays(before, id)
      t.match(subscriptionOf(before, id), { status: 'ACTIVE' })
      const left = [...before.journal.replay(0)].map(({ record }) => record)
      const nothing = { ...institution, providers: { SANDBOX: {}, PRODUCTION: {} } }
      const world = newWorld(undefined, undefined, left, nothing)
      await world.advance(wait)
      const invoice = lastInvoice(world, id)
      t.equal(invoicesOf(world, id).length, 2, 'the next cycle was billed')
      t.match(invoice, { status: 'PAST_DUE' })
      t.match(invoice.attempts[0], { status: 'FAILED', failureReason: 'PROVIDER_ERROR', transactionId: null })
      t.ok(
        invoice.attempts.length > 1 && invoice.attempts.length < 10,
        'it is tried again on the days of the dunning',
      )
      t.match(subscriptionOf(world, id), { status: 'PAST_DUE' })
      t.equal(world.shard.timerBacklog(), 'NO', 'and nothing stays due')
      const appended = world.journal.appended()
      t.match(await refusalOf(world, aRetry(invoice.id)), { reason: 'PROVIDER_ABSENT' })
      t.equal(world.journal.appended(), appended, 'by hand it is refused')

      const now = [...world.journal.replay(0)].map(({ record }) => record)
      const after = newWorld(undefined, undefined, now)
      t.match(await after.execute(aRetry(invoice.id)), { accepted: true })
      if ('method' in means) await pays(after, id)
      t.match(lastInvoice(after, id), { status: 'PAID' }, 'once a provider is connected again it is paid')
      t.ok(chargeOf(after, id))
    },
  )
}

t.test('where boletos can be made, a due date that is over is what is wrong', async (t) => {
  const world = await liveWorld('BOLETO')
  const late = aBoleto({ dueDate: '2026-01-01' as never }, live)
  t.match(await refusalOf(world, late), { reason: 'DUE_DATE_IN_THE_PAST' })
})
