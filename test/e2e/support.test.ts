import t from 'tap'
import { prepareDirectory } from './prepared.ts'
import { caller, newCompany, oneWorker } from './service.ts'
import { signInDirectly } from './sign-in-directly.ts'

t.test('people ask, the staff answers at the command line', async (t) => {
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
    ],
    { env: oneWorker },
  )
  const [ana, stranger] = members.map(({ call }) => call) as [any, any]
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
