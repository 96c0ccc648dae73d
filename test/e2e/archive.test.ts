import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { problemsIn } from './kill-and-restart.ts'
import {
  caller,
  command,
  newDataDir,
  newMerchant,
  oneWorker,
  posted,
  refusedStart,
  startService,
} from './service.ts'

/** One shard that keeps no state at hand, so what is old is read from its archive. */
const small = { ...oneWorker, SHARDS: '1', HOT_STATES: '1' }
const packAll = ['archive', 'run', '--older-than-days', '0'] as const

t.test('old charges are read from an archive, which may be away, and come back', async (t) => {
  const disk = newDataDir(t)
  const archiveDir = join(disk, 'archive')
  mkdirSync(archiveDir)
  const env = { ...small, ARCHIVE_DIR: archiveDir }
  let service = await startService(t, { env })
  const { dataDir } = service
  const { call, key } = await newMerchant(service, {
    scopes: 'charges.create,charges.read,transactions.read,refunds.create',
  })
  const made: any[] = []
  for (let n = 0; n < 40; n++) {
    const charge = await posted(call, '/v1/pix/charges', { amount: 100 + n, externalId: `pedido-${n}` })
    made.push(await posted(call, `/v1/sandbox/pix/charges/${charge.id}/pay`, {}))
  }
  const path = `/v1/pix/charges/${made[3].id}`
  const before = (await call('GET', path)).body
  const packed = await service.command(...packAll)
  t.match(packed, {
    object: 'archive',
    directory: archiveDir,
    shards: [{ shard: 0, files: 1, trouble: null }],
  })
  t.ok(packed.packed > 60 && packed.packed < packed.entries, `${packed.packed} of ${packed.entries}`)
  t.strictSame((await call('GET', path)).body, before)
  t.strictSame(await service.operate('archive status', {}), packed)
  t.equal(await service.metric('payments_archived_entries'), packed.packed)

  const full = join(newDataDir(t), 'full')
  await t.test('a backup holds both parts', async (t) => {
    const parent = newDataDir(t)
    const made = await service.command('backup', full)
    t.match(made, { verified: true, problems: [] })
    const restored = await command(dataDir, 'restore', join(parent, 'restored'), '--from', full)
    t.match(restored, { verified: true, problems: [] })
    const again = await startService(t, { dataDir: restored.path, env: small })
    t.strictSame((await caller(again.origin, key.secret)('GET', path)).body, before)
    t.equal(await again.kill('SIGTERM'), 0)
  })

  t.equal(await service.kill('SIGTERM'), 0)
  t.strictSame(await problemsIn(dataDir), [], 'verify reads both parts')
  const away = join(disk, 'away')
  renameSync(archiveDir, away)
  t.match((await problemsIn(dataDir)).join(), /archive lacks entries 1 to \d+; .*cannot be read/)
  service = await startService(t, { dataDir, env })
  await service.logged('answers nothing that needs its old entries until they can be read')
  const later = caller(service.origin, key.secret)
  const refused = await later('GET', path)
  t.match([refused.status, refused.body.code], [503, 'HISTORY_UNAVAILABLE'])
  const refund = await later('POST', `/v1/transactions/${before.id}/refund`, { amount: 1 })
  t.match([refund.status, refund.body.code], [503, 'HISTORY_UNAVAILABLE'], 'nor is it changed')
  const charge = await posted(later, '/v1/pix/charges', { amount: 5 })
  t.equal((await later('GET', `/v1/pix/charges/${charge.id}`)).status, 200, 'all else goes on')
  t.equal((await later('GET', '/readyz')).status, 200)
  t.equal(await service.metric('payments_archive_troubled_shards'), 1)
  await t.rejects(service.command(...packAll), /cannot be read/)
  renameSync(away, archiveDir)
  t.strictSame((await later('GET', path)).body, before, 'it is back without a restart')
  t.equal(await service.metric('payments_archive_troubled_shards'), 0)
  t.equal((await later('POST', `/v1/transactions/${before.id}/refund`, { amount: 1 })).status, 201)
  t.equal(await service.kill('SIGTERM'), 0)

  await t.test('another directory is refused, and the same one elsewhere is taken', async (t) => {
    const moved = join(disk, 'moved')
    mkdirSync(moved)
    const another = { DATA_DIR: dataDir, ...small, ARCHIVE_DIR: moved }
    t.match(
      (await refusedStart(another)).output,
      /moved\/00 lacks files of the archive of .* was in .*archive\/00/,
    )
    t.match(
      (await refusedStart({ DATA_DIR: dataDir, ...small })).output,
      /the archive of .*shards\/00 is in .*: set ARCHIVE_DIR=.*archive again/,
    )
    renameSync(join(archiveDir, '00'), join(moved, '00'))
    const again = await startService(t, { dataDir, env: { ...small, ARCHIVE_DIR: moved } })
    t.equal((await caller(again.origin, key.secret)('GET', path)).status, 200)
    t.equal(await again.kill('SIGTERM'), 0)

    const [name] = readdirSync(join(moved, '00'))
    const file = join(moved, '00', name!)
    const bytes = readFileSync(file)
    for (let at = 20; at < bytes.length / 2; at += 7) bytes[at]! ^= 1
    writeFileSync(file, bytes)
    t.match(
      (await problemsIn(dataDir)).join(),
      new RegExp(`archive lacks entries 1 to \\d+; .*${name} is damaged`),
    )
    const damaged = await startService(t, { dataDir, env: { ...small, ARCHIVE_DIR: moved } })
    t.match((await caller(damaged.origin, key.secret)('GET', path)).body.code, 'HISTORY_UNAVAILABLE')
    await damaged.logged('is damaged')
    t.equal(await damaged.metric('payments_damage_found_total'), 1)
    await t.rejects(damaged.command('backup', join(disk, 'backup')), /is damaged/)
    t.equal(await damaged.kill('SIGTERM'), 0)

    const mended = await command(dataDir, 'verify', dataDir, '--repair', '--from', full)
    t.match(mended, { problems: [], repaired: [/archive has entries 1 to \d+ again, from .*full/] })
    t.strictSame(readdirSync(join(moved, '00')), [name])
  })
})
