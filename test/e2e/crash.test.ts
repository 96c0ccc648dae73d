import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import t from 'tap'
import { killAndRestart } from './kill-and-restart.ts'
import {
  caller,
  command,
  newDataDir,
  newMerchant,
  refusedStart,
  startReceiver,
  startService,
} from './service.ts'
import { streams } from './streams.ts'

/** More for a soak: TAP_TIMEOUT=900 CRASH_ROUNDS=20 node dist/test/e2e/crash.test.js */
const rounds = Number(process.env.CRASH_ROUNDS ?? 2)

for (const [name, streamEnv] of streams)
  t.test(`${name}: kill -9 under load loses nothing that was acknowledged and doubles nothing`, async (t) => {
    const dataDir = newDataDir(t)
    const env = await streamEnv(t)
    let service = await startService(t, { dataDir, env })
    const { key, company } = await newMerchant(service)
    const receiver = await startReceiver(t)
    await service.operate('webhooks create', {
      company: company.id,
      environment: 'sandbox',
      url: receiver.url,
    })
    const acknowledged = new Map<string, string>()
    for (let round = 0; round < rounds; round++) {
      const call = caller(service.origin, key.secret)
      let running = true
      const worker = async (name: string): Promise<void> => {
        for (let n = 0; running; n++) {
          const orderKey = `${round}-${name}-${n}`
          try {
            const { status, body } = await call(
              'POST',
              '/v1/pix/charges',
              { amount: 100, externalId: orderKey },
              {
                'Idempotency-Key': orderKey,
              },
            )
            if (status === 201) acknowledged.set(orderKey, body.id)
          } catch {
            return
          }
        }
      }
      const workers = Array.from({ length: 8 }, (_, n) => worker(String(n)))
      const enough = acknowledged.size + 100
      while (acknowledged.size < enough) await new Promise((resolve) => setImmediate(resolve))
      service = await killAndRestart(t, service, env, `kill ${round + 1}`)
      running = false
      await Promise.all(workers)
    }
    const call = caller(service.origin, key.secret)
    const found = new Map<string, string[]>()
    for (let page = 1; ; page++) {
      const { body } = await call('GET', `/v1/pix/charges?pageSize=200&page=${page}`)
      for (const charge of body.data)
        found.set(charge.externalId, [...(found.get(charge.externalId) ?? []), charge.id])
      if (!body.pagination.hasMore) break
    }
    const lost = [...acknowledged].filter(([orderKey, id]) => found.get(orderKey)?.[0] !== id)
    const doubled = [...found.values()].filter((ids) => ids.length > 1)
    t.strictSame(lost, [], `${acknowledged.size} acknowledged charges are there`)
    t.strictSame(doubled, [])
    const [orderKey, id] = [...acknowledged].at(-1)!
    const again = await call(
      'POST',
      '/v1/pix/charges',
      { amount: 100, externalId: orderKey },
      { 'Idempotency-Key': orderKey },
    )
    t.equal(again.body.id, id, 'the key still stands for its charge')
    t.equal(again.headers.get('idempotent-replayed'), 'true')
    // Every charge tells two events; some may be told twice, none never.
    const untold = new Set(acknowledged.values())
    for (let count = 1; untold.size > 0; count++)
      untold.delete((await receiver.count(count))[count - 1]!.event.data.id)
    t.pass('every acknowledged charge was told')
  })

t.test('SIGTERM answers what is in flight and ends with 0', async (t) => {
  const service = await startService(t)
  const { key } = await newMerchant(service)
  const inFlight = Array.from({ length: 50 }, (_, n) => post(service.origin, key.secret, { amount: n + 1 }))
  await inFlight[0]
  t.equal(await service.kill('SIGTERM'), 0)
  const answered = (await Promise.all(inFlight)).filter((status) => status === 201)
  const report = await command(service.dataDir, 'verify', service.dataDir)
  t.strictSame(report.problems, [])
  t.equal(report.transactions, answered.length, 'every charge that was made was answered')
})

/** The status of the answer; 0 where the connection ended without one. */
const post = (origin: string, secret: string, body: object): Promise<number> =>
  new Promise((resolve) => {
    const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' }
    const outgoing = request(
      `${origin}/v1/pix/charges`,
      { method: 'POST', headers, agent: false },
      (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode ?? 0))
      },
    )
    outgoing.on('error', () => resolve(0))
    outgoing.end(JSON.stringify(body))
  })

t.test('a data directory that cannot be used is refused with a clear line', async (t) => {
  const dataDir = newDataDir(t)
  const service = await startService(t, { dataDir, env: { SHARDS: '2' } })
  const busy = await refusedStart({ DATA_DIR: dataDir })
  t.equal(busy.code, 1)
  t.match(busy.output, /in use by another running process/)
  await service.kill('SIGTERM')
  const other = await refusedStart({ DATA_DIR: dataDir, SHARDS: '3' })
  t.equal(other.code, 1)
  t.match(other.output, /created with SHARDS=2/)
  writeFileSync(join(dataDir, 'format.json'), '{"format":99,"shards":2}')
  const newer = await refusedStart({ DATA_DIR: dataDir })
  t.equal(newer.code, 1)
  t.match(newer.output, /data format 99/)
  // The first days of format 4 wrote no more than this.
  for (const format of [1, 2, 4]) {
    writeFileSync(join(dataDir, 'format.json'), `{"format":${format},"shards":2}`)
    const older = await refusedStart({ DATA_DIR: dataDir })
    t.equal(older.code, 1)
    t.match(
      older.output,
      /data format [124], from before the first release.* begin with a new data directory/,
    )
  }
})

t.test('a wrong or unknown setting stops the start', async (t) => {
  const wrong = await refusedStart({ DATA_DIR: newDataDir(t), PORT: 'abc', LOG_LEVEL: 'loud' })
  t.equal(wrong.code, 1)
  t.match(wrong.output, /PORT="abc" is not valid/)
  t.match(wrong.output, /LOG_LEVEL="loud" is not valid/)
  const unknown = await refusedStart({ DATA_DIR: newDataDir(t), RATE_LIMITS: '5' })
  t.equal(unknown.code, 1)
  t.match(unknown.output, /RATE_LIMITS is not a setting/)
})
