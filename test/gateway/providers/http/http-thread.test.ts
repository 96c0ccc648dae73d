import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { openHttpThread } from '../../../../gateway/providers/http/open-http-thread.ts'
import { createAuthority } from '../../../rails/certificates.ts'
import { clientPfx } from '../api-pix/client-pfx.ts'

const never = { hasPassed: () => false, onPassed: () => () => undefined }

t.test('requests go by a thread of its own, with the certificate of the connection', async (t) => {
  const authority = createAuthority('Bank CA')
  const { cert, key } = authority.issue({ commonName: 'localhost', hosts: ['localhost'] })
  const held: (() => void)[] = []
  const server = createServer(
    { cert, key, ca: clientPfx.cert, requestCert: true, rejectUnauthorized: true },
    (request, response) => {
      const { subject } = (request.socket as any).getPeerCertificate()
      const answer = (): void =>
        void response
          .writeHead(201, { 'content-type': 'application/json', 'retry-after': '7' })
          .end(JSON.stringify({ by: subject.CN, path: request.url }))
      if (request.url === '/held') held.push(answer)
      else answer()
    },
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const origin = `https://localhost:${(server.address() as AddressInfo).port}`
  const at = (path: string) => ({ verb: 'PUT', url: origin + path, headers: {}, body: '{}' }) as const
  const arrived = async (): Promise<void> => {
    while (held.length === 0) await new Promise((resolve) => setImmediate(resolve))
  }

  const { openHttp, end } = openHttpThread()
  t.teardown(end)
  const { base64, passphrase } = clientPfx
  const http = openHttp({ pfx: Buffer.from(base64, 'base64'), passphrase, ca: authority.cert })
  t.equal(http.certificateEndsAtMs(), null)
  const replies = await Promise.all([http.send(at('/a'), never), http.send(at('/b?c=d'), never)])
  t.strictSame(
    replies,
    ['/a', '/b?c=d'].map((path) => ({
      type: 'REPLY',
      status: 201,
      body: { by: 'client-of-a-test', path },
      retryAfterMs: 7_000,
    })),
  )
  t.ok(http.certificateEndsAtMs()! > Date.UTC(2100, 0))

  const stranger = openHttp({ ca: authority.cert })
  t.match(await stranger.send(at('/a'), never), { type: 'NONE' }, 'another connection shows nothing of it')
  t.match(
    await http.send({ ...at('/'), url: 'https://localhost:1/' }, never),
    { type: 'NONE', why: 'ECONNREFUSED' },
    'a code says why',
  )

  let pass: () => void = () => undefined
  const passing = {
    hasPassed: () => false,
    onPassed: (callback: () => void) => {
      pass = callback
      return () => undefined
    },
  }
  const late = http.send(at('/held'), passing)
  await arrived()
  pass()
  t.strictSame(await late, { type: 'NONE', why: 'no answer in time' })
  held.shift()!()
  t.strictSame(await http.send(at('/a'), { ...never, hasPassed: () => true }), await late)

  const left = http.send(at('/held'), never)
  await arrived()
  end()
  t.match(await left, { type: 'NONE', why: /has ended/ }, 'with the thread everything ends that is under way')
  t.match(
    await http.send(at('/a'), never),
    { type: 'REPLY', status: 201 },
    'and the next request begins another',
  )
  http.close()
  t.match(await http.send(at('/a'), never), { type: 'REPLY' }, 'one that is closed opens anew')
  const closed = http.send(at('/held'), never)
  await arrived()
  held.shift()
  http.close()
  t.match(await closed, { type: 'NONE' })
})
