import { createHmac } from 'node:crypto'
import Stripe from 'stripe'
import t from 'tap'
import { newMerchant, startReceiver, startService } from './service.ts'
import { streams } from './streams.ts'

for (const [name, streamEnv] of streams) {
  t.test(`${name}: a charge is created, paid in Sandbox, and the merchant hears of it, signed`, async (t) => {
    const service = await startService(t, { env: await streamEnv(t) })
    const { company, call } = await newMerchant(service)
    const receiver = await startReceiver(t)
    const target = { company: company.id, environment: 'sandbox', url: receiver.url }
    const endpoint = await service.operate('webhooks create', target)
    const created = await call('POST', '/v1/pix/charges', {
      amount: '1990',
      description: 'Pedido 1 ção',
      customer: {
        name: 'Ana',
        document: '123.456.789-09',
        email: 'ana@EXAMPLE.com',
        phone: '(11) 98888-7777',
      },
      externalId: 'order-1',
      metadata: { step: 1, gift: true },
    })
    t.equal(created.status, 201)
    const charge = created.body
    t.equal(created.headers.get('location'), `/v1/pix/charges/${charge.id}`)
    t.match(charge, {
      id: /^txn_[0-9A-HJKMNP-TV-Z]{26}$/,
      status: 'PENDING',
      version: 2,
      amount: '1990',
      environment: 'SANDBOX',
      customer: {
        document: '12345678909',
        documentType: 'CPF',
        email: 'ana@example.com',
        phone: '11988887777',
      },
      pix: { txid: /^[A-Za-z0-9]{32}$/, endToEndId: null, registryStatus: 'ATIVA', type: 'IMMEDIATE' },
      qrCode: /^data:image\/png;base64,/,
      qrCodeUrl: `/v1/pix/charges/${charge.id}/qr-code`,
    })
    t.equal(charge.copyPaste, charge.pix.copyPaste)

    const paid = await call('POST', `/v1/sandbox/pix/charges/${charge.id}/pay`, {})
    t.match(paid.body, { status: 'APPROVED', paidAmount: '1990', feeAmount: '20', netAmount: '1970' })
    t.match(paid.body.pix.endToEndId, /^E[0-9A-Z]{8}[0-9]{12}[A-Za-z0-9]{11}$/)

    const heard = await receiver.count(6)
    t.strictSame(
      heard.map(({ event }) => event.type),
      [
        'payment.created',
        'payment.pending',
        'pix.received',
        'payment.approved',
        'settlement.processing',
        'settlement.completed',
      ],
      'first attempts for one object are made in event order',
    )
    const stripe = new Stripe('sk_test_unused')
    for (const { headers, body, event } of heard) {
      const signature = String(headers['service-signature'])
      t.ok(
        stripe.webhooks.constructEvent(body, signature, endpoint.secret),
        'an independent verifier accepts it',
      )
      const changed = body.replace('SANDBOX', 'SANDBOY')
      t.throws(
        () => stripe.webhooks.constructEvent(changed, signature, endpoint.secret),
        'a changed byte is refused',
      )
      const [, seconds, hex] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? []
      t.equal(createHmac('sha256', endpoint.secret).update(`${seconds}.${body}`).digest('hex'), hex)
      t.match(headers, {
        'content-type': 'application/json',
        'user-agent': 'Service-Webhooks/1.0',
        'service-event': event.type,
        'service-environment': 'SANDBOX',
        'service-delivery': /^dlv_[0-9A-HJKMNP-TV-Z]{26}$/,
      })
      t.match(event, {
        id: /^evt_[0-9A-HJKMNP-TV-Z]{26}$/,
        environment: 'SANDBOX',
        createdAt: /^\d{4}-.*\.\d{3}Z$/,
      })
    }
    const approved = heard[3]!.event.data
    t.match(approved, {
      id: charge.id,
      object: 'transaction',
      amount: '1990',
      externalId: 'order-1',
      version: 3,
    })
    t.match(heard[2]!.event.data, {
      object: 'received_pix',
      transactionId: charge.id,
      payer: { document: '***.456.789-**' },
    })

    const detail = await call('GET', `/v1/transactions/${charge.id}`)
    t.match(detail.body, {
      status: 'APPROVED',
      receivables: [{ status: 'SETTLED', netAmount: '1970' }],
      refunds: [],
    })
    t.equal(detail.body.webhooks.length, 6)
    t.strictSame(
      detail.body.events.map(({ status }: { status: string }) => status),
      ['CREATED', 'PENDING', 'APPROVED'],
    )
  })

  t.test(`${name}: test events, deliveries and resend from the command line`, async (t) => {
    const service = await startService(t, { env: await streamEnv(t) })
    const { company } = await newMerchant(service)
    const receiver = await startReceiver(t)
    const create = [
      'webhooks',
      'create',
      '--company',
      company.id,
      '--environment',
      'sandbox',
      '--url',
      receiver.url,
    ]
    const endpoint = await service.command(...create, '--events', 'payment.approved')
    const test = await service.command('webhooks', 'test', endpoint.id)
    const [first] = await receiver.count(1)
    t.match(first!.event, { id: test.eventId, type: 'payment.approved', data: { test: true } })
    let deliveries = await service.command('webhooks', 'deliveries', endpoint.id)
    while (deliveries.data[0].status !== 'SUCCEEDED') {
      deliveries = await service.operate('webhooks deliveries', { id: endpoint.id })
    }
    t.match(deliveries.data[0], { attempts: [{ number: 1, statusCode: 200, error: null }] })
    const resent = await service.command('webhooks', 'resend', deliveries.data[0].id)
    t.match(resent, { object: 'delivery', resendOf: deliveries.data[0].id, eventId: test.eventId })
    const [, second] = await receiver.count(2)
    t.equal(second!.headers['service-delivery'], resent.id)
    t.equal(second!.body, first!.body, 'the same bytes')
    t.not(second!.headers['service-delivery'], first!.headers['service-delivery'], 'a new delivery')
    t.equal(
      (await service.command('webhooks', 'list')).data[0].secret,
      undefined,
      'the secret is never shown again',
    )
  })

  t.test(`${name}: a dead endpoint does not hold back a healthy one`, async (t) => {
    const service = await startService(t, { env: await streamEnv(t) })
    const { company, call } = await newMerchant(service)
    const receiver = await startReceiver(t)
    for (const url of ['http://127.0.0.1:9/closed', receiver.url]) {
      await service.operate('webhooks create', { company: company.id, environment: 'sandbox', url })
    }
    for (let n = 0; n < 20; n++) await call('POST', '/v1/pix/charges', { amount: 100 + n })
    t.equal((await receiver.count(40)).length, 40)
  })
}
