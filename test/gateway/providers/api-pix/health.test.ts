import t from 'tap'
import { bankNames, connectedBank } from './bank-connection.ts'

for (const name of bankNames)
  t.test(`${name}: a connection that works says until when its certificate is good`, async (t) => {
    const { bank, instance } = await connectedBank(t, name)
    t.strictSame(await instance.health(), {
      works: true,
      detail: null,
      certificateEndsAtMs: bank.clientIdentity.notAfterMs,
    })
  })

t.test('what is wrong is said, and no secret with it', async (t) => {
  const { bank, open, settings } = await connectedBank(t, 'itau')
  const secrets = ['a-wrong-secret', String(settings.privateKey), bank.client.clientSecret]
  const details: unknown[] = []
  const complain = async (change: object, detail: RegExp): Promise<void> => {
    const health = await open(change as never).health()
    t.equal(health.works, false)
    t.match(health.detail, detail)
    details.push(health.detail)
  }
  await complain({ clientSecret: 'a-wrong-secret' }, /no token from localhost:\d+ \(status 401\)/)
  await complain({ serverAuthority: bank.clientAuthority.cert }, /no token from localhost:\d+ \([A-Z_]+\)/)
  await complain({ pfx: Buffer.from('no file').toString('base64') }, /no token/)
  bank.bank.faults.add({ verb: 'GET', does: { kind: 'error', status: 403 } })
  await complain({}, /Falha simulada/)
  bank.bank.faults.add({ verb: 'GET', does: { kind: 'text', status: 502, body: 'Bad Gateway' } })
  await complain({}, /status 502/)
  bank.bank.faults.add({ verb: 'GET', does: { kind: 'cut', when: 'before' } })
  await complain({}, /no answer: /)
  for (const secret of secrets) t.notOk(JSON.stringify(details).includes(secret))
})

t.test('a certificate that has ended is met with silence, and its end is known', async (t) => {
  // TLS reads the machine's clock, on which it has to be good.
  const startMs = Math.ceil(Date.now() / 60_000) * 60_000
  const { bank, open, asks } = await connectedBank(t, 'itau', { startMs })
  const endsAtMs = startMs + 3_600_000
  const { cert, key } = bank.clientAuthority.issue({ commonName: 'short', notAfterMs: endsAtMs })
  const instance = open({ certificate: cert, privateKey: key })
  t.match(await instance.health(), { works: true, certificateEndsAtMs: endsAtMs })
  await bank.clock.advance(3_600_000)
  const later = open({ certificate: cert, privateKey: key })
  t.match(await later.health(), { works: false, certificateEndsAtMs: endsAtMs })
  t.strictSame(await later.ask(asks.register()), { type: 'SILENT' })
})
