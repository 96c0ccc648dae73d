import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { openProviderHttp } from '../../../../gateway/providers/http/http.ts'
import { createAuthority } from '../../../rails/certificates.ts'
import { connectedBank } from './bank-connection.ts'
import { clientPfx } from './client-pfx.ts'

const never = { hasPassed: () => false, onPassed: () => () => undefined }
const get = (url: string) => ({ verb: 'GET', url, headers: {}, body: null }) as const

t.test('a certificate with its key as PKCS #12 is shown to the bank, and its end is known', async (t) => {
  const authority = createAuthority('Bank CA')
  const { cert, key } = authority.issue({ commonName: 'localhost', hosts: ['localhost'] })
  const subjects: unknown[] = []
  const server = createServer(
    { cert, key, ca: clientPfx.cert, requestCert: true, rejectUnauthorized: true },
    (request, response) => {
      subjects.push((request.socket as any).getPeerCertificate().subject.CN)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":1}')
    },
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const { base64, passphrase } = clientPfx
  const http = openProviderHttp({ pfx: Buffer.from(base64, 'base64'), passphrase, ca: authority.cert })
  t.teardown(http.close)
  t.equal(http.certificateEndsAtMs(), null)
  const url = `https://localhost:${(server.address() as AddressInfo).port}/`
  t.match(await http.send(get(url), never), { type: 'REPLY', status: 200, body: { a: 1 } })
  t.strictSame(subjects, ['client-of-a-test'])
  t.ok(http.certificateEndsAtMs()! > Date.UTC(2100, 0))
})

t.test('a bank that takes no connection, or says nothing on one, is waited for a while', async (t) => {
  const { bank, instance, asks, expire, open, settings } = await connectedBank(t, 'itau')
  await bank.hold('POST /faults/connections', { are: 'silent' })
  const asked = instance.ask(asks.register())
  await new Promise((resolve) => setImmediate(resolve))
  expire()
  t.strictSame(await asked, { type: 'SILENT' })
  const { certificate: cert, privateKey: key, serverAuthority: ca } = settings as Record<string, string>
  const http = openProviderHttp({ cert: cert!, key: key!, ca: ca! }, 20)
  t.teardown(http.close)
  t.strictSame(await http.send(get(bank.server.url), never), { type: 'NONE', why: 'UND_ERR_CONNECT_TIMEOUT' })
  await bank.hold('POST /faults/connections', { are: 'refused' })
  t.match(await http.send(get(bank.server.url), never), { type: 'NONE' })
  t.strictSame(bank.server.requests(), [], 'nothing arrived')
  await bank.hold('POST /faults/connections', { are: 'open' })
  t.match(await open().ask(asks.register()), { type: 'DONE' })
})

t.test('a body without end is not read to its end', async (t) => {
  const { bank, instance, asks } = await connectedBank(t, 'itau')
  const body = JSON.stringify({ txid: 'x'.repeat(3 * 1024 * 1024) })
  bank.bank.faults.add({ verb: 'PUT', does: { kind: 'text', status: 200, body, media: 'application/json' } })
  t.strictSame(await instance.ask(asks.register()), { type: 'SILENT' })
  t.match(await instance.ask(asks.register()), { type: 'DONE' })
})
