import t, { type Test } from 'tap'
import { type LiveService, startLiveService } from '../../rails/live-service.ts'
import { until } from '../service.ts'

/**
 * Faults of the way to a bank (rails, section 7) over HTTP: the service and the bank as they run, on the time of the machine. Faults that
 * take hours or days are in `test/engine/payments/pix/bank` and `test/gateway/providers`, whose clocks stand.
 */
let live: LiveService

t.before(async () => {
  live = await startLiveService(t)
})
t.afterEach(() => live.bank.hold('DELETE /faults'))

const body = (change: object = {}) => ({ amount: 1990, ...change })

const chargeNow = async (id: string): Promise<any> => (await live.call('GET', `/v1/pix/charges/${id}`)).body

const comesTo = (id: string, status: string): Promise<void> =>
  until(async () => (await chargeNow(id)).status === status)

/** The requests of a verb that concern a charge, by the status that the bank gave. */
const requestsFor = async (verb: string, txid: string): Promise<readonly any[]> => {
  const requests: readonly any[] = await live.bank.hold('GET /requests')
  return requests.filter((one: any) => one.verb === verb && one.path.includes(txid))
}

/** What is in the bank's book, less what is in it at the start. */
const sumAtBank = async (): Promise<number> => {
  const { movements } = await live.bank.hold('GET /book')
  return movements.reduce((sum: number, { cents }: { readonly cents: number }) => sum + cents, 0)
}

/** Runs a story as it is, and once more with a kill and a start at its turning point. */
const withAndWithoutKill = (
  title: string,
  story: (t: Test, turn: () => Promise<void>) => Promise<void>,
): void => {
  t.test(title, async (t) => story(t, async () => {}))
  t.test(`${title}; the service is killed meanwhile`, async (t) =>
    story(t, async () => {
      await live.service().kill('SIGKILL')
      await live.start()
    }),
  )
}

withAndWithoutKill('1: the charge is registered, and its answer is lost', async (t, turn) => {
  await live.bank.hold('POST /faults', { verb: 'PUT', path: '/cob/', does: { kind: 'cut', when: 'after' } })
  const { status, body: made } = await live.call('POST', '/v1/pix/charges', body())
  t.equal(status, 201)
  t.equal(made.status, 'CREATED')
  t.equal(made.copyPaste, null)
  await turn()
  await comesTo(made.id, 'PENDING')
  const { copyPaste, pix } = await chargeNow(made.id)
  t.match(copyPaste, /^000201/)
  await live.bank.hold('POST /pay', { txid: pix.txid })
  await comesTo(made.id, 'APPROVED')
})

withAndWithoutKill(
  '4: the bank registers another amount than it was asked for: no code is shown',
  async (t, turn) => {
    const change = { kind: 'change', set: { 'valor.original': '99.99' } }
    await live.bank.hold('POST /faults', { path: '/cob/', times: null, does: change })
    const { body: made } = await live.call('POST', '/v1/pix/charges', body())
    t.match(made, { status: 'CREATED', copyPaste: null })
    await turn()
    await until(async () => (await requestsFor('PUT', made.pix.txid)).length > 1)
    t.match(await chargeNow(made.id), { status: 'CREATED', copyPaste: null })
    await live.bank.hold('DELETE /faults')
    await comesTo(made.id, 'PENDING')
  },
)

t.test('5: the bank refuses a charge, and its reason is readable', async (t) => {
  const violacoes = [{ razao: 'o valor excede o limite da conta', propriedade: 'cob.valor.original' }]
  const does = { kind: 'error', when: 'before', status: 400, name: 'CobOperacaoInvalida', violacoes }
  await live.bank.hold('POST /faults', { verb: 'PUT', path: '/cob/', does })
  const { status, body: made } = await live.call('POST', '/v1/pix/charges', body())
  t.equal(status, 201)
  t.match(made, { status: 'FAILED', failureReason: 'REGISTRATION_REJECTED' })
  t.match(made.failureDetail.message, /excede o limite/)
})

withAndWithoutKill(
  '16 and 17: what comes twice, and what is another amount, goes back once',
  async (t, turn) => {
    const before = await sumAtBank()
    const { body: made } = await live.call('POST', '/v1/pix/charges', body())
    const { txid } = made.pix
    await live.bank.hold('POST /pay', { txid, valor: '18.00', force: true })
    await turn()
    // Once another payment is kept, it is one too many and not of a wrong amount.
    await until(async () => (await live.call('GET', `/v1/pix/received?txid=${txid}`)).body.data.length === 1)
    await live.bank.hold('POST /pay', { txid, force: true })
    await live.bank.hold('POST /pay', { txid, force: true })
    await comesTo(made.id, 'APPROVED')
    await until(async () => (await sumAtBank()) === before + 1990)
    const { body: received } = await live.call('GET', `/v1/pix/received?txid=${txid}`)
    await until(async () => {
      const { body } = await live.call('GET', `/v1/pix/received?txid=${txid}`)
      return body.data.every(({ status }: { readonly status: string }) => status !== 'RETURNING')
    })
    t.ok(received.data.length === 3)
    const { body: after } = await live.call('GET', `/v1/pix/received?txid=${txid}`)
    t.strictSame(
      after.data.map(({ status, returnReason }: any) => `${status} ${returnReason ?? ''}`.trim()).sort(),
      ['RECEIVED', 'RETURNED AMOUNT_MISMATCH', 'RETURNED DUPLICATE_PAYMENT'],
    )
  },
)

withAndWithoutKill(
  '19: a cancellation whose answer is lost is answered 503, and goes on by itself',
  async (t, turn) => {
    const { body: made } = await live.call('POST', '/v1/pix/charges', body())
    await live.bank.hold('POST /faults', {
      verb: 'PATCH',
      path: '/cob/',
      does: { kind: 'cut', when: 'before' },
    })
    // An unknown outcome is answered like a service that cannot answer.
    live.service().expectLimit('SERVICE_UNAVAILABLE')
    const { status } = await live.call('POST', `/v1/pix/charges/${made.id}/cancel`, {})
    t.equal(status, 503)
    await turn()
    await comesTo(made.id, 'CANCELLED')
  },
)

withAndWithoutKill(
  '22: a refund that the bank takes its time for is reserved, and completes',
  async (t, turn) => {
    const { body: made } = await live.call('POST', '/v1/pix/charges', body())
    await live.bank.hold('POST /pay', { txid: made.pix.txid })
    await comesTo(made.id, 'APPROVED')
    await live.bank.hold('POST /returns/settings', { settleAfterMs: null, refusal: null })
    const before = (await live.call('GET', '/v1/balance')).body
    const refund = await live.call('POST', `/v1/transactions/${made.id}/refund`, { amount: '990' })
    t.ok(refund.status < 300)
    await turn()
    const { body: balance } = await live.call('GET', '/v1/balance')
    t.equal(Number(balance.blocked), Number(before.blocked) + 990)
    const { pix } = await chargeNow(made.id)
    const path = `/pix/${pix.endToEndId}/devolucao/`
    const requests: readonly any[] = await live.bank.hold('GET /requests')
    const asked = requests.find((one: any) => one.verb === 'PUT' && one.path.includes(path))
    const id = asked.path.split('/').at(-1)
    await live.bank.hold('POST /returns/settle', { endToEndId: pix.endToEndId, id, status: 'DEVOLVIDO' })
    await comesTo(made.id, 'PARTIALLY_REFUNDED')
    await live.bank.hold('POST /returns/settings', { settleAfterMs: 0, refusal: null })
  },
)

withAndWithoutKill('23: what goes back in the bank’s own app is a refund of the bank', async (t, turn) => {
  const { body: made } = await live.call('POST', '/v1/pix/charges', body())
  await live.bank.hold('POST /pay', { txid: made.pix.txid })
  await comesTo(made.id, 'APPROVED')
  const { pix } = await chargeNow(made.id)
  await live.bank.hold('POST /returns', { endToEndId: pix.endToEndId, cents: 1000 })
  await turn()
  await comesTo(made.id, 'PARTIALLY_REFUNDED')
  const { body: transaction } = await live.call('GET', `/v1/transactions/${made.id}`)
  t.match(transaction.refunds, [{ amount: '1000', origin: 'BANK', status: 'COMPLETED' }])
})

t.test('in the end the bank’s book and ours are the same, and nothing is open', async (t) => {
  await until(async () => (await live.service().metric('payments_provider_notices_open')) === 0)
  const { body: list } = await live.call('GET', '/v1/transactions?pageSize=100')
  const kept = list.data.reduce(
    (sum: number, { paidAmount, refundedAmount }: any) => sum + Number(paidAmount) - Number(refundedAmount),
    0,
  )
  t.equal(await sumAtBank(), kept)
  t.equal(await live.service().metric('payments_provider_unmatched'), 0)
})
