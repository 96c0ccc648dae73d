import t from 'tap'
import { prepareDirectory } from './prepared.ts'
import { newCompany, oneWorker, startService } from './service.ts'
import { signInDirectly } from './sign-in-directly.ts'

t.test('each person keeps filters under names of their own', async (t) => {
  const first = await prepareDirectory(t)
  const own = await newCompany(first)
  const roles = { SANDBOX: 'VIEWER', PRODUCTION: 'VIEWER' } as const
  const member = { companyId: own.company.id, roles }
  const { service, members } = await signInDirectly(t, first, [member, member], { env: oneWorker })
  const [ana, bia] = members.map(({ call }) => call) as [any, any]
  const path = '/v1/views'
  const pending = { page: 'transacoes', name: ' Pendentes ', query: 'status=PENDING' }
  const saved = await ana('PUT', path, pending)
  t.match(saved, { status: 200, body: { object: 'view', name: 'Pendentes', query: 'status=PENDING' } })
  const { id } = saved.body
  t.match(await ana('PUT', path, { ...pending, query: 'status=PENDING,APPROVED' }), {
    status: 200,
    body: { id, query: 'status=PENDING,APPROVED' },
  })
  const elsewhere = await ana('PUT', path, { ...pending, page: 'pix' })
  t.not(elsewhere.body.id, id, 'another page may use the name')
  t.match((await ana('GET', path)).body.data, [{ id, query: 'status=PENDING,APPROVED' }, { page: 'pix' }])
  t.strictSame((await bia('GET', path)).body.data, [])
  const production = { 'Service-Environment': 'PRODUCTION' }
  t.strictSame((await ana('GET', path, undefined, production)).body.data, [])
  t.match(await bia('PUT', path, pending), { status: 200 })

  for (const [change, field] of [
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(61) }, 'name'],
    [{ page: 'x'.repeat(61) }, 'page'],
    [{ query: 'x'.repeat(1001) }, 'query'],
    [{ query: undefined }, 'query'],
  ] as const)
    t.match(await ana('PUT', path, { ...pending, ...change }), { status: 400, body: { errors: [{ field }] } })

  const absent = { status: 404, body: { resource: 'view' } }
  t.match(await bia('DELETE', `${path}/${id}`), absent)
  t.match(await ana('DELETE', `${path}/${id}`, undefined, production), absent)
  t.match(await ana('DELETE', `${path}/${id}`), { status: 200, body: { done: true } })
  t.match(await ana('DELETE', `${path}/${id}`), absent)
  t.match((await ana('GET', path)).body, { data: [{ page: 'pix' }] })
  for (let n = 0; n < 49; n++) await ana('PUT', path, { ...pending, name: `n${n}` })
  t.match(await ana('PUT', path, { ...pending, name: 'one too many' }), {
    status: 409,
    body: { code: 'INVALID_STATE' },
  })
  t.match(await ana('PUT', path, { ...pending, name: 'n0', query: 'a=1' }), { status: 200 })

  await service.kill('SIGTERM')
  const again = await startService(t, { env: oneWorker, dataDir: service.dataDir })
  const response = await fetch(`${again.origin}${path}`, { headers: members[0]!.headers })
  t.equal(((await response.json()) as any).data.length, 50, 'and they are there after a start')
})
