import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openShop, startRailHost } from '../../rails/live-service.ts'
import { caller, command, newDataDir, until } from '../service.ts'

t.test('a connection that was retired takes no money after a restore of either half', async (t) => {
  const host = await startRailHost(t, { env: { WORKERS: '1' } })
  const { call, company, connection, key } = await openShop(t, host, 'efi')
  const charged = await call('POST', '/v1/pix/charges', { amount: 1990 })
  t.match(charged, { status: 201, body: { status: 'PENDING' } })
  const backups = newDataDir(t)
  const [active, retired] = [join(backups, 'active'), join(backups, 'retired')]
  await host.service().command('backup', active)
  await host.service().operate('connections retire', { id: connection.id })
  await host.service().command('backup', retired)
  await host.service().kill('SIGKILL')

  const requireRetired = async (dataDir: string): Promise<void> => {
    const restored = await startRailHost(t, { dataDir, env: { WORKERS: '1' } })
    const { operate, origin, kill } = restored.service()
    const charge = caller(origin, key.secret)
    t.match(await charge('POST', '/v1/pix/charges', { amount: 700 }), { status: 503 }, 'from the first on')
    const list = () => operate('connections list', { company: company.id })
    await until(async () => (await list()).data[0].status === 'RETIRED')
    t.match(await list(), { data: [{ id: connection.id, status: 'RETIRED' }] })
    await t.rejects(operate('connections resume', { id: connection.id }), /is RETIRED/)
    const { body } = await charge('GET', `/v1/pix/charges/${charged.body.id}`)
    t.equal(body.id, charged.body.id, 'what came by it is there')
    await kill('SIGTERM')
  }

  // The accounts as they were while it was active, and the directory of later.
  const { ends } = JSON.parse(readFileSync(join(active, 'backup.json'), 'utf8'))
  const sequences = ends.shards.flatMap(({ entries }: { entries: number }, shard: number) => [
    '--to-sequence',
    `${shard}=${entries}`,
  ])
  const accounts = join(newDataDir(t), 'data')
  t.match(await command('', 'restore', accounts, '--from', retired, ...sequences), { problems: [] })
  await requireRetired(accounts)

  // The directory as it was while it was active, and the accounts of later: where its disk alone was lost.
  const directory = join(newDataDir(t), 'data')
  await command('', 'restore', directory, '--from', retired)
  rmSync(join(directory, 'directory'), { recursive: true })
  cpSync(join(active, 'directory'), join(directory, 'directory'), { recursive: true })
  await requireRetired(directory)
})
