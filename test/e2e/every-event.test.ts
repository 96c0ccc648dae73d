import t from 'tap'
import { type EventType, eventTypes, specifiedEventTypes } from '../../engine/kernel/event-types.ts'
import { sendForm } from '../checkout/payer.ts'
import { prepareDirectory } from './prepared.ts'
import { type Call, caller, newCompany, oneWorker, posted, startReceiver, until } from './service.ts'
import { secondFactor, signInDirectly } from './sign-in-directly.ts'

// Each event of the specification's table, caused by an operation over HTTP and heard by a receiver: none is a sample.

const finance = { SANDBOX: 'FINANCE', PRODUCTION: 'FINANCE' } as const
const scopes =
  'charges.create,charges.read,transactions.read,refunds.create,subscriptions.read,subscriptions.manage'
const customer = { name: 'Ana Souza', document: '12345678909', email: 'ana@example.com' }
const cardWith = (token: string) => ({
  token,
  brand: 'VISA',
  last4: '4242',
  bin: '424242',
  holderName: 'ANA SOUZA',
})

t.test('each event is caused by an operation', async (t) => {
  const first = await prepareDirectory(t)
  const own = await newCompany(first, { scopes })
  const { service, members } = await signInDirectly(
    t,
    first,
    [finance, finance].map((roles) => ({ companyId: own.company.id, roles })),
    { env: { ...oneWorker, CHECKOUT_ORIGIN: 'http://pay.localhost' } },
  )
  const [ana, bia] = members.map(({ call }) => call) as [Call, Call]
  const [receiver, older] = [await startReceiver(t), await startReceiver(t)]
  const here = { company: own.company.id, environment: 'sandbox' }
  await service.operate('webhooks create', { ...here, url: receiver.url, extraEvents: true })
  await service.operate('webhooks create', { ...here, url: older.url })
  const shop = caller(service.origin, own.key.secret)
  const post = (path: string, body: object = {}): Promise<any> => posted(shop, path, body)
  const sign = async (by: typeof shop, path: string, body: object): Promise<any> => {
    const answer = await by('POST', path, body, secondFactor)
    if (answer.status >= 300) throw new Error(`POST ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const advance = (by: string) => post('/v1/sandbox/clock/advance', { by })

  const charge = async (amount = 5_000): Promise<string> => (await post('/v1/pix/charges', { amount })).id
  const paid = async (amount?: number): Promise<string> => {
    const id = await charge(amount)
    await post(`/v1/sandbox/pix/charges/${id}/pay`)
    return id
  }
  const byCard = async (token: string, body: object = {}): Promise<string> =>
    (await post('/v1/card-payments', { amount: 9_000, card: cardWith(token), ...body })).id
  const subscribed = async (token: string): Promise<string> =>
    (await post('/v1/subscriptions', { planId, customer, method: 'CREDIT_CARD', card: cardWith(token) })).id
  const cryptoCharge = async (): Promise<string> =>
    (await post('/v1/crypto/charges', { cryptoAmount: '2000', asset: 'USDT', network: 'POLYGON' })).id
  const cryptoPaid = async (): Promise<string> => {
    const id = await cryptoCharge()
    await post(`/v1/sandbox/crypto/charges/${id}/pay`)
    return id
  }
  const converted = async (metadata: object): Promise<string> => {
    const quote = await posted(ana, '/v1/conversions/quotes', {
      fromCurrency: 'BRL',
      toCurrency: 'USDT',
      fromAmount: 10_000,
    })
    return (await sign(ana, '/v1/conversions', { quoteId: quote.id, metadata })).id
  }
  const transferred = async (body: object): Promise<string> =>
    (await sign(ana, '/v1/transfers', { kind: 'PIX', beneficiaryId, allowDuplicate: true, ...body })).id
  const withdrawn = async (walletId: string): Promise<string> =>
    (await sign(ana, '/v1/crypto/withdrawals', { walletId, cryptoAmount: '10' })).id
  const wallet = async (end: string): Promise<string> =>
    (
      await sign(ana, '/v1/crypto/wallets', {
        name: `Cofre ${end}`,
        asset: 'USDT',
        network: 'POLYGON',
        address: `0x${end.padStart(40, '1')}`,
        ownership: 'SELF_CUSTODY',
        holderName: 'Loja Teste',
        holderDocument: '11222333000181',
      })
    ).id

  const planId = (
    await post('/v1/plans', {
      name: 'Pro',
      amount: 4_900,
      interval: 'MONTH',
      methods: ['CREDIT_CARD'],
    })
  ).id
  const beneficiaryId = (
    await sign(ana, '/v1/beneficiaries', {
      name: 'Comercial Aurora Ltda',
      document: '11444777000161',
      bankCode: '341',
      branch: '1234',
      account: '1',
      accountType: 'CHECKING',
    })
  ).id
  const [sound, dead] = [await wallet('a'), await wallet('dead')]
  await advance('P2D')
  await paid(3_000_000)
  await cryptoPaid()

  /** What causes each; answers what the event is about. */
  const causes: Record<EventType, () => Promise<string>> = {
    'payment.created': charge,
    'payment.pending': charge,
    'payment.approved': () => paid(),
    'payment.failed': () => byCard('tok_test_declined_51'),
    'payment.refunded': async () => {
      const id = await paid()
      await post(`/v1/transactions/${id}/refund`, { amount: 500 })
      return id
    },
    'payment.chargeback': async () => {
      const id = await byCard('tok_test_approved')
      await post(`/v1/sandbox/card-payments/${id}/chargeback`, { reason: 'FRAUD' })
      return id
    },
    'pix.received': () => paid(),
    'pix.med_opened': async () => {
      const id = await paid()
      return (await post(`/v1/sandbox/transactions/${id}/med`, { reason: 'FRAUD' })).id
    },
    'pix.med_closed': async () => {
      const id = await paid()
      const med = await post(`/v1/sandbox/transactions/${id}/med`, { reason: 'FRAUD' })
      await post(`/v1/sandbox/meds/${med.id}/close`, { result: 'REJECTED' })
      return med.id
    },
    'boleto.paid': async () => {
      const { id } = await post('/v1/boletos', { amount: 9_900, customer, dueDate: '2030-12-20' })
      await post(`/v1/sandbox/boletos/${id}/pay`)
      return id
    },
    'subscription.created': () => subscribed('tok_test_approved'),
    'subscription.paid': () => subscribed('tok_test_approved'),
    'subscription.failed': async () => {
      const id = await subscribed('tok_test_recurring_fail_1')
      await advance('P32D')
      return id
    },
    'settlement.processing': () => paid(),
    'settlement.completed': () => paid(),
    'crypto.received': cryptoPaid,
    'crypto.expired': async () => {
      const id = await cryptoCharge()
      await advance('PT1H')
      return id
    },
    'crypto.withdrawal_completed': async () => {
      const id = await withdrawn(sound)
      await advance('PT1M')
      return id
    },
    'crypto.withdrawal_failed': () => withdrawn(dead),
    'conversion.completed': () => converted({}),
    'conversion.failed': () => converted({ sandboxScenario: 'conversion_fails' }),
    'transfer.scheduled': () => transferred({ amount: 1_000 }),
    'transfer.pending_approval': () => transferred({ amount: 500_001 }),
    'transfer.completed': async () => {
      const id = await transferred({ amount: 500_002 })
      await sign(bia, `/v1/transfers/${id}/approve`, {})
      return id
    },
    'transfer.failed': () => transferred({ amount: 1_000, metadata: { sandboxScenario: 'transfer_fails' } }),
    'transfer.returned': async () => {
      const id = await transferred({ amount: 1_000 })
      await post(`/v1/sandbox/transfers/${id}/return`, { amount: 400 })
      return id
    },
    'payment.refund_failed': async () => {
      const id = await byCard('tok_test_refund_slow')
      const refund = await post(`/v1/transactions/${id}/refund`, { amount: 500 })
      await post(`/v1/sandbox/refunds/${refund.id}/resolve`, { result: 'FAILED' })
      return id
    },
    'checkout.completed': async () => {
      const { id, url } = await post('/v1/checkout-sessions', { amount: 1990, methods: ['PIX'] })
      await sendForm(service, url, 'pay', { method: 'PIX' })
      const { body } = await shop('GET', `/v1/checkout-sessions/${id}`)
      await post(`/v1/sandbox/pix/charges/${body.transactionIds[0]}/pay`, {})
      return id
    },
    'checkout.expired': async () => {
      const { id } = await post('/v1/checkout-sessions', { amount: 1990, methods: ['PIX'] })
      await post(`/v1/checkout-sessions/${id}/expire`, {})
      return id
    },
  }
  t.strictSame(Object.keys(causes), eventTypes, 'the table of the specification, and extra events')
  t.equal(specifiedEventTypes.length, 25)

  for (const type of eventTypes) {
    const about = await causes[type]()
    const isHeard = ({ event }: (typeof receiver.heard)[0]): boolean =>
      event.type === type && JSON.stringify(event.data).includes(`"${about}"`)
    await until(async () => receiver.heard.some(isHeard))
    const { event } = receiver.heard.find(isHeard)!
    t.equal(event.type, type, `${type} of ${about}`)
  }
  t.strictSame(
    receiver.heard.filter(({ event }) => 'test' in event.data),
    [],
    'no sample among them',
  )
  // Deliveries about one object keep their order, so what comes after the refund that failed says that it is not on its way.
  const failed = receiver.heard.find(({ event }) => event.type === 'payment.refund_failed')!.event.data.id
  await post(`/v1/sandbox/card-payments/${failed}/chargeback`, { reason: 'FRAUD' })
  await until(async () =>
    older.heard.some(({ event }) => event.type === 'payment.chargeback' && event.data.id === failed),
  )
  t.notOk(older.heard.some(({ event }) => event.type === 'payment.refund_failed'))
})
