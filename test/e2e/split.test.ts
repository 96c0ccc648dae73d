import t from 'tap'
import { problemsIn } from './kill-and-restart.ts'
import { type Call, newMerchant, oneWorker, startReceiver, startService } from './service.ts'

/** A marketplace: who gets what of a payment, from the rule to the bank. */
t.test('split', async (t) => {
  const service = await startService(t, { env: oneWorker })
  const scopes = 'charges.create,charges.read,transactions.read,refunds.create,marketplace.manage'
  const merchant = await newMerchant(service, { scopes })
  const { call } = merchant
  const seller = {
    name: ' Vendedora Ltda ',
    document: '11.222.333/0001-81',
    email: 'Vendas@Example.COM',
    bankCode: '341',
    branch: '1234-5',
    account: '56789-X',
  }

  const created = async (path: string, body: object) => {
    const answer = await call('POST', path, body)
    t.equal(answer.status, 201, JSON.stringify(answer.body))
    t.equal(answer.headers.get('location'), `${path}/${answer.body.id}`)
    return answer.body
  }
  const refusalOf = async (call: Call, verb: string, path: string, body?: unknown) => {
    const { status, body: problem } = await call(verb, path, body)
    const fields = (problem.errors ?? []).map(({ field, code }: any) => `${field} ${code}`)
    return [status, problem.code, ...fields]
  }
  const wrong = [400, 'VALIDATION_ERROR']

  t.test('recipients', async (t) => {
    const recipient = await created('/v1/split/recipients', seller)
    t.match(recipient, {
      object: 'recipient',
      name: 'Vendedora Ltda',
      document: '11222333000181',
      documentType: 'CNPJ',
      status: 'ACTIVE',
      balanceAmount: '0',
    })
    const path = `/v1/split/recipients/${recipient.id}`
    t.strictSame((await call('PATCH', path, {})).body, recipient, 'nothing asked, nothing changed')
    t.match((await call('PATCH', path, { branch: '1', active: false, email: null })).body, {
      bankCode: '341',
      branch: '1',
      email: null,
      status: 'INACTIVE',
    })
    t.strictSame(await refusalOf(call, 'PATCH', path, { document: '11222333000181' }), [
      ...wrong,
      'document INVALID_VALUE',
    ])
    const nonsense = {
      name: '',
      document: '11222333000182',
      bankCode: '34',
      branch: '123456',
      account: '1-23',
    }
    t.strictSame((await refusalOf(call, 'POST', '/v1/split/recipients', nonsense)).sort(), [
      400,
      'VALIDATION_ERROR',
      'account INVALID_FORMAT',
      'bankCode INVALID_FORMAT',
      'branch INVALID_FORMAT',
      'document CHECK_DIGIT',
      'name TOO_SHORT',
    ])
    const removed = { id: recipient.id, object: 'recipient', deleted: true, active: false }
    t.strictSame((await call('DELETE', path)).body, removed)
    t.strictSame(await refusalOf(call, 'DELETE', path), [404, 'NOT_FOUND'])
    t.strictSame(await refusalOf(call, 'GET', path), [404, 'NOT_FOUND'])
    t.equal((await call('GET', '/v1/split/recipients')).body.pagination.total, 0)
  })

  t.test('rules', async (t) => {
    const { id } = await created('/v1/split/recipients', seller)
    const refused = (items: unknown) => refusalOf(call, 'POST', '/v1/split/rules', { name: 'x', items })
    const half = { percentBps: 5000 }
    t.strictSame(await refused([half]), [...wrong, 'items TOO_SHORT'])
    t.strictSame(await refused(Array.from({ length: 21 }, () => half)), [...wrong, 'items TOO_MANY'])
    t.strictSame(await refused([half, { recipientId: null, ...half }]), [
      ...wrong,
      'items[1].recipientId DUPLICATE',
    ])
    t.strictSame(await refused([half, { recipientId: id }]), [...wrong, 'items[1].percentBps REQUIRED'])
    t.strictSame(await refused([half, { recipientId: id, percentBps: 1, fixedAmount: '5' }]), [
      ...wrong,
      'items[1].fixedAmount MUTUALLY_EXCLUSIVE',
    ])
    t.strictSame(await refused([half, { recipientId: id, percentBps: 5001 }]), [
      ...wrong,
      'items OUT_OF_RANGE',
    ])
    const taking = { ...half, chargeRemainder: true }
    t.strictSame(await refused([taking, { recipientId: id, ...taking }]), [
      ...wrong,
      'items[1].chargeRemainder DUPLICATE',
    ])
    t.strictSame(await refused([half, { recipientId: `rcp_${'0'.repeat(26)}`, ...half }]), [
      422,
      'REFERENCE_NOT_FOUND',
    ])
    const rule = await created('/v1/split/rules', {
      name: 'rule',
      items: [{ recipientId: id, fixedAmount: '100' }, half],
    })
    t.match(rule, { object: 'split_rule', active: true, usedCount: 0 })
    t.match(rule.items, [
      { recipientId: id, percentBps: null, fixedAmount: '100', priority: 1, chargeFees: false },
      { recipientId: null, percentBps: 5000, fixedAmount: null, priority: 2 },
    ])
    const path = `/v1/split/rules/${rule.id}`
    t.strictSame((await call('PATCH', path, {})).body, rule)
    const charge = (amount: number) =>
      refusalOf(call, 'POST', '/v1/pix/charges', { amount, splitRuleId: rule.id })
    t.strictSame(await charge(100), [422, 'SPLIT_EXCEEDS_AMOUNT'])
    const simulate = (amount: number) =>
      call('POST', '/v1/split/simulate', { amount, ruleId: rule.id, feeAmount: 70 })
    t.match(await simulate(100), { status: 422, body: { code: 'SPLIT_EXCEEDS_AMOUNT' } })
    t.match((await simulate(1000)).body, {
      feeAmount: '70',
      remainderAmount: '400',
      remainderTo: null,
      items: [
        { recipientName: 'Vendedora Ltda', grossAmount: '100' },
        { grossAmount: '900', netAmount: '830' },
      ],
      warnings: [],
    })
    await call('PATCH', path, { active: false })
    t.strictSame(await charge(1000), [422, 'SPLIT_RULE_INACTIVE'])
    await call('PATCH', path, { active: true })
    await call('PATCH', `/v1/split/recipients/${id}`, { active: false })
    t.strictSame(await charge(1000), [422, 'RECIPIENT_INACTIVE'])
    t.match((await call('DELETE', path)).body, { object: 'split_rule', deleted: true, active: false })
  })

  t.test('a divided PIX, from the charge to the webhooks of its transfer', async (t) => {
    const receiver = await startReceiver(t)
    await service.operate('webhooks create', {
      company: merchant.company.id,
      environment: 'sandbox',
      url: receiver.url,
    })
    const { id } = await created('/v1/split/recipients', seller)
    const { id: splitRuleId } = await created('/v1/split/rules', {
      name: '80/20',
      items: [
        { recipientId: id, percentBps: 8000, chargeFees: true },
        { recipientId: null, percentBps: 2000 },
      ],
    })
    const charge = (await call('POST', '/v1/pix/charges', { amount: 10_000, splitRuleId })).body
    t.equal(charge.splitRuleId, splitRuleId)
    await call('POST', `/v1/sandbox/pix/charges/${charge.id}/pay`)
    const heard = await receiver.count(8)
    t.strictSame(
      heard.map(({ event }) => event.type),
      [
        'payment.created',
        'payment.pending',
        'pix.received',
        'payment.approved',
        'settlement.processing',
        'settlement.completed',
        'transfer.scheduled',
        'transfer.completed',
      ],
    )
    t.match(heard[6]!.event.data, {
      object: 'split_transfer',
      status: 'SCHEDULED',
      recipientId: id,
      ruleId: splitRuleId,
      transactionId: charge.id,
      amount: '7901',
      bank: { bankCode: '341', branch: '1234-5', account: '56789-X' },
    })
    t.match(heard[7]!.event.data, { status: 'COMPLETED' })
    const detail = (await call('GET', `/v1/transactions/${charge.id}`)).body
    t.match(detail.split, {
      ruleId: splitRuleId,
      parties: [
        { recipientId: id, grossAmount: '8000', feeAmount: '99', netAmount: '7901', reversedAmount: '0' },
        { recipientId: null, grossAmount: '2000', feeAmount: '0', netAmount: '2000' },
      ],
    })
    const refund = (await call('POST', `/v1/transactions/${charge.id}/refund`, { amount: 3000 })).body
    t.strictSame(refund.split, [
      { recipientId: id, amount: '2400' },
      { recipientId: null, amount: '600' },
    ])
    t.match((await call('GET', `/v1/split/recipients/${id}`)).body, { balanceAmount: '-2400' })
    const transfers = (await call('GET', `/v1/split/transfers?transactionId=${charge.id}`)).body
    t.match(transfers.data, [{ status: 'COMPLETED', amount: '7901', reversedAmount: '2400' }])
    t.equal((await call('GET', '/v1/split/transfers?status=FAILED,CANCELLED')).body.pagination.total, 0)
  })

  t.test('scope and product', async (t) => {
    const plain = await newMerchant(service)
    t.strictSame(await refusalOf(plain.call, 'GET', '/v1/split/rules'), [403, 'NO_PERMISSION'])
    const live = await newMerchant(service, { scopes, environment: 'production', products: 'PIX' })
    t.strictSame(await refusalOf(live.call, 'GET', '/v1/split/rules'), [403, 'PRODUCT_NOT_ACTIVE'])
    const splitRuleId = `spr_${'0'.repeat(26)}`
    const answer = await live.call('POST', '/v1/pix/charges', { amount: 100, splitRuleId })
    t.match(answer, { status: 403, body: { code: 'PRODUCT_NOT_ACTIVE', product: 'SPLIT' } })
    t.match(await call('POST', '/v1/pix/charges', { amount: 100, splitRuleId }), {
      status: 422,
      body: { code: 'REFERENCE_NOT_FOUND', field: 'splitRuleId' },
    })
    const deposit = await call('POST', '/v1/pix/deposits', { amount: 700, splitRuleId })
    t.equal(deposit.status, 201)
    t.equal(deposit.headers.get('service-ignored-fields'), 'splitRuleId')
  })

  t.test('verify finds recipients, transfers and ledger agreed', async (t) => {
    t.equal(await service.kill('SIGTERM'), 0)
    t.strictSame(await problemsIn(service.dataDir), [])
  })
})
