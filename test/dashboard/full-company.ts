import { everyScope } from '../e2e/examples/play.ts'
import { enrol, newOwner } from '../e2e/person.ts'
import { newMerchant, oneWorker, posted, type Scope, startReceiver, startService } from '../e2e/service.ts'
import { letIn, openTab, siteOf, startBrowser } from './browser.ts'

/** Text that would run if a page made markup of it. */
export const markup = '<img src=x onerror="document.title=1">'

const longName = 'Sociedade Cooperativa de Produtores Agroindustriais do Vale do Paranapanema Ltda'

/** A service with a company that has something of everything, with long names, large amounts and markup in every text. */
export const openFullCompany = async (t: Scope) => {
  const service = await startService(t, { env: oneWorker })
  const merchant = await newMerchant(service, { scopes: everyScope })
  const { call, company } = merchant
  const owner = await newOwner(service, company.id)
  const site = siteOf(service)
  const addressOf = (page: string) => `${site}/painel/${company.id}/sandbox/${page}`
  const created = (path: string, body: object) => posted(call, path, body)
  const customer = await created('/v1/customers', { name: `Ana ${markup}`, document: '52998224725' })
  const paid = await created('/v1/pix/charges', {
    amount: 12_990,
    description: `Pedido ${markup}`,
    customerId: customer.id,
  })
  await created(`/v1/sandbox/pix/charges/${paid.id}/pay`, {})
  const large = await created('/v1/pix/charges', {
    amount: 999_999_999_999,
    description: 'Fornecimento anual de equipamentos',
    customer: { name: longName, document: '11222333000181', email: 'compras.internacionais@example.com' },
  })
  await created(`/v1/sandbox/pix/charges/${large.id}/pay`, {})
  await created('/v1/pix/charges', { amount: 2500, metadata: { origem: markup } })
  const card = await created('/v1/card-payments', {
    amount: 9900,
    card: { token: 'tok_ok', brand: 'VISA', last4: '4242', holderName: markup },
  })
  await created(`/v1/sandbox/card-payments/${card.id}/chargeback`, {})
  await created('/v1/card-payments', {
    amount: 90_000,
    installments: 3,
    card: { token: 'tok_ok', brand: 'VISA', last4: '4242' },
  })
  const contestedPix = async () => {
    const charge = await created('/v1/pix/charges', { amount: 4990 })
    await created(`/v1/sandbox/pix/charges/${charge.id}/pay`, {})
    const med = await created(`/v1/sandbox/transactions/${charge.id}/med`, {
      details: `Conta ${markup}`,
      rootEndToEndId: 'E00000000202611201200123456789ab',
    })
    return { id: charge.id, med: med.id }
  }
  await contestedPix()
  const returned = await contestedPix()
  await created(`/v1/sandbox/meds/${returned.med}/close`, { result: 'ACCEPTED' })
  const plan = await created('/v1/plans', {
    name: `Plano ${markup}`,
    amount: 4990,
    interval: 'MONTH',
    methods: ['PIX'],
  })
  await created('/v1/subscriptions', {
    planId: plan.id,
    customerId: customer.id,
    method: 'PIX',
    pixAutomatic: {},
  })
  await created('/v1/sandbox/pix/unmatched', { amount: 5500 })
  await created('/v1/coupons', {
    code: 'MENOS10',
    discountType: 'PERCENT',
    percentBps: 1000,
    duration: 'ONCE',
  })
  const recipient = await created('/v1/split/recipients', {
    name: `Loja ${markup}`,
    document: '11222333000181',
    bankCode: '341',
    branch: '0001',
    account: '12345-6',
  })
  await created('/v1/split/rules', {
    name: 'Regra',
    items: [
      { recipientId: recipient.id, percentBps: 9000 },
      { percentBps: 1000, chargeRemainder: true },
    ],
  })
  const people = owner.browser.at(company.id).call
  const receiver = await startReceiver(t)
  const endpoint = (
    await people('POST', '/v1/webhooks/endpoints', { url: receiver.url, description: `Loja ${markup}` })
  ).body
  await people('POST', `/v1/webhooks/endpoints/${endpoint.id}/test`, { type: 'payment.approved' })
  await receiver.count(1)
  const ticket = (
    await people('POST', '/v1/support/tickets', {
      subject: `Onde está o PIX? ${markup}`,
      category: 'PAYMENT',
      priority: 'URGENT',
      objectIds: [paid.id],
      text: `O cliente pagou.\n${markup} ${'x'.repeat(200)}`,
    })
  ).body
  await service.operate('tickets reply', { id: ticket.id, name: 'Bia', text: `Chegou. ${markup}` })
  const { link } = await service.operate('people invite', {
    company: company.id,
    email: 'bia@example.com',
    role: 'owner',
  })
  const other = await enrol(service, link, 'bia@example.com', `Bia ${markup}`)
  const { object, usage, pending: waiting, ...limits } = (await people('GET', '/v1/company/limits')).body
  const looser = { ...limits, pixDayAmount: '900000000000', nightStartsAt: '22:00' }
  await other.browser
    .at(company.id)
    .call('PUT', '/v1/company/limits', looser, { 'Service-Second-Factor': `totp ${other.code()}` })
  const signed = async (path: string, body: object) =>
    (await people('POST', path, body, { 'Service-Second-Factor': `totp ${owner.code()}` })).body
  const coin = await created('/v1/crypto/charges', {
    amount: 10_000,
    asset: 'USDT',
    network: 'TRON',
    description: markup,
  })
  await created(`/v1/sandbox/crypto/charges/${coin.id}/pay`, { cryptoAmount: '1' })
  const beneficiary = await signed('/v1/beneficiaries', {
    name: `Fornecedor ${markup}`,
    document: '11222333000181',
    bankCode: '341',
    branch: '1234',
    account: '123456-7',
    accountType: 'CHECKING',
    nickname: markup,
  })
  await signed('/v1/transfers', {
    kind: 'PIX',
    beneficiaryId: beneficiary.id,
    amount: 1000,
    description: markup,
  })
  // An application makes three codes in a minute, and the owner's are used up.
  const wallet = {
    name: `Cofre ${markup}`,
    asset: 'USDT',
    network: 'TRON',
    address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
    ownership: 'PROVIDER',
    holderName: markup,
    holderDocument: '11222333000181',
    providerName: markup,
  }
  await other.browser
    .at(company.id)
    .call('POST', '/v1/crypto/wallets', wallet, { 'Service-Second-Factor': `totp ${other.code()}` })
  const browser = await startBrowser(t)
  const openPage = async (t: Scope, ...options: Partial<Parameters<typeof openTab>[2]>[]) => {
    const tab = await openTab(t, browser, ...options)
    await letIn(tab.context, site, owner)
    return tab
  }
  return { service, merchant, call, company, owner, other, site, addressOf, created, openPage }
}
