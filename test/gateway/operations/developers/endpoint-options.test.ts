import t from 'tap'
import { newEndpointHeaders } from '../../../../gateway/base/seal.ts'
import { newOperator, newPerson, refusal } from '../operator.ts'

t.test('an endpoint has no options unless it is given them', async (t) => {
  const { endpoint } = await newOperator()
  t.match(await endpoint(), { extraEvents: false, signature: 'service', headerNames: [] })
})

t.test('options are changed one by one; headers that are not named stay', async (t) => {
  const { operate, endpoint, headersOf } = await newOperator()
  const made = await endpoint({
    extraEvents: true,
    signature: 'standard-webhooks',
    headers: { Authorization: 'Bearer one', 'X-Shop': '7' },
  })
  const { id } = made
  t.match(made, {
    extraEvents: true,
    signature: 'standard-webhooks',
    headerNames: ['Authorization', 'X-Shop'],
  })
  t.match(await operate('webhooks update', { id, signature: 'service' }), {
    extraEvents: true,
    signature: 'service',
    headerNames: ['Authorization', 'X-Shop'],
  })
  await operate('webhooks update', {
    id,
    headers: { authorization: 'Bearer two', 'x-shop': null, 'X-New': 'n' },
  })
  t.strictSame(headersOf(id), [
    { name: 'authorization', value: 'Bearer two' },
    { name: 'X-New', value: 'n' },
  ])
  await operate('webhooks update', { id, headers: {} })
  t.equal(headersOf(id).length, 2)
  t.match(await operate('webhooks update', { id, headers: null }), { headerNames: [] })
})

t.test('values of headers are sealed, and in no answer, refusal, fact or audit entry', async (t) => {
  const { does, operate, endpoint, facts, directory } = await newPerson({
    SANDBOX: 'OWNER',
    PRODUCTION: null,
  })
  const { id } = await endpoint({ headers: { Authorization: 'Bearer s3cret-one' } })
  const answers = [
    await does('webhooks update', { id, headers: { Authorization: 'Bearer s3cret-two' } }),
    await does('webhooks get', { id }),
    await does('webhooks list', {}),
    await operate('webhooks disable', { id }),
    await refusal(does('webhooks update', { id, headers: { Authorization: 's3cret\r\nHost: x' } })),
    await refusal(does('webhooks update', { id, headers: { 'a b': 's3cret' } })),
  ].map((answer) => (answer instanceof Error ? answer.message : JSON.stringify(answer)))
  t.notMatch(answers.join(), /s3cret/)
  t.notMatch(JSON.stringify([...facts, ...directory.endpoints.values()]), /s3cret/)
  t.match(JSON.stringify(facts), /"field":"headerNames"|"field":"headers"/, 'the audit log names it')
  const [header] = directory.endpoints.get(id)!.headers
  t.match(header, { name: 'Authorization', sealedValue: /^v2\./ })
})

t.test('a sealed value opens only for its endpoint and name', async (t) => {
  const { endpoint, directory, masterKey } = await newOperator()
  const { id } = await endpoint({ headers: { 'X-One': 'secret' } })
  const { headers } = directory.endpoints.get(id)!
  const open = newEndpointHeaders(masterKey)
  t.strictSame(open({ id, headers }), [{ name: 'X-One', value: 'secret' }])
  t.throws(() => open({ id: 'whk_other' as never, headers: [...headers] }))
  t.throws(() => open({ id, headers: [{ ...headers[0]!, name: 'X-Two' }] }))
})

t.test('who may change a URL cannot have the headers sent to another server', async (t) => {
  const { operate, endpoint, headersOf, directory } = await newOperator()
  const { id } = await endpoint({ headers: { Authorization: 'Bearer one', 'X-Shop': '7' } })
  const url = 'https://other.example/hook'
  for (const more of [
    {},
    { headers: {} },
    { headers: { Authorization: 'Bearer mine' } },
    { headers: { 'X-A': 'a' } },
  ])
    t.match(await refusal(operate('webhooks update', { id, url, ...more })), {
      code: 'VALIDATION_ERROR',
      message: /X-Shop must be sent again/,
    })
  t.equal(directory.endpoints.get(id)!.url, 'https://example.com/hook')
  await operate('webhooks update', { id, url: 'https://example.com/hook' })
  await operate('webhooks update', { id, url, headers: { Authorization: 'Bearer new', 'X-Shop': null } })
  t.strictSame(headersOf(id), [{ name: 'Authorization', value: 'Bearer new' }])
  t.match(await operate('webhooks update', { id, url: 'https://third.example/', headers: null }), {
    headerNames: [],
  })
})

t.test('five headers at most, each once, none of ours', async (t) => {
  const { endpoint, operate } = await newOperator()
  const named = (count: number, prefix = 'X') =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`${prefix}-${n}`, 'v']))
  const { id } = await endpoint({ headers: named(5) })
  t.match(await refusal(operate('webhooks update', { id, headers: named(1, 'Y') })), { message: /at most 5/ })
  t.match(await operate('webhooks update', { id, headers: { ...named(1, 'Y'), 'x-0': null } }), {
    headerNames: ['X-1', 'X-2', 'X-3', 'X-4', 'Y-0'],
  })
  for (const headers of [
    named(6),
    { 'X-A': 'a', 'x-a': 'b' },
    { Host: 'x' },
    { 'Service-Signature': 'x' },
    { 'webhook-id': 'x' },
    { 'X-A': 7 },
    { 'X-A': '' },
    ['X-A'],
    'X-A: b',
  ])
    t.match(await refusal(endpoint({ headers })), { code: 'VALIDATION_ERROR', message: /headers/ })
})

t.test('a type beyond the list is named only together with extraEvents', async (t) => {
  const { endpoint, operate } = await newOperator()
  const events = ['payment.refund_failed']
  t.match(await refusal(endpoint({ events })), { code: 'VALIDATION_ERROR', message: /extraEvents/ })
  const { id } = await endpoint({ events, extraEvents: true })
  t.match(await refusal(operate('webhooks update', { id, extraEvents: false })), { message: /extraEvents/ })
  t.match(await operate('webhooks update', { id, extraEvents: false, events: [] }), { extraEvents: false })
  t.match(await refusal(operate('webhooks update', { id, signature: 'svix' })), { code: 'VALIDATION_ERROR' })
  t.match(await refusal(operate('webhooks update', { id, extraEvents: 'maybe' })), {
    code: 'VALIDATION_ERROR',
  })
})
