import t from 'tap'
import { type MailServer, partsOf, startMailServer } from '../e2e/mail-server.ts'
import { newMerchant, oneWorker, posted, startService, until } from '../e2e/service.ts'
import { askPage, nonceIn } from './payer.ts'

/** The links to portals that were mailed to an address. */
const linksTo = ({ messages }: MailServer, email: string): readonly string[] =>
  messages.flatMap(({ to, text }) =>
    to.toLowerCase() === email.toLowerCase()
      ? (/http\S+\/p\/\w{43}/.exec(partsOf(text).get('text/plain')!)?.[0] ?? [])
      : [],
  )

t.test('a customer asks for a link to the portal by mail, and enters by it once', async (t) => {
  const mail = await startMailServer(t)
  const service = await startService(t, { env: { ...oneWorker, MAIL_URL: mail.url } })
  const { call } = await newMerchant(service)
  const { call: otherShop } = await newMerchant(service, { name: 'Outra' })
  const plan = await posted(call, '/v1/plans', {
    name: 'Clube do Café',
    amount: 4900,
    interval: 'MONTH',
    methods: ['PIX'],
  })
  const subscriber = async (email: string) => {
    const customer = await posted(call, '/v1/customers', { name: 'Ana Souza', email })
    await posted(call, '/v1/subscriptions', { planId: plan.id, customerId: customer.id, method: 'PIX' })
    return customer
  }
  await subscriber('Ana@Example.com')
  await posted(call, '/v1/customers', { name: 'Sem assinatura', email: 'sem@example.com' })
  const { url } = (await call('GET', '/v1/portal')).body
  t.match(url, /^http:\/\/pay\.localhost:\d+\/p\/\w{30}$/)

  const own = { Origin: new URL(url).origin, 'Sec-Fetch-Site': 'same-origin' }
  const send = (page: string, action: string, form: Readonly<Record<string, string>>, headers = own) =>
    askPage(service, 'POST', `${page}/${action}`, { form, headers })
  const askFor = async (email: string, at = url) => {
    const { body } = await askPage(service, 'GET', at)
    return send(at, 'send', { nonce: nonceIn(body), email })
  }

  await t.test('whoever asks reads the same', async (t) => {
    const known = await askFor('ana@example.COM')
    t.equal(known.status, 200)
    t.match(known.body, 'Se houver assinaturas com esse e-mail')
    const { status, body } = await askFor('ninguem@example.com')
    t.strictSame({ status, body }, { status: known.status, body: known.body })
    t.equal((await askFor('sem@example.com')).body, known.body)
    t.match(await askFor('ana'), { status: 422, body: /Confira o e-mail/ })
    await until(async () => linksTo(mail, 'Ana@Example.com').length === 1)
    t.strictSame(
      [...new Set(mail.messages.map(({ to }) => to))],
      ['Ana@example.com'],
      'nobody else is written to',
    )
    const { text } = mail.messages[0]!
    t.match(text, /^Message-ID: <ptl_\w{26}@/m)
    t.match(partsOf(text).get('text/plain'), /Olá, Ana Souza!/)
  })

  await t.test('only a form of this page sends mail', async (t) => {
    const { nonce } = { nonce: nonceIn((await askPage(service, 'GET', url)).body) }
    const form = { nonce, email: 'ana@example.com' }
    t.equal((await send(url, 'send', form, { ...own, 'Sec-Fetch-Site': 'cross-site' })).status, 403)
    t.equal((await send(url, 'send', { ...form, nonce: '0.x' })).status, 403)
    const { url: others } = (await otherShop('GET', '/v1/portal')).body
    t.equal((await send(others, 'send', form)).status, 403, 'nor that of another company')
    t.equal((await askFor('ana@example.com', others)).status, 200, 'which does not know her')
  })

  await t.test('its link opens once, and not for a program that only looks', async (t) => {
    const [link] = linksTo(mail, 'Ana@Example.com') as [string]
    for (const verb of ['GET', 'HEAD', 'GET'])
      t.equal((await askPage(service, verb, link)).status, 200, 'looking at it uses nothing')
    const { body } = await askPage(service, 'GET', link)
    t.notMatch(body, /Clube do Café|Ana Souza/, 'nothing is shown before')
    const nonce = nonceIn(body)
    t.equal((await send(link, 'open', { nonce }, { ...own, 'Sec-Fetch-Site': 'cross-site' })).status, 403)
    for (const action of ['card', 'cancel', 'plan', 'pay'])
      t.equal((await send(link, action, { nonce })).status, 404, 'it is not the portal itself')
    const both = await Promise.all([send(link, 'open', { nonce }), send(link, 'open', { nonce })])
    t.strictSame(both.map(({ status }) => status).sort(), [303, 404], 'of two at once one enters')
    const { location } = both.find(({ status }) => status === 303)!.headers
    const portal = await askPage(service, 'GET', new URL(String(location), link).href)
    t.match(portal.body, /Clube do Café/)
    t.equal((await askPage(service, 'GET', link)).status, 404)
    t.equal((await send(link, 'open', { nonce })).status, 404)
  })

  await t.test('nobody fills a box: three an hour for a customer', async (t) => {
    for (let n = 0; n < 4; n++) t.equal((await askFor('ana@example.com')).status, 200)
    await subscriber('bia@example.com')
    await askFor('bia@example.com')
    await until(async () => linksTo(mail, 'bia@example.com').length === 1)
    t.equal(linksTo(mail, 'Ana@Example.com').length, 3)
    await call('POST', '/v1/sandbox/clock/advance', { by: 'PT61M' })
    await askFor('ana@example.com')
    await until(async () => linksTo(mail, 'Ana@Example.com').length === 4)
  })

  await t.test('after half an hour its link leads nowhere', async (t) => {
    const link = linksTo(mail, 'Ana@Example.com')[3]!
    const { body } = await askPage(service, 'GET', link)
    await call('POST', '/v1/sandbox/clock/advance', { by: 'PT31M' })
    t.equal((await send(link, 'open', { nonce: nonceIn(body) })).status, 404)
    t.equal((await askPage(service, 'GET', link)).status, 404)
  })
})

t.test('where no mail is sent nobody can ask for it', async (t) => {
  const env = { PUBLIC_URL: 'https://api.example.com', CHECKOUT_ORIGIN: 'https://pay.example.com' }
  const service = await startService(t, { env })
  const { call } = await newMerchant(service)
  t.match(await call('GET', '/v1/portal'), { status: 200, body: { object: 'portal', url: null } })
})

t.test('who asks for mail again and again is to wait', async (t) => {
  const mail = await startMailServer(t)
  const service = await startService(t, { env: { MAIL_URL: mail.url, RATE_LIMIT: '1000' } })
  service.expectLimit('RATE_LIMITED')
  const { call } = await newMerchant(service)
  const { url } = (await call('GET', '/v1/portal')).body
  const { body } = await askPage(service, 'GET', url)
  const ask = () =>
    askPage(service, 'POST', `${url}/send`, {
      form: { nonce: nonceIn(body), email: 'ana@example.com' },
      headers: { Origin: new URL(url).origin },
    })
  const statuses = []
  for (let n = 0; n < 11; n++) statuses.push((await ask()).status)
  t.strictSame(statuses, [...Array(10).fill(200), 429])
})
