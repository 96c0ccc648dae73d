import t from 'tap'
import { prepareDirectory } from './prepared.ts'
import { caller, newCompany, oneWorker } from './service.ts'
import { signInDirectly } from './sign-in-directly.ts'

t.test('people ask, the staff answers at the command line, and notes stay among them', async (t) => {
  const first = await prepareDirectory(t)
  const own = await newCompany(first)
  const other = await newCompany(first, { name: 'Outra Loja' })
  const roles = { SANDBOX: 'SUPPORT', PRODUCTION: 'SUPPORT' } as const
  const { service, members } = await signInDirectly(
    t,
    first,
    [
      { companyId: own.company.id, roles },
      { companyId: other.company.id, roles },
      { companyId: own.company.id, roles: { SANDBOX: 'VIEWER', PRODUCTION: 'VIEWER' } },
      { companyId: own.company.id, roles: { SANDBOX: 'ADMIN', PRODUCTION: 'ADMIN' } },
    ],
    { env: oneWorker },
  )
  const [ana, stranger, viewer, admin] = members.map(({ call }) => call) as [any, any, any, any]
  const path = '/v1/support/tickets'
  const charge = (await ana('POST', '/v1/pix/charges', { amount: 100 })).body
  const asked = { subject: ' Onde está? ', category: 'PAYMENT', objectIds: [charge.id], text: 'a\nb ' }
  const once = { 'Idempotency-Key': 'ticket-1' }
  const made = await ana('POST', path, asked, once)
  t.match(made, {
    status: 201,
    body: {
      object: 'ticket',
      number: 1,
      subject: 'Onde está?',
      priority: 'NORMAL',
      status: 'OPEN',
      messages: [{ author: 'PERSON', name: 'Ana', text: 'a\nb' }],
      closedAt: null,
    },
  })
  const { id } = made.body
  t.equal(made.headers.get('location'), `${path}/${id}`)
  const again = await ana('POST', path, asked, once)
  t.strictSame([again.status, again.body], [201, made.body], 'the same key makes no second ticket')
  t.match(await ana('POST', path, { ...asked, text: 'c' }, once), { status: 422 })

  for (const [change, field] of [
    [{ subject: 'ab' }, 'subject'],
    [{ subject: 'x'.repeat(121) }, 'subject'],
    [{ text: ' ' }, 'text'],
    [{ text: 'x'.repeat(5001) }, 'text'],
    [{ text: '\u0007' }, 'text'],
    [{ category: 'PIX' }, 'category'],
    [{ priority: 'HIGH' }, 'priority'],
    [{ objectIds: ['cus_00000000000000000000000000'] }, 'objectIds[0]'],
    [{ objectIds: Array.from({ length: 21 }, (_, n) => `txn_${String(n).padStart(26, '0')}`) }, 'objectIds'],
  ] as const)
    t.match(await ana('POST', path, { ...asked, ...change }), { status: 400, body: { errors: [{ field }] } })
  const foreign = (await stranger('POST', '/v1/pix/charges', { amount: 100 })).body.id
  t.match(await ana('POST', path, { ...asked, objectIds: [foreign] }), {
    status: 422,
    body: { code: 'REFERENCE_NOT_FOUND', field: 'objectIds[0]' },
  })

  const elsewhere = { status: 404, body: { code: 'NOT_FOUND', resource: 'ticket' } }
  const production = { 'Service-Environment': 'PRODUCTION' }
  t.match(await ana('GET', `${path}/${id}`, undefined, production), elsewhere)
  t.match(await stranger('GET', `${path}/${id}`), elsewhere)
  t.match(await stranger('POST', `${path}/${id}/messages`, { text: 'x' }), elsewhere)
  t.match(await stranger('POST', `${path}/${id}/close`), elsewhere)
  t.match(await stranger('GET', path), { body: { data: { length: 0 } } })

  const listed = await service.operate('tickets list', {})
  t.match(listed, { total: 1, data: [{ id, company: 'Loja Teste', environment: 'SANDBOX' }] })
  const reply = await service.operate('tickets reply', { id, name: 'Bia', text: 'Chegou.' })
  t.match(reply, { status: 'WAITING_COMPANY' })
  t.match(await ana('GET', `${path}?status=WAITING_COMPANY`), {
    body: { data: [{ id, messages: [{}, { author: 'STAFF', name: 'Bia', text: 'Chegou.' }] }] },
  })
  t.match(await ana('POST', `${path}/${id}/close`), { status: 200, body: { status: 'CLOSED' } })
  t.match(await service.operate('tickets list', { company: own.company.id }), { total: 0 })
  t.match(await ana('POST', `${path}/${id}/messages`, { text: 'Obrigada' }), {
    status: 201,
    body: { status: 'OPEN', closedAt: null, messages: { length: 3 } },
  })
  t.match(await service.operate('tickets show', { id, company: own.company.id }), { status: 'OPEN' })
  t.match(await service.operate('tickets close', { id }), { status: 'CLOSED' })

  const noted = { objectId: charge.id, text: ' Ligou às 9\n<b> ' }
  const keyed = { 'Idempotency-Key': 'note-1' }
  const written = await ana('POST', '/v1/notes', noted, keyed)
  t.match(written, { status: 201, body: { object: 'note', name: 'Ana', text: 'Ligou às 9\n<b>' } })
  t.strictSame((await ana('POST', '/v1/notes', noted, keyed)).body, written.body, 'once for its key')
  for (const [change, status] of [
    [{ text: 'x'.repeat(1001) }, 400],
    [{ text: ' ' }, 400],
    [{ objectId: id }, 400],
    [{ objectId: foreign }, 422],
  ] as const)
    t.equal((await ana('POST', '/v1/notes', { ...noted, ...change })).status, status)
  await admin('POST', '/v1/notes', { ...noted, text: 'Segunda' })
  t.match(
    (await admin('GET', '/v1/audit?action=addNote')).body.objects,
    [{ shownBy: charge.id }, { shownBy: charge.id }],
    'the audit log leads to what notes are about',
  )
  const about = `/v1/notes?objectId=${charge.id}`
  t.match(await viewer('GET', `${about}&pageSize=1`), {
    body: { data: [{ text: 'Segunda' }], pagination: { total: 2 } },
  })
  t.equal((await stranger('GET', about)).status, 404)
  t.equal((await ana('GET', about, undefined, production)).status, 404)
  t.equal((await viewer('POST', '/v1/notes', noted)).status, 403)
  t.equal((await caller(service.origin, own.key.secret)('GET', about)).status, 403, 'keys have no eyes')
  const [second] = (await ana('GET', about)).body.data
  t.equal((await ana('DELETE', `/v1/notes/${second.id}`)).status, 403, 'of another person')
  t.equal((await viewer('DELETE', `/v1/notes/${second.id}`)).status, 403)
  t.equal((await stranger('DELETE', `/v1/notes/${second.id}`)).status, 404)
  t.equal((await admin('DELETE', `/v1/notes/${written.body.id}`)).status, 200)
  t.equal((await admin('DELETE', `/v1/notes/${written.body.id}`)).status, 404)
  t.match((await ana('GET', about)).body.data, [{ id: second.id }])

  await caller(service.origin, own.key.secret)('POST', '/v1/sandbox/reset', {})
  t.match(await ana('GET', `/v1/transactions/${charge.id}`), { status: 404 })
  t.match(
    await ana('GET', `${path}/${id}`),
    { status: 200, body: { number: 1, status: 'CLOSED' } },
    'a reset of the Sandbox leaves what people wrote',
  )
  await t.rejects(service.operate('tickets show', { id: 'tkt_0' }), /no ticket/)
  await t.rejects(service.operate('tickets reply', { id, name: 'Bia', text: ' ' }), /1 to 5000/)
})
