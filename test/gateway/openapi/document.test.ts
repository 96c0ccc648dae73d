import t from 'tap'
import { eventTypes } from '../../../engine/kernel/event-types.ts'
import { brands } from '../../../engine/ledger/card-rates.ts'
import { takesKeys } from '../../../gateway/api/route.ts'
import { type Format, formats } from '../../../gateway/base/formats.ts'
import { sampleData } from '../../../gateway/events/sample.ts'
import { newComponents } from '../../../gateway/openapi/components.ts'
import { openApiDocument } from '../../../gateway/openapi/document.ts'
import { readExamples } from '../../../gateway/openapi/examples.ts'
import { routes } from '../../../gateway/routes/index.ts'
import { contractOf } from '../../e2e/contract.ts'

const forAll = openApiDocument(routes, '0.0.0')
const forKeys = openApiDocument(routes, '0.0.0', { audience: 'keys' })
const document = JSON.parse(forAll)
const { schemas, responses, parameters: sharedParameters } = document.components
const operations = Object.entries<any>(document.paths).flatMap(([path, verbs]) =>
  Object.entries<any>(verbs).map(([verb, operation]) => ({ name: `${verb} ${path}`, ...operation })),
)
const webhooks = Object.entries<any>(document.webhooks).map(([type, { post }]) => ({
  type,
  name: type,
  ...post,
}))

t.test('what an integrator works with has a name', async (t) => {
  const names =
    'PixCharge PixDeposit Boleto CardPayment Transaction Refund Chargeback Med ReceivedPix Customer Plan Subscription Invoice Attempt Coupon DunningPolicy Recipient SplitRule SplitTransfer Receivable Problem PixChargeList TransactionList'
  for (const name of names.split(' ')) t.ok(schemas[name], name)
  for (const { name, responses } of operations) {
    const [[status, response]] = Object.entries<any>(responses) as [[string, any]]
    const json = response.content['application/json']
    for (const schema of json === undefined ? [] : (json.schema.anyOf ?? [json.schema]))
      t.match(schema, { $ref: /^#\/components\/schemas\/\w+$/ }, `${name} ${status}`)
  }
  for (const { name, requestBody } of operations)
    if (requestBody) t.match(requestBody.content['application/json'].schema.$ref, /Request$/, name)
})

t.test('everything is said in words', async (t) => {
  const silent: string[] = []
  for (const { name, summary, description, parameters = [] } of [...operations, ...webhooks]) {
    if (!summary || !(description?.length > 20)) silent.push(name)
    for (const parameter of parameters) {
      const shared = parameter.$ref?.split('/').at(-1)
      const { name: of, description } = shared ? sharedParameters[shared] : parameter
      if (!description) silent.push(`${name} ${of}`)
    }
  }
  const look = (schema: any, place: string): void => {
    for (const [name, member] of Object.entries<any>(schema.properties ?? {})) {
      const named = [member.$ref, member.anyOf?.[0]?.$ref].find(Boolean)
      // What has a name says there what it is.
      if (member.description === undefined && (named === undefined || !describes(named)))
        silent.push(`${place}.${name}`)
      if (named === undefined) look(member, `${place}.${name}`)
    }
    if (schema.items) look(schema.items, `${place}[]`)
  }
  const describes = (ref: string): boolean => schemas[ref.split('/').at(-1)!].description !== undefined
  for (const [name, schema] of Object.entries<any>(schemas)) look(schema, name)
  for (const { name, description } of document.tags) if (!(description.length > 20)) silent.push(name)
  t.strictSame(
    silent.filter((place) => !onlyTheirNames.test(place)),
    [],
  )
})

/** `one` of `count` is what its name says. */
const onlyTheirNames = /\.(charges|med)\.\w+$|\.currency$|\.date$/

t.test('every operation and every event has an example that fits its schema', async (t) => {
  const contract = contractOf(document)
  const { operations: recorded } = readExamples()
  for (const route of routes) {
    for (const { title, id, body, status, answer } of recorded[route.operationId] ?? []) {
      const type = status >= 400 ? 'application/problem+json' : (route.mediaTypes[0] ?? 'application/json')
      // The bytes of files are not recorded.
      if (answer === undefined) continue
      const path = route.path.replace(':id', id ?? '')
      const exchange = { verb: route.verb, path, sent: body, status, type, body: answer }
      t.strictSame(contract.violations(exchange), [], `${route.operationId}: ${title}`)
    }
  }
  t.strictSame(
    webhooks.map(({ type }) => type),
    eventTypes,
  )
  for (const { type, requestBody } of webhooks) {
    const { value } = requestBody.content['application/json'].examples.sample
    t.strictSame(contract.violationsOfEvent(value), [], `the example of ${type}`)
    const id = 'evt_01KTRE5Y000000000000000000'
    const sent = { ...value, data: sampleData(type, id, Date.UTC(2026, 10, 22)) }
    t.strictSame(contract.violationsOfEvent(sent), [], `the sample of ${type}`)
  }
})

t.test('the document says what is checked beside the types', async (t) => {
  t.strictSame(schemas.CardInput.properties.brand.enum, brands)
  t.ok(schemas.BoletoCustomerInput.required.includes('document'))
  const contract = contractOf(document)
  const due = { amount: 1, dueDate: '2030-12-20' }
  const known = { name: 'Ana', document: '12345678909' }
  const card = { token: 'tok_test_approved', brand: 'VISA', last4: '4242' }
  const subscribed = { planId: 'pln_1', customerId: 'cus_1' }
  const coupon = { code: 'ABC', discountType: 'PERCENT' }
  const plan = { name: 'Ten days', amount: 1, interval: 'CUSTOM', methods: ['PIX'] }
  const cases: [string, object, boolean][] = [
    ['/v1/boletos', { ...due, customer: known }, true],
    ['/v1/boletos', { ...due, customerId: 'cus_1' }, true],
    ['/v1/boletos', due, false],
    ['/v1/boletos', { ...due, customer: { name: 'Ana' } }, false],
    ['/v1/boletos', { ...due, customer: known, customerId: 'cus_1' }, false],
    ['/v1/pix/charges', { amount: 1, customer: known, customerId: 'cus_1' }, false],
    ['/v1/subscriptions', { ...subscribed, method: 'CREDIT_CARD', card }, true],
    ['/v1/subscriptions', { ...subscribed, method: 'CREDIT_CARD' }, false],
    ['/v1/subscriptions', { ...subscribed, method: 'PIX', card }, false],
    ['/v1/plans', plan, false],
    ['/v1/plans', { ...plan, intervalCount: 10 }, true],
    ['/v1/coupons', coupon, false],
    ['/v1/coupons', { ...coupon, percentBps: 1000, duration: 'REPEATING' }, false],
    ['/v1/coupons', { ...coupon, percentBps: 1000 }, true],
    ['/v1/split/simulate', { amount: 1 }, false],
    ['/v1/sandbox/clock/advance', { by: 'P1D', to: '2030-01-01T00:00:00Z' }, false],
    ['/v1/sandbox/clock/advance', {}, false],
  ]
  for (const [path, sent, fits] of cases) {
    const taken = { verb: 'POST', path, sent, status: 201, type: 'application/json', body: null }
    const wrong = contract.violations({ ...taken, status: path.endsWith('e') ? 200 : 201 })
    const refusals = wrong.filter((problem) => problem.startsWith('was taken'))
    t.equal(refusals.length === 0, fits, `${path} ${JSON.stringify(sent)}`)
  }
})

t.test('what the document does not say is found in an answer', async (t) => {
  const contract = contractOf(document)
  const answer = readExamples().operations.getCustomer![0]!.answer as any
  const path = `/v1/customers/${answer.id}`
  const exchange = { verb: 'GET', path, sent: undefined, status: 200, type: 'application/json', body: answer }
  t.strictSame(contract.violations(exchange), [])
  const { name: _, ...incomplete } = answer
  for (const change of [
    { body: { ...answer, more: 1 } },
    { body: incomplete },
    { body: { ...answer, documentType: 'RG' } },
    { status: 202 },
    { type: 'text/plain' },
    { status: 404, type: 'application/problem+json' },
  ])
    t.not(contract.violations({ ...exchange, ...change }).length, 0, JSON.stringify(change).slice(0, 60))
  t.not(contract.violationsOfEvent({ type: 'payment.approved' }).length, 0)
  t.not(contract.violationsOfEvent({ type: 'payment.lost' }).length, 0)
})

t.test('errors are answered alike everywhere', async (t) => {
  for (const { name, responses } of operations)
    for (const status of [400, 401, 403, 414, 429, 431, 500, 503])
      t.match(responses[status], { $ref: /^#\/components\/responses\// }, `${name} ${status}`)
  for (const { name, requestBody, responses } of operations)
    if (requestBody) t.ok(responses[413] && responses[415], name)
  for (const [name, { content, description }] of Object.entries<any>(responses)) {
    t.equal(content['application/problem+json'].schema.$ref, '#/components/schemas/Problem', name)
    t.ok(description.length > 20, name)
  }
})

t.test('the document for keys has what a key may call, and one way to say who calls', async (t) => {
  const { paths, components, security, tags, 'x-tagGroups': groups } = JSON.parse(forKeys)
  const told = Object.values<any>(paths)
    .flatMap((verbs) => Object.values<any>(verbs))
    .map(({ operationId }) => operationId)
  t.strictSame(
    told.sort(),
    routes
      .filter(takesKeys)
      .map(({ operationId }) => operationId)
      .sort(),
  )
  t.notOk(told.includes('signIn'))
  t.notMatch(forKeys, /"session":\[\]|"basic":\[\]|Needs a session of the dashboard/)
  t.strictSame(security, [{ bearer: [] }])
  t.strictSame(Object.keys(components.securitySchemes), ['bearer'])
  const known = new Set(tags.map(({ name }: { name: string }) => name))
  for (const { tags: grouped } of groups)
    for (const tag of grouped) t.ok(known.has(tag), `${tag} is a tag of the document`)
  t.notOk(known.has('Sign-in'))
})

t.test('the documents hold what they refer to, and nothing else', async (t) => {
  for (const text of [forAll, forKeys]) {
    const { components } = JSON.parse(text)
    const referred = new Set(
      [...text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, place]) => place),
    )
    const held = Object.entries<object>(components)
      .filter(([kind]) => kind !== 'securitySchemes')
      .flatMap(([kind, members]) => Object.keys(members).map((name) => `${kind}/${name}`))
    t.strictSame([...referred].sort(), held.sort())
  }
})

t.test('generators of clients and of samples read it', async (t) => {
  // They stop at a schema that is no object.
  t.notMatch(forAll, /"properties":\{[^{}]*"\w+":(?:false|true)/)
  const crude = (schema: any): boolean =>
    typeof schema === 'object' &&
    schema !== null &&
    (Object.values(schema.properties ?? {}).some((member) => typeof member !== 'object') ||
      Object.values(schema).some(crude))
  t.equal(crude(document), false)
  // They send the only value of an enum by themselves.
  t.strictSame(sharedParameters.Prefer.schema, { type: 'string' })
  for (const { name, parameters = [] } of operations) {
    const key = parameters.find((parameter: any) => parameter.name === 'Idempotency-Key')
    const route = routes.find(({ verb, path }) => `${verb.toLowerCase()} ${inDocument(path)}` === name)!
    t.equal(key !== undefined, route.idempotent, name)
  }
  const keys = operations.flatMap(({ parameters = [] }) =>
    parameters.filter((parameter: any) => parameter.name === 'Idempotency-Key'),
  )
  const examples = keys.map(({ example }) => example)
  t.ok(examples.every((example) => /^[a-z-]+-1$/.test(example)))
  t.equal(new Set(examples).size, keys.length, 'a value of one operation would be refused at another')
})

const inDocument = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}')
t.test('what the service takes, stock tools take: each format is one of theirs or a pattern', async (t) => {
  const { publish } = newComponents()
  const samples: Readonly<
    Record<Format, { readonly good: readonly string[]; readonly bad: readonly string[] }>
  > = {
    text: { good: ['José'], bad: [] },
    'multiline-text': { good: ['a\nb'], bad: [] },
    'cpf-cnpj': {
      good: ['529.982.247-25', '\u200b529\u00a0982\u00a0247‑25', '12.abc.345/01DE–35', ' 12ABC34501DE35'],
      bad: ['', '5299822472', '529982247255', 'José'],
    },
    'access-key': {
      good: ['35080599999090910270550010000000015180051273'],
      bad: ['', '3508 0599 9990 9091 0270 5500 1000 0000 0151 8005 1273'],
    },
    'e-mail': { good: ['a@b.co', ' ana@café.com.br '], bad: ['a', 'a@b', 'a b@c.co'] },
    phone: { good: ['+55 (11) 98765‑4321', '+4722123456', '\u202a+1 415 555 2671'], bad: ['1234', 'none'] },
    cep: { good: ['01310-100', '01310100', '01.310-100', '01310‑100'], bad: ['1310-100', 'x'] },
    date: { good: ['2027-01-31'], bad: [] },
    'date-time': { good: ['2027-01-31T12:00:00Z'], bad: [] },
    'date-or-date-time': { good: ['2027-01-31', '2027-01-31T12:00:00.000-03:00'], bad: ['31/01/2027'] },
    duration: { good: ['P1M', 'PT2H'], bad: [] },
    'card-brand': { good: ['VISA'], bad: ['DINERS'] },
    'field-key': { good: ['size', 'a_1'], bad: ['1a', 'a b', 'ção', ''] },
    'coupon-code': { good: ['NATAL_10', ' a-b '], bad: ['NATAL 10', 'Ç'] },
    last4: { good: ['4242'], bad: ['424'] },
    'one-time-code': { good: ['012345'], bad: ['12345'] },
    bin: { good: ['424242', '42424242'], bad: ['4242424'] },
    'bank-code': { good: ['001'], bad: ['1'] },
    ispb: { good: ['00000000'], bad: ['1'] },
    'payment-system-code': { good: ['AM04', 'AP15'], bad: ['am04', 'AM4', 'AM041', 'AM-4'] },
    'bank-branch': { good: ['1', '0001-X'], bad: ['000001'] },
    'bank-account': { good: ['1', '00000001-0'], bad: ['x'] },
    'statement-descriptor': { good: ['LOJA*SP-1.'], bad: ['loja'] },
    color: { good: ['#1f7a5a', ' #FFFFFF '], bad: ['#fff', 'green'] },
    'https-url': {
      good: ['https://azul.com.br/a?b#c', ' HTTPS://azul.com.br'],
      bad: ['http://azul.com.br', 'azul'],
    },
    'shown-name': { good: ['Café Azul ☕'], bad: [] },
    'noted-object': { good: ['cus_01ARZ3NDEKTSV4RRFFQ69G5FAV'], bad: ['sub_01ARZ3NDEKTSV4RRFFQ69G5FAV'] },
    'ticket-object': { good: ['txn_01ARZ3NDEKTSV4RRFFQ69G5FAV'], bad: ['cus_01ARZ3NDEKTSV4RRFFQ69G5FAV'] },
    'crypto-amount': { good: ['18.45', '0.000001'], bad: ['1,5', '.5', '1.0000001'] },
    'pix-key': {
      good: [
        '529.982.247-25',
        '12ABC34501DE35',
        'a@b.co',
        '+55 11 98765-4321',
        '123e4567-e89b-12d3-a456-426614174000',
      ],
      bad: ['x', '12345', '+x'],
    },
    network: { good: ['203.0.113.0/24', '2001:db8::/32', '203.0.113.7'], bad: ['host', '203.0.113.0/x'] },
  }
  const standard = ['date', 'date-time', 'duration', 'uri', 'uri-reference']
  const named = [...JSON.stringify(document).matchAll(/"format":"([^"]+)"/g)].map(([, name]) => name!)
  t.strictSame(
    [...new Set(named)].filter((name) => !standard.includes(name)),
    [],
  )
  for (const name of Object.keys(formats) as Format[]) {
    const { format, pattern, enum: words } = publish({ type: 'string', format: name }) as any
    t.ok(format === undefined || standard.includes(format), `${name} is no name of ours`)
    const takes = (text: string) =>
      (pattern === undefined || new RegExp(pattern, 'u').test(text)) && (words?.includes(text) ?? true)
    for (const text of samples[name].good) {
      t.ok(formats[name](text), `${name}: ${text}`)
      t.ok(takes(text), `${name}: ${text}, by the document`)
    }
    for (const text of samples[name].bad) t.notOk(takes(text), `${name}: not ${text}, by the document`)
  }
})

t.test('what is created is answered whole or minimal, and both are documented', async (t) => {
  const created = operations.filter(({ responses }) => responses[201])
  t.ok(created.length > 20)
  for (const { name, responses } of created) {
    const [whole, minimal] = responses[201].content['application/json'].schema.anyOf.map(({ $ref }: any) =>
      $ref.split('/').at(-1),
    )
    t.equal(minimal, `${whole}Minimal`, name)
    const { required, properties } = schemas[minimal]
    t.ok(required.length > 0 && required.every((member: string) => properties[member]), name)
  }
  const { required, properties } = schemas.BoletoMinimal
  t.ok(required.includes('id') && !required.includes('digitableLine') && properties.digitableLine)
})
