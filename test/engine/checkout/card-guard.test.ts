import t from 'tap'
import type { CardTrier } from '../../../engine/checkout/card-guard.ts'
import { guardKey } from '../../../engine/checkout/guarded.ts'
import type { SessionPage } from '../../../engine/checkout/queries.ts'
import { type CardLimits, noCardLimits } from '../../../engine/shared/card-limits.ts'
import { opened, ours, refusalOf, type World } from '../world.ts'
import { aLink, aPaymentBy, aSession, linkAt, paying, payingAt, sessionAt } from './page.ts'

const declined = 'tok_test_declined_05'
const trierOf = (n: number, bin: string | null = null): CardTrier => ({
  address: `address ${n}`,
  network: `network ${n >> 4}`,
  bin,
})

const byCard = (token: string, trier: CardTrier) => ({ ...aPaymentBy('CREDIT_CARD', token), trier })

const guardIn = (world: World) =>
  world.memory.lookup('cardGuard', ours.accountId, guardKey)[0]!.state as never as {
    readonly tries: readonly { readonly isDeclined: boolean | null }[]
    readonly attacks: readonly unknown[]
  }

t.test(
  'one session tries five cards; a sixth never reaches the acquirer, and reads as declined',
  async (t) => {
    const world = await opened()
    const session = aSession()
    await world.accepted(session)
    for (let n = 0; n < 5; n++) await world.accepted(paying(world, session, byCard(declined, trierOf(n))))
    t.equal(sessionAt(world, session).tries.length, 5)
    await world.accepted(paying(world, session, byCard('tok_test_approved', trierOf(9))))
    t.match(sessionAt(world, session), { status: 'OPEN', isCardBlocked: true, tries: { length: 5 } })
    await world.accepted(paying(world, session, aPaymentBy('PIX')))
    t.match(sessionAt(world, session), { status: 'PROCESSING', isCardBlocked: false })
  },
)

t.test('an address tries five cards an hour at a link, whichever session it opens', async (t) => {
  const world = await opened()
  const link = aLink()
  await world.accepted(link)
  const tried = async (trier: CardTrier): Promise<boolean> => {
    const pay = payingAt(link, byCard(declined, trier))
    await world.accepted(pay)
    return !sessionAt(world, pay).isCardBlocked
  }
  for (let n = 0; n < 5; n++) t.ok(await tried(trierOf(1)))
  t.notOk(await tried(trierOf(1)), 'the sixth is refused')
  t.ok(await tried(trierOf(2)), 'another address is not')
  await world.advance('PT1H1M')
  t.ok(await tried(trierOf(1)), 'an hour later it may again')
})

t.test('three limits within ten minutes are an attack: no card for an hour, and PIX goes on', async (t) => {
  const world = await opened()
  const link = aLink()
  await world.accepted(link)
  for (let n = 0; n < 8; n++) await world.accepted(payingAt(link, byCard(declined, trierOf(1))))
  t.equal(guardIn(world).attacks.length, 1)
  const stranger = payingAt(link, byCard('tok_test_approved', trierOf(77)))
  await world.accepted(stranger)
  t.match(sessionAt(world, stranger), { isCardBlocked: true, tries: { length: 0 } })
  const byPix = payingAt(link, aPaymentBy('PIX'))
  await world.accepted(byPix)
  t.equal(sessionAt(world, byPix).status, 'PROCESSING')
  await world.advance('PT1H1M')
  const unknown = byCard('tok_test_approved', trierOf(77))
  t.equal((await refusalOf(world, payingAt(link, unknown))).reason, 'CARD_NOT_AUTHENTICATED')
  const threeDSecure = { status: 'AUTHENTICATED', eci: '05' } as const
  const later = payingAt(link, { ...unknown, card: { ...unknown.card!, threeDSecure } })
  await world.accepted(later)
  t.equal(sessionAt(world, later).status, 'COMPLETED')
  t.equal(linkAt(world, link).paymentsCount, 1)
})

t.test('approved cards of a busy shop meet no limit of cards, declined ones of one issuer do', async (t) => {
  const world = await opened()
  const link = aLink()
  await world.accepted(link)
  for (let n = 0; n < 60; n++) {
    const pay = payingAt(link, byCard('tok_test_approved', trierOf(n, '400000')))
    await world.accepted(pay)
    t.equal(sessionAt(world, pay).status, 'COMPLETED')
  }
  for (let n = 100; n < 110; n++)
    await world.accepted(payingAt(link, byCard(declined, trierOf(n * 16, '510000'))))
  const eleventh = payingAt(link, byCard(declined, trierOf(7777, '510000')))
  await world.accepted(eleventh)
  t.ok(sessionAt(world, eleventh).isCardBlocked)
  const other = payingAt(link, byCard('tok_test_approved', trierOf(8888, '400000')))
  await world.accepted(other)
  t.equal(sessionAt(world, other).status, 'COMPLETED')
})

t.test(
  'cards of many addresses at many links: the account takes no more once most are declined',
  async (t) => {
    const world = await opened()
    const links = [aLink(), aLink(), aLink(), aLink()]
    for (const link of links) await world.accepted(link)
    for (let n = 0; n < 2000; n++)
      await world.accepted(payingAt(links[n % 4]!, byCard(declined, trierOf(n * 16, String(400000 + n)))))
    const reached = guardIn(world).tries.length
    t.ok(reached <= 100, `${reached} of 2000 reached the acquirer`)
    const notices = world.memory.list(ours.accountId, 'notice', { offset: 0, limit: 9 }).states
    t.match(notices, [{ kind: 'CARD_TESTING' }], 'one alert')
  },
)

t.test(
  'sessions of the merchant’s own: the account takes no more cards, and the company hears of it once',
  async (t) => {
    const world = await opened()
    const blocked: boolean[] = []
    for (let n = 0; n < 60; n++) {
      const session = aSession()
      await world.accepted(session)
      await world.accepted(paying(world, session, byCard(declined, trierOf(n * 16))))
      blocked.push(sessionAt(world, session).isCardBlocked)
    }
    t.strictSame(blocked.indexOf(true), 50, 'fifty declines in a row are enough')
    const notices = world.memory.list(ours.accountId, 'notice', { offset: 0, limit: 9 }).states
    t.match(notices, [{ kind: 'CARD_TESTING', objectId: null }])
    t.equal(notices.length, 1)
  },
)

/** The company sets its limits lower, or (nothing) takes that back. */
const limiting = async (world: World, limits: Partial<CardLimits>): Promise<void> => {
  const { profile } = world.account()
  await world.accepted({
    type: 'OpenAccount',
    accountId: ours.accountId,
    by: { kind: 'OPERATOR', id: null },
    profile: { ...profile, cardLimits: { ...noCardLimits, ...limits }, revision: profile.revision + 1 },
  })
}

/** Which limits stopped the cards of these triers at one link, each in a session of its own. */
const stopsAt = async (world: World, triers: readonly CardTrier[]): Promise<readonly (string | null)[]> => {
  const link = aLink()
  await world.accepted(link)
  const stops: (string | null)[] = []
  for (const trier of triers) {
    await world.accepted(payingAt(link, byCard(declined, trier)))
    const met = world.told.at(-1)!.steps.find(({ event }) => event.type === 'LimitMet')?.event
    stops.push(met?.type === 'LimitMet' ? met.limit : null)
  }
  return stops
}

t.test('each limit that a company sets lower holds, and the others stay as they are', async (t) => {
  const same = (count: number, trier: (n: number) => CardTrier) =>
    Array.from({ length: count }, (_, n) => trier(n))
  const ofAddress = same(6, () => trierOf(1))
  const ofNetwork = same(4, (n) => ({ ...trierOf(n), network: 'one' }))
  const ofIssuer = same(4, (n) => trierOf(n * 16, '510000'))
  for (const [limits, triers, stops] of [
    [{ perAddress: 2 }, ofAddress.slice(0, 3), [null, null, 'ADDRESS']],
    [{ perNetwork: 3 }, ofNetwork, [null, null, null, 'NETWORK']],
    [{ perNetwork: 3 }, ofAddress.slice(0, 4), [null, null, null, 'NETWORK']],
    [{ perBin: 1 }, ofIssuer.slice(0, 2), [null, 'BIN']],
    [{ declinesPerHour: 3 }, ofIssuer, [null, null, null, 'COMPANY']],
    [{ perSession: 1, perBin: 1 }, ofAddress, [null, null, null, null, null, 'ADDRESS']],
    [{ perAddress: 1_000 }, ofAddress, [null, null, null, null, null, 'ADDRESS']],
  ] as const) {
    const world = await opened()
    await limiting(world, limits)
    t.strictSame(await stopsAt(world, triers), stops, JSON.stringify(limits))
  }
})

t.test(
  'a session tries fewer cards where its company says so, and as many as usual once it does not',
  async (t) => {
    const world = await opened()
    await limiting(world, { perSession: 2 })
    const session = aSession()
    await world.accepted(session)
    for (let n = 0; n < 3; n++) await world.accepted(paying(world, session, byCard(declined, trierOf(n))))
    t.match(sessionAt(world, session), { isCardBlocked: true, tries: { length: 2 } })
    await limiting(world, {})
    await world.accepted(paying(world, session, byCard(declined, trierOf(3))))
    t.match(sessionAt(world, session), { isCardBlocked: false, tries: { length: 3 } })
  },
)

t.test(
  'a page offers no card once as many were declined as its company allows, and what was decided stays so',
  async (t) => {
    const world = await opened()
    await limiting(world, { declinesPerHour: 2 })
    const takesCards = async (): Promise<boolean> => {
      const page = (await world.shard.query({
        type: 'FindPage',
        accountId: ours.accountId,
        kind: 'checkoutSession',
        hash: asked.session.tokenHash,
      })) as SessionPage
      return page.defence.takesCards
    }
    const asked = aSession()
    await world.accepted(asked)
    t.ok(await takesCards())
    for (let n = 0; n < 2; n++) {
      const session = aSession()
      await world.accepted(session)
      await world.accepted(paying(world, session, byCard(declined, trierOf(n * 16))))
    }
    t.notOk(await takesCards())
    const before = guardIn(world)
    await limiting(world, {})
    t.ok(await takesCards(), 'the usual limit is far')
    t.strictSame(guardIn(world), before, 'the tries are what they were')
  },
)
