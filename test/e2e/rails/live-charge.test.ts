import t from 'tap'
import { startLiveService } from '../../rails/live-service.ts'
import { until } from '../service.ts'

t.test(
  'a company connects to its bank and is paid by PIX, whole: charge, notice, refund, return',
  async (t) => {
    const { bank, service, connection, call } = await startLiveService(t)
    t.match(connection, { status: 'ACTIVE' })
    const statusOf = async (id: string): Promise<string> =>
      (await call('GET', `/v1/pix/charges/${id}`)).body.status

    const { status, body: charge } = await call('POST', '/v1/pix/charges', {
      amount: '1990',
      description: 'Pedido 1',
    })
    t.equal(status, 201)
    t.match(charge, { status: 'PENDING', environment: 'PRODUCTION', pix: { txid: /^[A-Za-z0-9]{32}$/ } })
    t.match(charge.copyPaste, /^000201/, 'the code is the bank’s')

    await bank.hold('POST /pay', { code: charge.copyPaste })
    await until(async () => (await statusOf(charge.id)) === 'APPROVED')
    const { body: paid } = await call('GET', `/v1/pix/charges/${charge.id}`)
    t.match(paid, { paidAmount: '1990', pix: { endToEndId: /^E/ } })

    const refund = await call('POST', `/v1/transactions/${charge.id}/refund`, { amount: '500' })
    t.match(refund.body, { status: /PROCESSING|COMPLETED/ })
    await until(async () => (await statusOf(charge.id)) === 'PARTIALLY_REFUNDED')

    await bank.hold('POST /pay', { code: charge.copyPaste, force: true })
    const received = async (): Promise<any[]> => (await call('GET', '/v1/pix/received')).body.data
    await until(async () => (await received()).some(({ status }) => status === 'RETURNED'))
    t.match(await received(), [
      { status: 'RETURNED', returnReason: 'DUPLICATE_PAYMENT' },
      { status: 'RECEIVED' },
    ])

    // 19.90 came and 5.00 went back; the fee of 0.20 is the service's.
    const movements: readonly { readonly cents: number }[] = (await bank.hold('GET /book')).movements
    t.equal(
      movements.reduce((sum, { cents }) => sum + cents, 0),
      1490,
    )
    t.match((await call('GET', '/v1/balance')).body, { available: '1470', blocked: '0' })
    t.notMatch(service().log(), bank.client.clientSecret)
  },
)
