import { connect } from 'node:net'
import t from 'tap'
import { type Answer, newMerchant, oneWorker, startService } from './service.ts'
import { transports } from './transports.ts'

const publicUrl = 'https://pay.example.com'

for (const transport of transports) {
  t.test(`errors link to their page and speak the language of the request, by ${transport}`, async (t) => {
    const service = await startService(t, {
      env: { ...oneWorker, TRANSPORT: transport, PUBLIC_URL: publicUrl },
    })
    const { call } = await newMerchant(service)
    const inPortuguese = { 'Accept-Language': 'pt-BR,pt;q=0.9,en;q=0.8' }

    t.test('in both languages, whichever thread answers', async (t) => {
      const refused = (headers?: Record<string, string>): Promise<Answer> =>
        call('POST', '/v1/pix/charges', '{"amount":19.90}', headers)
      // Connections are spread over the threads: some of these are answered by the one that did not accept them.
      const [english, portuguese] = await Promise.all(
        [undefined, inPortuguese].map((headers) =>
          Promise.all(Array.from({ length: 12 }, () => refused(headers))),
        ),
      )
      for (const { status, headers, body } of english!) {
        t.equal(status, 400)
        t.equal(headers.get('content-language'), 'en')
        t.equal(headers.get('vary'), 'Accept-Language')
        t.match(body, {
          type: `${publicUrl}/docs/errors#VALIDATION_ERROR`,
          title: 'Invalid request',
          errors: [
            { field: 'amount', code: 'INVALID_FORMAT', message: /send 1990 or "1990" for R\$ 19\.90$/ },
          ],
        })
        t.equal(body.detail, body.errors[0].message)
      }
      for (const { headers, body } of portuguese!) {
        t.equal(headers.get('content-language'), 'pt-BR')
        t.match(body, {
          title: 'Requisição inválida',
          errors: [{ message: /envie 1990 ou "1990" para R\$ 19,90$/ }],
        })
      }
      const asText = await call('POST', '/v1/pix/charges', { amount: '19,90' })
      t.equal(asText.body.detail, english![0]!.body.detail, 'a text is told the same')
    })

    t.test('what is refused before and behind the routes, too', async (t) => {
      const cases: [string, string, unknown, string, RegExp][] = [
        ['GET', '/v1/nothing', undefined, 'ROUTE_NOT_FOUND', /^Nenhuma operação tem este caminho\.$/],
        ['GET', '/v1/pix/charges/txn_0', undefined, 'NOT_FOUND', /^Não existe pix_charge com esse id/],
        ['POST', '/v1/pix/charges', '{"amount": 1,\n "a": x}', 'INVALID_JSON', /linha 2, coluna 7\.$/],
        [
          'POST',
          '/v1/pix/charges',
          'x'.repeat(70_000),
          'PAYLOAD_TOO_LARGE',
          /^O corpo tem mais de 64 KiB\.$/,
        ],
        [
          'POST',
          '/v1/boletos',
          { amount: 1, dueDate: '2020-01-01', customer: { name: 'Ana', document: '12345678909' } },
          'VALIDATION_ERROR',
          /^dueDate não pode ser anterior a hoje$/,
        ],
      ]
      for (const [verb, path, body, code, detail] of cases) {
        const answer = await call(verb, path, body, inPortuguese)
        t.match(answer.body, { code, detail, type: `${publicUrl}/docs/errors#${code}` })
        t.equal(answer.headers.get('content-language'), 'pt-BR', code)
      }
      const unknown = await fetch(`${service.origin}/v1/pix/keys`, { headers: inPortuguese })
      t.match(await unknown.json(), { code: 'UNAUTHORIZED', title: 'Falha na autenticação' })
    })

    t.test('an answer that is no problem has no language', async (t) => {
      const { headers } = await call('GET', '/v1/pix/keys', undefined, inPortuguese)
      t.equal(headers.get('content-language'), null)
      t.equal(headers.get('vary'), null)
    })

    t.test('an unknown scenario or test token is refused with the list', async (t) => {
      const { body } = await call('POST', '/v1/card-payments', {
        amount: 1000,
        card: { token: 'tok_test_declined_99', brand: 'VISA', last4: '4242' },
        metadata: { sandboxScenario: 'declyned' },
      })
      t.match(body.errors, [
        { field: 'metadata.sandboxScenario', code: 'INVALID_VALUE', message: /paid_twice.*declined_51/ },
        { field: 'card.token', code: 'INVALID_VALUE', message: /tok_test_approved.*tok_test_declined_51/ },
      ])
      const card = { token: 'tok_of_another_make', brand: 'VISA', last4: '4242' }
      const other = await call('POST', '/v1/card-payments', { amount: 1000, card })
      t.match(other.body, { status: 'APPROVED' })
      // Where metadata is no field it is ignored, as every unknown field is.
      const deposit = await call('POST', '/v1/pix/deposits', {
        amount: 5,
        metadata: { sandboxScenario: 'x' },
      })
      t.equal(deposit.status, 201)
      t.equal(deposit.headers.get('service-ignored-fields'), 'metadata')
      const live = await newMerchant(service, { environment: 'production' })
      const charge = await live.call('POST', '/v1/pix/charges', {
        amount: 5,
        metadata: { sandboxScenario: 'x' },
      })
      t.match(charge, { status: 503 }, 'in Production it is metadata like any other')
    })

    t.test('parameters: lists, repeated, empty, unknown', async (t) => {
      const { call } = await newMerchant(service)
      const ids: string[] = []
      for (let n = 0; n < 3; n++) ids.push((await call('POST', '/v1/pix/charges', { amount: 1 + n })).body.id)
      await call('POST', `/v1/sandbox/pix/charges/${ids[0]}/pay`)
      await call('POST', `/v1/pix/charges/${ids[1]}/cancel`)
      const totalOf = async (query: string) =>
        (await call('GET', `/v1/pix/charges${query}`)).body.pagination?.total
      t.equal(await totalOf('?status=APPROVED,CANCELLED'), 2)
      t.equal(await totalOf('?status=APPROVED&status=CANCELLED'), 2)
      t.equal(await totalOf('?status=APPROVED&status=CANCELLED,PENDING'), 3)
      for (const query of ['?status=', '?status', '?', '?&', '?&status=&', '?status=,', '?page=&pageSize='])
        t.equal(await totalOf(query), 3, query)
      t.equal(await totalOf('?&status=APPROVED&'), 1)
      t.equal(await totalOf('?page=&page=1'), 3)
      const ignored = await call('GET', '/v1/pix/charges?staus=APPROVED&=&nothing=')
      t.equal(ignored.status, 400, 'a parameter without a name is none')
      const named = await call('GET', '/v1/pix/charges?staus=APPROVED&nothing=')
      t.equal(named.status, 200)
      t.equal(named.headers.get('service-ignored-fields'), 'query.staus')
      const wrong = await call('GET', '/v1/pix/charges?status=PAID&page=x&pageSize=500')
      t.strictSame(
        wrong.body.errors
          .map(({ field, code, message }: any) => `${code} ${message.slice(0, 60)} (${field})`)
          .sort(),
        [
          'INVALID_TYPE query.page must be a whole number from 1 to 10000000 (query.page)',
          'INVALID_VALUE query.status must be one of CREATED, PENDING, PROCESSING, AU (query.status)',
          'OUT_OF_RANGE query.pageSize must be a whole number from 1 to 200 (query.pageSize)',
        ],
      )
    })

    t.test('what is no HTTP is refused in English at least', async (t) => {
      const { port } = new URL(service.origin)
      const answer = await new Promise<string>((resolve) => {
        const socket = connect(Number(port), '127.0.0.1', () =>
          socket.write('GET / HTTP/9.9\r\nHost: x\r\n\r\n'),
        )
        let text = ''
        socket.on('data', (chunk) => (text += chunk))
        socket.on('close', () => resolve(text))
        socket.on('error', () => resolve(text))
      })
      // The native build closes such a connection without a word.
      t.match(answer, transport === 'uws' ? /^$|^HTTP\/1\.1 [45]/ : /docs\/errors#BAD_REQUEST/)
    })
  })
}
