import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { caller, newDataDir, newMerchant, oneWorker, posted, startService } from './service.ts'

/** The files below a folder that contain a text. */
const filesWith = (folder: string, text: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(text))

const card = (token: string, holderName = 'Ana') => ({ token, holderName, brand: 'VISA', last4: '4242' })
const customer = { name: 'Ana Lima', email: 'ana@example.com', document: '52998224725' }

t.test('the token of a card is in no file, and its acquirer is sent it all the same', async (t) => {
  // Its acquirer refuses tokens that it does not know.
  const options = { connected: ['CARD'], env: oneWorker } as const
  const service = await startService(t, { ...options, env: { ...options.env } })
  const { company, key, call } = await newMerchant(service, { products: 'CARD,RECURRING' })
  const live = await service.operate('keys create', { company: company.id, environment: 'production' })
  const marker = `q${randomBytes(12).toString('hex')}`
  const found = `Holder ${randomBytes(6).toString('hex')}`
  const token = (name: string) => `tok_${name}_${marker}`

  const payment = await posted(caller(service.origin, live.secret), '/v1/card-payments', {
    amount: 9900,
    capture: false,
    card: card(token('live'), found),
  })
  t.equal(payment.status, 'AUTHORIZED')
  t.match(await posted(call, '/v1/card-payments', { amount: 1, card: card(token('sandbox')) }), {
    status: 'APPROVED',
  })
  const plan = await posted(call, '/v1/plans', {
    name: 'Monthly',
    amount: 1990,
    interval: 'MONTH',
    methods: ['CREDIT_CARD'],
  })
  const subscribed = (cardToken: string) =>
    posted(call, '/v1/subscriptions', {
      planId: plan.id,
      customer,
      method: 'CREDIT_CARD',
      card: card(cardToken),
    })
  const subscription = await subscribed(token('subscription'))
  t.equal(subscription.status, 'ACTIVE')
  const unpaid = await subscribed('tok_test_declined_51')
  const [invoice] = (await call('GET', `/v1/invoices?subscriptionId=${unpaid.id}`)).body.data
  const retried = await posted(call, `/v1/invoices/${invoice.id}/retry`, { card: card(token('retry')) })
  t.equal(retried.status, 'PAID')

  const backup = join(newDataDir(t), 'backup')
  await service.operate('backup', { path: backup, verify: false })
  for (const folder of [service.dataDir, backup]) {
    t.ok(filesWith(folder, found).length > 0, 'what is stored in clear is found')
    t.strictSame(filesWith(folder, marker), [])
  }
  await service.kill('SIGTERM')
  t.strictSame(filesWith(service.dataDir, marker), [], 'nor is it in what a stop writes')
  t.notOk(service.log().includes(marker), 'nor in the log')

  const again = await startService(t, { ...options, dataDir: service.dataDir, env: { ...options.env } })
  const liveAgain = caller(again.origin, live.secret)
  t.match(await posted(liveAgain, `/v1/card-payments/${payment.id}/capture`, {}), { status: 'APPROVED' })
  const sandbox = caller(again.origin, key.secret)
  await posted(sandbox, '/v1/sandbox/clock/advance', { by: 'P40D' })
  for (const { id } of [subscription, unpaid]) {
    const invoices = (await sandbox('GET', `/v1/invoices?subscriptionId=${id}`)).body.data
    t.strictSame(
      invoices.map(({ status }: { readonly status: string }) => status),
      ['PAID', 'PAID'],
      'the next cycle is collected',
    )
  }
})
