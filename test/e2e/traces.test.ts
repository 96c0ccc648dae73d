import t from 'tap'
import { type Span, startCollector } from './otlp.ts'
import { newMerchant, oneWorker, startReceiver, startService } from './service.ts'
import { streams } from './streams.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const traceparent = `00-${traceId}-b7ad6b7169203331-01`
const card = { token: 'tok_test_approved', brand: 'VISA', last4: '4242' }

for (const [name, streamEnv] of streams) {
  t.test(`${name}: a request’s trace goes out with the webhooks that follow from it`, async (t) => {
    const service = await startService(t, { env: { ...(await streamEnv(t)), SHARDS: '2' } })
    const receiver = await startReceiver(t)
    // Companies of both threads: their requests arrive at either.
    const merchants = await Promise.all([1, 2, 3, 4].map(() => newMerchant(service)))
    for (const { company } of merchants)
      await service.operate('webhooks create', {
        company: company.id,
        environment: 'sandbox',
        url: receiver.url,
      })
    for (const { call } of merchants) {
      await call('POST', '/v1/pix/charges', { amount: 100, externalId: 'traced' }, { traceparent })
      // What a provider answers to is part of the same trace.
      await call('POST', '/v1/card-payments', { amount: 100, card, externalId: 'traced' }, { traceparent })
      await call('POST', '/v1/pix/charges', { amount: 100, externalId: 'plain' })
    }
    const heard = await receiver.count(6 * merchants.length)
    const of = (externalId: string) =>
      heard
        .filter(({ event }) => event.data.externalId === externalId)
        .map(({ headers }) => headers.traceparent)
    t.strictSame(new Set(of('traced')), new Set([traceparent]))
    t.equal(of('traced').length, 4 * merchants.length)
    t.strictSame(new Set(of('plain')), new Set([undefined]))
    t.ok(service.log().includes(`"traceId":"${traceId}"`), 'and is in the line of the log')
  })
}

t.test('an OTLP receiver sees a request, what it waited for and its webhooks as one trace', async (t) => {
  const collector = await startCollector(t)
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=shop',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
    SHARDS: '2',
  }
  const service = await startService(t, { env })
  // The first attempt fails.
  const receiver = await startReceiver(t, ({ event }) => (event.type === 'payment.created' ? 500 : 200))
  const { company, call } = await newMerchant(service)
  const target = { company: company.id, environment: 'sandbox', url: receiver.url }
  await service.operate('webhooks create', target)
  const created = await call('POST', '/v1/pix/charges', { amount: 100 }, { traceparent })
  await call('GET', `/v1/pix/charges/${created.body.id}`)
  await call('GET', '/v1/nowhere')
  await call('POST', '/v1/card-payments', { amount: 100, card })
  const heard = await receiver.count(4)
  await service.kill('SIGTERM')

  const { spans } = collector
  const named = (name: string) => spans.filter((span) => span.name === name)
  const [request] = named('POST /v1/pix/charges') as [Span]
  t.match(request, {
    kind: 2,
    traceId,
    parentSpanId: 'b7ad6b7169203331',
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/v1/pix/charges',
      'http.response.status_code': 201,
      'payments.request.id': created.headers.get('request-id'),
    },
  })
  const ofRequest = spans.filter((span) => span.parentSpanId === request.spanId)
  t.ok(ofRequest.every((span) => span.traceId === traceId))
  const [flush] = ofRequest.filter(({ name }) => name === 'journal flush') as [Span]
  t.match(flush, { kind: 1, attributes: { 'payments.sequence': Number } })
  t.ok(flush.ms > 0 && flush.ms <= request.ms, 'the wait for the disk is within the request')
  const webhooks = ofRequest.filter(({ name }) => name.startsWith('webhook '))
  t.strictSame(webhooks.map(({ name }) => name).sort(), [
    'webhook payment.created',
    'webhook payment.pending',
  ])
  for (const webhook of webhooks) {
    const delivery = heard.find(
      ({ headers }) => headers['service-delivery'] === webhook.attributes['payments.delivery.id'],
    )!
    t.equal(
      delivery.headers.traceparent,
      `00-${traceId}-${webhook.spanId}-01`,
      'its receiver goes on from it',
    )
    t.match(webhook, {
      kind: 3,
      attributes: { 'payments.delivery.attempt': 1, 'server.address': '127.0.0.1' },
    })
  }
  const [failed, succeeded] = ['created', 'pending'].map(
    (event) => webhooks.find(({ name }) => name === `webhook payment.${event}`)!,
  )
  t.match(failed, {
    status: { code: 2 },
    attributes: { 'http.response.status_code': 500, 'error.type': '500' },
  })
  t.match(succeeded, { status: { code: 0 }, attributes: { 'http.response.status_code': 200 } })

  const [read] = named('GET /v1/pix/charges/:id') as [Span]
  t.match(read, { parentSpanId: undefined, attributes: { 'http.response.status_code': 200 } })
  t.match(named('unknown route')[0], { attributes: { 'http.response.status_code': 404 } })

  const [payment] = named('POST /v1/card-payments') as [Span]
  t.not(payment.traceId, traceId, 'a request without a trace begins one')
  const [asked] = named('provider AUTHORIZE') as [Span]
  t.match(asked, {
    kind: 3,
    parentSpanId: payment.spanId,
    attributes: { 'payments.provider.outcome': 'DONE' },
  })
  t.strictSame(
    spans
      .filter((span) => span.parentSpanId === payment.spanId && span.name.startsWith('webhook '))
      .map(({ name }) => name)
      .sort(),
    ['webhook payment.approved', 'webhook payment.created'],
    'what a provider’s answer led to is part of the trace',
  )
  t.match(collector.requests[0], { path: '/v1/traces', headers: { 'x-tenant': 'shop' } })
  t.match(collector.resources[0], {
    'service.name': 'payments',
    'service.version': String,
    'deployment.environment': 'test',
  })
})

t.test('a trace that its caller does not record is handed on as it came, and not sent', async (t) => {
  const collector = await startCollector(t)
  const service = await startService(t, { env: { ...oneWorker, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } })
  const receiver = await startReceiver(t)
  const { company, call } = await newMerchant(service)
  const target = { company: company.id, environment: 'sandbox', url: receiver.url }
  await service.operate('webhooks create', target)
  const unrecorded = traceparent.replace(/01$/, '00')
  await call('POST', '/v1/pix/charges', { amount: 100 }, { traceparent: unrecorded })
  const heard = await receiver.count(2)
  await service.kill('SIGTERM')
  t.strictSame(
    heard.map(({ headers }) => headers.traceparent),
    [unrecorded, unrecorded],
  )
  t.strictSame(collector.spans, [])
})

t.test('a receiver of traces that is away is a line in the log, and nothing else', async (t) => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_EXPORTER_OTLP_TIMEOUT: '200' }
  const service = await startService(t, { env })
  const { call } = await newMerchant(service)
  t.equal((await call('POST', '/v1/pix/charges', { amount: 100 })).status, 201)
  await service.logged('traces cannot be sent: ')
  t.match(service.log(), /"level":40.*traces cannot be sent: connect ECONNREFUSED/)
  t.equal(await service.kill('SIGTERM'), 0)
})
