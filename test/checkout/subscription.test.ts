import t from 'tap'
import { newMerchant, posted, startService } from '../e2e/service.ts'
import { askPage, cardJson, sendForm } from './payer.ts'

t.test('pages that sell a plan', async (t) => {
  const service = await startService(t)
  const { call } = await newMerchant(service)
  const plan = (body: object = {}) =>
    posted(call, '/v1/plans', {
      name: 'Clube',
      amount: 4900,
      interval: 'MONTH',
      methods: ['PIX', 'CREDIT_CARD'],
      ...body,
    })
  const session = async (body: object = {}, of: object = {}) =>
    posted(call, '/v1/checkout-sessions', { mode: 'SUBSCRIPTION', planId: (await plan(of)).id, ...body })
  const read = async (id: string) => (await call('GET', `/v1/checkout-sessions/${id}`)).body
  const who = { name: 'Ana Souza', document: '529.982.247-25', email: 'ana@example.com' }

  await t.test('what a plan decides is not said twice: each fault names its field', async (t) => {
    const { id: planId } = await plan()
    for (const [body, field] of [
      [{ mode: 'SUBSCRIPTION' }, 'planId'],
      [{ mode: 'SUBSCRIPTION', planId, amount: 100 }, 'amount'],
      [{ mode: 'SUBSCRIPTION', planId, installments: { max: 2 } }, 'installments'],
      [{ amount: 100, planId }, 'planId'],
      [{ amount: 100, trialDays: 3 }, 'trialDays'],
    ] as const) {
      const answer = await call('POST', '/v1/checkout-sessions', body)
      t.match([answer.status, answer.body.errors[0].field], [400, field])
    }
    t.match(await session({}, { setupFee: 1000 }), {
      mode: 'SUBSCRIPTION',
      amount: '5900',
      trialDays: 0,
      subscriptionId: null,
      collect: { name: 'REQUIRED', document: 'REQUIRED', email: 'REQUIRED' },
    })
  })

  await t.test('a subscription begins when its PIX is paid, and not before', async (t) => {
    const { id, url } = await session()
    t.match((await askPage(service, 'GET', url)).body, /R\$\u00a049,00 por mês/)
    t.equal((await sendForm(service, url, 'pay', { method: 'PIX' })).status, 422, 'it asks who subscribes')
    t.equal((await sendForm(service, url, 'pay', { method: 'PIX', ...who })).status, 303)
    t.match((await call('GET', '/v1/customers')).body.data, [])
    t.match((await call('GET', '/v1/subscriptions')).body.data, [])
    const [transactionId] = (await read(id)).transactionIds
    await posted(call, `/v1/sandbox/pix/charges/${transactionId}/pay`, {})
    const { subscriptionId } = await read(id)
    t.match((await call('GET', `/v1/subscriptions/${subscriptionId}`)).body, {
      status: 'ACTIVE',
      customer: { name: 'Ana Souza' },
      latestInvoice: { status: 'PAID' },
    })
    t.match((await askPage(service, 'GET', url)).body, /Assinatura ativada/)
  })

  await t.test('a trial takes a card, charges nothing, and says so', async (t) => {
    const { id, url } = await session({ trialDays: 7 })
    const { body } = await askPage(service, 'GET', url)
    t.match(body, /7 dias grátis, depois R\$\u00a049,00 por mês/)
    t.notMatch(body, /value="PIX"/)
    t.equal(
      (await sendForm(service, url, 'pay', { method: 'CREDIT_CARD', card: cardJson(), ...who })).status,
      303,
    )
    const { subscriptionId, totalAmount } = await read(id)
    t.equal(totalAmount, '0')
    t.equal((await call('GET', `/v1/subscriptions/${subscriptionId}`)).body.status, 'TRIALING')
    t.equal((await askPage(service, 'GET', `${url}/recibo.pdf`)).status, 404)
  })

  await t.test('a link sells a plan to many; a plan that is gone is said in words', async (t) => {
    const { id: planId } = await plan()
    const { url, id } = await posted(call, '/v1/payment-links', {
      name: 'Clube',
      mode: 'SUBSCRIPTION',
      planId,
    })
    for (const document of ['529.982.247-25', '168.995.350-09'])
      t.equal(
        (await sendForm(service, url, 'pay', { method: 'CREDIT_CARD', card: cardJson(), ...who, document }))
          .status,
        303,
      )
    t.match((await call('GET', `/v1/payment-links/${id}`)).body, { paymentsCount: 2, paidAmount: '9800' })
    await call('PATCH', `/v1/plans/${planId}`, { active: false })
    const gone = await sendForm(service, url, 'pay', { method: 'PIX', ...who })
    t.equal(gone.status, 409)
    t.match(gone.body, /Este plano saiu de venda/)
  })
})
