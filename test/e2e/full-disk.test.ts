import { rmSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openSmallDisk } from '../cluster/small-disk.ts'
import { problemsIn } from './kill-and-restart.ts'
import { caller, newMerchant, posted, refusedStart, startReceiver, startService, until } from './service.ts'

const scopes = 'charges.create,charges.read,transactions.read,transactions.export'

t.test('a full disk refuses writes, serves reads, and needs no restart', async (t) => {
  const disk = await openSmallDisk(t)
  const dataDir = join(disk.path, 'data')
  const service = await startService(t, { dataDir, env: { WORKERS: '1' } })
  service.expectLimit('SERVICE_UNAVAILABLE')
  const { call, company, key } = await newMerchant(service, { scopes })
  const receiver = await startReceiver(t)
  await service.operate('webhooks create', {
    company: company.id,
    environment: 'sandbox',
    url: receiver.url,
    events: 'payment.created',
  })
  const order = { amount: 1000 }
  const first = await call('POST', '/v1/pix/charges', order, { 'Idempotency-Key': 'order-1' })
  t.equal(first.status, 201)
  await receiver.count(1)
  const create = (amount = 500) => call('POST', '/v1/pix/charges', { amount })

  // Writes stop while there still is room for what is on its way.
  disk.fill(24)
  await until(async () => (await create()).status === 503)
  const refused = await create()
  t.match(refused.body, { status: 503, code: 'SERVICE_UNAVAILABLE' })
  t.ok(Number(refused.headers.get('retry-after')) >= 1)
  const path = `/v1/pix/charges/${first.body.id}`
  const ready = async (query = ''): Promise<unknown> => {
    const response = await fetch(`${service.origin}/readyz${query}`)
    return [response.status, await response.json()]
  }
  t.match(await ready(), [200, { status: 'ready' }])
  await until(async () => ((await ready('?for=writes')) as [number])[0] === 503)
  t.match(await ready('?for=writes'), [503, { reasons: [/: read only, because the disk is full$/] }])
  const readsGoOn = async (answering: typeof call): Promise<void> => {
    t.equal((await answering('GET', path)).status, 200, 'a charge is read')
    t.ok((await answering('GET', '/v1/transactions')).body.pagination.total >= 1, 'a list is read')
    t.match((await answering('GET', '/v1/transactions/export')).body, first.body.id, 'an export is made')
    const replay = await answering('POST', '/v1/pix/charges', order, { 'Idempotency-Key': 'order-1' })
    t.equal(replay.status, 201, 'a repeated request has its answer')
    t.equal(replay.body.id, first.body.id)
    t.equal((await answering('POST', '/v1/pix/charges', { amount: -1 })).status, 400, 'bad input is told')
  }
  await readsGoOn(call)
  t.match(await ready('?for=reads'), [200, { status: 'ready' }])
  await t.rejects(service.operate('companies create', { name: 'Outra', document: '11444777000161' }), {
    message: /^the disk of .* has \d+ MiB left: nothing is written until it has 48 MiB$/,
  })
  disk.free()

  // So does a disk that another process fills to the last byte, also after a restart.
  disk.fill(1)
  await until(async () => (await create()).status === 503)
  // A write that has met it makes the shard recover.
  await until(async () => (await call('GET', path)).status === 200)
  await readsGoOn(call)
  await service.logged('nothing is written until it has 48 MiB')
  const troubles = service
    .log()
    .split('\n')
    .filter((line) => /"level":[456]0/.test(line))
  const messages = troubles.map((line) => JSON.parse(line).msg)
  t.equal(new Set(messages).size, messages.length, 'each trouble is one line')
  await service.kill('SIGKILL')
  const again = await startService(t, { dataDir, env: { WORKERS: '1' } })
  again.expectLimit('SERVICE_UNAVAILABLE')
  const callAgain = caller(again.origin, key.secret)
  await readsGoOn(callAgain)
  t.equal((await callAgain('POST', '/v1/pix/charges', { amount: 7 })).status, 503)

  disk.free()
  await until(async () => (await callAgain('POST', '/v1/pix/charges', { amount: 8 })).status === 201)
  t.ok(await posted(callAgain, '/v1/pix/charges', { amount: 9 }))
  t.ok((await again.operate('companies create', { name: 'Outra', document: '11444777000161' })).id)
  t.equal(await again.kill('SIGTERM'), 0)
  t.strictSame(await problemsIn(dataDir), [])

  // A start for which nothing at all is left says so. LMDB would make the lock file as a hole, and die when it writes to it.
  rmSync(join(dataDir, 'directory', 'lock.mdb'))
  disk.fill(0)
  const { code, output } = await refusedStart({
    DATA_DIR: dataDir,
    DEMO: 'false',
    WORKERS: '1',
    HOST: '127.0.0.1',
    TRANSPORT: 'node',
  })
  t.match(
    output,
    /^payments: the disk of .*\/data is full, and every start writes a little to it: free some space\n$/,
  )
  t.equal(code, 1)
})
