import t from 'tap'
import { pngOf } from '../../gateway/documents/qr-code/picture.ts'
import { everyScope } from './examples/play.ts'
import { prepareDirectory } from './prepared.ts'
import { caller, newCompany, oneWorker } from './service.ts'
import { secondFactor, signInDirectly } from './sign-in-directly.ts'

t.test('people change their company: its name and city are in the next QR code', async (t) => {
  const first = await prepareDirectory(t)
  const own = await newCompany(first, { scopes: everyScope })
  const { service, members } = await signInDirectly(
    t,
    first,
    [
      { companyId: own.company.id, roles: { SANDBOX: null, PRODUCTION: 'OWNER' } },
      { companyId: own.company.id, roles: { SANDBOX: 'OWNER', PRODUCTION: 'ADMIN' } },
      { companyId: own.company.id, roles: { SANDBOX: 'OWNER', PRODUCTION: 'SUPPORT' } },
    ],
    { env: oneWorker },
  )
  const [owner, admin, support] = members.map(({ call }) => call) as [any, any, any]
  const withKey = caller(service.origin, own.key.secret)

  t.match(await support('GET', '/v1/company'), { status: 200, body: { legalName: 'Loja Teste' } })
  const address = {
    street: 'Rua da Aurora',
    number: '12',
    district: 'Boa Vista',
    city: 'Recife',
    state: 'PE',
    zip: '50050-000',
  }
  const changes = { legalName: 'Azul Marinho', tradeName: 'Azul', address, email: 'contato@azul.com.br' }
  t.match(await support('PATCH', '/v1/company', changes), {
    status: 403,
    body: { requiredPermission: 'company.manage' },
  })
  const changed = await admin('PATCH', '/v1/company', { ...changes, document: '1', fees: { pixBps: 0 } })
  t.match(changed, {
    status: 200,
    body: {
      legalName: 'Azul Marinho',
      document: own.company.document,
      address: { zip: '50050000', complement: null },
    },
  })
  t.equal(changed.headers.get('service-ignored-fields'), 'document, fees')
  t.strictSame((await service.operate('companies get', { id: own.company.id })).fees, own.company.fees)
  const charge = await withKey('POST', '/v1/pix/charges', { amount: 100 })
  t.match(charge.body.pix?.copyPaste ?? charge.body.copyPaste, /AZUL MARINHO.*RECIFE/i)

  const inPortuguese = { 'Accept-Language': 'pt-BR' }
  for (const [wrong, field, message] of [
    [{ website: 'azul' }, 'website', 'website deve ser uma URL que comece com https:// ou http://'],
    [{ phone: '123' }, 'phone', /^phone deve ser um telefone/],
    [{ timeZone: 'Brasil/Recife' }, 'timeZone', 'timezone Brasil/Recife não é um fuso horário da IANA'],
  ] as const)
    t.match(await admin('PATCH', '/v1/company', wrong, inPortuguese), {
      status: 400,
      body: { errors: [{ field, message }] },
    })

  const bankAccount = { bankCode: '341', branch: '1234', account: '56789-0', accountType: 'CHECKING' }
  t.match(await admin('PATCH', '/v1/company', { bankAccount }, secondFactor), {
    status: 403,
    body: { code: 'NO_PERMISSION', requiredRole: 'OWNER' },
  })
  t.match(await owner('PATCH', '/v1/company', { bankAccount }), {
    status: 403,
    body: { code: 'SECOND_FACTOR_REQUIRED' },
  })
  t.match(await owner('PATCH', '/v1/company', { bankAccount: { ...bankAccount, bankCode: 'x' } }), {
    status: 400,
    body: { errors: [{ field: 'bankAccount.bankCode' }] },
  })
  t.match(await owner('PATCH', '/v1/company', { bankAccount }, secondFactor), {
    status: 200,
    body: { bankAccount: null, pendingBankAccount: { bankAccount } },
  })

  const image = pngOf('https://azul.com.br', 8).toString('base64')
  t.match(await admin('PUT', '/v1/company/logo', { image }), {
    status: 200,
    body: { logo: `data:image/png;base64,${image}` },
  })
  t.match(await admin('PUT', '/v1/company/logo', { image: Buffer.from('<svg/>').toString('base64') }), {
    status: 400,
    body: { errors: [{ field: 'image', code: 'INVALID_FORMAT' }] },
  })

  for (const [verb, path, body] of [
    ['GET', '/v1/company', undefined],
    ['PATCH', '/v1/company', { tradeName: 'x' }],
    ['PUT', '/v1/company/logo', { image: null }],
  ] as const) {
    t.match(await withKey(verb, path, body), { status: 403, body: { code: 'DASHBOARD_ONLY' } })
    t.equal((await caller(service.origin, '')(verb, path, body)).status, 401)
    const elsewhere = { 'Service-Company': `cmp_${'0'.repeat(26)}` }
    t.equal((await owner(verb, path, body, elsewhere)).status, 404)
  }
  t.match(
    (await owner('GET', '/v1/company')).body,
    { tradeName: 'Azul', logo: /^data:/ },
    'nothing was changed',
  )

  // A stranger who knows an id sees the logo, and of nobody without one whether they exist.
  const stranger = caller(service.origin, '')
  const shown = async (id: string) => (await stranger('GET', `/v1/branding?companyId=${id}`)).body
  t.match(await shown(own.company.id), { object: 'branding', logo: `data:image/png;base64,${image}` })
  await admin('PUT', '/v1/company/logo', { image: null })
  const bare = await shown(own.company.id)
  t.strictSame(bare, { object: 'branding', logo: null })
  for (const id of [`cmp_${'0'.repeat(26)}`, 'cmp_', '__proto__'])
    t.strictSame(await shown(id), bare, `${id} looks the same`)

  const steps = async (call: typeof owner) =>
    Object.fromEntries(
      (await call('GET', '/v1/company/checklist')).body.steps.map(({ step, isDone }: any) => [step, isDone]),
    )
  t.match(await steps(owner), { SECOND_PERSON: true, BANK_ACCOUNT: true, LOGO: false, ENDPOINT: false })
  t.equal((await steps(owner)).KEY, true)
  await admin('PUT', '/v1/company/logo', { image })
  t.match(await steps(owner), { LOGO: true })
  t.equal((await withKey('GET', '/v1/company/checklist')).status, 403)
})
