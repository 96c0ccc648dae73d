import t from 'tap'
import { everyScope } from './examples/play.ts'
import { prepareDirectory } from './prepared.ts'
import { caller, newCompany, startService } from './service.ts'
import { secondFactor, signInDirectly } from './sign-in-directly.ts'

t.test('people create, narrow, roll and revoke keys; each counts at once', async (t) => {
  const first = await prepareDirectory(t)
  const [own, other] = [await newCompany(first, { scopes: everyScope }), await newCompany(first)]
  const env = { TRUSTED_PROXIES: '127.0.0.0/8' }
  const { service, members } = await signInDirectly(
    t,
    first,
    [
      { companyId: own.company.id, roles: { SANDBOX: 'DEVELOPER', PRODUCTION: null } },
      { companyId: own.company.id, roles: { SANDBOX: 'VIEWER', PRODUCTION: null } },
      { companyId: other.company.id, roles: { SANDBOX: 'OWNER', PRODUCTION: 'OWNER' } },
    ],
    { env },
  )
  const [developer, viewer, stranger] = members.map(({ call }) => call)
  const isLetIn = async (secret: string, from = '203.0.113.7') => {
    const headers = { 'X-Forwarded-For': from }
    return (await caller(service.origin, secret)('GET', '/v1/pix/charges', undefined, headers)).status
  }

  const wanted = { name: 'Loja', scopes: ['charges.read', 'charges.create'], ipAllowList: ['203.0.113.0/24'] }
  t.match(await developer!('POST', '/v1/keys', wanted), {
    status: 403,
    body: { code: 'SECOND_FACTOR_REQUIRED', methods: ['totp'] },
  })
  t.match(await viewer!('POST', '/v1/keys', wanted, secondFactor), {
    status: 403,
    body: { code: 'NO_PERMISSION', requiredPermission: 'keys.manage' },
  })
  t.match(await developer!('POST', '/v1/keys', { ...wanted, ipAllowList: ['nowhere'] }, secondFactor), {
    status: 400,
    body: { errors: [{ field: 'ipAllowList[0]', code: 'INVALID_FORMAT' }] },
  })
  const { status, body: key } = await developer!('POST', '/v1/keys', wanted, secondFactor)
  t.equal(status, 201)
  const odd = { ...wanted, createdBy: 'per_1', company: other.company.id, environment: 'PRODUCTION' }
  const ignoring = await developer!('POST', '/v1/keys', odd, secondFactor)
  t.match(ignoring, {
    status: 201,
    body: { companyId: own.company.id, environment: 'SANDBOX', createdBy: members[0]!.personId },
  })
  t.equal(ignoring.headers.get('service-ignored-fields'), 'createdBy, company, environment')
  t.match(key, { name: 'Loja', createdBy: members[0]!.personId, status: 'ACTIVE', secret: /^svc_test_/ })

  t.strictSame([await isLetIn(key.secret), await isLetIn(key.secret, '198.51.100.1')], [200, 401])
  const used = caller(service.origin, key.secret)
  const from = { 'X-Forwarded-For': '203.0.113.7' }
  await used('POST', '/v1/pix/charges?secret=1', { amount: 'x' }, from)
  await used('GET', '/v1/no-such/tok_secret', undefined, from)
  const requests = `/v1/keys/${key.id}/requests`
  const logged = await viewer!('GET', requests)
  t.match(logged.body, {
    data: [
      { method: 'GET', route: null, path: null, status: 404, code: 'ROUTE_NOT_FOUND' },
      { method: 'POST', route: '/v1/pix/charges', path: '/v1/pix/charges', status: 400 },
      { object: 'key_request', id: /^req_/, method: 'GET', status: 200, code: null, at: /Z$/ },
    ],
    pagination: { total: 3 },
  })
  t.notMatch(JSON.stringify(logged.body), 'secret', 'neither a query nor a path that is none')
  t.ok(Math.abs(Date.parse(logged.body.data[0].at) - Date.now()) < 600_000)
  for (const [query, total] of [
    ['statusClass=4xx', 2],
    ['statusClass=2xx,5xx', 1],
    ['path=pix', 2],
    ['path=no-such', 0],
  ] as const)
    t.equal((await viewer!('GET', `${requests}?${query}`)).body.pagination.total, total, query)
  t.match(await viewer!('GET', `${requests}?pageSize=1&page=2`), { body: { data: [{ status: 400 }] } })
  t.equal((await stranger!('GET', requests)).status, 404)
  t.equal((await used('GET', requests, undefined, from)).status, 403, 'keys do not read keys')
  const shown = async (id: string) =>
    (await viewer!('GET', '/v1/keys')).body.data.find((row: any) => row.id === id)
  const seen = await shown(key.id)
  t.match(seen, { lastUsedIp: '203.0.113.7', lastRefusedIp: '198.51.100.1', lastUsedAt: /:00\.000Z$/ })
  t.notOk('secret' in seen)

  const narrowed = await developer!('PATCH', `/v1/keys/${key.id}`, {
    scopes: ['charges.create'],
    ipAllowList: [],
  })
  t.match(narrowed, { status: 200, body: { scopes: ['charges.create'], ipAllowList: [] } })
  t.equal(await isLetIn(key.secret), 403, 'the scope is gone')
  t.match(await developer!('PATCH', `/v1/keys/${key.id}`, { scopes: ['charges.read'] }), {
    status: 400,
    body: { errors: [{ field: 'scopes' }] },
  })

  const path = `/v1/keys/${own.key.id}`
  const rolled = await developer!('POST', `${path}/roll`, { overlapSeconds: 3600 }, secondFactor)
  t.match(rolled, { status: 201, body: { clientId: own.key.clientId, rolledFrom: own.key.id } })
  t.match(await shown(own.key.id), { status: 'EXPIRING', rolledTo: rolled.body.id })
  t.strictSame([await isLetIn(own.key.secret), await isLetIn(rolled.body.secret)], [200, 200])
  t.match(await developer!('POST', `${path}/revoke`), { status: 200, body: { status: 'REVOKED' } })
  t.strictSame([await isLetIn(own.key.secret), await isLetIn(rolled.body.secret)], [401, 200])
  t.match(await developer!('POST', `${path}/roll`, {}, secondFactor), { status: 409 })

  const withKey = caller(service.origin, rolled.body.secret)
  for (const [verb, path, body] of [
    ['GET', '/v1/keys', undefined],
    ['POST', '/v1/keys', wanted],
    ['PATCH', `/v1/keys/${key.id}`, { name: 'x' }],
    ['POST', `/v1/keys/${key.id}/roll`, {}],
    ['POST', `/v1/keys/${key.id}/revoke`, undefined],
  ] as const) {
    t.match(
      await withKey(verb, path, body),
      { status: 403, body: { code: 'DASHBOARD_ONLY' } },
      `${verb} ${path}`,
    )
    t.equal((await caller(service.origin, '')(verb, path, body)).status, 401)
    if (path.includes(key.id))
      t.match(
        await stranger!(verb, path, body, secondFactor),
        { status: 404, body: { code: 'NOT_FOUND', resource: 'api_key' } },
        `${verb} ${path} of another company`,
      )
  }
  t.match(await shown(key.id), { name: 'Loja', status: 'ACTIVE', rolledTo: null }, 'nothing was changed')

  await service.kill('SIGTERM')
  const again = await startService(t, { env, dataDir: service.dataDir })
  const { data } = await again.operate('keys list', {})
  t.match(
    data.find((row: any) => row.id === key.id),
    { lastUsedIp: '203.0.113.7' },
    'last uses survive a stop',
  )
})
