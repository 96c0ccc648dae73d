import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openSmallDisk } from '../cluster/small-disk.ts'
import { leftOf, missingAmong, startCharges, startCommand, stoppedWriter } from './backup-world.ts'
import {
  caller,
  command,
  newDataDir,
  newMerchant,
  posted,
  refusedStart,
  startReceiver,
  startService,
  until,
} from './service.ts'

t.test('a backup under load holds whatever was acknowledged before its point, and starts', async (t) => {
  const service = await startService(t)
  const { call, key, company } = await newMerchant(service)
  const receiver = await startReceiver(t)
  const target = { company: company.id, environment: 'sandbox', url: receiver.url }
  await service.operate('webhooks create', target)
  const charges = startCharges(call, 6)
  await charges.reach(100)
  const path = join(newDataDir(t), 'backup')
  const made = await service.command('backup', path)
  await charges.reach(charges.acknowledged.length + 20)
  await charges.stop()
  t.match(made, { object: 'backup', path, shards: 2, masterKey: 'INCLUDED', verified: true, problems: [] })
  const before = charges.acknowledged.filter(({ atMs }) => atMs < Date.parse(made.pointAt))
  t.ok(before.length >= 100)
  t.ok(made.transactions >= before.length)
  t.ok(made.transactions < charges.acknowledged.length, 'and not what came long after')

  const report = await command(path, 'verify', path)
  t.match(report, { entries: made.entries, transactions: made.transactions, problems: [] })
  t.match(JSON.parse(readFileSync(join(path, 'backup.json'), 'utf8')), {
    pointAt: made.pointAt,
    masterKey: true,
  })
  t.equal(statSync(path).mode & 0o777, 0o700)
  t.equal(statSync(join(path, 'master.key')).mode & 0o777, 0o600)

  const dataDir = join(newDataDir(t), 'restored')
  cpSync(path, dataDir, { recursive: true })
  const restored = await startService(t, { dataDir })
  const again = caller(restored.origin, key.secret)
  t.strictSame(await missingAmong(again, before), [], `${before.length} charges and their keys`)
  const { id } = await posted(again, '/v1/pix/charges', { amount: 700 })
  await until(async () => receiver.heard.some(({ event }) => event.data.id === id))
  t.pass('the endpoint hears of a new one, signed with its secret')
  await restored.kill('SIGTERM')
  t.strictSame((await command(dataDir, 'verify', dataDir)).problems, [])
})

t.test('the directory of a copy knows of every company and endpoint that its shards know of', async (t) => {
  const service = await startService(t)
  let running = true
  const making = (async () => {
    for (let n = 0; running; n++) {
      const { company, call } = await newMerchant(service, { name: `Loja ${n}` })
      const url = 'http://127.0.0.1:9/hook'
      await service.operate('webhooks create', { company: company.id, environment: 'sandbox', url })
      await posted(call, '/v1/pix/charges', { amount: 100 })
    }
  })()
  const parent = newDataDir(t)
  for (let n = 0; n < 2; n++) {
    const path = join(parent, String(n))
    await service.operate('backup', { path, verify: false })
    const copy = await startService(t, { dataDir: path })
    const { data } = await copy.operate('companies list', {})
    const endpoints = (await copy.operate('webhooks list', {})).data
    t.ok(data.length >= endpoints.length)
    const lists = endpoints.map(({ id }: { id: string }) => copy.operate('webhooks deliveries', { id }))
    t.ok(
      (await Promise.all(lists)).every(({ object }) => object === 'list'),
      'every account is open',
    )
    await copy.kill('SIGTERM')
    t.strictSame((await command(path, 'verify', path)).problems, [])
  }
  running = false
  await making
})

t.test('a copy without the master key starts when the key is there again', async (t) => {
  const service = await startService(t)
  await newMerchant(service)
  const path = join(newDataDir(t), 'backup')
  mkdirSync(path)
  const made = await service.command('backup', path, '--without-master-key', '--no-verify')
  t.match(
    made,
    { masterKey: 'LEFT_OUT', verified: false, transactions: null },
    'into an empty directory, too',
  )
  t.notOk(existsSync(join(path, 'master.key')))
  t.match(
    (await refusedStart({ DATA_DIR: path })).output,
    /master.key is missing, and sealed the webhook secrets/,
  )
  const keyFile = join(service.dataDir, 'master.key')
  const copy = await startService(t, { dataDir: path, env: { MASTER_KEY_FILE: keyFile } })
  t.equal((await copy.operate('companies list', {})).data.length, 1)
})

t.test('what is in the way is refused in one line, and left as it is', async (t) => {
  const service = await startService(t)
  const parent = newDataDir(t)
  const path = join(parent, 'there')
  mkdirSync(path)
  writeFileSync(join(path, 'mine'), 'x')
  mkdirSync(join(parent, 'cut.partial'))
  const refused = (path: string, reason: RegExp) => t.rejects(service.operate('backup', { path }), reason)
  await refused(path, /there is not empty$/)
  await refused(join(path, 'mine'), /mine is no directory$/)
  await refused(join(parent, 'cut'), /cut\.partial is what an interrupted backup has left: remove it first$/)
  await refused(join(parent, 'no', 'such'), /there is no directory .*no to make it in$/)
  await refused('/proc', /\/proc is where a disk is mounted: name a directory below it$/)
  await refused(join(service.dataDir, 'copy'), /is in the data directory itself/)
  await t.rejects(service.operate('backup', { path: 'copy' }), /path must be absolute/)
  t.strictSame(readdirSync(parent).sort(), ['cut.partial', 'there'])
  t.strictSame(readdirSync(path), ['mine'])
})

t.test('Ctrl-C gives a backup up, and meanwhile there is no second one', async (t) => {
  const service = await startService(t)
  const { call } = await newMerchant(service)
  const path = join(newDataDir(t), 'backup')
  const first = startCommand(service.dataDir, 'backup', path)
  await stoppedWriter(service)
  await t.rejects(
    service.operate('backup', { path: `${path}-2` }),
    /^there is one backup at a time, and .*backup is being written$/,
  )
  first.interrupt()
  t.match(await first.ended, { code: 130, errors: /given up; the service removes what it had written/ })
  await until(async () => leftOf(path).length === 0)
  t.strictSame(leftOf(`${path}-2`), [])
  await posted(call, '/v1/pix/charges', { amount: 100 })
  t.equal((await service.operate('backup', { path })).transactions, 1, 'the next one is made')
})

t.test('kill -9 of the service in the middle of a backup leaves nothing that looks whole', async (t) => {
  const service = await startService(t)
  await newMerchant(service)
  const path = join(newDataDir(t), 'backup')
  const asked = startCommand(service.dataDir, 'backup', path)
  const writer = await stoppedWriter(service)
  await service.kill('SIGKILL')
  t.match(await asked.ended, { code: 1, errors: /^payments: the service ended before it was done$/m })
  t.strictSame(leftOf(path), [`${path}.partial`])
  await t.rejects(command(path, 'verify', `${path}.partial`), /is not a data directory/)
  writer.wake()
  await until(async () => leftOf(path).length === 0)
  t.pass('the process that copied removes what it wrote, and ends')
  await startService(t, { dataDir: service.dataDir })
})

t.test('a service that is told to end gives its backup up', async (t) => {
  const service = await startService(t)
  const path = join(newDataDir(t), 'backup')
  const asked = startCommand(service.dataDir, 'backup', path)
  await stoppedWriter(service)
  t.equal(await service.kill('SIGTERM'), 0)
  t.equal((await asked.ended).code, 1)
  t.strictSame(leftOf(path), [])
})

t.test('kill -9 of the process that copies is told in a line, and leaves nothing', async (t) => {
  const service = await startService(t)
  const { call } = await newMerchant(service)
  const path = join(newDataDir(t), 'backup')
  const asked = startCommand(service.dataDir, 'backup', path)
  const writer = await stoppedWriter(service)
  process.kill(writer.pid, 'SIGKILL')
  t.match(await asked.ended, { code: 1, errors: /^payments: the process that wrote it ended with SIGKILL$/m })
  t.strictSame(leftOf(path), [])
  await posted(call, '/v1/pix/charges', { amount: 100 })
})

t.test('on a full disk a backup is refused in a line, and the service on that disk goes on', async (t) => {
  const disk = await openSmallDisk(t)
  const dataDir = join(disk.path, 'data')
  const service = await startService(t, { dataDir })
  const { call } = await newMerchant(service)
  await posted(call, '/v1/pix/charges', { amount: 100 })
  const path = join(disk.path, 'backup')
  disk.fill(40)
  await t.rejects(
    service.command('backup', path),
    /^payments: the disk of .* has \d+ MiB left; .* too little$/m,
  )
  t.strictSame(leftOf(path), [])
  await posted(call, '/v1/pix/charges', { amount: 200 })
  disk.free()
  t.equal((await service.operate('backup', { path })).transactions, 2)
  await service.kill('SIGTERM')
})
