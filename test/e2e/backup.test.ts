import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openSmallDisk } from '../cluster/small-disk.ts'
import {
  accountsIn,
  accountsOf,
  companiesIn,
  leftOf,
  missingAmong,
  printedBy,
  startCharges,
  startCommand,
  stoppedWriter,
} from './backup-world.ts'
import {
  caller,
  command,
  newDataDir,
  newMerchant,
  oneWorker,
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
  t.pass('its endpoint hears of a new one: the master key opens its secret')
  await restored.kill('SIGTERM')
  t.strictSame((await command(dataDir, 'verify', dataDir)).problems, [])
})

t.test('a running service is copied', async (t) => {
  const service = await startService(t, { env: oneWorker })
  const { call } = await newMerchant(service)

  t.test('with a directory that knows of every company that its shards know of', async (t) => {
    let running = true
    const making = (async () => {
      while (running) await newMerchant(service)
    })()
    const path = join(newDataDir(t), 'backup')
    await service.operate('backup', { path, verify: false })
    running = false
    await making
    const known = new Set(accountsOf(await companiesIn(path)))
    const accounts = await accountsIn(path)
    t.ok(accounts.length > 0)
    t.strictSame(
      accounts.filter((account) => !known.has(account)),
      [],
    )
  })

  t.test('without the master key, if that is wanted, and starts with it alone', async (t) => {
    const path = join(newDataDir(t), 'backup')
    mkdirSync(path)
    const made = await service.command('backup', path, '--master-key', 'exclude', '--no-verify')
    t.match(
      made,
      { masterKey: 'LEFT_OUT', verified: false, transactions: null },
      'into an empty directory, too',
    )
    t.notOk(existsSync(join(path, 'master.key')))
    t.match(
      await printedBy(service.dataDir, 'backup', join(newDataDir(t), 'told'), '--master-key', 'exclude'),
      /\nThe master key is not in this backup: a service starts .* as master\.key, or MASTER_KEY_FILE names it\.\n$/,
    )
    t.match(
      await printedBy(service.dataDir, 'backup', join(newDataDir(t), 'with'), '--no-verify'),
      /\nThe master key is in this backup: whoever has it can read its secrets\. --master-key exclude leaves it out\.\n$/,
    )
    t.match(
      await printedBy(service.dataDir, 'restore', join(newDataDir(t), 'made'), '--from', path),
      /\nThe master key is not in the backup: a service starts .* MASTER_KEY_FILE names it\.\n$/,
    )
    const { output } = await refusedStart({ DATA_DIR: path })
    t.match(
      output,
      /master.key is missing, and opens the secrets .* name it with MASTER_KEY_FILE; .* --master-key exclude/,
    )
  })

  t.test('not where something is in the way: that is said in a line, and left as it is', async (t) => {
    const parent = newDataDir(t)
    const path = join(parent, 'there')
    mkdirSync(path)
    writeFileSync(join(path, 'mine'), 'x')
    mkdirSync(join(parent, 'cut.partial'))
    const refused = (path: string, reason: RegExp) => t.rejects(service.operate('backup', { path }), reason)
    await refused(path, /there is not empty$/)
    await refused(join(path, 'mine'), /mine is no directory$/)
    await refused(
      join(parent, 'cut'),
      /cut\.partial is what an interrupted backup or restore has left: remove it first$/,
    )
    await refused(join(parent, 'no', 'such'), /there is no directory .*no to make it in$/)
    await refused('/proc', /\/proc is where a disk is mounted: name a directory below it$/)
    await refused(
      join(service.dataDir, 'copy'),
      /is in the data directory .*: what happens to one happens to both$/,
    )
    await t.rejects(service.operate('backup', { path: 'copy' }), /path must be absolute/)
    t.strictSame(readdirSync(parent).sort(), ['cut.partial', 'there'])
    t.strictSame(readdirSync(path), ['mine'])
  })

  t.test('once at a time, until Ctrl-C gives it up', async (t) => {
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
    t.match(await service.operate('backup', { path }), { problems: [] }, 'the next one is made')
  })

  t.test('by a process whose death is told in a line, and leaves nothing', async (t) => {
    const path = join(newDataDir(t), 'backup')
    const asked = startCommand(service.dataDir, 'backup', path)
    const writer = await stoppedWriter(service)
    process.kill(writer.pid, 'SIGKILL')
    t.match(await asked.ended, {
      code: 1,
      errors: /^payments: the process that wrote it ended with SIGKILL$/m,
    })
    t.strictSame(leftOf(path), [])
    await posted(call, '/v1/pix/charges', { amount: 100 })
  })
})

t.test('kill -9 of the service in the middle of a backup leaves nothing that looks whole', async (t) => {
  const service = await startService(t, { env: oneWorker })
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
})

t.test(
  'what a backup had left when the power went is removed at the next start, and nothing else',
  async (t) => {
    const service = await startService(t, { env: oneWorker })
    const path = join(newDataDir(t), 'backup')
    void startCommand(service.dataDir, 'backup', path).ended
    const writer = await stoppedWriter(service)
    process.kill(writer.pid, 'SIGKILL')
    await service.kill('SIGKILL')
    mkdirSync(`${path}.partial`, { recursive: true })
    mkdirSync(`${path}-2.partial`)
    const again = await startService(t, { dataDir: service.dataDir, env: oneWorker })
    await again.logged('what an interrupted backup had left is removed')
    t.strictSame(leftOf(path), [])
    t.ok(existsSync(`${path}-2.partial`), 'which is of somebody else')
    t.match(await again.command('backup', path), { problems: [] })
  },
)

t.test('a service that is told to end gives its backup up', async (t) => {
  const service = await startService(t, { env: oneWorker })
  const path = join(newDataDir(t), 'backup')
  const asked = startCommand(service.dataDir, 'backup', path)
  await stoppedWriter(service)
  t.equal(await service.kill('SIGTERM'), 0)
  t.equal((await asked.ended).code, 1)
  t.strictSame(leftOf(path), [])
})

t.test('on a full disk a backup is refused in a line, and the service on that disk goes on', async (t) => {
  const disk = await openSmallDisk(t)
  const dataDir = join(disk.path, 'data')
  const service = await startService(t, { dataDir, env: oneWorker })
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
