import { on } from 'node:events'
import t from 'tap'
import type { Notice, NoticeOutcome } from '../../gateway/providers/notice.ts'
import {
  type Call,
  caller,
  newDataDir,
  newMerchant,
  oneWorker,
  posted,
  type Service,
  startService,
} from './service.ts'

/** Production as it is delivered, without a connection, and with connections that a test simulates. */

const scopes =
  'charges.create,charges.read,transactions.read,refunds.create,subscriptions.read,subscriptions.manage'
const customer = { name: 'Ana Souza', document: '12345678909' }
const card = { token: 'tok_of_an_acquirer', brand: 'VISA', last4: '4242' }
const boleto = { amount: 5000, dueDate: '2030-01-15', customer }

const newLive = (service: Service) =>
  newMerchant(service, { environment: 'production', products: 'PIX,CARD,BOLETO,RECURRING', scopes })

/** How much is stored of charges and customers. */
const stored = async (call: Call): Promise<readonly number[]> => [
  (await call('GET', '/v1/transactions')).body.pagination.total,
  (await call('GET', '/v1/customers')).body.pagination.total,
]

t.test('without a connection every rail answers 503, and nothing is stored', async (t) => {
  const service = await startService(t, { env: oneWorker })
  const { call } = await newLive(service)
  const methods = ['PIX', 'BOLETO', 'CREDIT_CARD']
  const plan = await posted(call, '/v1/plans', { name: 'Mensal', amount: 4900, interval: 'MONTH', methods })
  const subscription = (method: string) => ({ planId: plan.id, customer, method })
  for (const [rail, path, body] of [
    ['PIX', '/v1/pix/charges', { amount: 100, customer }],
    ['PIX', '/v1/pix/deposits', { amount: 100 }],
    ['BOLETO', '/v1/boletos', boleto],
    ['CARD', '/v1/card-payments', { amount: 100, card, customer }],
    ['PIX', '/v1/subscriptions', subscription('PIX')],
    ['BOLETO', '/v1/subscriptions', subscription('BOLETO')],
    ['CARD', '/v1/subscriptions', { ...subscription('CREDIT_CARD'), card }],
  ] as const) {
    const headers = { 'Idempotency-Key': `one for all of ${path}` }
    for (const amount of [100, 200]) {
      const answer = await call('POST', path, { ...body, ...('amount' in body && { amount }) }, headers)
      t.match(answer, { status: 503, body: { code: 'PROVIDER_NOT_CONNECTED', rail } }, `${path} by ${rail}`)
    }
  }
  t.match(await call('POST', '/v1/pix/charges', { amount: 'much' }), { status: 400 }, 'a field comes first')
  t.strictSame(await stored(call), [0, 0])
  t.strictSame((await call('GET', '/v1/overview')).body.connectedRails, [])
})

t.test(
  'with a connection for PIX its PSP tells every worker of the money, and it comes in once',
  async (t) => {
    const dataDir = newDataDir(t)
    const service = await startService(t, { dataDir, connected: ['PIX'] })
    const { company, key, call } = await newLive(service)
    t.match(await call('POST', '/v1/boletos', boleto), { status: 503, body: { rail: 'BOLETO' } })
    const charge = await posted(call, '/v1/pix/charges', { amount: 10_000, customer })
    t.match(charge, { status: 'PENDING', environment: 'PRODUCTION' })
    t.strictSame((await call('GET', '/v1/overview')).body.connectedRails, ['PIX'])
    const paid = {
      kind: 'PIX_IN',
      accountId: `${company.id}/PRODUCTION`,
      pays: { kind: 'CHARGE', id: charge.id },
      amountCents: 10_000,
      payer: { ...customer, documentType: 'CPF', ispb: '60701190', bankName: null },
      endToEndId: 'E60701190202611201200ABCDEFGHIJK',
      paidAtMs: Date.now(),
    } as unknown as Notice
    t.strictSame(await said(service, paid), ['REPEAT', 'TAKEN'])
    t.match((await call('GET', `/v1/transactions/${charge.id}`)).body, {
      status: 'APPROVED',
      providerId: 'sandbox-psp',
      pix: { endToEndId: 'E60701190202611201200ABCDEFGHIJK' },
      events: [{}, {}, { actor: { kind: 'PROVIDER' } }],
    })
    const unknown = {
      ...paid,
      pays: { kind: 'CHARGE', id: `txn_${'7'.repeat(26)}` },
      endToEndId: 'E2',
    } as Notice
    t.strictSame(await said(service, unknown), ['UNKNOWN', 'UNKNOWN'])

    await service.kill('SIGKILL')
    const without = await startService(t, { dataDir })
    const callAgain = caller(without.origin, key.secret)
    const path = `/v1/transactions/${charge.id}/refund`
    const refund = await posted(callAgain, path, { amount: 500, reason: 'changed their mind' })
    t.equal(refund.status, 'PROCESSING', 'a call of a provider that is gone stays open')
    await without.logged('sandbox-psp is not connected for PIX in PRODUCTION')
  },
)

/** What the workers answer to a notice, in alphabetical order. */
const said = async ({ process: child }: Service, notice: Notice): Promise<readonly string[]> => {
  const outcomes: string[] = []
  const heard = on(child, 'message')
  child.send(notice)
  for await (const [outcome] of heard) if (outcomes.push((outcome as NoticeOutcome).type) === workers) break
  return outcomes.sort()
}

const workers = 2
