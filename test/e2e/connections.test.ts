import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { newDataDir, newMerchant, oneWorker, programOf, startService } from './service.ts'

/** A company is connected to a bank by the command line, and the service is killed on the way. */

const secret = 'Client_Secret_of_the_bank'
const settings = {
  clientId: 'Client_Id_7d2e',
  clientSecret: secret,
  pixKey: '71cdf9ba-c695-4e3c-b010-abb521a3f1be',
  merchantName: 'Loja Azul',
  merchantCity: 'Recife',
}

t.test('a live charge goes by the bank that the company is connected to, also after a kill', async (t) => {
  const dataDir = newDataDir(t)
  const start = () => startService(t, { dataDir, env: oneWorker, program: programOf('banked-main') })
  const first = await start()
  const { company, key } = await newMerchant(first, { environment: 'production', products: 'PIX' })
  const charge = async ({ origin }: { readonly origin: string }) => {
    const answer = await fetch(`${origin}/v1/pix/charges`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key.secret}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ amount: 1990 }),
    })
    return { status: answer.status, body: (await answer.json()) as any }
  }
  t.match(await charge(first), { status: 503, body: { code: 'PROVIDER_NOT_CONNECTED', rail: 'PIX' } })

  const file = join(dataDir, '..', `${company.id}.json`)
  writeFileSync(file, JSON.stringify(settings))
  t.teardown(() => rmSync(file))
  const wanted = ['--environment', 'production', '--provider', 'efi', '--rails', 'PIX', '--settings', file]
  const create = (...more: string[]) =>
    first.command('connections', 'create', '--company', company.id, ...wanted, ...more)
  const { id } = await create()
  await t.rejects(first.command('connections', 'activate', id), /is DRAFT/)
  t.match(await first.command('connections', 'verify', id), { status: 'VERIFIED' })
  t.match(await charge(first), { status: 503 }, 'it is not in use yet')
  t.match(await first.command('connections', 'activate', id), { status: 'ACTIVE' })
  const made = await charge(first)
  // The bank answers nothing, so there is no code to pay by yet.
  t.match(made, { status: 201, body: { status: 'CREATED', providerId: 'efi' } })
  const ready = async (origin: string) => (await fetch(`${origin}/readyz`)).json()
  t.match(await ready(first.origin), {
    status: 'ready',
    connections: [{ provider: 'efi', status: 'ACTIVE', count: 1 }],
  })
  t.equal(await first.metric('payments_provider_connection_active', `connection="${id}"`), 1)
  await t.rejects(create('--role', 'sometimes'), /--role/)
  writeFileSync(file, `{ "clientSecret": "${secret}"`)
  const unread = (await create().catch((error: Error) => error)) as Error
  t.match(unread.message, /is not JSON/)
  t.notMatch(unread.message, secret)
  t.notMatch(first.log(), secret, 'the log has no secret')
  t.notMatch(JSON.stringify(await first.command('connections', 'list')), secret)

  await first.kill('SIGKILL')
  const second = await start()
  t.match(await charge(second), { status: 201, body: { providerId: 'efi' } })
  t.match(await second.command('connections', 'suspend', id), { status: 'SUSPENDED' })
  t.match(await charge(second), { status: 503, body: { code: 'PROVIDER_NOT_CONNECTED' } })
  t.match(await ready(second.origin), { status: 'ready', connections: [{ status: 'SUSPENDED' }] })
  t.match(await second.command('connections', 'resume', id), { status: 'ACTIVE' })
  t.match(await charge(second), { status: 201 })
  t.match(await second.command('connections', 'retire', id), { status: 'RETIRED' })
  t.match(await charge(second), { status: 503 })
  t.notMatch(second.log(), secret)
})
