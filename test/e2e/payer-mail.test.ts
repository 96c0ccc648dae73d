import t from 'tap'
import { sendForm } from '../checkout/payer.ts'
import { partsOf, startMailServer } from './mail-server.ts'
import { enrol } from './person.ts'
import { newMerchant, oneWorker, startService, until } from './service.ts'

const email = 'cliente@example.com'
const customer = { name: 'Ana <b>Souza</b>', document: '12345678909', email }

t.test(
  'a charge is sent once for its key, reminders follow the clock, and one click ends them',
  async (t) => {
    const mail = await startMailServer(t)
    const service = await startService(t, { env: { ...oneWorker, MAIL_URL: mail.url } })
    const { company, call } = await newMerchant(service)
    const { link } = await service.operate('people invite', {
      company: company.id,
      email: 'dona@example.com',
      role: 'owner',
    })
    const owner = (await enrol(service, link, 'dona@example.com', 'Dona')).browser.at(company.id, 'SANDBOX')
    const mails = () => mail.messages.filter(({ to }) => to === email).map(({ text }) => text)
    const mailed = async (count: number): Promise<string> => {
      await until(async () => mails().length >= count)
      return mails()[count - 1]!
    }

    const pix = (
      await call('POST', '/v1/pix/charges', { amount: 123_456, customer, description: 'Pedido 7' })
    ).body
    const path = `/v1/transactions/${pix.id}/send`
    const once = { 'Idempotency-Key': 'send-1' }
    const sent = await call('POST', path, {}, once)
    t.match(sent, { status: 202, body: { id: pix.id, status: 'PENDING' } })
    t.strictSame((await call('POST', path, {}, once)).body, sent.body, 'the same key sends no second mail')
    const message = await mailed(1)
    t.match(message, /^Subject: =\?UTF-8\?/m)
    t.match(message, /^Message-ID: <pml_\w{26}\.1@/m)
    t.notMatch(message, /List-Unsubscribe/)
    const parts = partsOf(message)
    t.match(parts.get('text/plain')!.replaceAll('\u00a0', ' '), 'R$ 1.234,56')

    t.match(parts.get('text/plain'), pix.pix.copyPaste)
    t.match(parts.get('text/html'), 'Ana &lt;b&gt;Souza&lt;/b&gt;')
    t.match(parts.get('text/html'), 'src="cid:qr-code"')
    t.match(parts.get('image/png'), /^.PNG/)
    t.match((await call('GET', `/v1/transactions/${pix.id}`)).body.events.at(-1), {
      type: 'ChargeSent',
      data: { to: 'c***@example.com' },
    })
    t.match(
      await call(
        'POST',
        `/v1/transactions/${(await call('POST', '/v1/pix/charges', { amount: 5 })).body.id}/send`,
        {},
      ),
      {
        status: 422,
        body: { code: 'CUSTOMER_EMAIL_REQUIRED' },
      },
    )

    // Who pays at a page gets a receipt at the address that they typed there.
    const { id: sessionId, url: pageUrl } = (
      await call('POST', '/v1/checkout-sessions', {
        amount: 9_900,
        description: 'Pedido 8',
        methods: ['PIX'],
      })
    ).body
    await sendForm(service, `${pageUrl}?lang=en`, 'pay', { method: 'PIX', email: 'payer@example.com' })
    const page = (await call('GET', `/v1/checkout-sessions/${sessionId}`)).body
    await call('POST', `/v1/sandbox/pix/charges/${page.transactionIds[0]}/pay`, {})
    const receipts = () => mail.messages.filter(({ to }) => to === 'payer@example.com')
    await until(async () => receipts().length > 0)
    const receipt = partsOf(receipts()[0]!.text)
    t.match(receipt.get('text/plain'), /has received your payment/)
    t.notMatch(receipt.get('text/plain'), /check that the recipient/)
    t.match(receipt.get('application/pdf'), /^%PDF-/)
    t.match((await call('GET', `/v1/transactions/${page.transactionIds[0]}`)).body.events.at(-1), {
      type: 'ChargeSent',
      data: { to: 'p***@example.com', purpose: 'RECEIPT' },
    })

    const refused = await call('PUT', '/v1/reminders', { days: [0] })
    t.equal(refused.status, 403, 'keys do not switch them on')
    t.match(await owner.call('PUT', '/v1/reminders', { days: [0, 0] }), { status: 400 })
    t.match(await owner.call('PUT', '/v1/reminders', { days: [2, -3] }), {
      status: 200,
      body: { days: [-3, 2], language: 'pt', sent: 1, reminded: 0 },
    })
    const dueDate = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10)
    const boleto = (await call('POST', '/v1/boletos', { amount: 5000, customer, dueDate })).body
    await call('POST', '/v1/sandbox/clock/advance', { by: 'P8D' })
    const reminder = await mailed(2)
    const url = /^List-Unsubscribe:\s*<([^>]+)>/m.exec(reminder)![1]!
    t.match(reminder, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click/m)
    t.match(partsOf(reminder).get('application/pdf'), /^%PDF/)
    t.match(partsOf(reminder).get('text/plain'), boleto.boleto.digitableLine.slice(-14))
    await until(async () => (await owner.call('GET', '/v1/reminders')).body.reminded === 1)

    const here = url.replace(/^https?:\/\/[^/]+/, service.origin)
    const asks = await fetch(here)
    t.equal(asks.status, 200)
    t.match(await asks.text(), '<form method="post">')
    t.match(await owner.call('GET', '/v1/reminders'), { body: { unsubscribed: 0 } }, 'a look changes nothing')
    t.equal((await fetch(`${here.slice(0, -1)}!`, { method: 'POST' })).status, 404, 'of our making')
    const forged = here.replace('SANDBOX', 'PRODUCTION')
    t.equal((await fetch(forged, { method: 'POST' })).status, 404)
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
    for (let n = 0; n < 2; n++) t.equal((await fetch(here, { method: 'POST', body })).status, 200)
    t.match(await owner.call('GET', '/v1/reminders'), { body: { unsubscribed: 1 } })
    await call('POST', '/v1/sandbox/clock/advance', { by: 'P10D' })
    // What is asked for still comes: it is no reminder, and the next mail says that none was in between.
    t.equal((await call('POST', `/v1/transactions/${boleto.id}/send`, { language: 'en' })).status, 202)
    t.match(partsOf(await mailed(3)).get('text/plain'), 'Pay by boleto')
    t.equal(mails().length, 3)
    for (const [kind, count] of [
      ['SENT', 2],
      ['REMINDED', 1],
      ['UNSUBSCRIBED', 1],
    ] as const)
      t.equal(await service.metric('payments_payer_mails_total', `kind="${kind}"`), count)
  },
)
