import t from 'tap'
import { everyScope } from './examples/play.ts'
import { prepareDirectory } from './prepared.ts'
import { caller, newCompany, oneWorker, posted, until } from './service.ts'
import { signInDirectly } from './sign-in-directly.ts'

const pages = 'https://pagar.example.com'

t.test('a merchant makes links and sessions, and says how their pages look', async (t) => {
  const first = await prepareDirectory(t)
  const own = await newCompany(first, { scopes: everyScope })
  const other = await newCompany(first, { name: 'Outra Loja', scopes: everyScope })
  const roles = { SANDBOX: 'OWNER', PRODUCTION: 'OWNER' } as const
  const { service, members } = await signInDirectly(
    t,
    first,
    [
      { companyId: own.company.id, roles },
      { companyId: own.company.id, roles: { SANDBOX: 'SUPPORT', PRODUCTION: 'SUPPORT' } },
    ],
    { env: { ...oneWorker, CHECKOUT_ORIGIN: pages } },
  )
  const [owner, support] = members.map(({ call }) => call) as [any, any]
  const call = caller(service.origin, own.key.secret)
  const stranger = caller(service.origin, other.key.secret)

  t.test('a link is made once, found by its words, changed and deactivated', async (t) => {
    const body = { name: 'Turma de maio', title: 'Curso de barista', amount: 24_900, maxPayments: 3 }
    const once = { 'Idempotency-Key': 'link-1' }
    const made = await call('POST', '/v1/payment-links', body, once)
    t.match(made, {
      status: 201,
      body: { status: 'ACTIVE', amount: '24900', paymentsCount: 0, paidAmount: '0', maxPayments: 3 },
    })
    t.match(made.body.url, new RegExp(`^${pages}/l/[0-9A-Za-z]{30}$`))
    t.notOk(made.body.url.includes(made.body.id.slice(4)), 'the id opens no page')
    const again = await call('POST', '/v1/payment-links', body, once)
    t.equal(again.body.id, made.body.id)
    const path = `/v1/payment-links/${made.body.id}`
    const found = async (query: string): Promise<string[]> =>
      (await call('GET', `/v1/payment-links?${query}`)).body.data.map(({ id }: { id: string }) => id)
    t.strictSame(await found('q=BARISTA'), [made.body.id])
    t.strictSame(await found(`q=${made.body.id}`), [made.body.id])
    t.strictSame(await found('q=maio&status=INACTIVE'), [])
    t.match(await call('PATCH', path, { name: 'Turma de junho', amount: 29_900, maxPayments: null }), {
      status: 200,
      body: { name: 'Turma de junho', title: 'Curso de barista', amount: '29900', maxPayments: null },
    })
    const metadata = { turma: 'junho', canal: 'site' }
    const successUrl = 'https://escola.example.com/obrigado'
    t.match(await call('PATCH', path, { successUrl, metadata }), {
      status: 200,
      body: { successUrl, metadata, name: 'Turma de junho', methods: made.body.methods },
    })
    t.match(await call('PATCH', path, { successUrl: 'javascript:alert(1)' }), {
      status: 400,
      body: { errors: [{ field: 'successUrl' }] },
    })
    t.match(await call('PATCH', path, { successUrl: null }), { body: { successUrl: null, metadata } })
    const past = new Date(Date.now() - 60_000).toISOString()
    t.match(await call('PATCH', path, { expiresAt: past }), { body: { status: 'EXPIRED' } })
    t.match(await call('PATCH', path, { expiresAt: null }), { body: { status: 'ACTIVE' } })
    t.match(await call('POST', `${path}/deactivate`), { status: 200, body: { status: 'INACTIVE' } })
    t.match(await call('PATCH', path, { active: true }), { body: { status: 'ACTIVE' } })
    for (const [verb, tail] of [
      ['GET', ''],
      ['GET', '/qr'],
      ['PATCH', ''],
      ['POST', '/deactivate'],
    ] as const)
      t.equal((await stranger(verb, path + tail, verb === 'GET' ? undefined : {})).status, 404)
    t.match(await call('GET', path), { body: { status: 'ACTIVE', name: 'Turma de junho' } })
  })

  t.test('a session of a cart is found by the order, and ends once', async (t) => {
    const items = [
      { name: 'Café', quantity: 2, unitAmount: 1_500 },
      { name: 'Bolo', quantity: 1, unitAmount: 900 },
    ]
    const session = await posted(call, '/v1/checkout-sessions', { items, externalId: 'pedido-7' })
    t.match(session, { status: 'OPEN', amount: '3900', origin: 'CHECKOUT', linkId: null, attempts: 0 })
    t.match(session.url, new RegExp(`^${pages}/c/[0-9A-Za-z]{43}$`))
    t.match((await call('GET', '/v1/checkout-sessions?externalId=pedido-7')).body.data, [{ id: session.id }])
    const path = `/v1/checkout-sessions/${session.id}`
    t.equal((await stranger('GET', path)).status, 404)
    t.equal((await stranger('POST', `${path}/expire`)).status, 404)
    t.match(await call('POST', `${path}/expire`), { status: 200, body: { status: 'EXPIRED' } })
    t.equal((await call('POST', `${path}/expire`)).status, 409)
    for (const [wrong, field] of [
      [{ amount: 100, items }, 'amount'],
      [{ amount: 100, successUrl: 'javascript:alert(1)' }, 'successUrl'],
      [{ amount: 100, successUrl: 'https://me:secret@loja.example' }, 'successUrl'],
      [{}, 'amount'],
    ] as const)
      t.match(await call('POST', '/v1/checkout-sessions', wrong), {
        status: 400,
        body: { errors: [{ field }] },
      })
  })

  t.test('people change the branding, keys read it, and it is the same in both environments', async (t) => {
    const plain = (await call('GET', '/v1/checkout-branding')).body
    t.match(plain, {
      object: 'checkout_branding',
      displayName: null,
      accent: null,
      legalName: own.company.name,
      document: own.company.document,
      portal: { cancel: false, changeCard: true, changePlan: [] },
    })
    const changes = {
      displayName: 'Café <b>Azul</b>',
      accent: '#FFD400',
      portal: { cancel: true },
      cardLimits: { perAddress: 2, declinesPerHour: 30 },
    }
    t.match(await support('PATCH', '/v1/company/checkout', changes), {
      status: 403,
      body: { requiredPermission: 'company.manage' },
    })
    t.match(await call('PATCH', '/v1/company/checkout', changes), {
      status: 403,
      body: { code: 'DASHBOARD_ONLY' },
    })
    t.match(await owner('PATCH', '/v1/company/checkout', changes), {
      status: 200,
      body: {
        displayName: 'Café <b>Azul</b>',
        accent: '#ffd400',
        portal: { cancel: true, changeCard: true },
      },
    })
    const inPortuguese = { 'Accept-Language': 'pt-BR' }
    for (const [wrong, field, message] of [
      [{ accent: 'azul' }, 'accent', 'accent deve ser uma cor como #1f7a5a'],
      [{ termsUrl: 'http://a.example' }, 'termsUrl', /^termsUrl deve ser um endereço que comece com https/],
      [{ displayName: 'a\u202eb' }, 'displayName', /marcas de direção da escrita/],
      [{ displayName: 'x'.repeat(41) }, 'displayName', /./],
      [
        { cardLimits: { perSession: 6 } },
        'cardLimits.perSession',
        'cardLimits.perSession deve ser um número inteiro de 1 a 5 ou null',
      ],
      [{ cardLimits: { declinesPerHour: 0 } }, 'cardLimits.declinesPerHour', /de 1 a 100 ou null$/],
      [{ cardLimits: { perBin: '1' } }, 'cardLimits.perBin', /de 1 a 10 ou null$/],
    ] as const)
      t.match(await owner('PATCH', '/v1/company/checkout', wrong, inPortuguese), {
        status: 400,
        body: { errors: [{ field, message }] },
      })
    for (const environment of ['SANDBOX', 'PRODUCTION'])
      t.match(
        await support('GET', '/v1/checkout-branding', undefined, { 'Service-Environment': environment }),
        {
          status: 200,
          body: {
            displayName: 'Café <b>Azul</b>',
            accent: '#ffd400',
            cardLimits: { perSession: null, perAddress: 2, declinesPerHour: 30 },
          },
        },
      )
    t.match(await stranger('GET', '/v1/checkout-branding'), { body: { displayName: null } })
    const inProduction = { 'Service-Environment': 'PRODUCTION' }
    const audited = async () =>
      (await owner('GET', '/v1/audit?action=company%20checkout', undefined, inProduction)).body.data
    // The directory's acts reach the accounts' logs after the answer.
    await until(async () => (await audited()).length > 0)
    t.match(await audited(), [{ result: 'DONE', object: { id: own.company.id } }])
  })

  t.test('the audit log calls a link by its title', async (t) => {
    const link = await posted(call, '/v1/payment-links', {
      name: 'Rifa',
      title: 'Rifa da escola',
      amount: 500,
    })
    await call('PATCH', `/v1/payment-links/${link.id}`, { expiresAt: '2030-01-01T00:00:00Z' })
    const { body } = await owner('GET', `/v1/audit?objectId=${link.id}`)
    t.match(body.objects, [{ id: link.id, name: 'Rifa da escola', amount: '500' }])
    t.match(body.data[0], {
      action: 'updatePaymentLink',
      changes: [{ field: 'expiresAt', before: null, after: '2030-01-01T00:00:00.000Z' }],
    })
  })

  t.test('without the product nobody makes a page', async (t) => {
    await service.operate('companies update', {
      id: other.company.id,
      products: { CHECKOUT: 'DISABLED' },
      environment: 'sandbox',
    })
    for (const [verb, path, body] of [
      ['POST', '/v1/payment-links', { name: 'x', amount: 100 }],
      ['POST', '/v1/checkout-sessions', { amount: 100 }],
      ['GET', '/v1/payment-links', undefined],
    ] as const)
      t.match(await stranger(verb, path, body), { status: 403, body: { code: 'PRODUCT_NOT_ACTIVE' } })
  })
})
