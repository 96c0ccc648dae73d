import { everyScope } from '../e2e/examples/play.ts'
import { type Enrolled, enrol, newOwner } from '../e2e/person.ts'
import { caller, posted, type Scope, type Service, startReceiver, until } from '../e2e/service.ts'
import { seeded } from '../engine/world.ts'

const people = [
  'Beatriz Almeida',
  'Rafael Monteiro',
  'Camila Nogueira',
  'João Pedro Farias',
  'Larissa Cardoso',
  'Thiago Barbosa',
  'Mariana Teixeira',
  'Lucas Figueiredo',
  'Helena Prado',
  'Gustavo Rezende',
  'Patrícia Moura',
  'André Vasconcelos',
]
const orders = [
  'Café em grãos 1 kg',
  'Kit prensa francesa',
  'Moedor manual',
  'Assinatura avulsa',
  'Curso de barista',
]

/** A CPF with its check digits. */
const cpfOf = (n: number): string => {
  const digits = [...String(n)].map(Number)
  for (const weights of [10, 11]) {
    const sum = digits.reduce((sum, digit, at) => sum + digit * (weights - at), 0)
    digits.push(((sum * 10) % 11) % 10)
  }
  return digits.join('')
}

/** A company that has been at work for a month, and the pages that show it: their addresses by name. */
export const openDemoCompany = async (t: Scope, service: Service) => {
  const random = seeded(7)
  const below = (max: number): number => random() % max
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)]!
  const company = await service.operate('companies create', {
    name: 'Café Aurora Ltda',
    document: '11222333000181',
  })
  const owner = await newOwner(service, company.id, 'ana@cafeaurora.com.br')
  const team: Enrolled[] = []
  for (const [name, email, role] of [
    ['Bruno Castro', 'bruno@cafeaurora.com.br', 'finance'],
    ['Carolina Dias', 'carolina@cafeaurora.com.br', 'developer'],
    ['Daniel Rocha', 'daniel@cafeaurora.com.br', 'support'],
  ] as const) {
    const { link } = await service.operate('people invite', { company: company.id, email, role })
    team.push(await enrol(service, link, email, name))
  }
  const [finance, developer] = team as [Enrolled, Enrolled, Enrolled]
  await service.operate('people invite', {
    company: company.id,
    email: 'elisa@cafeaurora.com.br',
    role: 'viewer',
  })
  for (const [name, scopes] of [
    ['Loja virtual', 'charges.create,charges.read,transactions.read,refunds.create'],
    ['ERP', 'transactions.read,transactions.export'],
  ])
    await service.operate('keys create', { company: company.id, environment: 'sandbox', name, scopes })
  const { call } = owner.browser.at(company.id)
  // As a company's server makes what its people see; only it may ask that often.
  const { secret } = await service.operate('keys create', {
    company: company.id,
    environment: 'sandbox',
    name: 'Integração',
    scopes: everyScope,
  })
  const made = (path: string, body: object) =>
    posted(path.startsWith('/v1/webhooks') ? call : caller(service.origin, secret), path, body)

  const customers: { id: string; name: string; document: string }[] = []
  for (const [n, name] of people.entries())
    customers.push(
      await made('/v1/customers', {
        name,
        document: cpfOf(312_845_067 + n * 7919),
        email: `${name
          .split(' ')[0]!
          .toLowerCase()
          .normalize('NFD')
          .replace(/[^a-z]/g, '')}@example.com`,
        phone: `+55119${String(81234567 + n * 4321).slice(0, 8)}`,
      }),
    )
  const payerOf = ({ name, document }: (typeof customers)[number]) => ({ name, document })
  const today = Date.now()
  for (let day = 29; day >= 0; day--)
    for (let n = 4 + below(5) + Math.floor((30 - day) / 8); n > 0; n--) {
      const method = pick(['PIX', 'PIX', 'PIX', 'CREDIT_CARD', 'CREDIT_CARD', 'BOLETO'])
      const outcomes =
        method === 'CREDIT_CARD'
          ? ['APPROVED', 'APPROVED', 'APPROVED', 'APPROVED', 'APPROVED', 'APPROVED', 'FAILED']
          : ['APPROVED', 'APPROVED', 'APPROVED', 'APPROVED', 'APPROVED', 'EXPIRED']
      await made('/v1/sandbox/transactions', {
        method,
        status: pick(outcomes),
        amount: (39 + below(360)) * 100 + pick([0, 50, 90, 90]),
        customer: payerOf(pick(customers)),
        description: pick(orders),
        createdAt: new Date(today - day * 86_400_000 - below(8 * 3_600_000) - 60_000).toISOString(),
      })
    }

  const receiver = await startReceiver(t)
  const failing = await startReceiver(t, () => 503)
  const endpoint = await made('/v1/webhooks/endpoints', { url: receiver.url, description: 'Loja virtual' })
  await made('/v1/webhooks/endpoints', {
    url: failing.url,
    description: 'ERP',
    events: ['payment.approved', 'payment.refunded'],
  })

  await made('/v1/split/recipients', {
    name: 'Fazenda Boa Vista',
    document: '11444777000161',
    bankCode: '341',
    branch: '0001',
    account: '12345-6',
  })
  const farm = await made('/v1/split/recipients', {
    name: 'Torrefação do Vale',
    document: '19131243000197',
    bankCode: '001',
    branch: '1234',
    account: '98765-4',
  })
  const rule = await made('/v1/split/rules', {
    name: 'Produtor e torrefação',
    items: [
      { recipientId: farm.id, percentBps: 3000 },
      { percentBps: 7000, chargeRemainder: true },
    ],
  })
  const plans: { id: string }[] = []
  for (const [name, amount, interval] of [
    ['Clube Aurora', 6990, 'MONTH'],
    ['Clube Aurora anual', 69_900, 'YEAR'],
    ['Escritório', 24_900, 'MONTH'],
  ] as const)
    plans.push(await made('/v1/plans', { name, amount, interval, methods: ['CREDIT_CARD', 'PIX', 'BOLETO'] }))
  const card = { token: 'tok_test_approved', brand: 'VISA', last4: '4242', holderName: 'MARIANA TEIXEIRA' }
  const subscriptions: { id: string }[] = []
  for (const [n, { id }] of customers.slice(0, 9).entries())
    subscriptions.push(
      await made('/v1/subscriptions', {
        planId: plans[n % 3]!.id,
        customerId: id,
        ...(n % 4 === 3 ? { method: 'PIX' } : { method: 'CREDIT_CARD', card }),
      }),
    )
  const coupon = { discountType: 'PERCENT', percentBps: 1000, duration: 'ONCE' }
  await made('/v1/coupons', { ...coupon, code: 'BEMVINDO10' })
  await made('/v1/coupons', { ...coupon, code: 'CAFE15', percentBps: 1500, maxRedemptions: 100 })

  const disputed = await made('/v1/card-payments', {
    amount: 38_990,
    installments: 3,
    card: { ...card, brand: 'MASTERCARD', last4: '5318' },
    customerId: customers[6]!.id,
    description: 'Kit prensa francesa',
  })
  await made(`/v1/sandbox/card-payments/${disputed.id}/chargeback`, {})
  const dueDate = new Date(today + 5 * 86_400_000).toISOString().slice(0, 10)
  await made('/v1/boletos', {
    amount: 24_900,
    dueDate,
    customer: payerOf(customers[2]!),
    description: 'Moedor manual',
  })
  const paid = await made('/v1/pix/charges', {
    amount: 18_990,
    customerId: customers[0]!.id,
    description: 'Kit prensa francesa',
    splitRuleId: rule.id,
  })
  await made(`/v1/sandbox/pix/charges/${paid.id}/pay`, {})
  await made(`/v1/transactions/${paid.id}/refund`, { amount: 4000, reason: 'Item em falta' })
  const waiting = await made('/v1/pix/charges', {
    amount: 12_990,
    customerId: customers[4]!.id,
    description: 'Café em grãos 1 kg',
  })
  await made('/v1/sandbox/pix/received', { amount: 5000, payer: { name: 'Larissa Cardoso' } })
  await until(async () => {
    const { body } = await call('GET', `/v1/webhooks/endpoints/${endpoint.id}`)
    return body.health.open === 0
  })
  const { object, usage, pending, ...limits } = (await call('GET', '/v1/company/limits')).body
  const wanted = { ...limits, cryptoDayAmount: '1000000', pixDayAmount: '15000000', nightStartsAt: '22:00' }
  await call('PUT', '/v1/company/limits', wanted, { 'Service-Second-Factor': `totp ${owner.code()}` })
  /** What a person signs with a second factor: three times in a minute, the one of enrolment included. */
  const signed = async ({ browser, code }: Enrolled, verb: string, path: string, body: object) => {
    const factor = { 'Service-Second-Factor': `totp ${code()}` }
    const { status, body: answer } = await browser.at(company.id).call(verb, path, body, factor)
    if (status >= 300) throw new Error(`${verb} ${path}: ${status} ${JSON.stringify(answer)}`)
    return answer
  }
  const { object: _, pending: __, ...policy } = (await call('GET', '/v1/company/approval-policy')).body
  await signed(owner, 'PUT', '/v1/company/approval-policy', { ...policy, thresholdAmount: 50_000 })
  const lookUp = async (key: string): Promise<{ id: string }> =>
    posted(finance.browser.at(company.id).call, '/v1/pix/lookups', { key })
  const send = async (key: string, amount: number, description: string) =>
    signed(finance, 'POST', '/v1/transfers', {
      kind: 'PIX',
      lookupId: (await lookUp(key)).id,
      amount,
      description,
    })
  await send('contato@graficaverde.com.br', 24_000, 'Embalagens')
  const approving = await send('frete@rodoviasul.com.br', 72_000, 'Frete de novembro')
  const beneficiary = await signed(developer, 'POST', '/v1/beneficiaries', {
    name: 'Comercial Aurora Ltda',
    document: '19131243000197',
    bankCode: '341',
    branch: '1234',
    account: '123456-7',
    accountType: 'CHECKING',
    nickname: 'Aluguel',
  })
  const coin = { asset: 'USDC', network: 'BASE' }
  for (const [amount, description] of [
    [270_000, 'Atacado para a Argentina'],
    [54_000, 'Curso de barista'],
  ] as const) {
    const charge = await made('/v1/crypto/charges', { ...coin, amount, description })
    await made(`/v1/sandbox/crypto/charges/${charge.id}/pay`, {})
  }
  const coins = await made('/v1/crypto/charges', {
    ...coin,
    amount: 81_000,
    description: 'Kit prensa francesa',
  })
  const late = await made('/v1/crypto/charges', { ...coin, amount: 10_800, description: 'Moedor manual' })
  await made(`/v1/crypto/charges/${late.id}/cancel`, {})
  await made(`/v1/sandbox/crypto/charges/${late.id}/pay`, {})
  const quote = await posted(developer.browser.at(company.id).call, '/v1/conversions/quotes', {
    fromCurrency: 'USDC',
    toCurrency: 'BRL',
    fromAmount: 250_000_000,
  })
  await signed(developer, 'POST', '/v1/conversions', { quoteId: quote.id })
  await made('/v1/sandbox/pix/unmatched', { amount: 18_900 })
  const ticket = await posted(call, '/v1/support/tickets', {
    subject: 'Pagador diz que pagou duas vezes',
    category: 'PAYMENT',
    objectIds: [paid.id],
    text: 'O cliente mostra dois comprovantes do mesmo dia. Só um chegou?',
  })
  await service.operate('tickets reply', {
    id: ticket.id,
    name: 'Marina',
    text: 'Só um chegou. O outro foi devolvido pelo banco do pagador no mesmo dia.',
  })
  const failed = await call('GET', '/v1/webhooks/deliveries?status=RETRYING')
  const invoices = await call('GET', '/v1/invoices')

  const pages: Readonly<Record<string, string>> = {
    inicio: 'inicio',
    transacoes: 'transacoes',
    transacao: `transacoes/${paid.id}`,
    cobranca: `transacoes/${waiting.id}`,
    pix: 'pix',
    'pix-nova': 'pix?novo=cobranca',
    cartoes: 'cartoes',
    chargebacks: 'cartoes/chargebacks',
    boletos: 'boletos',
    cripto: 'cripto',
    'cripto-cobranca': `transacoes/${coins.id}`,
    'cripto-depositos': 'cripto/depositos',
    conversoes: 'conversoes',
    carteiras: 'carteiras',
    saques: 'saques',
    saldo: 'saldo',
    extrato: 'extrato',
    suspenso: 'suspenso',
    transferencias: 'transferencias',
    transferencia: `transferencias/${approving.id}`,
    'transferencia-nova': `transferencias/nova?favorecido=${beneficiary.id}`,
    favorecidos: 'favorecidos',
    assinaturas: 'assinaturas',
    assinatura: `assinaturas/${subscriptions[0]!.id}`,
    faturas: 'faturas',
    fatura: `faturas/${invoices.body.data[0].id}`,
    planos: 'planos',
    cupons: 'cupons',
    regua: 'regua',
    clientes: 'clientes',
    cliente: `clientes/${customers[0]!.id}`,
    divisao: 'divisao',
    webhooks: 'webhooks',
    endpoint: `webhooks/${endpoint.id}`,
    entregas: 'entregas',
    entrega: `entregas/${failed.body.data[0].id}`,
    eventos: 'eventos',
    chaves: 'chaves',
    sandbox: 'relogio',
    empresa: 'empresa',
    equipe: 'equipe',
    limites: 'limites',
    auditoria: 'auditoria',
    avisos: 'avisos',
    suporte: `suporte/${ticket.id}`,
    eu: 'eu',
  }
  return { owner, company, pages }
}
