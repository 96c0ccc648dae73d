import t from 'tap'
import { freePort } from '../../gateway/base/free-port.ts'
import { modules } from '../../gateway/providers/modules.ts'
import { certificateFiles, ours } from '../gateway/inbox/hooks.ts'
import { settingsFor } from '../gateway/providers/api-pix/bank-connection.ts'
import { bankFor } from '../rails/api-pix/bank-for-test.ts'
import { type Call, caller, newDataDir, newMerchant, startService, until } from './service.ts'

/** A bank on the time of the machine, and a service with a connection to it and a port for what it reports. */
const connectedService = async (t: Parameters<typeof bankFor>[0]) => {
  const bank = await bankFor(t, { profile: 'efi', startMs: Date.now(), runs: true, trusted: [ours.cert] })
  const files = certificateFiles(t, ours.issue({ commonName: 'hooks', hosts: ['127.0.0.1'] }))
  const port = await freePort('127.0.0.1', 0)
  const dataDir = newDataDir(t)
  const env = {
    PROVIDER_PORT: String(port),
    PROVIDER_TLS_CERT_FILE: files.certFile,
    PROVIDER_TLS_KEY_FILE: files.keyFile,
    PROVIDER_URL: `https://127.0.0.1:${port}`,
  }
  const start = () => startService(t, { dataDir, env })
  const service = await start()
  const { call, company, key } = await newMerchant(service, { environment: 'production', products: 'PIX' })
  const { label, name } = bank.bank.context.profile
  const { pixAutomatic: _, ...settings } = settingsFor(bank, modules.efi!)
  const connection = await service.operate('connections create', {
    company: company.id,
    environment: 'production',
    provider: 'efi',
    rails: 'PIX',
    settings: {
      ...settings,
      noticeAuthority: bank.authority.cert,
      noticeIssuer: `CN=${label} CA`,
      noticeSubject: `CN=hooks.${name}.example`,
    },
  })
  await service.operate('connections verify', { id: connection.id })
  await service.operate('connections activate', { id: connection.id })
  await until(async () => bank.bank.webhooks.all().length === 1)
  return { bank, service, call, key, start }
}

const newCharge = async (call: Call): Promise<{ readonly id: string; readonly txid: string }> => {
  let made: any
  await until(async () => {
    const { status, body } = await call('POST', '/v1/pix/charges', { amount: 1990 })
    made = body
    return status === 201
  })
  await until(async () => {
    made = (await call('GET', `/v1/pix/charges/${made.id}`)).body
    return made.status === 'PENDING'
  })
  return { id: made.id, txid: made.pix.txid }
}

t.test('a payment that the bank reports, and one that it reports while the service is killed', async (t) => {
  const { bank, service, call, key, start } = await connectedService(t)
  const paid = await newCharge(call)
  await bank.hold('POST /pay', { txid: paid.txid })
  await until(async () => (await call('GET', `/v1/pix/charges/${paid.id}`)).body.status === 'APPROVED')
  t.ok((await service.metric('payments_provider_hooks_total', 'RECEIVED'))! >= 1)
  t.equal(await service.metric('payments_provider_unmatched'), 0)
  await until(async () => (await service.metric('payments_provider_notices_open')) === 0)
  t.equal(await service.metric('payments_provider_notices_total', 'kind="PIX_IN",outcome="TAKEN"'), 1)

  const missed = await newCharge(call)
  await service.kill('SIGKILL')
  await bank.hold('POST /pay', { txid: missed.txid })
  const after = await start()
  const callAfter = caller(after.origin, key.secret)
  await until(async () => (await callAfter('GET', `/v1/pix/charges/${missed.id}`)).body.status === 'APPROVED')
  const { body } = await callAfter('GET', '/v1/pix/charges?status=APPROVED')
  t.strictSame(body.data.map(({ id }: { id: string }) => id).sort(), [paid.id, missed.id].sort())
})
