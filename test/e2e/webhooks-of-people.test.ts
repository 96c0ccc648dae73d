import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { everyScope } from './examples/play.ts'
import { prepareDirectory } from './prepared.ts'
import { caller, newCompany, oneWorker, startReceiver, until } from './service.ts'
import { secondFactor, signInDirectly } from './sign-in-directly.ts'

t.test('people have endpoints, look at deliveries, and send them again', async (t) => {
  const first = await prepareDirectory(t)
  const [own, other] = [await newCompany(first, { scopes: everyScope }), await newCompany(first)]
  const { service, members } = await signInDirectly(
    t,
    first,
    [
      { companyId: own.company.id, roles: { SANDBOX: 'DEVELOPER', PRODUCTION: null } },
      { companyId: own.company.id, roles: { SANDBOX: 'FINANCE', PRODUCTION: null } },
      { companyId: other.company.id, roles: { SANDBOX: 'OWNER', PRODUCTION: 'OWNER' } },
      { companyId: own.company.id, roles: { SANDBOX: 'OWNER', PRODUCTION: 'OWNER' } },
    ],
    { env: oneWorker },
  )
  const [developer, finance, stranger, owner] = members.map(({ call }) => call) as [any, any, any, any]
  const pay = caller(service.origin, own.key.secret)
  let status = 200
  const receiver = await startReceiver(t, () => status)

  const types = await developer('GET', '/v1/webhooks/event-types')
  t.match(
    types.body.data.find(({ type }: any) => type === 'payment.approved'),
    {
      text: /shipped/,
      sample: { type: 'payment.approved', data: { status: 'APPROVED' } },
    },
  )
  t.match(await developer('POST', '/v1/webhooks/endpoints', { url: 'ftp://example.com' }), {
    status: 400,
    body: { errors: [{ field: 'url' }] },
  })
  const inPortuguese = { 'Accept-Language': 'pt-BR' }
  t.match(await developer('POST', '/v1/webhooks/endpoints', { url: 'ftp://example.com' }, inPortuguese), {
    status: 400,
    body: { errors: [{ message: 'url foi recusada: deve começar com https:// ou http://' }] },
  })
  const options = {
    extraEvents: true,
    signature: 'standard-webhooks',
    headers: { Authorization: 'Bearer of-the-shop' },
  }
  t.match(
    await developer('POST', '/v1/webhooks/endpoints', {
      url: receiver.url,
      headers: { Host: 'other.example' },
    }),
    { status: 400, body: { errors: [{ field: 'headers' }] } },
  )
  const made = await developer('POST', '/v1/webhooks/endpoints', {
    url: receiver.url,
    description: 'loja',
    ...options,
  })
  const { headers: _, ...shown } = options
  t.match(made, {
    status: 201,
    body: { status: 'ENABLED', events: [], secret: /^whsec_/, ...shown, headerNames: ['Authorization'] },
  })
  const { id, secret } = made.body
  const path = `/v1/webhooks/endpoints/${id}`

  const test = await developer('POST', `${path}/test`, { type: 'pix.received' })
  t.match(test, { status: 201, body: { type: 'pix.received', endpointId: id } })
  await receiver.count(1)
  const detailOf = async (deliveryId: string) =>
    (await developer('GET', `/v1/webhooks/deliveries/${deliveryId}`)).body
  await until(async () => (await detailOf(test.body.deliveryId)).status === 'SUCCEEDED')
  const detail = await detailOf(test.body.deliveryId)
  const heard = receiver.heard[0]!
  t.equal(detail.body, heard.body)
  t.match(new Webhook(secret).verify(heard.body, heard.headers as Record<string, string>), {
    type: 'pix.received',
  })
  t.equal(heard.headers.authorization, 'Bearer of-the-shop')
  t.notMatch(JSON.stringify([made.body, detail, (await developer('GET', path)).body]), /of-the-shop/)
  t.match(await developer('PATCH', path, { url: `${receiver.url}/other` }), {
    status: 400,
    body: { errors: [{ field: 'headers' }] },
  })
  for (const [name, value] of Object.entries(detail.requestHeaders))
    t.equal(heard.headers[name.toLowerCase()], value, name)
  t.match(detail, {
    type: 'pix.received',
    attemptCount: 1,
    attempts: [{ number: 1, statusCode: 200, error: null, snippet: 'thanks', url: receiver.url }],
  })

  const rolled = await developer('POST', `${path}/roll-secret`, { overlapSeconds: 3600 }, secondFactor)
  t.match(rolled, { status: 200, body: { secret: /^whsec_/, formerSecretUntil: /Z$/ } })
  status = 500
  const charge = (await pay('POST', '/v1/pix/charges', { amount: 100 })).body
  await receiver.count(3)
  const { headers, body } = receiver.heard[1]!
  const signature = String(headers['service-signature'])
  const hmac = (key: string) =>
    createHmac('sha256', key)
      .update(`${/t=(\d+)/.exec(signature)![1]}.${body}`)
      .digest('hex')
  t.match(signature, new RegExp(`,v1=${hmac(rolled.body.secret)},v1=${hmac(secret)}$`))

  const found = async (query: string) =>
    (await finance('GET', `/v1/transactions/${charge.id}`)) &&
    (await developer('GET', `/v1/webhooks/deliveries?${query}`)).body
  await until(async () => (await found('status=RETRYING&statusClass=5xx')).pagination.total === 2)
  t.match(await found(`objectId=${charge.id}&type=payment.pending`), { data: [{ lastStatusCode: 500 }] })
  t.equal((await found(`endpointId=${id}&error=TIMEOUT`)).pagination.total, 0)
  t.equal((await found('from=2020-01-01&to=2020-01-02')).pagination.total, 0)
  // The next attempt is made now, half a minute before its time, and is one of the twelve.
  const [retried] = (await found('status=RETRYING')).data
  const retry = `/v1/webhooks/deliveries/${retried.id}/retry`
  t.match(await developer('POST', retry), { status: 200, body: { id: retried.id } })
  await receiver.count(4)
  await until(async () => {
    const { body } = await developer('GET', `/v1/webhooks/deliveries/${retried.id}`)
    return body.attemptCount === 2 && body.status === 'RETRYING'
  })
  t.equal((await finance('POST', retry)).status, 403)
  const audited = (await owner('GET', `/v1/audit?objectId=${retried.id}`)).body.data
  t.match(audited, [{ action: 'webhooks retry', result: 'DONE' }])
  const { health } = (await developer('GET', path)).body
  t.match(health, { successRateBps: 3333, attempted: 3, open: 2, oldestOpenAt: /Z$/ })
  t.match((await developer('GET', '/v1/webhooks/endpoints')).body.data, [{ id, health }])

  // What was pending is cancelled with the endpoint, and what happens now is heard by none.
  t.match(await developer('PATCH', path, { status: 'DISABLED' }), {
    status: 200,
    body: { status: 'DISABLED' },
  })
  await until(async () => (await found('status=CANCELLED')).pagination.total === 2)
  await pay('POST', `/v1/sandbox/pix/charges/${charge.id}/pay`)
  const [cancelled] = (await found('status=CANCELLED')).data
  const resend = `/v1/webhooks/deliveries/${cancelled.id}/resend`
  t.match(await developer('POST', resend), { status: 409, body: { code: 'INVALID_STATE' } })
  status = 200
  await developer('PATCH', path, { status: 'ENABLED' })
  t.match(await developer('POST', resend), { status: 201, body: { resendOf: cancelled.id } })
  const ended = `/v1/webhooks/deliveries/${cancelled.id}/retry`
  t.match(await developer('POST', ended), { status: 409, body: { code: 'INVALID_STATE' } })
  await receiver.count(5)
  t.match(await developer('POST', '/v1/webhooks/deliveries/resend', { status: ['CANCELLED'] }), {
    status: 202,
    body: { jobId: /^req_/ },
  })
  const before = receiver.heard.length
  const replay = await developer('POST', `${path}/replay`, {
    from: new Date(Date.now() - 60_000).toISOString(),
    types: ['payment.approved'],
  })
  t.match(replay, { status: 202, body: { count: 1, jobId: /^req_/, after: null } })
  await until(async () => receiver.heard.slice(before).some(({ event }) => event.type === 'payment.approved'))

  const withKey = caller(service.origin, own.key.secret)
  const anyDelivery = `/v1/webhooks/deliveries/${cancelled.id}`
  for (const [verb, path_, sent] of [
    ['GET', '/v1/webhooks/event-types', undefined],
    ['GET', '/v1/webhooks/endpoints', undefined],
    ['POST', '/v1/webhooks/endpoints', { url: receiver.url }],
    ['GET', path, undefined],
    ['PATCH', path, { status: 'DISABLED' }],
    ['DELETE', path, undefined],
    ['POST', `${path}/roll-secret`, {}],
    ['POST', `${path}/test`, {}],
    ['POST', `${path}/replay`, { from: '2026-01-01' }],
    ['GET', '/v1/webhooks/deliveries', undefined],
    ['GET', anyDelivery, undefined],
    ['POST', `${anyDelivery}/resend`, undefined],
    ['POST', '/v1/webhooks/deliveries/resend', {}],
  ] as const) {
    const name = `${verb} ${path_}`
    t.match(await withKey(verb, path_, sent), { status: 403, body: { code: 'DASHBOARD_ONLY' } }, name)
    t.match(
      await finance(verb, path_, sent, secondFactor),
      { status: 403, body: { code: 'NO_PERMISSION' } },
      name,
    )
    if (/_/.test(path_))
      t.equal((await stranger(verb, path_, sent, secondFactor)).status, 404, `${name} of another company`)
  }
  t.match(await developer('GET', path), { body: { status: 'ENABLED' } }, 'nothing was changed')
  t.match(await developer('DELETE', path), { status: 200, body: { status: 'DELETED' } })
  t.match((await developer('GET', '/v1/webhooks/endpoints')).body.data, [])
  t.equal((await developer('GET', path)).body.status, 'DELETED')
})
