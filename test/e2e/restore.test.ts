import { join } from 'node:path'
import t from 'tap'
import { chargeOf, leftOf, missingAmong, startCharges, startCommand } from './backup-world.ts'
import {
  caller,
  command,
  newDataDir,
  newMerchant,
  oneWorker,
  posted,
  startReceiver,
  startService,
  until,
} from './service.ts'

t.test(
  'what was acknowledged before the last increment is restored and served after the disk is lost',
  async (t) => {
    const service = await startService(t, { env: oneWorker })
    const { call, key, company } = await newMerchant(service)
    const receiver = await startReceiver(t)
    await service.operate('webhooks create', {
      company: company.id,
      environment: 'sandbox',
      url: receiver.url,
    })
    const charges = startCharges(call, 4)
    const backups = newDataDir(t)
    const [sunday, monday] = [join(backups, 'sunday'), join(backups, 'monday')]
    await charges.reach(60)
    t.match(await service.command('backup', sunday), { kind: 'FULL', after: null, problems: [] })
    await charges.reach(charges.acknowledged.length + 40)
    const moment = new Date().toISOString()
    await charges.reach(charges.acknowledged.length + 40)
    const increment = await service.command('backup', monday, '--after', sunday)
    t.match(increment, {
      kind: 'INCREMENT',
      after: sunday,
      masterKey: 'LEFT_OUT',
      verified: true,
      problems: [],
    })
    await charges.stop()
    await service.kill('SIGKILL')

    const dataDir = join(newDataDir(t), 'data')
    const made = await command('', 'restore', dataDir, '--from', monday, sunday)
    t.match(made, {
      object: 'restore',
      path: dataDir,
      from: [sunday, monday],
      masterKey: 'INCLUDED',
      problems: [],
    })
    t.equal(made.pointAt, increment.pointAt)
    const restored = await startService(t, { dataDir, env: oneWorker })
    const again = caller(restored.origin, key.secret)
    const before = charges.acknowledged.filter(({ atMs }) => atMs < Date.parse(increment.pointAt))
    t.ok(before.length >= 140)
    t.strictSame(await missingAmong(again, before), [], `${before.length} charges and their keys`)
    const { id } = await posted(again, '/v1/pix/charges', { amount: 700 })
    await until(async () => receiver.heard.some(({ event }) => event.data.id === id))
    t.match(
      await restored.command('backup', join(backups, 'tuesday'), '--after', monday),
      { kind: 'INCREMENT', problems: [] },
      'the backups go on with what was restored',
    )
    await restored.kill('SIGTERM')
    t.strictSame((await command('', 'verify', dataDir)).problems, [])

    await t.test('and up to a moment before', async (t) => {
      const dataDir = join(newDataDir(t), 'data')
      const made = await command(
        '',
        'restore',
        dataDir,
        '--from',
        sunday,
        '--from',
        monday,
        '--to-time',
        moment,
      )
      t.match(made, { pointAt: moment, problems: [] })
      const restored = await startService(t, { dataDir, env: oneWorker })
      const again = caller(restored.origin, key.secret)
      const before = charges.acknowledged.filter(({ atMs }) => atMs < Date.parse(moment))
      t.strictSame(await missingAmong(again, before), [], `${before.length} charges and their keys`)
      const gone = charges.acknowledged.at(-1)!
      t.equal((await again('GET', `/v1/pix/charges/${gone.id}`)).status, 404)
      const { body } = await again('POST', '/v1/pix/charges', chargeOf(gone.key), {
        'Idempotency-Key': gone.key,
      })
      t.not(body.id, gone.id, 'a key of later is new')
      await restored.kill('SIGTERM')
      t.strictSame((await command('', 'verify', dataDir)).problems, [])
    })

    await t.test('in a line, where that is not possible', async (t) => {
      const dataDir = join(newDataDir(t), 'data')
      const refused = (reason: RegExp, ...args: string[]) =>
        t.rejects(command('', 'restore', dataDir, ...args), { message: reason }, String(reason))
      await refused(
        /^payments: .*monday is an increment that continues .*name that one, too\n$/,
        '--from',
        monday,
      )
      await refused(
        /^error: .*It must be an ISO 8601 date-time with Z or an offset/,
        '--from',
        sunday,
        '--to-time',
        '2026-11-23',
      )
      await refused(
        /^error: .*It must be a shard and the last entry to keep/,
        '--from',
        sunday,
        '--to-sequence',
        '7',
      )
      await refused(
        /^payments: name a time or sequences, and not both\n$/,
        '--from',
        sunday,
        '--to-time',
        moment,
        '--to-sequence',
        '0=1',
      )
      await t.rejects(
        command('', 'verify', monday),
        /^payments: .*monday is an increment of a backup, which holds only/,
      )
      t.strictSame(leftOf(dataDir), [])
    })

    await t.test('until Ctrl-C gives it up', async (t) => {
      const dataDir = join(newDataDir(t), 'data')
      const asked = startCommand('', 'restore', dataDir, '--from', monday, sunday)
      await until(async () => leftOf(dataDir).length > 0)
      asked.interrupt()
      t.match(await asked.ended, { code: 130, errors: /^payments: given up; what was written is removed$/m })
      t.strictSame(leftOf(dataDir), [])
    })
  },
)
