import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { everyScope } from './examples/play.ts'
import { enrol, openBrowser } from './person.ts'
import { prepareDirectory } from './prepared.ts'
import { caller, newCompany, newMerchant, oneWorker, startReceiver, startService, until } from './service.ts'
import { secondFactor, signInDirectly } from './sign-in-directly.ts'

const owner = { SANDBOX: 'OWNER', PRODUCTION: 'OWNER' } as const

t.test('what people and keys did is in the audit log, with who it was', async (t) => {
  const first = await prepareDirectory(t, { shards: 2 })
  const own = await newCompany(first, { scopes: everyScope })
  const roles = [owner, { SANDBOX: 'OWNER', PRODUCTION: 'VIEWER' }] as const
  const { service, members } = await signInDirectly(
    t,
    first,
    roles.map((roles) => ({ companyId: own.company.id, roles })),
  )
  const [{ call, personId }, viewer] = members as [(typeof members)[0], (typeof members)[0]]
  const inProduction = { 'Service-Environment': 'PRODUCTION' }
  const withKey = caller(service.origin, own.key.secret)
  const entries = async (query = '', headers = {}): Promise<any[]> =>
    (await call('GET', `/v1/audit?pageSize=200${query}`, undefined, headers)).body.data
  const only = async (query: string, headers = {}): Promise<any> => {
    const found = await entries(query, headers)
    t.equal(found.length, 1, query)
    return found[0]
  }

  const { body: charge } = await withKey('POST', '/v1/pix/charges', { amount: 5000 })
  await withKey('POST', `/v1/sandbox/pix/charges/${charge.id}/pay`, {})
  const refund = await call('POST', `/v1/transactions/${charge.id}/refund`, { amount: 2000, reason: 'Troca' })
  t.equal(refund.status, 201)
  t.match(await entries(`&objectId=${charge.id}`), [
    {
      actor: { kind: 'PERSON', id: personId },
      sessionId: /^ses_/,
      keyId: null,
      ip: '127.0.0.1',
      action: 'refundTransaction',
      object: { type: 'transaction', id: charge.id },
      result: 'DONE',
      requestId: refund.headers.get('request-id'),
    },
    { actor: { kind: 'KEY', id: own.key.id }, keyId: own.key.id, action: 'paySandboxPixCharge' },
  ])
  t.match((await only('&action=refundTransaction')).changes, [{ field: 'refunds' }], 'and what it changed')

  const customer = await withKey('POST', '/v1/customers', { name: 'Ana Souza', document: '12345678909' })
  t.strictSame((await only(`&objectId=${customer.body.id}`)).changes, [
    { field: 'document', before: null, after: '***.456.789-**' },
  ])

  t.match(
    await call(
      'POST',
      '/v1/keys',
      { name: 'Nova', scopes: ['charges.read'] },
      { 'Service-Second-Factor': `passkey ${Buffer.from('{}').toString('base64url')}` },
    ),
    { status: 403, body: { code: 'SECOND_FACTOR_INVALID' } },
  )
  const made = await call('POST', '/v1/keys', { name: 'Nova', scopes: ['charges.read'] }, secondFactor)
  t.equal(made.status, 201)
  await until(async () => (await entries(`&action=keys%20create&actor=${personId}`)).length === 2)
  t.match(
    (await entries(`&action=keys%20create&actor=${personId}`)).map(({ result, code, object }) => ({
      result,
      code,
      object,
    })),
    [
      { result: 'DONE', code: null, object: { type: 'api_key', id: made.body.id } },
      { result: 'REFUSED', code: 'SECOND_FACTOR_INVALID', object: { type: 'person', id: personId } },
    ],
  )
  t.notMatch(JSON.stringify(await entries()), made.body.secret, 'no secret is in it')

  await call('PATCH', '/v1/company', { tradeName: 'Azul' })
  await until(async () => (await entries('&action=company%20update', inProduction)).length === 1)
  t.strictSame(
    await entries('&action=company%20update'),
    [],
    'what concerns the company as a whole is in Production',
  )

  const receiver = await startReceiver(t)
  const endpoint = await call('POST', '/v1/webhooks/endpoints', { url: receiver.url })
  const test = await call('POST', `/v1/webhooks/endpoints/${endpoint.body.id}/test`, {})
  await receiver.count(1)
  t.match(await only(`&action=webhooks%20test`), { object: { id: test.body.deliveryId } })
  await call('POST', `/v1/webhooks/endpoints/${endpoint.body.id}/replay`, {
    from: '2026-06-01',
    to: '2026-06-02',
  })
  t.match(await only('&action=webhooks%20replay'), { object: { id: endpoint.body.id } })

  const csv = await call('GET', '/v1/audit/export?actor=KEY')
  t.match(csv.body, /^id,at,actorKind,.*\r\naud_.*createCustomer.*\r\naud_.*paySandboxPixCharge.*\r\n$/)
  await (
    await fetch(`${service.origin}/v1/transactions/export`, {
      headers: { Authorization: `Bearer ${own.key.secret}` },
    })
  ).text()
  t.match(await only('&action=exportAuditEntries'), { actor: { id: personId }, ip: '127.0.0.1' })
  t.match(await only('&action=exportTransactions'), { actor: { id: own.key.id }, ip: '127.0.0.1' })

  await withKey('POST', '/v1/sandbox/reset', {})
  t.equal((await entries('&action=refundTransaction')).length, 1, 'a reset leaves the log')
  const check = await call('GET', '/v1/audit/verify')
  t.match(check, { status: 200, body: { valid: true, brokenAt: null } })
  t.equal(check.body.headHash, (await entries())[0].hash)
  t.equal(check.body.entries, (await entries()).length)

  t.match(await viewer.call('GET', '/v1/audit'), { status: 403, body: { requiredPermission: 'audit.read' } })
  t.match(await withKey('GET', '/v1/audit'), { status: 403, body: { code: 'DASHBOARD_ONLY' } })

  await service.kill('SIGTERM')
  const again = await startService(t, { dataDir: service.dataDir })
  t.equal((await again.command('verify', service.dataDir)).problems.length, 0)
  await again.kill('SIGTERM')

  // A byte of an entry, wherever it lies: a page that LMDB has moved is still there, with nothing that leads to it.
  const requestId = refund.headers.get('request-id')!
  const damaged = ['00', '01'].filter((shard) => {
    const file = join(service.dataDir, 'shards', shard, 'journal/data.mdb')
    const bytes = readFileSync(file)
    const isThere = bytes.includes(requestId)
    for (let at = bytes.indexOf(requestId); at !== -1; at = bytes.indexOf(requestId, at)) bytes[at + 6]! ^= 1
    writeFileSync(file, bytes)
    return isThere
  })
  t.equal(damaged.length, 1)
  const { problems } = await again
    .command('verify', service.dataDir)
    .catch((error) => JSON.parse(error.message))
  t.match(problems, [new RegExp(`shards/${damaged[0]}/journal is damaged at entr(y|ies) \\d+`)])
})

t.test('sign-ins are in the log of the company, failed ones once a minute and reason', async (t) => {
  const service = await startService(t, { env: oneWorker })
  const own = await newMerchant(service)
  const invited = await service.operate('people invite', {
    company: own.company.id,
    email: 'ana@example.com',
    role: 'owner',
  })
  const ana = await enrol(service, invited.link, 'ana@example.com')
  const visitor = openBrowser(service.origin)
  for (let n = 0; n < 3; n++)
    await visitor.call('POST', '/v1/session', { email: 'ana@example.com', password: 'errado errado errado' })
  await visitor.call('POST', '/v1/session', { email: 'ana@example.com', password: ana.password })
  await visitor.call('POST', '/v1/session/second-factor', { totp: '000000' })
  await visitor.call('POST', '/v1/session/second-factor', { totp: ana.code() })
  const read = async (): Promise<any[]> =>
    (await ana.browser.at(own.company.id, 'PRODUCTION').call('GET', '/v1/audit?pageSize=200')).body.data
  const signIns = async () =>
    (await read())
      .filter(({ action }) => action.startsWith('session '))
      .map(({ action, code }) => `${action} ${code}`)
  await until(async () => (await signIns()).length >= 4)
  t.strictSame(await signIns(), [
    'session factor null',
    'session factor null',
    'session factor SECOND_FACTOR_INVALID',
    'session sign-in UNAUTHORIZED',
  ])
  t.match(
    (await read()).find(({ code }) => code === 'UNAUTHORIZED'),
    { actor: { kind: 'PERSON', name: 'Ana Souza' }, userAgent: 'Mozilla/5.0 Test', result: 'REFUSED' },
  )
  t.ok(
    (await read()).some(({ action }) => action === 'people invite'),
    'the command line is in it, too',
  )
})
