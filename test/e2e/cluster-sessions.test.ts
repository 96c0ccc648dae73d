import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import t, { type Test } from 'tap'
import { accountIdOf } from '../../engine/shared/ids.ts'
import { shardOf } from '../../gateway/link/router.ts'
import { sessionStream } from '../../persistence/cluster/names.ts'
import { clusterName, proxied, startCluster, type TestCluster } from '../cluster/cluster.ts'
import { listenTo } from './event-source.ts'
import { type Browser, confirmApp, openBrowser, password } from './person.ts'
import { caller, newMerchant, posted, type Service, until } from './service.ts'

/** People over three nodes: each request of a browser can reach another one, as behind a load balancer without affinity. */
let cluster: TestCluster
let [a, b, c] = [] as unknown as [Service, Service, Service]
let nodes: readonly [Service, Service, Service]
let companyId: string
let secret: string
let ana: Member

/** A person who is a member, with an authenticator app that shows three codes within a minute. */
type Member = {
  readonly email: string
  readonly browser: Browser
  readonly code: () => string
  readonly recoveryCodes: readonly string[]
}

t.before(async () => {
  cluster = await startCluster(t, { refusesAttempts: false, workers: 1 })
  ;[a, b, c] = nodes = ['a', 'b', proxied].map((name) => cluster.nodes.get(name)!.service!) as [
    Service,
    Service,
    Service,
  ]
  const { company, key } = await newMerchant(a)
  companyId = company.id
  secret = key.secret
  // Whoever asks at node a or c is answered by node b.
  for (const environment of ['SANDBOX', 'PRODUCTION'] as const)
    await cluster.move(shardOf(accountIdOf(company.id, environment), 4), 'b')
  await cluster.settled()
  ana = await invited(a, 'ana@example.com', 'owner')
})

/** Accepts at node a, asks for an app at node b, and confirms it at node c. */
const join = async (link: string, email: string): Promise<Member> => {
  const browser = openBrowser(a.origin)
  const token = link.slice(link.indexOf('#') + 1)
  await posted(browser.call, '/v1/invitations/accept', { token, name: 'Ana Souza', password })
  await browser.via(b.origin).call('GET', '/v1/session')
  const { secret } = await posted(browser.via(b.origin).call, '/v1/me/totp', {})
  const { code, codes } = await confirmApp(browser.via(c.origin), secret)
  return { email, browser, code, recoveryCodes: codes }
}

const halfSession = async (email: string, { origin }: Service): Promise<Browser> => {
  const browser = openBrowser(origin)
  await posted(browser.call, '/v1/session', { email, password })
  return browser
}

/** What a node says to a cookie. */
const statusAt = ({ origin }: Service, cookie: string): Promise<number> =>
  fetch(`${origin}/v1/session`, { headers: { Cookie: cookie } }).then(({ status }) => status)

/** How long the news takes is no part of this: the machine may be busy. */
const untilOut = (cookie: string): Promise<void> =>
  until(async () =>
    (await Promise.all(nodes.map((node) => statusAt(node, cookie)))).every((status) => status === 401),
  )

/** The requests that have done what they asked for. */
const done = (answers: readonly { readonly status: number }[]): number =>
  answers.filter(({ status }) => status < 300).length

const invited = async (node: Service, email: string, role: string): Promise<Member> => {
  const { link } = await node.operate('people invite', { company: companyId, email, role })
  return join(link, email)
}

t.test('a session that one node has opened is known at the next request, at any node', async (t) => {
  t.equal(await statusAt(b, ana.browser.cookie()), 200)
  const half = await halfSession(ana.email, a)
  const totp = ana.code()
  const given = await half.via(b.origin).call('POST', '/v1/session/second-factor', { totp })
  t.match(given, { status: 200, body: { memberships: [{ companyId }] } })
  t.equal(given.headers.get('ratelimit'), null, 'RATE_LIMIT=0 is for people, too')
  const cookie = half.cookie()
  for (const node of [c, a, b]) t.equal(await statusAt(node, cookie), 200)
  await half.via(c.origin).call('DELETE', '/v1/session')
  await untilOut(cookie)
  t.pass('who signs out at one node is signed out at all')
})

t.test('one code of 20 requests at once confirms one of them, over two nodes', async (t) => {
  const caio = await invited(c, 'caio@example.com', 'developer')
  const header = { 'Service-Second-Factor': `totp ${caio.code()}` }
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      caio.browser
        .via([a, b][n % 2]!.origin)
        .at(companyId)
        .call('POST', '/v1/keys', { name: 'Loja virtual' }, header),
    ),
  )
  t.equal(done(answers), 1)
  const refusals = new Set(answers.filter(({ status }) => status !== 201).map(({ body }) => body.reason))
  t.strictSame([...refusals], ['USED'], 'none is counted as wrong')
  const { data } = (await ana.browser.via(c.origin).at(companyId).call('GET', '/v1/keys')).body
  t.equal(data.filter(({ name }: any) => name === 'Loja virtual').length, 1)
})

t.test('what a shard of another node does is confirmed by a code, too, and by each once', async (t) => {
  const header = { 'Service-Second-Factor': `totp ${ana.code()}` }
  const path = '/v1/company/approval-policy'
  const at = ({ origin }: Service) => ana.browser.via(origin).at(companyId)
  const { object: _, pending: __, ...policy } = (await at(c).call('GET', path)).body
  const set = (node: Service, thresholdAmount: number) =>
    at(node).call('PUT', path, { ...policy, thresholdAmount }, header)
  t.equal((await set(a, 1000)).status, 200)
  t.match(await set(c, 900), { status: 403, body: { code: 'SECOND_FACTOR_INVALID' } })
  for (const node of nodes) t.match((await at(node).call('GET', path)).body, { thresholdAmount: 1000 })
})

t.test('recovery codes count once, and what needs a fresh factor asks for one', async (t) => {
  const bia = await invited(b, 'bia@example.com', 'admin')
  const halves = await Promise.all(nodes.map((node) => halfSession(bia.email, node)))
  const [recoveryCode] = bia.recoveryCodes
  const entered = await Promise.all(
    halves.map((half, n) =>
      half.via(nodes[(n + 1) % 3]!.origin).call('POST', '/v1/session/second-factor', { recoveryCode }),
    ),
  )
  t.equal(done(entered), 1)
  const session = halves[entered.findIndex(({ status }) => status === 200)]!
  const invite = ({ origin }: Service, email: string) =>
    session
      .via(origin)
      .at(companyId, 'PRODUCTION')
      .call('POST', '/v1/team/invitations', { email, roles: { SANDBOX: 'VIEWER', PRODUCTION: null } })
  t.match(await invite(c, 'x@example.com'), { status: 403, body: { code: 'STEP_UP_REQUIRED' } })
  const before = session.cookie()
  const totp = bia.code()
  const stepped = await session.via(a.origin).call('POST', '/v1/session/step-up', { totp })
  t.match(stepped, { status: 200, body: { steppedUpUntil: /Z$/ } })
  t.equal((await invite(b, 'x@example.com')).status, 201)
  t.equal((await invite(c, 'y@example.com')).status, 201)
  await untilOut(before)

  const changed = await bia.browser
    .via(c.origin)
    .call('POST', '/v1/me/password', { current: password, new: 'quatro cavalos na chuva' })
  t.equal(changed.status, 200)
  await untilOut(session.cookie())
  t.equal(await statusAt(a, bia.browser.cookie()), 200, 'a new password ends the other sessions')

  await removed(t, bia)
})

/** A member who is signed in, and listens, is removed at another node. */
const removed = async (t: Test, bia: Member): Promise<void> => {
  const desk = bia.browser.via(c.origin).at(companyId)
  t.equal((await desk.call('GET', '/v1/transactions')).status, 200)
  const live = await listenTo(`${c.origin}/v1/live`, desk.headers())
  t.teardown(live.close)
  t.equal(live.status, 200)
  const team = ana.browser.via(a.origin).at(companyId, 'PRODUCTION')
  const { members } = (await team.call('GET', '/v1/team')).body
  const { id } = members.find(({ email }: any) => email === bia.email)
  t.equal((await team.call('DELETE', `/v1/team/${id}`)).status, 200)
  for (const { origin } of nodes)
    t.match(
      await desk.via(origin).call('GET', '/v1/transactions'),
      { status: 404, body: { resource: 'company' } },
      'at once, everywhere',
    )
  t.equal(await live.ended, true)
}

t.test('what happens at the node that owns a shard is seen at the others', async (t) => {
  t.equal(await cluster.ownerOf(shardOf(accountIdOf(companyId as never, 'SANDBOX'), 4)), 'b')
  const at = ({ origin }: Service) => ana.browser.via(origin).at(companyId)
  const streams = await Promise.all(
    [a, c].map((node) => listenTo(`${node.origin}/v1/live`, at(node).headers())),
  )
  t.teardown(() => {
    for (const { close } of streams) close()
  })
  const heard = (type: string, id?: string) =>
    Promise.all(
      streams.map(({ event }) => event(({ data }) => data.type === type && (id ?? data.id) === data.id)),
    )

  const charge = await posted(at(c).call, '/v1/pix/charges', { amount: 100 })
  await heard('payment.pending', charge.id)
  const ticket = { subject: 'Onde está?', category: 'PAYMENT', text: 'a', objectIds: [charge.id] }
  const { id } = await posted(at(a).call, '/v1/support/tickets', ticket)
  await heard('ticket.opened', id)
  await c.operate('tickets reply', { id, name: 'Bia', text: 'Chegou.' })
  await heard('ticket.answered', id)
  const [notice] = await heard('notice.raised')
  for (const node of nodes) {
    const [first] = (await at(node).call('GET', '/v1/notifications?unread=true')).body.data
    t.match(first, { id: notice!.data.id, kind: 'TICKET_ANSWERED', objectId: id })
    t.match((await at(node).call('GET', `/v1/support/tickets/${id}`)).body, { messages: { length: 2 } })
  }
  await posted(at(a).call, '/v1/notifications/read', { ids: [notice!.data.id] })
  await heard('notice.read', notice!.data.id)
  const { data } = (await at(c).call('GET', '/v1/notifications')).body
  t.match(
    data.filter(({ kind }: any) => kind === 'KEY_CREATED'),
    [{ details: { name: 'Loja virtual' } }, {}],
    'and of what the directory knows',
  )
})

t.test('a node that has missed the news of a session lets nobody in by one', async (t) => {
  const browser = await halfSession(ana.email, a)
  const [, recoveryCode] = ana.recoveryCodes
  await posted(browser.call, '/v1/session/second-factor', { recoveryCode })
  const [thief, own] = [browser.cookie(), ana.browser.cookie()]
  t.equal(await statusAt(c, thief), 200)

  // Node c says what it will, and hears nothing.
  for (const proxy of cluster.proxies) proxy.swallowAnswers()
  t.equal((await ana.browser.call('POST', '/v1/me/sessions/end-others', {})).status, 200)
  for (const node of [a, b]) await until(async () => (await statusAt(node, thief)) === 401)
  await until(async () => (await statusAt(c, thief)) === 503)
  t.equal(await statusAt(c, own), 503, 'nor one that has not ended: it cannot know')
  t.equal(await statusAt(a, own), 200)

  for (const proxy of cluster.proxies) proxy.cut()
  await until(async () => (await statusAt(c, own)) === 200)
  t.equal(await statusAt(c, thief), 401, 'it has the news before it lets anybody in')
})

t.test('without news of sessions alone, keys go on', async (t) => {
  const connection = await connect({ servers: [...cluster.servers.urls] })
  t.teardown(() => connection.close())
  const manager = await jetstreamManager(connection)
  await manager.streams.delete(sessionStream(clusterName))
  for (const node of nodes) {
    await until(async () => (await statusAt(node, ana.browser.cookie())) === 503)
    t.equal((await caller(node.origin, secret)('GET', '/v1/pix/charges')).status, 200)
  }
})
