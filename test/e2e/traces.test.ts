import t from 'tap'
import { newMerchant, startReceiver, startService } from './service.ts'
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
