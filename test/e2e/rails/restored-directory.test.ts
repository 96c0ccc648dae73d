import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import {
  liveScopes,
  liveSettings,
  openShopOf,
  type RailHost,
  startRailHost,
} from '../../rails/live-service.ts'
import { caller, command, newDataDir, newMerchant, until } from '../service.ts'

const restarted = (t: Test, dataDir: string): Promise<RailHost> =>
  startRailHost(t, { dataDir, env: { WORKERS: '1' } })

t.test('a directory of before a connection, or of before its credentials, takes no money', async (t) => {
  const host = await startRailHost(t, { env: { WORKERS: '1' } })
  const merchant = await newMerchant(host.service(), { environment: 'production', scopes: liveScopes })
  const backups = newDataDir(t)
  const [before, connected, rotated] = ['before', 'connected', 'rotated'].map((name) => join(backups, name))
  await host.service().command('backup', before!)
  const { bank, call, connection, company, key } = await openShopOf(t, host, merchant, {
    bankName: 'efi',
    settings: {},
  })
  const charged = await call('POST', '/v1/pix/charges', { amount: 1990 })
  t.match(charged, { status: 201, body: { status: 'PENDING' } })
  await host.service().command('backup', connected!)
  const activeAt = new Date().toISOString()
  const credentials = liveSettings(bank, 'efi')
  await host.service().operate('connections rotate', { id: connection.id, settings: credentials })
  await host.service().command('backup', rotated!)
  await host.service().kill('SIGKILL')

  /** The accounts of the last backup, with the directory of an earlier one: its disk alone was lost. */
  const withDirectoryOf = async (backup: string): Promise<string> => {
    const dataDir = join(newDataDir(t), 'data')
    await command('', 'restore', dataDir, '--from', rotated!)
    rmSync(join(dataDir, 'directory'), { recursive: true })
    cpSync(join(backup, 'directory'), join(dataDir, 'directory'), { recursive: true })
    return dataDir
  }

  await t.test('the connection is unknown: it is shown as suspended, and healed', async (t) => {
    const restored = await restarted(t, await withDirectoryOf(before!))
    const { operate, origin, kill } = restored.service()
    const charge = caller(origin, key.secret)
    t.match(await charge('POST', '/v1/pix/charges', { amount: 700 }), { status: 503 }, 'from the first on')
    const listed = async () => (await operate('connections list', { company: company.id })).data[0]
    await until(async () => (await listed()) !== undefined)
    t.match(await listed(), {
      id: connection.id,
      provider: 'efi',
      status: 'SUSPENDED',
      suspendedBecause: 'CREDENTIALS_LOST',
    })
    await until(async () => (await listed()).works === false)
    t.match(await listed(), { problem: /a restore has lost its credentials/ })
    await t.rejects(
      operate('connections resume', { id: connection.id }),
      /rotate it, with all of its settings/,
    )
    t.match(await charge('POST', '/v1/pix/charges', { amount: 700 }), { status: 503 })
    const { body } = await charge('GET', `/v1/pix/charges/${charged.body.id}`)
    t.equal(body.status, 'PENDING', 'what came by it is there')
    await bank.hold('POST /pay', { txid: body.pix.txid })

    await operate('connections rotate', { id: connection.id, settings: credentials })
    t.match(await operate('connections resume', { id: connection.id }), { status: 'ACTIVE' })
    await until(async () => (await charge('POST', '/v1/pix/charges', { amount: 700 })).status === 201)
    await until(
      async () => (await charge('GET', `/v1/pix/charges/${charged.body.id}`)).body.status === 'APPROVED',
    )
    await kill('SIGTERM')
  })

  const requireDoubted = async (t: Test, dataDir: string): Promise<void> => {
    const restored = await restarted(t, dataDir)
    const { operate, origin, kill } = restored.service()
    const charge = caller(origin, key.secret)
    const { id } = connection
    const listed = async () => (await operate('connections list', { company: company.id })).data[0]
    await until(async () => (await listed()).status === 'SUSPENDED')
    t.match(await listed(), { suspendedBecause: 'CREDENTIALS_OUTDATED' })
    await until(async () => (await charge('POST', '/v1/pix/charges', { amount: 700 })).status === 503)
    await t.rejects(operate('connections resume', { id }), /verify it/)
    t.match(await operate('connections verify', { id }), { suspendedBecause: 'DATA_RESTORED' })
    t.match(await operate('connections resume', { id }), { status: 'ACTIVE' })
    await until(async () => (await charge('POST', '/v1/pix/charges', { amount: 700 })).status === 201)
    await kill('SIGTERM')
  }

  await t.test('its credentials were replaced later, as its account knows', async (t) =>
    requireDoubted(t, await withDirectoryOf(connected!)),
  )

  await t.test('they were replaced after the moment of a restore, which says so', async (t) => {
    const dataDir = join(newDataDir(t), 'data')
    t.match(await command('', 'restore', dataDir, '--from', rotated!, '--to-time', activeAt), {
      connections: [
        {
          id: connection.id,
          companyId: company.id,
          provider: 'efi',
          status: 'SUSPENDED',
          suspendedBecause: 'CREDENTIALS_OUTDATED',
        },
      ],
    })
    await requireDoubted(t, dataDir)
  })
})
