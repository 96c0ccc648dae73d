import t from 'tap'
import type { Roles } from '../../../../engine/people/permission.ts'
import { refuseAs } from '../../../../gateway/problems/refusal.ts'
import { newPerson, refusal } from '../operator.ts'

const all: Roles = { SANDBOX: 'OWNER', PRODUCTION: 'OWNER' }

t.test('a key is created for oneself: its terms, who made it, and its secret once', async (t) => {
  const { does, uses, by } = await newPerson(all)
  const key = await does('keys create', {
    name: ' Loja ',
    scopes: ['charges.create', 'refunds.create'],
    ipAllowList: ['203.0.113.7', '10.0.0.0/8', '203.0.113.7/32'],
    expiresAt: '2026-12-01T00:00:00Z',
  })
  t.match(key, {
    object: 'api_key',
    name: 'Loja',
    scopes: ['charges.create', 'refunds.create'],
    ipAllowList: ['203.0.113.7/32', '10.0.0.0/8'],
    createdBy: by.personId,
    status: 'ACTIVE',
    lastUsedAt: null,
    secret: /^svc_test_/,
  })
  uses.set(key.id, {
    used: { atMs: 60_000, ip: '192.0.2.1' },
    refused: { atMs: 120_000, ip: '192.0.2.2' },
  })
  const { data, pagination } = await does('keys list')
  t.equal(pagination.total, 1)
  t.match(data[0], {
    id: key.id,
    lastUsedAt: '1970-01-01T00:01:00.000Z',
    lastUsedIp: '192.0.2.1',
    lastRefusedAt: '1970-01-01T00:02:00.000Z',
    lastRefusedIp: '192.0.2.2',
  })
  t.notOk('secret' in data[0])
})

t.test('a second factor is asked for last: what is refused anyway asks for none', async (t) => {
  const { does, hooks, directory } = await newPerson({ SANDBOX: 'SUPPORT', PRODUCTION: 'DEVELOPER' })
  let asked = 0
  hooks.onConfirm = () => {
    asked += 1
    refuseAs('SECOND_FACTOR_REQUIRED')
  }
  for (const [input, code] of [
    [{ scopes: ['refunds.create'] }, 'NO_PERMISSION'],
    [{ ipAllowList: ['10.1/16'] }, 'VALIDATION_ERROR'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, 'VALIDATION_ERROR'],
    [{ expiresAt: '2099-01-01T00:00:00Z' }, 'VALIDATION_ERROR'],
    [{ name: '' }, 'VALIDATION_ERROR'],
  ] as const)
    t.match(await refusal(does('keys create', input)), { code }, JSON.stringify(input))
  t.equal(asked, 0)
  t.match(await refusal(does('keys create', { scopes: ['charges.create'] })), {
    code: 'SECOND_FACTOR_REQUIRED',
  })
  t.equal(asked, 1)
  t.equal(directory.keys.size, 0, 'nothing was made')
})

t.test('a key can do no more than its creator, by default no more than both', async (t) => {
  const { does } = await newPerson({ SANDBOX: 'SUPPORT', PRODUCTION: 'DEVELOPER' })
  const { scopes } = await does('keys create')
  t.strictSame(scopes, [
    'charges.create',
    'charges.read',
    'transactions.read',
    'subscriptions.read',
    'subscriptions.manage',
  ])
  const live = await does('keys create', { environment: 'PRODUCTION' })
  t.strictSame(
    live.scopes,
    ['charges.read', 'transactions.read', 'subscriptions.read'],
    'a developer reads in Production',
  )
  t.match(await refusal(does('keys create', { environment: 'PRODUCTION', scopes: ['charges.create'] })), {
    code: 'NO_PERMISSION',
    extra: { requiredPermission: 'charges.create' },
  })
})

t.test('a key is narrowed, never widened', async (t) => {
  const { does, facts, operate } = await newPerson(all)
  const { id } = await does('keys create', { scopes: ['charges.create', 'charges.read'] })
  const before = facts.length
  const changed = await does('keys update', {
    id,
    name: 'Caixa',
    scopes: ['charges.read'],
    ipAllowList: ['::1'],
  })
  t.match(changed, { name: 'Caixa', scopes: ['charges.read'], ipAllowList: ['::1/128'] })
  await does('keys update', { id, name: 'Caixa' })
  t.equal(facts.length, before + 1, 'what changes nothing is no fact')
  t.match(await refusal(does('keys update', { id, scopes: ['charges.read', 'charges.create'] })), {
    code: 'VALIDATION_ERROR',
    extra: { errors: [{ field: 'scopes' }] },
  })
  t.match(
    await operate('keys update', { id, ipAllowList: '' }),
    { ipAllowList: [] },
    'as the command line says it',
  )
  await does('keys revoke', { id })
  t.match(await refusal(does('keys update', { id, name: 'x' })), { code: 'INVALID_STATE' })
})

t.test('a rolled key keeps its terms and its end; the end of the old one is not moved', async (t) => {
  const { does, world, operate, company } = await newPerson(all)
  const hourMs = 3_600_000
  const expiresAt = new Date(world.now() + 2 * hourMs).toISOString()
  const made = await does('keys create', { name: 'Loja', ipAllowList: ['10.0.0.0/8'], expiresAt })
  t.equal(made.status, 'EXPIRING', 'it ends within seven days')
  const rolled = await does('keys roll', { id: made.id, overlap: 86_400 })
  t.match(rolled, {
    name: 'Loja',
    clientId: made.clientId,
    ipAllowList: ['10.0.0.0/8'],
    expiresAt,
    rolledFromExpiresAt: expiresAt,
  })
  world.pass(2 * hourMs)
  t.match(await refusal(does('keys roll', { id: rolled.id })), {
    code: 'INVALID_STATE',
    message: /has expired/,
  })
  const wide = await operate('keys create', {
    company: company.id,
    environment: 'production',
    scopes: 'refunds.create',
  })
  t.match(
    await refusal(does('keys roll', { id: wide.id })),
    { code: 'NOT_FOUND', extra: { resource: 'api_key' } },
    'that of another environment',
  )
})

t.test('a key that can do more than oneself is not rolled: that would hand its powers over', async (t) => {
  const { does, operate, company } = await newPerson({ SANDBOX: 'SUPPORT', PRODUCTION: null })
  const wide = await operate('keys create', {
    company: company.id,
    environment: 'sandbox',
    scopes: 'refunds.create',
  })
  t.match(await refusal(does('keys roll', { id: wide.id })), { code: 'NO_PERMISSION' })
})

t.test('twenty keys are active at most; rolled, revoked and expired ones make room', async (t) => {
  const { does, world } = await newPerson(all)
  const made: any[] = []
  for (let n = 0; n < 20; n++)
    made.push(
      await does('keys create', n === 0 ? { expiresAt: new Date(world.now() + 1000).toISOString() } : {}),
    )
  t.match(await refusal(does('keys create')), { code: 'INVALID_STATE', message: /at most 20/ })
  await does('keys create', { environment: 'PRODUCTION' })
  await does('keys roll', { id: made[1].id })
  t.match(await refusal(does('keys create')), { code: 'INVALID_STATE' })
  world.pass(1000)
  await does('keys create')
  await does('keys revoke', { id: made[2].id })
  await does('keys create')
  t.match(await refusal(does('keys create')), { code: 'INVALID_STATE' })
})

t.test('keys of other companies are not there', async (t) => {
  const { does, operate } = await newPerson(all)
  const other = await operate('companies create', { name: 'Outra', document: '11444777000161' })
  const { id } = await operate('keys create', { company: other.id, environment: 'sandbox' })
  for (const name of ['keys get', 'keys update', 'keys roll', 'keys revoke'])
    t.match(await refusal(does(name, { id })), { code: 'NOT_FOUND' }, name)
  t.strictSame((await does('keys list')).data, [])
})
