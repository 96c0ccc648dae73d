import t from 'tap'
import { minimalMembers } from '../../gateway/schema/minimal.ts'
import { newMerchant, oneWorker, startService } from './service.ts'

const customer = { name: 'Ana Souza', document: '12345678909' }
const card = { token: 'tok_test_approved', brand: 'VISA', last4: '4242' }
const pastYearEnd = `${new Date().getUTCFullYear() + 1}-01-20`

t.test('whatever is created is answered in a few members where that is preferred', async (t) => {
  const service = await startService(t, { env: oneWorker })
  const { key } = await newMerchant(service)
  const send = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(service.origin + path, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key.secret}`, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return { status: response.status, headers: response.headers, body: (await response.json()) as any }
  }
  const plan = { name: 'Monthly', amount: 1990, interval: 'MONTH', methods: ['CREDIT_CARD'] }
  const planId = (await send('/v1/plans', plan)).body.id
  const created: readonly (readonly [path: string, body: object, payerNeeds: readonly string[]])[] = [
    ['/v1/pix/charges', { amount: 1990 }, ['copyPaste', 'txid', 'expiresAt']],
    ['/v1/pix/deposits', { amount: 1990 }, ['copyPaste', 'txid']],
    [
      '/v1/boletos',
      { amount: 1990, customer, dueDate: pastYearEnd },
      ['digitableLine', 'barcode', 'dueDate'],
    ],
    ['/v1/card-payments', { amount: 1990, customer, card }, []],
    ['/v1/plans', plan, []],
    ['/v1/subscriptions', { planId, method: 'CREDIT_CARD', customer, card }, []],
    ['/v1/customers', { name: 'Bia' }, []],
  ]
  for (const [path, body, payerNeeds] of created) {
    const minimal = await send(path, body, { Prefer: 'return=minimal' })
    t.equal(minimal.status, 201, `${path} ${JSON.stringify(minimal.body)}`)
    t.equal(minimal.headers.get('preference-applied'), 'return=minimal')
    t.equal(minimal.headers.get('location'), `${path}/${minimal.body.id}`)
    for (const name of ['id', 'object', 'createdAt', ...payerNeeds])
      t.type(minimal.body[name], 'string', `${path} answers ${name}`)
    t.strictSame(
      Object.keys(minimal.body).filter((name) => !(minimalMembers as readonly string[]).includes(name)),
      [],
    )
    const whole = await send(path, body)
    t.equal(whole.headers.get('preference-applied'), null)
    const parts = Object.values<any>(whole.body).filter((part) => typeof part === 'object')
    t.strictSame(
      Object.keys(minimal.body).filter((name) => !(name in Object.assign({}, ...parts, whole.body))),
      [],
      'nothing that the whole answer does not have',
    )
  }
})

t.test('a repeat may prefer the other answer', async (t) => {
  const service = await startService(t, { env: oneWorker })
  const { call, key } = await newMerchant(service)
  const send = async (prefer: string) => {
    const response = await fetch(`${service.origin}/v1/pix/charges`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key.secret}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': 'order-1',
        Prefer: prefer,
      },
      body: '{"amount": 1990}',
    })
    return { applied: response.headers.get('preference-applied'), body: (await response.json()) as any }
  }
  const minimal = await send('return=minimal')
  for (const prefer of [
    'return="minimal"',
    'RETURN=Minimal; foo=1',
    'wait=10, return=minimal, return=representation',
  ])
    t.strictSame(await send(prefer), minimal, prefer)
  for (const prefer of [
    'return=representation',
    'return=representation, return=minimal',
    'respond-async',
    'returns=minimal',
    '',
  ]) {
    const { applied, body } = await send(prefer)
    t.equal(applied, null, prefer)
    t.match(body, {
      ...minimal.body,
      txid: undefined,
      dueDate: undefined,
      qrCode: /^data:image/,
      pix: { txid: minimal.body.txid },
    })
  }
  const refused = await call('POST', '/v1/pix/charges', { amount: -1 }, { Prefer: 'return=minimal' })
  t.match(refused, { status: 400, body: { code: 'VALIDATION_ERROR' } })
})
