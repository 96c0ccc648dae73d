import t from 'tap'
import { prepareDirectory } from './prepared.ts'
import { newCompany, newMerchant, oneWorker, posted, startReceiver, startService } from './service.ts'
import { signInDirectly } from './sign-in-directly.ts'

const owner = { SANDBOX: 'OWNER', PRODUCTION: 'OWNER' } as const
const support = { SANDBOX: 'SUPPORT', PRODUCTION: 'SUPPORT' } as const

t.test(
  'a person finds by any number or name what the role may read, and sees how the company does',
  async (t) => {
    const receiver = await startReceiver(t, () => 500)
    const first = await prepareDirectory(t)
    const own = await newCompany(first, {
      scopes:
        'charges.create,charges.read,transactions.read,refunds.create,subscriptions.read,subscriptions.manage',
    })
    const other = await newCompany(first, { name: 'Outra Loja' })
    const { service, members } = await signInDirectly(
      t,
      first,
      [
        { companyId: own.company.id, roles: owner },
        { companyId: own.company.id, roles: support },
        { companyId: other.company.id, roles: owner },
      ],
      { env: oneWorker },
    )
    const endpoint = await service.operate('webhooks create', {
      company: own.company.id,
      environment: 'sandbox',
      url: receiver.url,
    })
    const [person, helper, stranger] = members.map(({ call }) => call) as [
      (typeof members)[0]['call'],
      (typeof members)[0]['call'],
      (typeof members)[0]['call'],
    ]
    const ana = { name: 'Ana Gonçalves', document: '123.456.789-09', email: 'ana@example.com' }
    const pix = await posted(person, '/v1/pix/charges', {
      amount: 1990,
      customer: ana,
      externalId: 'order-1',
    })
    const paid = await posted(person, `/v1/sandbox/pix/charges/${pix.id}/pay`, {})
    const dueDate = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
    const boleto = await posted(person, '/v1/boletos', {
      amount: 500,
      dueDate,
      customer: { name: 'Bruno Lima', document: '11.222.333/0001-81' },
    })
    const card = { token: 'tok_test_approved', brand: 'VISA', last4: '4242' }
    const payment = await posted(person, '/v1/card-payments', { amount: 10_000, card })
    const chargeback = await posted(person, `/v1/sandbox/card-payments/${payment.id}/chargeback`, {})
    const med = await posted(person, `/v1/sandbox/transactions/${pix.id}/med`, { amount: 100 })
    const refunded = await posted(person, '/v1/card-payments', { amount: 300, card })
    const refund = await posted(person, `/v1/transactions/${refunded.id}/refund`, {})
    const registered = await posted(person, '/v1/customers', {
      name: 'Carla Nunes',
      document: '52998224725',
      email: 'carla@example.com',
      externalId: 'cliente-9',
    })
    const plan = await posted(person, '/v1/plans', {
      name: 'Clube do Café',
      amount: 4900,
      interval: 'MONTH',
      methods: ['CREDIT_CARD'],
    })
    const coupon = await posted(person, '/v1/coupons', {
      code: 'bemvindo',
      discountType: 'PERCENT',
      percentBps: 1000,
    })
    const subscription = await posted(person, '/v1/subscriptions', {
      planId: plan.id,
      customer: ana,
      method: 'CREDIT_CARD',
      card,
    })
    const invoice = subscription.latestInvoice
    await receiver.count(1)

    const search = async (call: typeof person, q: string): Promise<any[]> => {
      const { status, body } = await call('GET', `/v1/search?q=${encodeURIComponent(q)}`)
      t.equal(status, 200, q)
      return body.data
    }
    const found = async (q: string): Promise<string[]> => (await search(person, q)).map(({ id }) => id)

    const listed = async (filter: Record<string, string>): Promise<string[]> => {
      const { status, body } = await person('GET', `/v1/transactions?${new URLSearchParams(filter)}`)
      t.equal(status, 200)
      return body.data.map(({ id }: { readonly id: string }) => id)
    }
    const { nsu, tid } = payment.card
    const { txid, endToEndId } = paid.pix
    const { ourNumber } = boleto.boleto
    for (const filter of [{ txid }, { endToEndId }, { txid, endToEndId }])
      t.strictSame(await listed(filter), [pix.id])
    for (const filter of [{ nsu }, { tid }, { tid, status: 'CHARGEBACK' }])
      t.strictSame(await listed(filter), [payment.id])
    t.strictSame(await listed({ ourNumber }), [boleto.id])
    for (const filter of [
      { nsu: tid },
      { nsu: ourNumber },
      { endToEndId: txid },
      { txid, nsu },
      { txid: 'none' },
    ])
      t.strictSame(await listed(filter), [], 'an id is looked for where it belongs')

    for (const [q, id] of [
      [pix.id, pix.id],
      ['order-1', pix.id],
      [paid.pix.txid, pix.id],
      [paid.pix.endToEndId, pix.id],
      [refund.id, refunded.id],
      [chargeback.id, payment.id],
      [med.id, pix.id],
      [boleto.boleto.ourNumber, boleto.id],
      [boleto.boleto.digitableLine, boleto.id],
      [boleto.boleto.barcode, boleto.id],
      ['11.222.333/0001-81', boleto.id],
      ['bruno', boleto.id],
      ['goncalves', pix.customerId],
      ['123.456.789-09', pix.customerId],
      ['ana@example', subscription.id],
      [registered.id, registered.id],
      ['carla nunes', registered.id],
      ['cliente-9', registered.id],
      [subscription.id, subscription.id],
      [invoice.id, invoice.id],
      ['inv-000001', invoice.id],
      ['clube', plan.id],
      ['BEMVINDO', coupon.id],
      [own.key.clientId, own.key.id],
      [new URL(receiver.url).host, endpoint.id],
    ] as const)
      t.ok((await found(q)).includes(id), `${q} leads to ${id}`)
    const [delivery] = (await search(person, pix.id)).filter(({ object }) => object === 'webhook_delivery')
    t.match(delivery, { title: /^(payment|pix)\./, detail: pix.id })
    t.strictSame(await found(delivery.id), [delivery.id])
    t.match((await search(person, 'order-1'))[0], {
      object: 'transaction',
      title: 'Ana Gonçalves',
      detail: 'PIX',
      amount: '1990',
    })
    t.strictSame(await found('nothing like it'), [])
    t.match(await person('GET', '/v1/search?q=%20%20x'), {
      status: 400,
      body: { errors: [{ field: 'query.q' }] },
    })

    const helped = new Set((await search(helper, pix.id)).map(({ object }) => object))
    t.ok(helped.has('transaction'))
    t.notOk(helped.has('webhook_delivery'), 'support reads no deliveries')
    t.strictSame(await search(helper, own.key.clientId), [])
    t.strictSame(await search(helper, new URL(receiver.url).host), [])
    for (const q of [
      pix.id,
      'order-1',
      'goncalves',
      own.key.clientId,
      subscription.id,
      delivery.id,
      coupon.id,
    ])
      t.strictSame(await search(stranger, q), [], 'nothing of another company')

    const many = Array.from({ length: 7 }, (_, n) => ({ amount: 100 + n, customer: { name: `Zeca ${n}` } }))
    const ids: string[] = []
    for (const charge of many) ids.push((await posted(person, '/v1/pix/charges', charge)).id)
    t.strictSame(await found('zeca'), ids.slice(-5).reverse(), 'the newest five')

    const { body: overview } = await person('GET', '/v1/overview')
    const today = overview.to
    t.match(overview, {
      object: 'overview',
      volume: [
        { date: today, method: 'CREDIT_CARD', count: 3, amount: '15200' },
        { date: today, method: 'PIX', count: 1, amount: '1990' },
      ],
      mrrAmount: '4900',
      balance: { available: /^-?\d+$/, blocked: /^-?\d+$/, receivable: /^-?\d+$/ },
      openChargebacks: 1,
      openMeds: 1,
      pendingApprovals: 0,
      failedDeliveries: 0,
    })
    t.equal(overview.approval.length, 30)
    t.strictSame(overview.approval.at(-1), { date: today, attempts: 3, approved: 3 })
    t.match((await helper('GET', '/v1/overview')).body, {
      balance: null,
      failedDeliveries: null,
      openMeds: 1,
      mrrAmount: '4900',
    })
    t.match((await person('GET', `/v1/overview?from=2020-01-01&to=${today}`)).status, 400)
    t.equal((await person('GET', '/v1/overview?from=2020-01-01')).body.approval.length, 366)
    t.match((await stranger('GET', '/v1/overview')).body, { volume: [], openChargebacks: 0, mrrAmount: '0' })

    await posted(person, `/v1/sandbox/meds/${med.id}/close`, { result: 'REJECTED' })
    // Nobody defends the chargeback in time.
    await posted(person, '/v1/sandbox/clock/advance', { by: 'P20D' })
    t.match((await person('GET', `/v1/transactions/${payment.id}`)).body, { status: 'CHARGEBACK' })
    t.match((await person('GET', '/v1/overview')).body, { openChargebacks: 0, openMeds: 0 })
  },
)

t.test('a key reads the overview without what only people may see', async (t) => {
  const service = await startService(t, { env: oneWorker })
  const { call } = await newMerchant(service, { scopes: 'transactions.read' })
  t.match(await call('GET', '/v1/overview'), {
    status: 200,
    body: { balance: null, mrrAmount: null, failedDeliveries: null, pendingApprovals: null },
  })
  for (const path of ['/v1/search?q=order', '/v1/live'])
    t.match(await call('GET', path), { status: 403, body: { code: 'DASHBOARD_ONLY' } })
})
