import t from 'tap'
import { newMerchant, posted, startService } from '../e2e/service.ts'
import { askPage, cardJson, nonceIn } from './payer.ts'

t.test('the portal of a customer', async (t) => {
  const service = await startService(t)
  const { call } = await newMerchant(service)
  const plan = await posted(call, '/v1/plans', {
    name: 'Clube',
    amount: 4900,
    interval: 'MONTH',
    methods: ['PIX', 'CREDIT_CARD'],
  })
  const customer = (name: string) => posted(call, '/v1/customers', { name })
  const subscription = (customerId: string, body: object = { method: 'PIX' }) =>
    posted(call, '/v1/subscriptions', { planId: plan.id, customerId, ...body })
  const portal = (customerId: string) =>
    posted(call, '/v1/portal-sessions', { customerId, returnUrl: 'http://localhost:1/conta' })
  const ask = (url: string) => askPage(service, 'GET', url)
  const read = async (path: string) => (await call('GET', path)).body

  const statusAndBody = async (url: string) => {
    const { status, body } = await ask(url)
    return [status, body]
  }

  /** Opens a step of a portal, and sends its form. */
  const sendPortalForm = async (
    url: string,
    step: string,
    action: string,
    id: string,
    form: Readonly<Record<string, string>>,
  ) => {
    const { body } = await ask(`${url}/${step}/${id}`)
    return askPage(service, 'POST', `${url}/${action}/${id}`, {
      form: { nonce: nonceIn(body), ...form },
      headers: { Origin: new URL(url).origin, 'Sec-Fetch-Site': 'same-origin' },
    })
  }

  await t.test('it is opened for a customer who is there, with an address to come back to', async (t) => {
    const { id } = await customer('Ana Souza')
    t.match(await portal(id), { object: 'portal_session', customerId: id, url: /\/p\/\w{43}$/ })
    const bad = { customerId: id, returnUrl: 'javascript:alert(1)' }
    t.equal((await call('POST', '/v1/portal-sessions', bad)).body.errors[0].field, 'returnUrl')
    const none = { customerId: `cus_${'0'.repeat(26)}` }
    t.equal((await call('POST', '/v1/portal-sessions', none)).status, 422)
  })

  await t.test('an open invoice is paid, and its receipt is there', async (t) => {
    const { id } = await customer('Ana Souza')
    const { latestInvoice } = await subscription(id)
    const { url } = await portal(id)
    t.match((await ask(url)).body, /Pagar R\$\u00a049,00/)
    t.match(
      (await ask(`${url}/invoice/${latestInvoice.id}`)).body,
      latestInvoice.payment.pixCopyPaste ?? /000201/,
    )
    const sent = await sendPortalForm(url, 'invoice', 'pay', latestInvoice.id, {
      method: 'CREDIT_CARD',
      card: cardJson(),
    })
    t.equal(sent.status, 303)
    t.equal((await read(`/v1/invoices/${latestInvoice.id}`)).status, 'PAID')
    t.match((await ask(url)).body, /Recibo em PDF/)
    const pdf = await ask(`${url}/recibo.pdf/${latestInvoice.id}`)
    t.equal(pdf.headers['content-type'], 'application/pdf')
  })

  await t.test(
    'the card is changed; a subscription is cancelled only where the company allows it',
    async (t) => {
      const { id } = await customer('Bia Lima')
      const card = JSON.parse(cardJson('tok_test_approved', '1111'))
      const { id: subscriptionId } = await subscription(id, { method: 'CREDIT_CARD', card })
      const { url } = await portal(id)
      const changed = await sendPortalForm(url, 'card', 'card', subscriptionId, { card: cardJson() })
      t.equal(changed.status, 303)
      const mended = await read(`/v1/subscriptions/${subscriptionId}`)
      t.equal(mended.card.last4, '0010')
      t.match(
        mended.events.findLast(({ type }: { type: string }) => type === 'PaymentMeansChanged'),
        { actor: { kind: 'PAYER' }, data: { method: 'CREDIT_CARD' } },
      )
      t.equal((await ask(`${url}/cancel/${subscriptionId}`)).status, 404)
      t.notMatch((await ask(url)).body, /Cancelar a assinatura/)
      t.equal((await read(`/v1/subscriptions/${subscriptionId}`)).status, 'ACTIVE')
    },
  )

  await t.test(
    'nothing of another customer is there by any id, and nothing once the time is over',
    async (t) => {
      const [one, other] = [await customer('Ana Souza'), await customer('Bia Lima')]
      const theirs = await subscription(other.id)
      await subscription(one.id)
      const { url } = await portal(one.id)
      const unknown = await ask(url.slice(0, -1) + (url.endsWith('a') ? 'b' : 'a'))
      for (const path of [
        `invoice/${theirs.latestInvoice.id}`,
        `recibo.pdf/${theirs.latestInvoice.id}`,
        `card/${theirs.id}`,
        `cancel/${theirs.id}`,
        `plan/${theirs.id}`,
      ])
        t.strictSame(await statusAndBody(`${url}/${path}`), [404, unknown.body], path)
      const nonce = nonceIn(
        (await ask(`${(await portal(other.id)).url}/invoice/${theirs.latestInvoice.id}`)).body,
      )
      const { origin } = new URL(url)
      const sent = await askPage(service, 'POST', `${url}/pay/${theirs.latestInvoice.id}`, {
        form: { nonce, method: 'PIX' },
        headers: { Origin: origin },
      })
      t.not(sent.status, 303)
      t.equal((await read(`/v1/invoices/${theirs.latestInvoice.id}`)).attempts.length, 1)
      await posted(call, '/v1/sandbox/clock/advance', { by: 'PT31M' })
      t.strictSame(await statusAndBody(url), [404, unknown.body])
    },
  )
})
