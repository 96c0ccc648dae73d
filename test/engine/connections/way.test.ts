import t from 'tap'
import { type Railed, railConnectionOf } from '../../../engine/connections/rail-connection.ts'
import { doesWayOffer, type RoutingInput, routeOf, wayOf } from '../../../engine/connections/way.ts'
import { aCardPayment, aCharge, account, institution, refusalOf } from '../world.ts'
import { aRailConnection, connectedWorld, connectionIdOf, live, liveAccount } from './live.ts'

const [first, second] = [connectionIdOf(1), connectionIdOf(2)]

const holding = (...rails: NonNullable<Railed['rails']>) => ({ id: liveAccount, rails })

t.test('an account in Production goes by its own connection, and has none without', async (t) => {
  t.equal(wayOf(institution, holding(), 'PIX'), null)
  t.match(wayOf(institution, holding(aRailConnection()), 'PIX'), {
    providerId: 'made-up-bank',
    connectionId: first,
  })
  t.equal(wayOf(institution, holding(aRailConnection({ state: 'SUSPENDED' })), 'PIX'), null)
  t.equal(wayOf(institution, holding(aRailConnection()), 'CARD'), null)
})

t.test('an account of the Sandbox has the providers of the Sandbox', async (t) => {
  const way = wayOf(institution, { id: account }, 'CARD')
  t.match(way, { providerId: 'sandbox-acquirer', connectionId: null })
  t.equal(doesWayOffer(institution, account, 'CARD', way!, 'CAPTURE'), true)
})

t.test('what a connection offers is what the directory said of it', async (t) => {
  const way = wayOf(institution, holding(aRailConnection({ offers: ['REFUND'] })), 'PIX')
  t.equal(doesWayOffer(institution, liveAccount, 'PIX', way!, 'REFUND'), true)
  t.equal(doesWayOffer(institution, liveAccount, 'PIX', way!, 'CAPTURE'), false)
})

t.test('the fallback takes what is new while the primary one answers nothing', async (t) => {
  const both = holding(aRailConnection(), aRailConnection({ connectionId: second, role: 'FALLBACK' }))
  const silent = new Set<string | null>([first])
  const of = {
    ...institution,
    unreachableSeconds: (_: unknown, __: unknown, id: string | null) => (silent.has(id) ? 15 : null),
  }
  t.equal(wayOf(of, both, 'PIX')?.connectionId, second)
  silent.add(second)
  t.equal(wayOf(of, both, 'PIX')?.connectionId, first, 'where none answers the primary one says when')
  silent.clear()
  t.equal(wayOf(of, both, 'PIX')?.connectionId, first)
  t.equal(railConnectionOf(both, 'PIX')?.connectionId, first)
})

const input: RoutingInput = {
  ...{
    rail: 'PIX',
    brand: null,
    bin: null,
    amountCents: null,
    installments: null,
    origin: 'API',
    attempt: 1,
  },
}

t.test('P16: a choice orders the ways, and says why the first is the first', async (t) => {
  const both = holding(aRailConnection(), aRailConnection({ connectionId: second, role: 'FALLBACK' }))
  const silent = new Set<string | null>()
  const of = {
    ...institution,
    unreachableSeconds: (_: unknown, __: unknown, id: string | null) => (silent.has(id) ? 15 : null),
  }
  const choice = (account: Parameters<typeof routeOf>[1]) => {
    const route = routeOf(of, account, input)
    return route && [route.reason, ...route.ways.map(({ connectionId }) => connectionId)]
  }
  t.strictSame(choice(both), ['PRIMARY', first, second])
  silent.add(first)
  t.strictSame(choice(both), ['PRIMARY_SILENT', second, first])
  silent.add(second)
  t.strictSame(choice(both), ['NONE_ANSWERS', first, second])
  silent.clear()
  const [primary, fallback] = both.rails as Required<typeof both>['rails']
  t.strictSame(choice(holding({ ...primary!, state: 'SUSPENDED' }, fallback!)), ['FALLBACK', second])
  t.strictSame(choice(holding()), null)
  t.strictSame(choice({ id: account }), ['ENVIRONMENT', null])
})

t.test('P16: why a connection was chosen is part of what became of a charge', async (t) => {
  const world = await connectedWorld({}, { connectionId: second, role: 'FALLBACK' })
  await world.execute({ type: 'ChangeRail', ...live, connectionId: first, state: 'SUSPENDED', revision: 2 })
  const { id, connectionId, timeline } = await world.accepted(aCharge(live))
  t.equal(connectionId, second)
  t.match(
    timeline.filter(({ type }) => type === 'RouteChosen'),
    [{ data: { connectionId: second, providerId: 'made-up-bank', reason: 'FALLBACK' } }],
  )
  const entry = world.told.find(({ steps }) => steps.some(({ event }) => event.type === 'ChargeCreated'))!
  t.ok(
    entry.steps.some(({ event }) => event.type === 'RouteChosen' && event.id === id),
    'in the entry',
  )
  await world.open()
  const { timeline: ofSandbox } = await world.accepted(aCharge())
  t.notOk(
    ofSandbox.some(({ type }) => type === 'RouteChosen'),
    'the Sandbox has nothing to choose',
  )
})

t.test('a charge on a rail without an active connection is refused before anything is stored', async (t) => {
  const world = await connectedWorld(
    { rails: ['CARD'], offers: [] },
    { connectionId: second, state: 'SUSPENDED' },
  )
  const appended = world.journal.appended()
  t.match(await refusalOf(world, aCharge(live)), { reason: 'PROVIDER_ABSENT', rail: 'PIX' })
  t.match(await refusalOf(world, aCardPayment({ captures: false }, live)), {
    reason: 'NOT_OFFERED',
    offer: 'CAPTURE',
  })
  t.equal(world.journal.appended(), appended)
})

t.test('the overview names the rails that are connected', async (t) => {
  const world = await connectedWorld(
    { rails: ['PIX', 'BOLETO'] },
    { connectionId: second, rails: ['CARD'], state: 'RETIRED' },
  )
  const overview = await world.shard.query({
    type: 'Overview',
    accountId: liveAccount,
    from: null,
    to: null,
    dateField: 'createdAt',
  } as never)
  t.match(overview, { connectedRails: ['PIX', 'BOLETO'] })
  t.equal((overview as { connectedRails: unknown[] }).connectedRails.length, 2)
})
