import t from 'tap'
import {
  caller,
  newCompany,
  newDataDir,
  oneWorker,
  posted,
  type Service,
  startService,
} from '../e2e/service.ts'
import { lastingPort } from '../lasting-port.ts'
import { sendForm } from './payer.ts'

/** One code that pays and authorizes, at a service that is killed after each step: what was answered is there, and nothing is there twice. */
t.test('a plan is sold by a composite code, and the service is killed between the steps', async (t) => {
  const dataDir = newDataDir(t)
  const env = { ...oneWorker, PORT: String(await lastingPort()) }
  let service: Service = await startService(t, { dataDir, env })
  const { key } = await newCompany(service)
  const call: ReturnType<typeof caller> = (...request) => caller(service.origin, key.secret)(...request)
  const killed = async (): Promise<void> => {
    await service.kill('SIGKILL')
    service = await startService(t, { dataDir, env })
  }
  const plan = { name: 'Clube', amount: 4900, interval: 'MONTH', methods: ['PIX'] }
  const { id: planId } = await posted(call, '/v1/plans', plan)
  const { id, url } = await posted(call, '/v1/checkout-sessions', {
    ...{ mode: 'SUBSCRIPTION', planId, pixAutomatic: true },
  })
  const found = async () => (await call('GET', `/v1/checkout-sessions/${id}`)).body
  await killed()

  const who = { name: 'Ana Souza', document: '529.982.247-25', email: 'ana@example.com' }
  t.equal((await sendForm(service, url, 'pay', { method: 'PIX', ...who })).status, 303)
  await killed()
  const { transactionIds, pixMandateId, subscriptionId: early } = await found()
  t.equal(early, null, 'nothing is subscribed before it is paid')
  t.equal(transactionIds.length, 1)
  t.match(pixMandateId, /./)

  await posted(call, `/v1/sandbox/pix/charges/${transactionIds[0]}/pay`, {})
  await killed()
  const { subscriptionId } = await found()
  const read = async () => (await call('GET', `/v1/subscriptions/${subscriptionId}`)).body
  t.match(await read(), {
    status: 'ACTIVE',
    latestInvoice: { status: 'PAID' },
    pixMandate: { id: pixMandateId },
  })

  await posted(call, `/v1/sandbox/mandates/${pixMandateId}/resolve`, { result: 'ACCEPTED' })
  await killed()
  t.match((await read()).pixMandate, { id: pixMandateId, status: 'ACTIVE' })
  t.equal((await call('GET', '/v1/subscriptions')).body.data.length, 1, 'one subscription')
  t.equal((await call('GET', '/v1/customers')).body.data.length, 1, 'one customer')
  t.strictSame((await found()).transactionIds, transactionIds, 'one charge')
})
