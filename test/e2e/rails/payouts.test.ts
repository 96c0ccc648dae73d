import t from 'tap'
import { aBeneficiary, type LivePerson, startLivePerson } from '../../rails/live-person.ts'
import { until } from '../service.ts'

/** Transfers of Production over a bank as it runs (rails, sections 2.8 and 7), on the time of the machine. */
let live: LivePerson
let beneficiaryId: string

t.before(async () => {
  live = await startLivePerson(t)
  const { body: charge } = await live.call('POST', '/v1/pix/charges', { amount: 50_000 })
  await until(async () => {
    const { body } = await live.call('GET', `/v1/pix/charges/${charge.id}`)
    return body.status === 'PENDING'
  })
  await live.bank.hold('POST /pay', { txid: charge.pix.txid })
  await until(async () => (await live.call('GET', '/v1/balance')).body.available > 40_000)
  const { body } = await live.sign('POST', '/v1/beneficiaries', aBeneficiary)
  beneficiaryId = body.id
})
t.afterEach(() => live.bank.hold('DELETE /faults'))

const send = (amount: number, change: object = {}, headers: Record<string, string> = {}) =>
  live.sign('POST', '/v1/transfers', { kind: 'PIX', amount, beneficiaryId, ...change }, headers)

const transferNow = async (id: string): Promise<any> => (await live.sign('GET', `/v1/transfers/${id}`)).body
const comesTo = (id: string, status: string): Promise<void> =>
  until(async () => (await transferNow(id)).status === status)

/** What the bank has sent of an amount. */
const sentOf = async (amount: number): Promise<readonly any[]> =>
  (await live.bank.hold('GET /sends')).filter(({ cents }: { readonly cents: number }) => cents === amount)

t.test('a PIX is sent by the bank of the connection, once, and has its id', async (t) => {
  const { status, body } = await send(1_001)
  t.equal(status, 201)
  await comesTo(body.id, 'COMPLETED')
  const [sent, ...others] = await sentOf(1_001)
  t.strictSame(others, [])
  t.match(await transferNow(body.id), { endToEndId: sent.endToEndId })
  t.equal(sent.reference, `${body.id.slice(4)}01`)
})

t.test('two requests with one key at once are one transfer, and one PIX', async (t) => {
  const key = { 'Idempotency-Key': 'payout-0001' }
  const replies = await Promise.all([send(1_002, {}, key), send(1_002, {}, key)])
  const made = replies.filter(({ status }) => status === 201)
  t.equal(new Set(made.map(({ body }) => body.id)).size, 1)
  await comesTo(made[0]!.body.id, 'COMPLETED')
  t.equal((await sentOf(1_002)).length, 1)
})

t.test('a bank that refuses it has the money back in the balance', async (t) => {
  const error = { codigo: 'AC07', motivo: 'Conta encerrada' }
  await live.bank.hold('POST /sends/settings', { settleAfterMs: 0, error })
  const before = (await live.call('GET', '/v1/balance')).body.available
  const { body } = await send(1_003)
  await comesTo(body.id, 'FAILED')
  t.equal((await live.call('GET', '/v1/balance')).body.available, before)
  await live.bank.hold('POST /sends/settings', { settleAfterMs: 0, error: null })
})

t.test('look-ups of keys are refused in words', async (t) => {
  const { status, body } = await live.sign('POST', '/v1/pix/lookups', { key: 'maria@example.com' })
  t.match([status, body.code], [422, 'NOT_OFFERED_BY_PROVIDER'])
})

t.test('R11: money that comes back is booked once, by part and by the rest', async (t) => {
  const { body } = await send(1_004)
  await comesTo(body.id, 'COMPLETED')
  const before = Number((await live.call('GET', '/v1/balance')).body.available)
  const reference = `${body.id.slice(4)}01`
  // The notice of the second return is sent five times at once.
  await live.bank.hold('POST /sends/give-back', { reference, valor: '4.00' })
  await until(async () => (await transferNow(body.id)).returnedAmount === '400')
  await live.bank.hold('POST /faults/notices', { kind: 'repeat', copies: 5 })
  await live.bank.hold('POST /sends/give-back', { reference, valor: '6.04' })
  await until(async () => (await transferNow(body.id)).returnedAmount === '1004')
  await until(async () => (await live.service().metric('payments_provider_notices_open')) === 0)
  t.match(await transferNow(body.id), {
    status: 'COMPLETED',
    returns: [{ amount: '400' }, { amount: '604' }],
  })
  t.equal(Number((await live.call('GET', '/v1/balance')).body.available), before + 1_004)
})

t.test('41: the PIX is sent, its answer is lost, and the service is killed: one PIX', async (t) => {
  await live.bank.hold('POST /faults', {
    verb: 'PUT',
    path: '/v3/gn/pix/',
    does: { kind: 'cut', when: 'after' },
  })
  const { body } = await send(1_005)
  await until(async () => (await sentOf(1_005)).length === 1)
  await live.service().kill('SIGKILL')
  await live.start()
  await comesTo(body.id, 'COMPLETED')
  t.equal((await sentOf(1_005)).length, 1)
  t.equal((await live.call('GET', '/v1/balance')).body.blocked, '0')
})

/** Sells by PIX with 80 % for a recipient, and says what became of its part. */
const sellShared = async (cents: number) => {
  const recipient = await live.call('POST', '/v1/split/recipients', {
    ...{
      name: 'Vendedora Ltda',
      document: '11444777000161',
      bankCode: '341',
      branch: '1234',
      account: '567890',
    },
  })
  const rule = await live.call('POST', '/v1/split/rules', {
    name: '80/20',
    items: [{ recipientId: recipient.body.id, percentBps: 8_000 }, { percentBps: 2_000 }],
  })
  const { body: charge } = await live.call('POST', '/v1/pix/charges', {
    amount: cents,
    splitRuleId: rule.body.id,
  })
  await until(async () => (await live.call('GET', `/v1/pix/charges/${charge.id}`)).body.status === 'PENDING')
  await live.bank.hold('POST /pay', { txid: charge.pix.txid })
  const part = async (): Promise<any> =>
    (await live.call('GET', `/v1/split/transfers?transactionId=${charge.id}`)).body.data[0]
  await until(async () => (await part()) !== undefined)
  const balance = async (): Promise<string> =>
    (await live.call('GET', `/v1/split/recipients/${recipient.body.id}`)).body.balanceAmount
  return { part, balance }
}

t.test('a recipient’s part is sent by the bank of the connection, once, and has its id', async (t) => {
  const { part, balance } = await sellShared(2_000)
  await until(async () => (await part()).status === 'COMPLETED')
  const [sent, ...others] = await sentOf(1_600)
  t.strictSame(others, [])
  const { id, endToEndId } = await part()
  t.equal(endToEndId, sent.endToEndId)
  t.equal(sent.reference, `${id.slice(4)}S1`)
  t.equal(await balance(), '0')
})

t.test('R11: a recipient’s part that comes back is owed once more, once', async (t) => {
  const { part, balance } = await sellShared(2_010)
  await until(async () => (await part()).status === 'COMPLETED')
  const { id } = await part()
  await live.bank.hold('POST /faults/notices', { kind: 'repeat', copies: 5 })
  await live.bank.hold('POST /sends/give-back', { reference: `${id.slice(4)}S1`, valor: '6.08' })
  await until(async () => (await part()).returnedAmount === '608')
  await until(async () => (await live.service().metric('payments_provider_notices_open')) === 0)
  t.match(await part(), { status: 'COMPLETED', returnedAmount: '608' })
  t.equal(await balance(), '608')
})

t.test(
  '41: a recipient’s part is sent, its answer is lost, and the service is killed: one PIX',
  async (t) => {
    await live.bank.hold('POST /faults', {
      verb: 'PUT',
      path: '/v3/gn/pix/',
      does: { kind: 'cut', when: 'after' },
    })
    const { part, balance } = await sellShared(2_020)
    await until(async () => (await sentOf(1_616)).length === 1)
    await live.service().kill('SIGKILL')
    await live.start()
    await until(async () => (await part()).status === 'COMPLETED')
    t.equal((await sentOf(1_616)).length, 1)
    t.equal(await balance(), '0')
  },
)
