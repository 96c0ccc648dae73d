import t from 'tap'
import { takesKeys } from '../../gateway/api/route.ts'
import { routes } from '../../gateway/routes/index.ts'
import { contract } from './contract.ts'
import { newMerchant, startService } from './service.ts'

/** Every operation of the API is called once against the real service, and what it answers is held against the document. */
t.test('every operation answers what the OpenAPI document says', async (t) => {
  const service = await startService(t)
  const scopes =
    'charges.create,charges.read,transactions.read,transactions.export,refunds.create,subscriptions.read,subscriptions.manage,marketplace.manage,balance.read'
  const { call } = await newMerchant(service, { scopes })
  // What people do is played for the examples of the document, and so are transfers, which only people make.
  const left = new Set(
    routes.flatMap((route) =>
      takesKeys(route) && !route.path.startsWith('/v1/sandbox/transfers/') ? [route.operationId] : [],
    ),
  )

  // A person converts, withdraws and contests a MED, so these are played there, too.
  left.delete('resolveSandboxMedContest')
  left.delete('resolveSandboxConversion')
  left.delete('resolveSandboxCryptoWithdrawal')

  /** Calls, and answers the body: the client has held it against the document. */
  const does = async (verb: string, path: string, body?: unknown): Promise<any> => {
    const answer = await call(verb, path, body)
    t.ok(answer.status < 300, `${verb} ${path} ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`)
    left.delete(contract().operationOf(verb, path)!)
    return answer.body
  }

  const dueDate = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
  const customer = { name: 'Ana Souza', document: '123.456.789-09', email: 'ana@example.com' }
  const registered = await does('POST', '/v1/customers', { ...customer, phone: '11 98765-4321' })
  await does('GET', `/v1/customers/${registered.id}`)
  await does('GET', '/v1/customers?document=12345678909')

  const pix = await does('POST', '/v1/pix/charges', { amount: 1990, customer, externalId: 'order-1' })
  await does('GET', `/v1/pix/charges/${pix.id}?include=qrCode`)
  await does('GET', pix.qrCodeUrl)
  await does('POST', `/v1/transactions/${pix.id}/send`, {})
  await does('PUT', `/v1/transactions/${pix.id}/fiscal-documents`, { fiscalDocuments: [] })
  await does('POST', `/v1/sandbox/pix/charges/${pix.id}/pay`)
  await does('GET', '/v1/pix/charges?status=APPROVED')
  const other = await does('POST', '/v1/pix/charges', { amount: '5' })
  await does('POST', `/v1/pix/charges/${other.id}/cancel`)
  const late = await does('POST', '/v1/pix/charges', { amount: '5' })
  await does('POST', `/v1/sandbox/pix/charges/${late.id}/expire`)
  const deposit = await does('POST', '/v1/pix/deposits', { amount: 700 })
  await does('GET', `/v1/pix/deposits/${deposit.id}`)
  await does('GET', deposit.qrCodeUrl)
  await does('GET', '/v1/pix/deposits')
  await does('POST', `/v1/transactions/${deposit.id}/cancel`, { reason: 'not needed' })
  await does('POST', '/v1/sandbox/pix/received', { amount: 300 })
  await does('POST', '/v1/sandbox/pix/unmatched', { amount: 400 })
  await does('POST', '/v1/sandbox/reconciliations', { amount: 400 })
  await does('GET', '/v1/pix/received')
  await does('GET', '/v1/pix/keys')

  const refund = await does('POST', `/v1/transactions/${pix.id}/refund`, { amount: 90, reason: 'broken' })
  t.equal(refund.status, 'COMPLETED')
  const med = await does('POST', `/v1/sandbox/transactions/${pix.id}/med`, { amount: 100 })
  await does('POST', `/v1/sandbox/meds/${med.id}/close`, { result: 'ACCEPTED' })
  await does('GET', '/v1/meds')
  await does('GET', '/v1/pix/overview')

  const card = { token: 'tok_test_approved', brand: 'VISA', last4: '4242' }
  const payment = await does('POST', '/v1/card-payments', { amount: 10_000, installments: 3, card })
  await does('GET', `/v1/card-payments/${payment.id}`)
  const authorized = await does('POST', '/v1/card-payments', { amount: 500, capture: false, card })
  await does('POST', `/v1/card-payments/${authorized.id}/capture`, { amount: 400 })
  await does('POST', `/v1/card-payments/${authorized.id}/cancel`)
  const unsure = await does('POST', '/v1/card-payments', {
    amount: 500,
    card: { ...card, token: 'tok_test_timeout' },
  })
  await does('POST', `/v1/sandbox/card-payments/${unsure.id}/resolve`, { result: 'DECLINED' })
  const chargeback = await does('POST', `/v1/sandbox/card-payments/${payment.id}/chargeback`, {})
  await does('POST', `/v1/cards/chargebacks/${chargeback.id}/dispute`, { text: 'It was delivered in time.' })
  await does('POST', `/v1/sandbox/chargebacks/${chargeback.id}/resolve`, { result: 'WON' })
  await does('GET', '/v1/cards/chargebacks')
  await does('GET', '/v1/cards/transactions')
  await does('GET', '/v1/cards/fees')
  await does('POST', `/v1/sandbox/transactions/${payment.id}/settle`)
  const slow = await does('POST', '/v1/card-payments', {
    amount: 500,
    card: { ...card, token: 'tok_test_refund_slow' },
  })
  const pending = await does('POST', `/v1/transactions/${slow.id}/refund`, {})
  t.equal(pending.status, 'PROCESSING')
  await does('POST', `/v1/sandbox/refunds/${pending.id}/resolve`, { result: 'FAILED' })

  const stablecoin = { asset: 'USDC', network: 'SOLANA' }
  const crypto = await does('POST', '/v1/crypto/charges', { amount: 10_000, ...stablecoin, customer })
  await does('POST', `/v1/sandbox/crypto/charges/${crypto.id}/pay`, { confirmations: 1 })
  await does('POST', `/v1/sandbox/crypto/charges/${crypto.id}/drop`)
  await does('POST', `/v1/sandbox/crypto/charges/${crypto.id}/pay`, { confirmations: 0 })
  await does('POST', `/v1/sandbox/crypto/charges/${crypto.id}/confirm`)
  const received = await does('GET', `/v1/crypto/charges/${crypto.id}`)
  t.match(received, { status: 'APPROVED', crypto: { qrCode: /^data:image/, paymentState: 'PAID' } })
  await does('POST', '/v1/sandbox/crypto/rate', { asset: 'USDC', rate: '5.61' })
  const unwanted = await does('POST', '/v1/crypto/charges', { cryptoAmount: '7', ...stablecoin })
  t.match(unwanted, { amount: '7000000', crypto: { quotedAmount: '3927', rate: '5.61' } })
  await does('POST', `/v1/crypto/charges/${unwanted.id}/cancel`)
  await does('GET', '/v1/crypto/charges?status=APPROVED')

  const boleto = await does('POST', '/v1/boletos', { amount: 10_000, dueDate, customer })
  await does('GET', `/v1/boletos/${boleto.id}`)
  await does('GET', `${boleto.qrCodeUrl}?size=4`)
  const pdf = await does('GET', `/v1/boletos/${boleto.id}/pdf`)
  t.match(pdf, /^%PDF-/)
  await does('POST', `/v1/sandbox/boletos/${boleto.id}/pay`, { clearing: 'NEXT_BUSINESS_DAY' })
  await does('GET', '/v1/boletos?status=PROCESSING')
  const unpaid = await does('POST', '/v1/boletos', { amount: 1, dueDate, customer })
  await does('POST', `/v1/boletos/${unpaid.id}/cancel`)
  const byCode = await does('POST', '/v1/boletos', { amount: 500, dueDate, customer })
  const paid = await does('POST', `/v1/sandbox/boletos/${byCode.id}/pay`, { by: 'PIX' })
  t.match(paid, { status: 'PAID', pix: { endToEndId: /^E/ } })
  const expiring = await does('POST', '/v1/boletos', { amount: 1, dueDate, customer })
  await does('POST', `/v1/sandbox/boletos/${expiring.id}/expire`)

  const plan = await does('POST', '/v1/plans', {
    name: 'Pro',
    amount: 4900,
    interval: 'MONTH',
    methods: ['PIX', 'CREDIT_CARD'],
  })
  await does('GET', `/v1/plans/${plan.id}`)
  await does('GET', '/v1/plans?active=true')
  await does('PATCH', `/v1/plans/${plan.id}`, { amount: '5900', trialDays: 7 })
  const coupon = await does('POST', '/v1/coupons', {
    code: 'welcome10',
    discountType: 'PERCENT',
    percentBps: 1000,
    planIds: [plan.id],
  })
  const validation = await does('GET', `/v1/coupons/validate?code=Welcome10&planId=${plan.id}`)
  t.match(validation, { valid: true, finalAmount: '5310', coupon: { id: coupon.id } })
  await does('PATCH', `/v1/coupons/${coupon.id}`, { maxRedemptions: 10 })
  await does('GET', '/v1/coupons?status=ACTIVE')
  await does('PUT', '/v1/dunning', {
    planId: plan.id,
    enabled: true,
    retryDays: [2, 4],
    finalAction: 'CANCEL',
  })
  await does('GET', '/v1/dunning')
  await does('DELETE', `/v1/dunning/plans/${plan.id}`)
  const methods = ['PIX', 'BOLETO', 'CREDIT_CARD']
  const month = await does('POST', '/v1/plans', { name: 'Month', amount: 4900, interval: 'MONTH', methods })
  const dearer = await does('POST', '/v1/plans', { name: 'More', amount: 9900, interval: 'MONTH', methods })
  const subscribed = { planId: month.id, customer, method: 'CREDIT_CARD', card }
  const subscription = await does('POST', '/v1/subscriptions', subscribed)
  t.match(subscription, { status: 'ACTIVE', latestInvoice: { status: 'PAID' } })
  const preview = await does('POST', `/v1/subscriptions/${subscription.id}/change-plan`, {
    planId: dearer.id,
    preview: true,
  })
  t.match(preview, { preview: true, invoice: null, subscription: { planId: month.id } })
  const changed = await does('POST', `/v1/subscriptions/${subscription.id}/change-plan`, {
    planId: dearer.id,
  })
  t.match(changed, { preview: false, proration: preview.proration, subscription: { planId: dearer.id } })
  await does('POST', `/v1/subscriptions/${subscription.id}/pause`)
  await does('POST', `/v1/subscriptions/${subscription.id}/resume`)
  await does('GET', `/v1/subscriptions/${subscription.id}`)
  const byPix = await does('POST', '/v1/subscriptions', { planId: month.id, customer, method: 'PIX' })
  await does('GET', byPix.latestInvoice.payment.pix.qrCodeUrl)
  const byBoleto = await does('POST', '/v1/subscriptions', { planId: month.id, customer, method: 'BOLETO' })
  t.match(byBoleto.latestInvoice.payment.boleto.digitableLine, /^999/)
  const retried = await does('POST', `/v1/invoices/${byPix.latestInvoice.id}/retry`, { card })
  t.match(retried, { status: 'PAID', attempts: [{ status: 'CANCELLED' }, { status: 'SUCCEEDED' }] })
  await does('GET', `/v1/invoices/${retried.id}`)
  await does('GET', `/v1/invoices?subscriptionId=${byPix.id}&status=PAID`)
  await does('GET', '/v1/invoices?status=OPEN')
  const own = await does('GET', `/v1/subscriptions?customerId=${byPix.customerId}&status=ACTIVE`)
  t.equal(own.pagination.total, 2)
  await does('GET', `/v1/subscriptions?planId=${month.id}`)
  const overview = await does('GET', '/v1/recurring/overview')
  t.match(overview, { mrrAmount: '14800', activeSubscriptions: 2, pendingSubscriptions: 1 })
  const subscribers = await does('GET', '/v1/recurring/customers')
  t.match(subscribers.data, [{ subscriptions: 3, activeSubscriptions: 2, mrrAmount: '14800' }])
  await does('POST', `/v1/subscriptions/${subscription.id}/cancel`, { reason: 'moved away' })
  const automatic = await does('POST', '/v1/subscriptions', {
    planId: month.id,
    customer,
    method: 'PIX',
    pixAutomatic: {},
  })
  t.match(automatic.pixMandate, { status: 'CREATED', journey: 'QR_WITH_PAYMENT' })
  t.equal(automatic.latestInvoice.payment.pix.copyPaste, automatic.pixMandate.copyPaste)
  await does('POST', `/v1/sandbox/pix/charges/${automatic.latestInvoice.payment.transactionId}/pay`)
  await does('POST', `/v1/sandbox/mandates/${automatic.pixMandate.id}/resolve`, { result: 'ACCEPTED' })
  await does('POST', '/v1/sandbox/clock/advance', { by: 'P27D' })
  await does('POST', `/v1/sandbox/mandates/${automatic.pixMandate.id}/charge`, { result: 'PAID' })
  const collected = await does('GET', `/v1/subscriptions/${automatic.id}`)
  t.match(collected, {
    status: 'ACTIVE',
    pixMandate: { status: 'ACTIVE' },
    latestInvoice: { status: 'PAID' },
  })
  await does('DELETE', `/v1/coupons/${coupon.id}`)
  await does('DELETE', `/v1/plans/${plan.id}`)
  const session = await does('POST', '/v1/checkout-sessions', { amount: 24_900, externalId: 'order-7' })
  await does('GET', `/v1/checkout-sessions/${session.id}`)
  await does('GET', '/v1/checkout-sessions?externalId=order-7&status=OPEN')
  await does('POST', `/v1/checkout-sessions/${session.id}/expire`)
  await does('POST', '/v1/portal-sessions', { customerId: registered.id })
  await does('GET', '/v1/portal')
  const link = await does('POST', '/v1/payment-links', { name: 'Course', amount: 24_900, maxPayments: 30 })
  await does('GET', `/v1/payment-links/${link.id}`)
  await does('GET', `/v1/payment-links/${link.id}/qr?format=svg`)
  await does('GET', '/v1/payment-links?status=ACTIVE')
  await does('PATCH', `/v1/payment-links/${link.id}`, { maxPayments: 40 })
  await does('POST', `/v1/payment-links/${link.id}/deactivate`)
  await does('GET', '/v1/checkout-branding')
  const bank = { bankCode: '341', branch: '1234', account: '56789-0' }
  const recipient = await does('POST', '/v1/split/recipients', {
    name: 'Vendedora Ltda',
    document: '11.222.333/0001-81',
    ...bank,
  })
  await does('PATCH', `/v1/split/recipients/${recipient.id}`, { email: 'vendas@example.com' })
  await does('GET', `/v1/split/recipients/${recipient.id}`)
  await does('GET', '/v1/split/recipients?active=true')
  const items = [
    { recipientId: recipient.id, percentBps: 8000, chargeFees: true },
    { recipientId: null, percentBps: 2000 },
  ]
  const rule = await does('POST', '/v1/split/rules', { name: '80/20', items })
  await does('GET', `/v1/split/rules/${rule.id}`)
  await does('PATCH', `/v1/split/rules/${rule.id}`, { name: 'Oitenta por cento' })
  t.equal((await does('GET', '/v1/split/rules')).pagination.pageSize, 1)
  const simulated = await does('POST', '/v1/split/simulate', { amount: 10_000, ruleId: rule.id })
  t.strictSame(
    simulated.items.map((item: any) => [item.recipientId, item.netAmount]),
    [
      [recipient.id, '7901'],
      [null, '2000'],
    ],
  )
  const split = await does('POST', '/v1/pix/charges', { amount: 10_000, splitRuleId: rule.id })
  t.equal(split.splitRuleId, rule.id)
  await does('POST', `/v1/sandbox/pix/charges/${split.id}/pay`)
  const divided = await does('POST', '/v1/card-payments', {
    amount: 10_000,
    installments: 2,
    card,
    splitRuleId: rule.id,
  })
  await does('GET', `/v1/card-payments/${divided.id}`)
  await does('POST', `/v1/transactions/${divided.id}/refund`, { amount: 3000 })
  await does('GET', `/v1/transactions/${divided.id}`)
  const transfers = await does('GET', `/v1/split/transfers?recipientId=${recipient.id}`)
  t.equal(transfers.pagination.total, 3)
  await does('DELETE', `/v1/split/rules/${rule.id}`)
  const unused = await does('DELETE', `/v1/split/recipients/${recipient.id}`)
  t.match(unused, { deleted: false, active: false })

  await does('POST', '/v1/sandbox/transactions', { method: 'CRYPTO', status: 'APPROVED', amount: 5 })
  await does('GET', `/v1/transactions/${payment.id}`)
  const list = await does('GET', '/v1/transactions?method=CREDIT_CARD,PIX&sort=amount:desc&pageSize=3')
  t.equal(list.data.length, 3)
  t.equal(list.totals[0].count, list.pagination.total)
  await does('GET', '/v1/transactions/facets?status=APPROVED')
  await does('GET', '/v1/overview')
  for (const path of ['balance', 'statement', 'statement/export', 'receivables', 'receivables/agenda'])
    await does('GET', `/v1/${path}`)
  const csv = await does('GET', '/v1/transactions/export?format=csv')
  t.match(csv, /^id,createdAt,approvedAt,status,/)
  await does('GET', '/v1/sandbox/clock')
  await does('POST', '/v1/sandbox/clock/advance', { by: 'P1D' })
  await does('POST', '/v1/sandbox/clock/reset')
  await does('POST', '/v1/sandbox/events', { type: 'payment.approved' })
  await does('POST', '/v1/sandbox/reset')
  t.strictSame([...left], [], 'none is left out')
})
