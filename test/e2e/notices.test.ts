import t from 'tap'
import { listenTo } from './event-source.ts'
import { startMailServer } from './mail-server.ts'
import { prepareDirectory } from './prepared.ts'
import { newCompany, oneWorker, until } from './service.ts'
import { secondFactor, signInDirectly } from './sign-in-directly.ts'

t.test('people are told of what they can act on, at the dashboard and by mail', async (t) => {
  const first = await prepareDirectory(t)
  const own = await newCompany(first)
  const other = await newCompany(first, { name: 'Outra Loja' })
  const mail = await startMailServer(t)
  const isMailed = (text: string) => until(async () => mail.messages.some((one) => one.text.includes(text)))
  const { service, members } = await signInDirectly(
    t,
    first,
    [
      { companyId: own.company.id, roles: { SANDBOX: 'OWNER', PRODUCTION: 'OWNER' } },
      { companyId: own.company.id, roles: { SANDBOX: 'VIEWER', PRODUCTION: 'VIEWER' } },
      { companyId: other.company.id, roles: { SANDBOX: 'OWNER', PRODUCTION: 'OWNER' } },
    ],
    { env: { ...oneWorker, MAIL_URL: mail.url } },
  )
  const [owner, viewer, stranger] = members.map(({ call }) => call) as [any, any, any]
  const path = '/v1/notifications'
  // A key that an operator makes is told of, too.
  for (const [{ company }, person] of [
    [own, owner],
    [other, stranger],
  ] as const) {
    await service.operate('keys create', { company: company.id, environment: 'sandbox' })
    await until(async () => (await person('GET', path)).body.pagination.total === 1)
  }
  const live = await listenTo(`${service.origin}/v1/live`, members[0]!.headers)
  t.teardown(live.close)

  await owner('POST', `${path}/read`, {})
  await owner('POST', '/v1/keys', { name: 'Loja virtual' }, secondFactor)
  const { id: raised } = (await live.event(({ data }) => data.type === 'notice.raised')).data
  t.match((await owner('GET', path)).body, {
    data: [
      { id: raised, object: 'notice', kind: 'KEY_CREATED', details: { name: 'Loja virtual' }, readAt: null },
    ],
  })
  await isMailed('Uma chave de API foi criada: Loja virtual.')

  const ticket = { subject: 'Onde está?', category: 'PAYMENT', text: 'a' }
  const { id } = (await owner('POST', '/v1/support/tickets', ticket)).body
  await service.operate('tickets reply', { id, name: 'Bia', text: 'Chegou.' })
  const listed = await owner('GET', `${path}?unread=true`)
  t.match(listed.body, {
    pagination: { total: 2 },
    data: [{ kind: 'TICKET_ANSWERED', objectId: id, count: 1, details: { number: 1, name: 'Bia' } }, {}],
  })
  await isMailed('foi respondido')
  t.match((await viewer('GET', path)).body, { pagination: { total: 0 } })
  const elsewhere = (await stranger('GET', path)).body.data.map((notice: any) => notice.kind)
  t.strictSame(elsewhere, ['KEY_CREATED'], 'of the key of that company')
  const production = { 'Service-Environment': 'PRODUCTION' }
  t.match((await owner('GET', path, undefined, production)).body, { pagination: { total: 0 } })

  for (const refused of [
    await stranger('POST', `${path}/read`, { ids: [raised] }),
    await viewer('POST', `${path}/read`, { ids: [raised] }),
    await owner('POST', `${path}/read`, { ids: [raised] }, production),
    await owner('POST', `${path}/read`, { ids: ['ntf_0'] }),
  ])
    t.match(refused, { status: 404, body: { resource: 'notice' } })
  t.match(await owner('POST', `${path}/read`, { ids: [] }), { status: 400 })
  t.match(await owner('GET', `${path}?unread=yes`), { status: 400 })
  t.match(await owner('POST', `${path}/read`, { ids: [raised] }), { status: 200, body: { done: true } })
  t.match((await owner('GET', `${path}?unread=true`)).body, { pagination: { total: 1 } })
  t.match(await owner('POST', `${path}/read`, {}), { status: 200 })
  t.match((await owner('GET', `${path}?unread=true`)).body, { pagination: { total: 0 } })
  const [answered] = (await owner('GET', path)).body.data
  t.match(answered.readAt, /^\d{4}-.*Z$/, 'reading deletes nothing')

  const preferences = `${path}/preferences`
  const before = (await owner('GET', preferences)).body
  t.match(before, { mail: { CHARGEBACK_OPENED: false, TICKET_ANSWERED: true } })
  t.notOk('KEY_CREATED' in before.mail, 'security is no choice')
  t.match((await owner('GET', preferences, undefined, production)).body, {
    mail: { CHARGEBACK_OPENED: true },
  })
  const chosen = await owner('PUT', preferences, { mail: { TICKET_ANSWERED: false, KEY_CREATED: false } })
  t.match(chosen, { status: 200, body: { mail: { CHARGEBACK_OPENED: false, TICKET_ANSWERED: false } } })
  t.strictSame((await owner('GET', preferences)).body, chosen.body)
  t.match(await owner('PUT', preferences, { mail: { MED_OPENED: 'yes' } }), { status: 400 })
  t.match((await viewer('GET', preferences)).body, { mail: { TICKET_ANSWERED: true } })
})
