import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
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

/** Puts an earlier copy of a part of a data directory into its place. */
const putBack = (dataDir: string, part: string, from: string): void => {
  rmSync(join(dataDir, part), { recursive: true, force: true })
  cpSync(join(from, part), join(dataDir, part), { recursive: true })
}

const problemsOf = async (dataDir: string): Promise<string> =>
  (await command('', 'verify', dataDir).catch((error: Error) => error)).toString()

t.test('a start and verify refuse a data directory of which one part is an older copy', async (t) => {
  const env = { ...oneWorker, SHARDS: '1' }
  const service = await startService(t, { env })
  const { dataDir } = service
  const { call, company, key } = await newMerchant(service)
  await posted(call, '/v1/pix/charges', { amount: 100 })
  await service.kill('SIGTERM')
  const [early, late] = [newDataDir(t), newDataDir(t)]
  cpSync(dataDir, early, { recursive: true })

  const again = await startService(t, { dataDir, env })
  const after = caller(again.origin, key.secret)
  for (let n = 0; n < 5; n++) await posted(after, '/v1/pix/charges', { amount: 100 })
  await again.operate('keys revoke', { id: key.id })
  t.equal((await after('GET', '/v1/transactions')).status, 401)
  // The end of the log of companies is kept with the revocation itself; those of the shards are as old as their last minute.
  await again.kill('SIGKILL')
  // `cpSync` copies no sockets, of which a killed service leaves some.
  cpSync(dataDir, late, { recursive: true, filter: (name) => !name.endsWith('.sock') })
  putBack(dataDir, 'directory', early)
  const older = /directory is an older copy: it ends at entry \d+, and the other parts .* know of entry \d+/
  t.match((await refusedStart({ DATA_DIR: dataDir, ...env })).output, older)
  t.match(await problemsOf(dataDir), older)

  putBack(dataDir, 'directory', late)
  t.notMatch(await problemsOf(dataDir), /older/)
  const third = await startService(t, { dataDir, env })
  await third.operate('companies update', { id: company.id, tradeName: 'Loja' })
  t.equal(await third.kill('SIGTERM'), 0)
  const other = newDataDir(t)
  cpSync(early, other, { recursive: true })
  const fork = await startService(t, { dataDir: other, env })
  for (let n = 0; n < 9; n++) await posted(caller(fork.origin, key.secret), '/v1/pix/charges', { amount: 7 })
  t.equal(await fork.kill('SIGTERM'), 0)
  for (const [parts, from, why] of [
    [['shards'], early, /shards\/00\/journal is an older copy: it ends at entry \d+, and/],
    [['directory', 'ends.json'], early, /directory is an older copy/],
    [['shards'], other, /shards\/00\/journal has another entry \d+ than the one that the other parts/],
  ] as const) {
    const tried = newDataDir(t)
    cpSync(dataDir, tried, { recursive: true })
    for (const part of parts) putBack(tried, part, from)
    t.match((await refusedStart({ DATA_DIR: tried, ...env })).output, why)
  }
  for (const whole of [early, dataDir]) t.notMatch(await problemsOf(whole), /older copy|another entry/)
  const whole = await startService(t, { dataDir: early, env })
  t.equal(await whole.kill('SIGTERM'), 0)
})
