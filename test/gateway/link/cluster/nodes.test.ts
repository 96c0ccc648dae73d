import t from 'tap'
import { bounds } from '../../../../gateway/base/bounds.ts'
import { loadPdfLibrary } from '../../../../gateway/documents/boleto/document.ts'
import { workerOf } from '../../../../gateway/runtime/open-router.ts'
import { type NatsServers, startNatsServers } from '../../../nats/servers.ts'
import { startNodes } from './nodes.ts'

const names = ['node-a', 'node-b', 'node-c']

let servers: NatsServers
t.before(async () => {
  servers = await startNatsServers(1)
  await loadPdfLibrary()
})
t.teardown(() => servers.stop())

t.test('any worker of any node answers any request, the owner does its work', async (t) => {
  const cluster = await startNodes(t, servers.url, names)
  for (let n = 0; n < 6; n++) {
    const { call, shard, accountId } = await cluster.merchant()
    cluster.told.nodes.length = 0
    const ids: string[] = []
    for (const [n, at] of cluster.everyone.entries()) {
      const created = await call(at, 'POST', '/v1/pix/charges', { amount: 100 + n }, `key-${n}`)
      t.equal(created.status, 201)
      const replayed = await call(
        cluster.everyone[(n + 1) % 6]!,
        'POST',
        '/v1/pix/charges',
        { amount: 100 + n },
        `key-${n}`,
      )
      t.equal(replayed.headers['Idempotent-Replayed'], 'true')
      t.equal(replayed.body.id, created.body.id)
      ids.push(created.body.id)
    }
    for (const at of cluster.everyone) {
      const { body } = await call(at, 'GET', '/v1/pix/charges?pageSize=10')
      t.strictSame(
        body.data.map(({ id }: { id: string }) => id),
        ids.toReversed(),
      )
      t.equal((await call(at, 'GET', '/v1/pix/charges/txn_none')).status, 404)
      const found = await at.router.query({ type: 'FindAccount', accountId })
      t.equal(found?.account.id, accountId, 'what comes from inside finds the owner, too')
      t.equal((await call(at, 'POST', '/v1/pix/charges', { amount: -1 })).status, 400)
    }
    t.ok(cluster.told.nodes.every((node) => node === cluster.owners[shard]))
  }
  t.equal(cluster.pauses.count, 0)
})

t.test('documents, long lists and exports are whole, wherever they are asked for', async (t) => {
  const cluster = await startNodes(t, servers.url, names)
  const { call } = await cluster.merchant()
  const [first] = cluster.everyone
  const customer = { name: 'Maria São João', document: '52998224725' }
  const boleto = await call(first!, 'POST', '/v1/boletos', { amount: 5000, dueDate: inAMonth(), customer })
  t.equal(boleto.status, 201)
  const charges = Array.from({ length: 1050 }, (_, n) =>
    call(first!, 'POST', '/v1/pix/charges', {
      amount: 1 + n,
      description: 'x'.repeat(100),
      metadata: { notes: 'x'.repeat(500), more: 'x'.repeat(500), last: 'x'.repeat(500) },
    }),
  )
  await Promise.all(charges)
  const answers = []
  for (const at of cluster.everyone) {
    const pdf = await call(at, 'GET', `/v1/boletos/${boleto.body.id}/pdf`)
    t.equal(pdf.headers['Content-Type'], 'application/pdf')
    const list = await call(at, 'GET', '/v1/pix/charges?pageSize=200')
    t.ok(JSON.stringify(list.body).length > bounds.nodeMessageBytesMax)
    const exported = await call(at, 'GET', '/v1/transactions/export?sort=amount:asc')
    t.equal(exported.body.length, 3, 'in pieces')
    const rows = exported.body.join('').trimEnd().split('\r\n')
    t.equal(rows.length, 1 + 1051)
    answers.push({ pdf: pdf.body.toString('base64'), list: list.body.data, rows })
  }
  for (const answer of answers) t.strictSame(answer, answers[0])
  t.match(answers[0]!.pdf, Buffer.from('%PDF-').toString('base64').slice(0, 6))
})

t.test('requests follow a shard that is handed over, and none of them hears of it', async (t) => {
  const cluster = await startNodes(t, servers.url, names)
  const { call, shard } = await cluster.merchant()
  const results: number[] = []
  for (let n = 0; n < 60; n++) {
    // Others learn of it some requests later than the two that it is about.
    if (n % 10 === 0) for (const name of names) cluster.beliefs.set(name, [...cluster.owners])
    if (n % 10 === 0) cluster.owners[shard] = names[(n / 10) % 3]!
    if (n % 10 === 5) cluster.beliefs.clear()
    cluster.pauses.onEach = () => {
      if (cluster.pauses.count % 3 === 0) cluster.beliefs.clear()
    }
    const at = cluster.everyone[n % 6]!
    results.push((await call(at, 'POST', '/v1/pix/charges', { amount: 100 })).status)
  }
  t.strictSame(new Set(results), new Set([201]))
  const listed = await call(cluster.everyone[0]!, 'GET', '/v1/pix/charges')
  t.equal(listed.body.pagination.total, 60, 'each is there once')
})

t.test('without an owner a request waits as long as a failover takes', async (t) => {
  const cluster = await startNodes(t, servers.url, names)
  const { call, shard } = await cluster.merchant()
  cluster.owners[shard] = null
  for (const at of cluster.everyone) {
    const { status, headers, body } = await call(at, 'POST', '/v1/pix/charges', { amount: 100 })
    t.equal(status, 503)
    t.equal(headers['Retry-After'], '1')
    t.match(body, { code: 'SERVICE_UNAVAILABLE', detail: /same Idempotency-Key/ })
  }
  cluster.pauses.count = 0
  cluster.pauses.onEach = () => {
    if (cluster.pauses.count === 10) cluster.owners[shard] = 'node-c'
  }
  t.equal((await call(cluster.everyone[0]!, 'POST', '/v1/pix/charges', { amount: 100 })).status, 201)
})

t.test('nodes that take each other for the owner do not send a request round for ever', async (t) => {
  const cluster = await startNodes(t, servers.url, ['node-a', 'node-b'])
  const { call, shard, accountId } = await cluster.merchant()
  cluster.owners[shard] = null
  cluster.beliefs.set('node-a', ['node-b', 'node-b', 'node-b', 'node-b'])
  cluster.beliefs.set('node-b', ['node-a', 'node-a', 'node-a', 'node-a'])
  const [at] = cluster.workersOf('node-a')
  t.equal((await call(at!, 'POST', '/v1/pix/charges', { amount: 100 })).status, 503)
  await t.rejects(at!.router.query({ type: 'FindAccount', accountId }))
  const calls = cluster.everyone.reduce((sum, { counters }) => sum + counters.calls, 0)
  t.ok(calls < 200, `${calls} calls between them`)
})

t.test(
  'a command whose answer was lost is unavailable in time; with its key it is found again',
  async (t) => {
    const cluster = await startNodes(t, servers.url, ['node-a', 'node-b'])
    const { call, shard } = await cluster.merchant()
    cluster.owners[shard] = 'node-b'
    const [at] = cluster.workersOf('node-a')
    const host = cluster.workersOf('node-a')[workerOf(shard, 2)]!
    // Its answer is on its way by then, and finds nobody who waits for it.
    cluster.told.onEach = () => {
      cluster.told.onEach = () => undefined
      queueMicrotask(() => host.nodeDied('node-b'))
    }
    const first = await call(at!, 'POST', '/v1/pix/charges', { amount: 100 }, 'once')
    t.equal(first.status, 503)
    t.match(
      first.body.detail,
      /outcome is not known yet\. Send the same request again with the same Idempotency-Key/,
    )
    const again = await call(at!, 'POST', '/v1/pix/charges', { amount: 100 }, 'once')
    t.equal(again.status, 201)
    t.equal(again.headers['Idempotent-Replayed'], 'true')
    cluster.told.nodes.length = 0
    cluster.told.onEach = () => {
      cluster.told.onEach = () => undefined
      queueMicrotask(() => host.nodeDied('node-b'))
    }
    const read = await call(at!, 'GET', '/v1/pix/charges')
    t.equal(read.body.pagination.total, 1)
    t.strictSame(cluster.told.nodes, ['node-b', 'node-b'], 'a read is asked for twice')
  },
)

t.test('a key that has not reached the owner yet is waited for', async (t) => {
  const cluster = await startNodes(t, servers.url, ['node-a', 'node-b'])
  const { call, shard, key } = await cluster.merchant({ without: 'node-b' })
  cluster.owners[shard] = 'node-b'
  const [at] = cluster.workersOf('node-a')
  const { status, body } = await call(at!, 'POST', '/v1/pix/charges', { amount: 100 })
  t.equal(status, 503)
  t.equal(body.code, 'SERVICE_UNAVAILABLE')
  cluster.pauses.count = 0
  cluster.pauses.onEach = () => {
    if (cluster.pauses.count !== 3) return
    for (const { learn } of cluster.workersOf('node-b')) learn({ type: 'KeyCreated', key })
  }
  t.equal((await call(at!, 'POST', '/v1/pix/charges', { amount: 100 })).status, 201)
  t.equal(cluster.pauses.count, 3)
})

const inAMonth = (): string => new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
