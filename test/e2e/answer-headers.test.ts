import t from 'tap'
import { client } from '../gateway/wire/wire.ts'
import { newMerchant, oneWorker, posted, startService } from './service.ts'
import { transports } from './transports.ts'

/** The values of a header in the head of an answer. */
const valuesOf = (head: string, name: string): string[] =>
  head
    .split('\r\n')
    .filter((line) => line.toLowerCase().startsWith(`${name}: `))
    .map((line) => line.slice(name.length + 2))

for (const transport of transports)
  t.test(`every kind of answer says what browsers may do with it, over ${transport}`, async (t) => {
    const env = { ...oneWorker, TRANSPORT: transport, PUBLIC_URL: 'https://pay.example.com' }
    const service = await startService(t, { env })
    const { call, key } = await newMerchant(service, {
      scopes: 'charges.create,charges.read,transactions.export',
    })
    const port = Number(new URL(service.origin).port)
    const pix = await posted(call, '/v1/pix/charges', { amount: 1990 })
    const boleto = await posted(call, '/v1/boletos', {
      amount: 1990,
      dueDate: new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10),
      customer: { name: 'Ana Lima', email: 'ana@example.com', document: '52998224725' },
    })
    const page = await (await fetch(`${service.origin}/painel`)).text()
    const asset = /"(\/painel\/assets\/[^"]+)"/.exec(page)![1]!
    const authorization = `Authorization: Bearer ${key.secret}\r\n`
    const request = (start: string, headers = authorization, body = ''): string =>
      `${start} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers}\r\n${body}`
    const created = (body: string): string =>
      `${authorization}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
    const charge = '{"amount":1990}'
    const qrCode = `/v1/pix/charges/${pix.id}/qr-code`
    const answers: readonly (readonly [sent: string, status: number, policy?: RegExp])[] = [
      [request('POST /v1/pix/charges', created(charge), charge), 201],
      [request('POST /v1/pix/charges', created('{}'), '{}'), 400],
      [request('POST /v1/pix/charges', created('{'), '{'), 400],
      [request('GET /v1/pix/charges'), 200],
      [request('HEAD /v1/pix/charges'), 200],
      [request('GET /v1/pix/charges', ''), 401],
      [request('GET /v1/nothing'), 404],
      [request('DELETE /v1/pix/charges'), 405],
      [request(`GET ${qrCode}`), 200],
      [
        request(`GET ${qrCode}`, `${authorization}Accept: image/svg+xml\r\n`),
        200,
        /^default-src 'none'; sandbox$/,
      ],
      [request(`GET /v1/boletos/${boleto.id}/pdf`), 200, /^default-src 'none'; .*frame-ancestors 'none'$/],
      [request('GET /v1/transactions/export?from=2026-01-01'), 200],
      [request('GET /painel'), 200, /^default-src 'none'; script-src 'self'/],
      [request(`GET ${asset}`), 200, /^default-src 'none'/],
      [request('GET /painel/assets/no.js'), 404, /^default-src 'none'/],
      [request('GET /'), 302],
      [request('GET /docs'), 302],
      [request('GET /docs/en'), 200, /^default-src 'none'/],
      [request('HEAD /docs/en'), 200, /^default-src 'none'/],
      [request('GET /docs/en/none'), 404, /^default-src 'none'/],
      [request('GET /docs/en/reference'), 200, /^default-src 'none'/],
      [request('GET /openapi.json'), 200, /^default-src 'none'/],
      [request('GET /openapi.json?audience=keys'), 200, /^default-src 'none'/],
      [request('GET /postman.json'), 200, /^default-src 'none'/],
      [request('GET /llms.txt'), 200, /^default-src 'none'/],
      [request('GET /docs/en/pix.md'), 200, /^default-src 'none'/],
      [request('GET /favicon.ico'), 200, /^default-src 'none'/],
      [request('GET /robots.txt'), 200, /^default-src 'none'/],
      [request('GET /.well-known/security.txt'), 404],
      [request('GET /healthz'), 200],
      [request('GET /readyz'), 200],
      [request('GET /nowhere'), 404],
      [request('TRACE /'), 405],
      [request('POST /v1/pix/charges', `${authorization}Content-Length: 999999999\r\n`), 413],
      [request(`GET /?${'x'.repeat(9000)}`), 414],
      [request('GET /', `X: ${'x'.repeat(16_400)}\r\n`), 431],
      [request('POST /csp-report', 'Content-Length: 2\r\n', '{}'), 204],
      ...(transport === 'node'
        ? ([
            ['GET / HTTP/1.0\r\n\r\n', 505],
            ['GET / HTTP/1.1\r\n\r\n', 400],
            ['no request\r\n\r\n', 400],
          ] as const)
        : []),
    ]
    for (const [sent, status, policy] of answers) {
      const { send, closed } = client(port)
      send(sent)
      const [head = ''] = (await closed).split('\r\n\r\n')
      const title = sent.slice(0, 60)
      t.equal(Number(head.split(' ')[1]), status, title)
      t.strictSame(valuesOf(head, 'x-content-type-options'), ['nosniff'], title)
      t.strictSame(valuesOf(head, 'strict-transport-security'), ['max-age=31536000'], title)
      t.equal(valuesOf(head, 'cache-control').length, 1, title)
      const policies = valuesOf(head, 'content-security-policy')
      t.equal(policies.length, policy === undefined ? 0 : 1, title)
      t.match(policies.join(), policy ?? /^$/, title)
    }
  })
