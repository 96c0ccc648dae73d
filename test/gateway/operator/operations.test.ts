import t from 'tap'
import { bounds } from '../../../engine/shared/bounds.ts'
import { refuseAs } from '../../../gateway/problems/refusal.ts'
import { formerSecretOf } from '../../../gateway/webhooks/endpoints.ts'
import { newOperator, newPerson, refusal } from '../operations/operator.ts'

t.test('an endpoint is changed member by member; a new URL is vetted as a first one', async (t) => {
  const { operate, endpoint, addresses, facts } = await newOperator()
  const { id } = await endpoint({ description: 'orders', events: 'payment.approved' })
  t.match(await operate('webhooks update', { id, url: 'https://other.example/hook' }), {
    url: 'https://other.example/hook',
    description: 'orders',
    events: ['payment.approved'],
    secret: undefined,
  })
  t.match(await operate('webhooks update', { id, description: null, events: ['PIX.received'] }), {
    url: 'https://other.example/hook',
    description: null,
    events: ['pix.received'],
  })
  t.match(await operate('webhooks update', { id, events: 'all' }), { events: [] })
  const count = facts.length
  await operate('webhooks update', { id, events: [] })
  await operate('webhooks update', { id })
  t.equal(facts.length, count, 'what is so already is no fact')

  addresses.splice(0, 1, { address: '169.254.169.254', family: 4 })
  t.match(await refusal(operate('webhooks update', { id, url: 'https://rebound.example/' })), {
    code: 'VALIDATION_ERROR',
    message: /^url is refused: its host is not one that webhooks may go to$/,
  })
  for (const url of ['https://example.com/a b', 'https://example.com/\r\n', 'ftp://example.com', ''])
    t.match(await refusal(operate('webhooks update', { id, url })), { message: /^url is refused/ }, url)
  t.equal(facts.length, count)
})

t.test('a rotated secret is another one, shown once', async (t) => {
  const { operate, endpoint, secretOf } = await newOperator()
  const { id, secret } = await endpoint()
  t.equal(secretOf(id), secret)
  const rotated = await operate('webhooks rotate', { id })
  t.match(rotated.secret, /^whsec_[\w+/]{43}=$/)
  t.not(rotated.secret, secret)
  t.equal(secretOf(id), rotated.secret)
  const { data } = await operate('webhooks list')
  t.notMatch(JSON.stringify(data), /whsec_|sealed/)
})

t.test('a secret can sign as well for a while after it was rotated, with a second factor', async (t) => {
  const { does, endpoint, directory, world, hooks } = await newPerson({ SANDBOX: 'OWNER', PRODUCTION: null })
  const { id } = await endpoint()
  const sealed = directory.endpoints.get(id)!.sealedSecret
  hooks.onConfirm = () => refuseAs('SECOND_FACTOR_REQUIRED')
  t.match(await refusal(does('webhooks rotate', { id })), { code: 'SECOND_FACTOR_REQUIRED' })
  t.match(await refusal(does('webhooks rotate', { id, overlap: 86_401 })), { code: 'VALIDATION_ERROR' })
  t.equal(directory.endpoints.get(id)!.sealedSecret, sealed)
  hooks.onConfirm = () => undefined
  const untilMs = world.now() + 3_600_000
  t.match(await does('webhooks rotate', { id, overlap: 3600 }), {
    secret: /^whsec_/,
    formerSecretUntil: new Date(untilMs).toISOString(),
  })
  const rotated = directory.endpoints.get(id)!
  t.strictSame(rotated.formerSecret, { sealedSecret: sealed, untilMs })
  const secretOf = ({ sealedSecret }: { readonly sealedSecret: string }) => sealedSecret
  t.equal(formerSecretOf(rotated, untilMs - 1, secretOf), sealed)
  t.equal(formerSecretOf(rotated, untilMs, secretOf), null)
  await does('webhooks rotate', { id })
  t.equal(directory.endpoints.get(id)!.formerSecret, null, 'one that leaked is off at once')
})

t.test('an endpoint is disabled and enabled as it is changed; ten tests a minute', async (t) => {
  const { does, endpoint, world } = await newPerson({ SANDBOX: 'OWNER', PRODUCTION: null })
  const { id } = await endpoint()
  t.match(await does('webhooks update', { id, status: 'DISABLED', description: 'old' }), {
    status: 'DISABLED',
    description: 'old',
  })
  t.match(await refusal(does('webhooks test', { id })), { code: 'INVALID_STATE' })
  t.match(await does('webhooks update', { id, status: 'ENABLED' }), { status: 'ENABLED' })
  t.match(await refusal(does('webhooks update', { id, status: 'DELETED' })), { code: 'VALIDATION_ERROR' })
  for (let n = 0; n < 10; n++) t.match(await does('webhooks test', { id }), { deliveryId: /^dlv_/ })
  world.pass(59_000)
  t.match(await refusal(does('webhooks test', { id })), {
    code: 'RATE_LIMITED',
    extra: { retryAfterSeconds: 1 },
  })
  world.pass(1000)
  await does('webhooks test', { id })
})

t.test('a deleted endpoint frees its place, is not listed, and changes no more', async (t) => {
  const { operate, endpoint, facts } = await newOperator()
  const ids: string[] = []
  for (let n = 0; n < bounds.endpointsPerAccountMax; n++) ids.push((await endpoint()).id)
  t.match(await refusal(endpoint()), { code: 'INVALID_STATE', message: /at most 20 endpoints/ })
  await operate('webhooks disable', { id: ids[0] })
  t.match(await refusal(endpoint()), { message: /at most 20/ }, 'a disabled one keeps its place')
  t.match(await operate('webhooks delete', { id: ids[0] }), { status: 'DELETED', deletedAt: /^\d{4}-/ })
  t.match(await endpoint(), { status: 'ENABLED' })
  t.match(await refusal(endpoint()), { message: /at most 20/ })
  await endpoint({ environment: 'production' })

  const listed = async (more: object) => (await operate('webhooks list', more)).data.length
  t.strictSame(
    [await listed({}), await listed({ deleted: true }), await listed({ environment: 'production' })],
    [21, 22, 1],
  )
  const count = facts.length
  t.match(await operate('webhooks delete', { id: ids[0] }), { status: 'DELETED' }, 'once more')
  for (const name of ['update', 'enable', 'disable', 'rotate', 'test'])
    t.match(await refusal(operate(`webhooks ${name}`, { id: ids[0] })), { message: /was deleted$/ }, name)
  t.match(await refusal(operate('webhooks replay', { id: ids[0], from: '2026-11-22' })), {
    message: /was deleted$/,
  })
  t.equal(facts.length, count)
  t.match(await operate('webhooks deliveries', { id: ids[0] }), { total: 0 }, 'its deliveries can be read')
})

t.test('of many that are made at once no more are made than there may be', async (t) => {
  const { endpoint, directory } = await newOperator()
  const made = await Promise.allSettled(Array.from({ length: 30 }, () => endpoint()))
  t.equal(made.filter(({ status }) => status === 'fulfilled').length, bounds.endpointsPerAccountMax)
  t.equal(directory.endpoints.size, bounds.endpointsPerAccountMax)
})

t.test('disabling and enabling twice is no second fact', async (t) => {
  const { operate, endpoint, facts, world } = await newOperator()
  const { id } = await endpoint()
  await operate('webhooks enable', { id })
  t.equal(facts.at(-1)!.type, 'EndpointCreated')
  t.match(await operate('webhooks disable', { id }), { status: 'DISABLED' })
  world.pass(1)
  t.match(await operate('webhooks disable', { id }), { status: 'DISABLED' })
  t.match(await refusal(operate('webhooks test', { id })), {
    code: 'INVALID_STATE',
    message: /is disabled: enable it first$/,
  })
  t.match(await operate('webhooks enable', { id }), { status: 'ENABLED' })
  t.strictSame(
    facts.slice(2).map(({ type }) => type),
    ['EndpointDisabled', 'EndpointEnabled'],
  )
})

t.test('a key is rolled once, with an overlap of up to a week', async (t) => {
  const { operate, company, world } = await newOperator()
  const of = { company: company.id, environment: 'sandbox', scopes: 'refunds.create' }
  const made = await operate('keys create', of)
  const rolled = await operate('keys roll', { id: made.id, overlap: '1h' })
  t.match(rolled, {
    rolledFrom: made.id,
    clientId: made.clientId,
    scopes: ['refunds.create'],
    status: 'ACTIVE',
    secret: /^svc_test_/,
  })
  t.not(rolled.secret, made.secret)
  const statuses = async () =>
    (await operate('keys list', { company: company.id })).data.map((key: any) => key.status)
  t.strictSame(await statuses(), ['ACTIVE', 'EXPIRING'])
  t.match(await refusal(operate('keys roll', { id: made.id })), {
    code: 'INVALID_STATE',
    message: `key ${made.id} was rolled already, into ${rolled.id}: roll that one`,
  })
  world.pass(3_600_000)
  t.strictSame(await statuses(), ['ACTIVE', 'EXPIRED'])
  const hours = async (overlap?: string) => {
    const { id } = await operate('keys create', of)
    const { rolledFromExpiresAt } = await operate('keys roll', { id, overlap })
    return (Date.parse(rolledFromExpiresAt) - world.now()) / 3_600_000
  }
  t.strictSame([await hours(), await hours('0s'), await hours('7d'), await hours('3600')], [24, 0, 168, 1])
  for (const overlap of ['8d', '-1h', '1w', '', 'soon'])
    t.match(
      await refusal(operate('keys roll', { id: rolled.id, overlap })),
      { code: 'VALIDATION_ERROR' },
      overlap,
    )
  await operate('keys revoke', { id: rolled.id })
  t.match(await refusal(operate('keys roll', { id: rolled.id })), { message: /was revoked/ })
  t.match(await refusal(operate('keys roll', { id: 'key_x' })), { code: 'NOT_FOUND' })
})

t.test('a company is changed in part, and its account hears of it', async (t) => {
  const { operate, company, world, facts } = await newOperator()
  const { id } = company
  const address = {
    street: 'Rua da Aurora',
    number: 'S/N',
    district: 'Boa Vista',
    state: 'pe',
    zip: '50060-100',
  }
  const changed = await operate('companies update', {
    id,
    name: ' Loja Verde ',
    address,
    products: { CARD: 'PENDING' },
    environment: 'production',
    fees: { pixBps: 50, boletoAmount: '150', cards: { ELO: { credit: [1, 2, 3] } } },
  })
  t.match(changed, {
    name: 'Loja Verde',
    status: 'ACTIVE',
    address: { ...address, complement: null, city: 'Recife', state: 'PE', zip: '50060100' },
    products: { SANDBOX: { CARD: 'ACTIVE' }, PRODUCTION: { CARD: 'PENDING', PIX: 'ACTIVE' } },
    fees: {
      pixBps: 50,
      boletoAmount: '150',
      cards: { ELO: { credit: [1, 2, 3], debit: 199 }, VISA: { credit: [319, 399, 459] } },
      effectiveFrom: '2026-11-20',
    },
  })
  t.match(world.account().profile, {
    name: 'Loja Verde',
    address: { street: 'Rua da Aurora', zip: '50060100' },
    fees: { pixBps: 50, boletoCents: 150, cards: { ELO: { credit: [1, 2, 3] } } },
  })
  t.match(await operate('companies update', { id, address: { complement: 'sala 2' } }), {
    address: { street: 'Rua da Aurora', complement: 'sala 2', state: 'PE' },
  })
  const count = facts.length
  world.pass(5 * 86_400_000)
  t.match(await operate('companies update', { id, name: 'Loja Verde', fees: { pixBps: '50' } }), {
    fees: { effectiveFrom: '2026-11-20' },
  })
  t.equal(facts.length, count)
  t.match(await operate('companies update', { id, address: null }), { address: null })
  t.equal(world.account().profile.address, null)
})

t.test('what a company cannot be is said', async (t) => {
  const { operate, company } = await newOperator()
  const whole = { street: 'Rua A', number: '1', district: 'Centro', state: 'SP', zip: '01310100' }
  const said = async (change: object) =>
    (await refusal(operate('companies update', { id: company.id, ...change }))).message
  for (const [change, message] of [
    [{ name: '' }, 'name must be a text of 1 to 120 characters without control characters'],
    [{ name: 'x'.repeat(121) }, 'name must be a text of 1 to 120 characters without control characters'],
    [{ name: 'a\u0007' }, 'name must be a text of 1 to 120 characters without control characters'],
    [{ name: 5 }, 'name must be a text of 1 to 120 characters without control characters'],
    [{ address: { street: 'Rua A' } }, 'address.number is required'],
    [{ address: { ...whole, zip: '0131010' } }, 'address.zip must be a CEP of eight digits'],
    [{ address: { ...whole, postcode: '1' } }, /^address has street, .*, and no postcode$/],
    [{ address: { ...whole, state: 'XX' } }, /^address.state: XX is not one of AC, /],
    [{ address: 'Rua A' }, /^address must be an object with street, /],
    [{ products: 'PIX,CASH' }, /^products: CASH is not one of PIX, /],
    [{ products: { PIX: 'ON' } }, /^products.PIX: ON is not one of ACTIVE, PENDING, DISABLED$/],
    [{ fees: { pixBps: 10_001 } }, 'fees.pixBps must be a whole number from 0 to 10000'],
    [{ fees: { pixBps: 1.5 } }, 'fees.pixBps must be a whole number from 0 to 10000'],
    [{ fees: { boletoAmount: '19,90' } }, 'fees.boletoAmount must be a whole number from 0 to 100000'],
    [{ fees: { cards: { DINERS: {} } } }, /^fees.cards has VISA, .*, and no DINERS$/],
    [{ fees: { cards: { VISA: { credit: [1, 2] } } } }, /^fees.cards.VISA.credit must be three rates/],
    [{ document: '11222333000181' }, /^document is not known; known are id, environment, name, /],
    [{ environment: 'test', products: 'PIX' }, 'environment must be sandbox or production'],
  ] as const)
    t.match(await said(change), message, JSON.stringify(change))
  t.match(await refusal(operate('companies get', { id: 'cmp_x' })), { code: 'NOT_FOUND' })
  t.match(await refusal(operate('companies create', { name: 'A', document: '11111111111111' })), {
    message: 'document must be a valid CNPJ',
  })
})

t.test('a company may have its address and fees from the start', async (t) => {
  const { operate, directory } = await newOperator()
  const made = await operate('companies create', {
    name: 'Nova',
    document: '12ABC34501DE35',
    city: 'Olinda',
    products: 'PIX,SPLIT=PENDING',
    address: { street: 'Rua A', number: '1', district: 'Centro', state: 'PE', zip: '53020140' },
    fees: { pixBps: 0 },
  })
  t.match(made, {
    address: { city: 'Olinda', complement: null },
    products: { SANDBOX: { PIX: 'ACTIVE', SPLIT: 'PENDING', CARD: 'DISABLED' } },
    fees: { pixBps: 0, boletoAmount: '299', effectiveFrom: '2026-11-20' },
    accounts: undefined,
  })
  t.equal(directory.opened.get(made.id), 1)
  t.match(await operate('companies suspend', { id: made.id }), { status: 'SUSPENDED', suspendedAt: /^2026/ })
  t.match((await operate('companies list')).data.at(-1), { status: 'SUSPENDED' })
  t.match(await operate('companies resume', { id: made.id }), { status: 'ACTIVE', suspendedAt: null })
})
