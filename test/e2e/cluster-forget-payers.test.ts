import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startNatsServers } from '../nats/servers.ts'
import { clusterEnv, joinNode } from './cluster-nodes.ts'
import { caller, moveShard, newMerchant, posted, startService } from './service.ts'

/** The files of shards below a data directory that contain a text. */
const logsWith = (dataDir: string, text: string): readonly string[] =>
  readdirSync(join(dataDir, 'shards'), { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('state'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file, 'latin1').includes(text))

t.test('what one node seals about payers is read by whichever owns the shard later', async (t) => {
  const servers = await startNatsServers(1)
  t.teardown(servers.stop)
  const a = await startService(t, { env: { ...clusterEnv(servers.url, 'a'), SHARDS: '1' } })
  const { company, key, call } = await newMerchant(a)
  const b = await joinNode(t, a, clusterEnv(servers.url, 'b'))
  const atB = caller(b.origin, key.secret)

  t.match(await b.operate('companies forget-payers', { id: company.id, years: 2 }), {
    forgetPayersAfterYears: 2,
  })
  t.match(await a.operate('companies get', { id: company.id }), { forgetPayersAfterYears: 2 })
  const customer = { name: 'Yolanda Xavier', email: 'yolanda@example.com' }
  const first = await posted(call, '/v1/pix/charges', { amount: 100, customer })
  await moveShard(a, 0, 'b')
  t.match((await atB('GET', `/v1/transactions/${first.id}`)).body, { customer })
  const second = await posted(atB, '/v1/pix/charges', { amount: 200, customer })
  t.equal((await atB('GET', '/v1/transactions?q=yolanda')).body.data.length, 2)

  await a.kill('SIGTERM')
  const again = await startService(t, { dataDir: a.dataDir, env: clusterEnv(servers.url, 'a') })
  await moveShard(b, 0, 'a')
  const atA = caller(again.origin, key.secret)
  for (const { id } of [first, second])
    t.match((await atA('GET', `/v1/transactions/${id}`)).body, { customer })
  t.equal((await atA('GET', '/v1/transactions?q=yolanda')).body.data.length, 2)
  for (const directory of [a.dataDir, b.dataDir]) t.strictSame(logsWith(directory, 'Yolanda'), [])
})
