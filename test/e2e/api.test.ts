import t from 'tap'
import { contract } from './contract.ts'
import { type Answer, caller, newMerchant, oneWorker, startService } from './service.ts'
import { transports } from './transports.ts'

for (const transport of transports) {
  t.test(`the API over ${transport}`, async (t) => {
    const service = await startService(t, {
      env: { TRANSPORT: transport, RATE_LIMIT: '1000', RATE_LIMIT_BURST: '1000000' },
    })
    const merchant = await newMerchant(service)
    const { call } = merchant
    const created = async (change: object = {}): Promise<any> =>
      (await call('POST', '/v1/pix/charges', { amount: 1990, ...change })).body

    t.test('every answer has the shape of the OpenAPI document, which the service serves', async (t) => {
      // The client holds every answer against it.
      const { servers, ...document } = (await call('GET', '/openapi.json')).body
      const { servers: _, ...known } = contract().document
      t.strictSame(document, known)
      t.match(servers, [{ url: service.origin }])
      const does = async (verb: string, path: string, body?: unknown): Promise<any> => {
        const answer = await call(verb, path, body)
        t.ok(answer.status < 300, `${verb} ${path}: ${answer.status}`)
        return answer.body
      }
      const { id } = await does('POST', '/v1/pix/charges', { amount: 5 })
      await does('GET', `/v1/pix/charges/${id}`)
      await does('POST', `/v1/sandbox/pix/charges/${id}/pay`, {})
      await does('GET', `/v1/transactions/${id}`)
      await does('GET', '/v1/pix/charges')
      await does('GET', '/v1/pix/received')
      await does('GET', '/v1/pix/overview')
      await does('GET', '/v1/pix/keys')
      const deposit = await does('POST', '/v1/pix/deposits', { amount: 5, expiresInSeconds: 300 })
      await does('GET', '/v1/pix/deposits')
      await does('GET', `/v1/pix/deposits/${deposit.id}`)
      const reason = 'changed my mind'
      const cancelled = await does('POST', `/v1/transactions/${deposit.id}/cancel`, { reason })
      t.match(cancelled, { status: 'CANCELLED', cancelReason: reason, failureReason: 'CANCELLED' })
      await does('POST', `/v1/pix/charges/${(await created()).id}/cancel`)
      const expired = await does('POST', `/v1/sandbox/pix/charges/${(await created()).id}/expire`)
      t.match(expired, { status: 'EXPIRED', pix: { registryStatus: 'ATIVA' } })
      const received = await does('POST', '/v1/sandbox/pix/received', { amount: 77 })
      t.match(received, { origin: 'DEPOSIT', kind: 'DEPOSIT', status: 'APPROVED', feeAmount: '0' })
      await does('GET', '/v1/sandbox/clock')
      await does('POST', '/v1/sandbox/clock/advance', { by: 'PT1S' })
      await does('POST', '/v1/sandbox/clock/reset')
      await does('POST', '/v1/sandbox/events', { type: 'boleto.paid' })
      await does('POST', '/v1/sandbox/reset')
      t.equal((await call('GET', '/v1/pix/charges')).body.pagination.total, 0)
    })

    t.test('refusals have the code and status that the contract says', async (t) => {
      const charge = await created()
      const cases: [string, string, unknown, number, string, Record<string, string>?][] = [
        ['POST', '/v1/pix/charges', '{', 400, 'INVALID_JSON'],
        ['POST', '/v1/pix/charges', '[]', 400, 'INVALID_JSON'],
        ['POST', '/v1/pix/charges', {}, 400, 'VALIDATION_ERROR'],
        ['POST', '/v1/pix/charges', { amount: '10.00' }, 400, 'VALIDATION_ERROR'],
        ['POST', '/v1/pix/charges', { amount: 10.5 }, 400, 'VALIDATION_ERROR'],
        ['POST', '/v1/pix/charges', { amount: 0 }, 400, 'VALIDATION_ERROR'],
        ['POST', '/v1/pix/charges', { amount: '0' }, 400, 'VALIDATION_ERROR'],
        ['POST', '/v1/pix/charges', { amount: '-1' }, 400, 'VALIDATION_ERROR'],
        ['POST', '/v1/pix/charges', { amount: '1e3' }, 400, 'VALIDATION_ERROR'],
        ['POST', '/v1/pix/charges', { amount: '01' }, 400, 'VALIDATION_ERROR'],
        ['POST', '/v1/pix/charges', { amount: 1_000_000_000_000 }, 400, 'VALIDATION_ERROR'],
        ['POST', '/v1/pix/charges', '{"amount":9007199254740993}', 400, 'VALIDATION_ERROR'],
        ['POST', '/v1/pix/charges', { amount: 1, description: 'x'.repeat(141) }, 400, 'VALIDATION_ERROR'],
        ['POST', '/v1/pix/charges', { amount: 1, description: 'a\u0001b' }, 400, 'VALIDATION_ERROR'],
        ['POST', '/v1/pix/charges', { amount: 1, expiresInSeconds: 59 }, 400, 'VALIDATION_ERROR'],
        ['POST', '/v1/pix/charges', { amount: 1, dueDate: '2020-01-01' }, 400, 'VALIDATION_ERROR'],
        ['POST', '/v1/pix/charges', { amount: 1, dueDate: '2026-02-30' }, 400, 'VALIDATION_ERROR'],
        ['POST', '/v1/pix/charges', { amount: 1, metadata: { a: null } }, 400, 'VALIDATION_ERROR'],
        ['POST', '/v1/pix/charges', { amount: 1, metadata: { a: {} } }, 400, 'VALIDATION_ERROR'],
        ['POST', '/v1/pix/charges', { amount: 1, metadata: { a: 'b\u0007' } }, 400, 'VALIDATION_ERROR'],
        ['POST', '/v1/pix/charges', { amount: 1, metadata: { 'a\n': 'b' } }, 400, 'VALIDATION_ERROR'],
        [
          'POST',
          '/v1/pix/charges',
          { amount: 1, metadata: { sandboxScenario: 'payd' } },
          400,
          'VALIDATION_ERROR',
        ],
        [
          'POST',
          '/v1/pix/charges',
          { amount: 1, customer: { name: 'A', document: '12345678900' } },
          400,
          'VALIDATION_ERROR',
        ],
        ['POST', '/v1/pix/charges', 'x', 415, 'UNSUPPORTED_MEDIA_TYPE', { 'Content-Type': 'text/plain' }],
        ['POST', '/v1/pix/charges', '{}', 415, 'UNSUPPORTED_ENCODING', { 'Content-Encoding': 'gzip' }],
        [
          'POST',
          '/v1/pix/charges',
          { amount: 1 },
          400,
          'IDEMPOTENCY_KEY_INVALID',
          { 'Idempotency-Key': 'x'.repeat(256) },
        ],
        ['POST', '/v1/pix/deposits', { amount: 1, expiresInSeconds: 299 }, 400, 'VALIDATION_ERROR'],
        ['GET', '/v1/pix/charges?page=0', undefined, 400, 'VALIDATION_ERROR'],
        ['GET', '/v1/pix/charges?page=1.5', undefined, 400, 'VALIDATION_ERROR'],
        ['GET', '/v1/pix/charges?page=1&page=2', undefined, 400, 'VALIDATION_ERROR'],
        ['GET', '/v1/pix/charges?pageSize=201', undefined, 400, 'VALIDATION_ERROR'],
        ['GET', '/v1/pix/charges?status=PAID', undefined, 400, 'VALIDATION_ERROR'],
        ['GET', '/v1/pix/charges?status=PENDING,PAID', undefined, 400, 'VALIDATION_ERROR'],
        ['GET', '/v1/pix/charges?status=PENDING&status=PAID', undefined, 400, 'VALIDATION_ERROR'],
        ['GET', '/v1/pix/charges?asOf=x', undefined, 400, 'VALIDATION_ERROR'],
        ['GET', '/v1/pix/overview?from=2024-01-01&to=2026-01-01', undefined, 400, 'VALIDATION_ERROR'],
        ['GET', '/v1/nothing', undefined, 404, 'ROUTE_NOT_FOUND'],
        ['GET', '/v1/pix/charges/txn_00000000000000000000000000', undefined, 404, 'NOT_FOUND'],
        ['GET', `/v1/pix/deposits/${charge.id}`, undefined, 404, 'NOT_FOUND'],
        ['DELETE', '/v1/pix/charges', undefined, 405, 'METHOD_NOT_ALLOWED'],
        ['POST', `/v1/sandbox/pix/charges/${charge.id}/pay`, { amount: 1 }, 422, 'AMOUNT_MISMATCH'],
        ['POST', '/v1/sandbox/clock/advance', { by: 'P3Y' }, 400, 'VALIDATION_ERROR'],
        ['POST', '/v1/sandbox/clock/advance', {}, 400, 'VALIDATION_ERROR'],
      ]
      for (const [verb, path, body, status, code, headers] of cases) {
        const answer = await call(verb, path, body, headers)
        const what = `${verb} ${path} ${JSON.stringify(body)?.slice(0, 60)}`
        t.match({ status: answer.status, code: answer.body?.code }, { status, code }, what)
        t.equal(answer.headers.get('content-type'), 'application/problem+json')
        t.match(answer.body, {
          requestId: answer.headers.get('request-id'),
          status,
          type: `/docs/errors#${code}`,
        })
      }
      await call('POST', `/v1/pix/charges/${charge.id}/cancel`)
      const twice = await call('POST', `/v1/pix/charges/${charge.id}/cancel`)
      t.match(twice.body, {
        code: 'INVALID_STATE',
        currentStatus: 'CANCELLED',
        allowedStatuses: ['CREATED', 'PENDING', 'AUTHORIZED'],
      })
    })

    t.test('all failing fields are named at once', async (t) => {
      const { body } = await call('POST', '/v1/pix/charges', {
        amount: 'x',
        description: '',
        customer: { document: '1', email: 'no' },
        metadata: { ['k'.repeat(41)]: 1 },
      })
      t.strictSame(
        body.errors.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`).sort(),
        [
          'amount INVALID_FORMAT',
          'customer.document INVALID_FORMAT',
          'customer.email INVALID_FORMAT',
          'customer.name REQUIRED',
          'description TOO_SHORT',
          `metadata.${'k'.repeat(41)} TOO_LONG`,
        ].sort(),
      )
    })

    t.test('unknown fields and parameters are ignored and named', async (t) => {
      const answer = await call('POST', '/v1/pix/charges?nope=1', {
        amount: 1,
        expireInSeconds: 5,
        customer: { name: 'A', nick: 'b' },
      })
      t.equal(answer.status, 201)
      t.equal(answer.headers.get('service-ignored-fields'), 'query.nope, expireInSeconds, customer.nick')
    })

    t.test('no key, wrong keys, Basic, scopes, environments', async (t) => {
      const { secret, clientId } = merchant.key
      const changed = secret.slice(0, -1) + (secret.endsWith('a') ? 'b' : 'a')
      for (const authorization of [
        '',
        'Bearer',
        'Bearer x',
        `Bearer ${changed}`,
        `Token ${secret}`,
        basic('cli_x', secret),
        ...damaged(basic(clientId, secret)),
      ]) {
        const { status, body, headers } = await caller(service.origin, '')('GET', '/v1/pix/keys', undefined, {
          ...(authorization && { Authorization: authorization }),
        })
        t.match({ status, code: body.code }, { status: 401, code: 'UNAUTHORIZED' }, authorization)
        t.equal(headers.get('www-authenticate'), 'Bearer, Basic')
      }
      const withBasic = await caller(service.origin, '')('GET', '/v1/pix/keys', undefined, {
        Authorization: basic(clientId, secret),
      })
      t.equal(withBasic.status, 200)

      const reader = await newMerchant(service, { scopes: 'charges.read' })
      const refused = await reader.call('POST', '/v1/pix/charges', { amount: 'bad' })
      t.match(refused, { status: 403, body: { code: 'NO_PERMISSION', requiredScope: 'charges.create' } })
      const live = await newMerchant(service, { environment: 'production' })
      t.match((await live.call('GET', '/v1/sandbox/clock')).body, { code: 'SANDBOX_ONLY' })
      const mine = await created()
      t.equal(
        (await live.call('GET', `/v1/pix/charges/${mine.id}`)).status,
        404,
        'another company finds nothing',
      )
      const cardOnly = await newMerchant(service, { products: 'CARD' })
      t.match((await cardOnly.call('GET', '/v1/pix/charges')).body, {
        code: 'PRODUCT_NOT_ACTIVE',
        product: 'PIX',
      })
      await service.operate('keys revoke', { id: reader.key.id })
      t.equal((await reader.call('GET', '/v1/pix/keys')).status, 401, 'a revoked key is refused at once')
    })

    t.test('50 equal requests with one key make one charge', async (t) => {
      const headers = { 'Idempotency-Key': `"fifty-${transport}"` }
      const answers = await Promise.all(
        Array.from({ length: 50 }, () =>
          call('POST', '/v1/pix/charges', { amount: 4242, metadata: { a: 1, b: 2 } }, headers),
        ),
      )
      t.equal(new Set(answers.map(({ body }) => body.id)).size, 1)
      t.equal(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1)
      const bare = { 'Idempotency-Key': `fifty-${transport}` }
      const same = await call(
        'POST',
        '/v1/pix/charges',
        { metadata: { b: 2, a: 1 }, amount: '4242', expiresInSeconds: 3600 },
        bare,
      )
      t.strictSame(same.body, answers[0]!.body, 'quoted or not, defaults given or not: the same request')
      const other = await call('POST', '/v1/pix/charges', { amount: 4243 }, bare)
      t.match(other, { status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } })
    })

    t.test('pages neither repeat nor skip while charges are created', async (t) => {
      const { call } = await newMerchant(service)
      for (let n = 0; n < 30; n++)
        await call('POST', '/v1/pix/charges', { amount: 1 + n, externalId: `e${n % 3}` })
      const first = (await call('GET', '/v1/pix/charges?pageSize=20')).body
      t.match(first.pagination, {
        page: 1,
        pageSize: 20,
        total: 30,
        totalPages: 2,
        hasMore: true,
        asOf: /^s_/,
      })
      await call('POST', '/v1/pix/charges', { amount: 999 })
      const second = (await call('GET', `/v1/pix/charges?pageSize=20&page=2&asOf=${first.pagination.asOf}`))
        .body
      const amounts = [...first.data, ...second.data].map(({ amount }) => Number(amount))
      t.strictSame(
        amounts,
        Array.from({ length: 30 }, (_, n) => 30 - n),
      )
      t.equal((await call('GET', '/v1/pix/charges?externalId=e1')).body.pagination.total, 10)
      t.equal((await call('GET', '/v1/pix/charges?status=APPROVED,EXPIRED')).body.pagination.total, 0)
      t.equal((await call('GET', '/v1/pix/charges?page=99')).body.data.length, 0)
    })

    t.test('open pages, HEAD and the headers of every answer', async (t) => {
      t.equal((await call('GET', '/healthz')).status, 200)
      t.equal((await call('GET', '/readyz')).status, 200)
      t.match((await call('GET', '/docs/en/reference')).body, /Scalar|scalar/)
      const head = await call('HEAD', '/v1/pix/keys')
      t.equal(head.status, 200)
      t.equal(head.body, null)
      t.match(head.headers.get('request-id'), /^req_/)
      t.equal(head.headers.get('cache-control'), 'no-store')
      t.match(head.headers.get('ratelimit'), /^"default";r=\d+;t=1$/)
      t.equal(head.headers.get('ratelimit-policy'), '"default";q=1000;w=1')
      t.equal(head.headers.get('uwebsockets'), null)
    })
  })
}

t.test('a key over its rate is told so, and for how long', async (t) => {
  const service = await startService(t, { env: { ...oneWorker, RATE_LIMIT: '1', RATE_LIMIT_BURST: '3' } })
  service.expectLimit('RATE_LIMITED')
  const { call } = await newMerchant(service)
  const ask = (): Promise<Answer> => call('GET', '/v1/pix/keys')
  for (let n = 0; n < 3; n++) t.equal((await ask()).status, 200)
  // Allowance comes back by the second.
  let over = await ask()
  while (over.status === 200) over = (await Promise.all([ask(), ask(), ask(), ask()])).at(-1)!
  t.match(over, { status: 429, body: { code: 'RATE_LIMITED', policy: 'default' } })
  t.ok(Number(over.headers.get('retry-after')) >= 1)
})

const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

/** What a lenient decoder would still read. */
const damaged = (header: string): readonly string[] =>
  [
    `${header.slice(0, 20)}!${header.slice(20)}`,
    `${header.slice(0, 20)} ${header.slice(20)}`,
    `${header}=`,
    `${header}x`,
    header.replace(/=+$/, ''),
    header.replace(/^Basic (.)/, 'Basic *$1'),
  ].filter((text) => text !== header)
