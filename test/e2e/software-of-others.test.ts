import t from 'tap'
import { posted } from './service.ts'
import { shareService } from './stories.ts'

/** What other software sends, and what people open with it (decisions, sections 6, 8 and 26). */
const { story } = shareService(t)

const scopes =
  'charges.create,charges.read,transactions.read,transactions.export,refunds.create,marketplace.manage,balance.read'

story('bodies of PHP, .NET and typed clients are taken as they are meant', { scopes }, async (t, world) => {
  const { call, key, service } = world
  const customer = {
    name: 'Ana Souza',
    document: '529.982.247\u201125',
    email: 'ana@café.com.br',
    phone: '+1 (415) 555\u20112671',
    address: null,
  }
  const charge = await posted(call, '/v1/pix/charges', {
    amount: 1990,
    description: null,
    externalId: null,
    customerId: null,
    splitRuleId: null,
    metadata: [],
    customer,
  })
  t.match(charge, { description: null, metadata: {}, amount: '1990' })
  const shown = { document: '52998224725', email: 'ana@café.com.br', phone: '+14155552671' }
  t.match(charge.customer, shown)
  t.match((await call('GET', `/v1/customers/${charge.customerId}`)).body, shown)
  const found = async (query: string) =>
    (await call('GET', `/v1/customers?${query}`)).body.data.map(({ id }: any) => id)
  t.strictSame(await found(`email=${encodeURIComponent('ana@CAFÉ.com.br')}`), [charge.customerId])
  t.strictSame(await found('email=ana@xn--caf-dma.com.br'), [charge.customerId])
  t.strictSame(await found(`document=${encodeURIComponent('529\u00a0982\u00a0247\u00a025')}`), [
    charge.customerId,
  ])
  const byPayer = await call('GET', `/v1/transactions?customer=${encodeURIComponent('ana@café.com.br')}`)
  t.equal(byPayer.body.pagination.total, 1)

  const problemOf = async (document: unknown) => {
    const { status, body } = await call('POST', '/v1/customers', { name: 'Ana', document })
    t.equal(status, 400)
    return body.errors[0]
  }
  t.match(await problemOf(52998224725), { code: 'INVALID_TYPE', message: /must be a string/ })
  t.match(await problemOf('5299822472'), { code: 'INVALID_FORMAT', message: /this has 10/ })
  t.match(await problemOf('52998224726'), { code: 'CHECK_DIGIT', message: /check digits/ })

  const send = async (body: Buffer) => {
    const response = await fetch(`${service.origin}/v1/pix/charges`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key.secret}`, 'Content-Type': 'application/json' },
      body,
    })
    return (await response.json()) as any
  }
  const byteOrderMark = { status: 400, code: 'INVALID_JSON', detail: /byte order mark/ }
  t.match(await send(Buffer.from('\ufeff{"amount":1}')), byteOrderMark)
  t.match(await send(Buffer.from('\ufeff{"amount":1}', 'utf16le')), byteOrderMark)
})

story('no filter is overlooked, however it is written', { scopes }, async (t, { call }) => {
  const ids: string[] = []
  for (const externalId of ['a', 'b,c', 'd']) {
    const { id } = await posted(call, '/v1/pix/charges', { amount: 100, externalId })
    ids.push(id)
  }
  await posted(call, `/v1/pix/charges/${ids[0]}/cancel`, {})
  const total = async (query: string) => {
    const { status, body, headers } = await call('GET', `/v1/transactions?${query}`)
    t.equal(status, 200, query)
    t.equal(headers.get('service-ignored-fields'), null, query)
    return body.pagination.total
  }
  for (const query of [
    'status[]=CANCELLED',
    'status%5B0%5D=CANCELLED',
    'Status=CANCELLED',
    'status[]=CANCELLED&page_size=1',
  ])
    t.equal(await total(query), 1, query)
  t.equal(await total('status[]=CANCELLED&status[]=PENDING'), 3)
  t.equal(await total('externalId=a&externalId=b,c&externalId=x'), 2)
  t.equal(await total(`id=${ids[0]},${ids[2]}`), 2)
  t.equal(await total(`id[]=${ids[0]}&id[]=${ids[2]}&externalId[]=d`), 1)
  t.equal((await call('GET', '/v1/pix/charges?externalId[]=a&externalId[]=d')).body.pagination.total, 2)
  const many = Array.from({ length: 101 }, (_, n) => `externalId=${n}`).join('&')
  t.match((await call('GET', `/v1/transactions?${many}`)).body.errors, [
    { field: 'query.externalId', code: 'TOO_MANY' },
  ])
  t.match((await call('GET', '/v1/transactions?status[]=LOST')).body.errors, [{ field: 'query.status' }])
  const { body } = await call('GET', '/v1/transactions/export?status[0]=CANCELLED')
  t.equal(String(body).trimEnd().split('\r\n').length, 2, 'and an export does not hold everything')
})

story('an export is one that Excel in Brazil opens', { scopes }, async (t, { call, key, service }) => {
  const customer = { name: 'Zoë; "Müller"', document: '01234567890' }
  const { id, createdAt } = await posted(call, '/v1/pix/charges', {
    amount: 123456,
    externalId: '00123',
    description: '=1+1',
    customer,
  })
  const response = await fetch(`${service.origin}/v1/transactions/export?dialect=excel-br`, {
    headers: { Authorization: `Bearer ${key.secret}` },
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  t.equal(bytes.toString('hex', 0, 3), 'efbbbf')
  const [head, row] = bytes.toString('utf8', 3).split('\r\n')
  t.match(head, /^Código;Criado em;Pago em;Situação;/)
  t.equal(new Set(head!.split(';')).size, 38, 'no two columns are called the same')
  const local = new Date(Date.parse(createdAt) - 3 * 3_600_000).toISOString()
  const [date, time] = [local.slice(0, 10).split('-').reverse().join('/'), local.slice(11, 19)]
  t.equal(row!.slice(0, row!.indexOf(';API;')), `${id};${date} ${time};;PENDING;PIX`)
  t.match(row, ';BRL;1234,56;0,00;0,00;0,00;')
  t.match(row, `;"=""00123""";;'=1+1;`)
  t.match(row, ';"Zoë; ""Müller""";"=""01234567890""";')
  const plain = await call('GET', '/v1/transactions/export?dialect=rfc4180')
  t.match(plain.body, `,BRL,123456,0,`)
  t.match((await call('GET', '/v1/transactions/export?dialect=excel')).body, { status: 400 })
})

story(
  'a key with its scope reads balance and statement, and who each line is about',
  { scopes },
  async (t, world) => {
    const { call, service, company } = world
    const { id } = await posted(call, '/v1/pix/charges', { amount: 5000, description: 'Pedido 7' })
    await posted(call, `/v1/sandbox/pix/charges/${id}/pay`, {
      payer: { name: 'Bia Lima', document: '01234567890' },
    })
    await posted(call, `/v1/transactions/${id}/refund`, { amount: 1000 })
    t.match((await call('GET', '/v1/balance')).body, { object: 'balance', available: /^[0-9]+$/ })
    const { body } = await call('GET', '/v1/statement')
    const about = { objectId: id, counterpart: 'Bia Lima', method: 'PIX', description: 'Pedido 7' }
    t.match(
      body.days.flatMap(({ lines }: any) => lines),
      [
        { type: 'REFUND', amount: '-1000', ...about, endToEndId: /^D[0-9]{8}/ },
        { type: 'SETTLEMENT', ...about, endToEndId: /^E[0-9]{8}/ },
      ],
    )
    t.match(
      (await call('GET', '/v1/statement/export')).body,
      /^date,at,type,amount,balanceAfter,objectId,counterpart,/,
    )
    for (const path of ['/v1/transfers', '/v1/beneficiaries', '/v1/company/limits', '/v1/crypto/wallets'])
      t.match((await call('GET', path)).body, { status: 403, code: 'DASHBOARD_ONLY' }, path)
    const plain = await service.operate('keys create', { company: company.id, environment: 'sandbox' })
    t.notOk(plain.scopes.includes('balance.read'), 'only where it is asked for')
    const response = await fetch(`${service.origin}/v1/balance`, {
      headers: { Authorization: `Bearer ${plain.secret}` },
    })
    t.match(await response.json(), { status: 403, code: 'NO_PERMISSION', requiredScope: 'balance.read' })
  },
)

story('a boleto names for ever whom it named when it was issued', { scopes }, async (t, world) => {
  const { call, key, service, company } = world
  const newBoleto = () =>
    posted(call, '/v1/boletos', {
      amount: 1990,
      dueDate: `${new Date().getUTCFullYear() + 1}-01-20`,
      customer: { name: 'Ana', document: '52998224725' },
    })
  const pdfOf = async (id: string): Promise<Buffer> => {
    const response = await fetch(`${service.origin}/v1/boletos/${id}/pdf`, {
      headers: { Authorization: `Bearer ${key.secret}` },
    })
    return Buffer.from(await response.arrayBuffer())
  }
  const { id } = await newBoleto()
  const issued = await pdfOf(id)
  const address = {
    street: 'Rua Nova',
    number: '1',
    district: 'Centro',
    city: 'Manaus',
    state: 'AM',
    zip: '69005010',
  }
  await service.operate('companies update', {
    id: company.id,
    name: 'Outro Nome SA',
    address,
  })
  t.ok((await pdfOf(id)).equals(issued), 'the name and the address stay')
  const later = await pdfOf((await newBoleto()).id)
  const lengthOf = (pdf: Buffer): number => pdf.length
  t.not(lengthOf(later), lengthOf(issued), 'and the next one is of the new company')
})
