import t, { type Test } from 'tap'
import { type EventType, eventTypes, type PublicEvent } from '../../../engine/kernel/event-types.ts'
import { pixOf } from '../../../engine/payments/methods/pix/pix.ts'
import type { Customer } from '../../../engine/shared/customer.ts'
import type { Environment } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { eventBody, objectIdOf } from '../../../gateway/events/body.ts'
import { noPayee } from '../../../gateway/resources/payments/fiscal.ts'
import {
  aBoletoPayment,
  aChargeback,
  aMed,
  aMedDecision,
  dataOf,
  listener,
  scenario,
  typesOf,
} from '../../engine/story.ts'
import {
  aBoleto,
  aCancellation,
  aCardPayment,
  aCharge,
  account,
  anUnrequestedPix,
  aPayer,
  aPayment,
  aRefund,
  opened,
  ours,
  type World,
} from '../../engine/world.ts'

const listening = async () => {
  const world = await opened()
  return { world, heard: listener(world) }
}

/** The fields of `data` of payment events (decisions, section 27), all of them and no others. */
const paymentFields = [
  'id',
  'object',
  'method',
  'status',
  'amount',
  'externalId',
  'version',
  'origin',
  'product',
  'kind',
  'currency',
  'paidAmount',
  'refundedAmount',
  'refundableAmount',
  'feeAmount',
  'netAmount',
  'taxesWithheldAmount',
  'installments',
  'failureReason',
  'failureDetail',
  'reference',
  'customerId',
  'subscriptionId',
  'invoiceId',
  'metadata',
  'checkout',
  'splitRuleId',
  'fiscal',
  'fiscalDocuments',
  'createdAt',
  'updatedAt',
  'approvedAt',
  'expiresAt',
  'pix',
  'card',
  'boleto',
]
const pixFields = ['txid', 'endToEndId']
const cardFields = ['brand', 'last4', 'nsu', 'tid', 'authorizationCode']
const boletoFields = ['digitableLine', 'dueDate']
const refundFields = [
  'id',
  'object',
  'transactionId',
  'amount',
  'status',
  'origin',
  'reason',
  'failureMessage',
  'failureReason',
  'feeReversedAmount',
  'split',
  'returnId',
  'transactionStatus',
  'refundableAmount',
  'createdAt',
  'completedAt',
  'failedAt',
]
const chargebackFields = [
  'id',
  'object',
  'transactionId',
  'amount',
  'disputedAmount',
  'currency',
  'brand',
  'reasonCode',
  'reason',
  'status',
  'lostReason',
  'openedAt',
  'defenseDueAt',
  'defense',
  'resolvedAt',
  'createdAt',
  'updatedAt',
]

const receivedFields = [
  'id',
  'object',
  'endToEndId',
  'txid',
  'amount',
  'pixKey',
  'payer',
  'transactionId',
  'externalId',
  'receivedAt',
]
const medFields = [
  'id',
  'object',
  'transactionId',
  'endToEndId',
  'amount',
  'blockedAmount',
  'returnedAmount',
  'reason',
  'status',
  'result',
  'details',
  'openedAt',
  'analysisDueAt',
  'rootEndToEndId',
  'defense',
  'contestUntil',
  'contest',
  'closedAt',
  'externalId',
]
const settlementFields = [
  'id',
  'object',
  'status',
  'method',
  'currency',
  'grossAmount',
  'feeAmount',
  'netAmount',
  'receivablesCount',
  'transactionId',
  'date',
  'createdAt',
  'completedAt',
]
const paidBoletoFields = [
  ...boletoFields,
  'paidAt',
  'clearedAt',
  'paidAmount',
  'fineAmount',
  'interestAmount',
  'discountAmount',
]

const hasFields = (t: Test, value: object, fields: readonly string[], what: string): void =>
  void t.strictSame(Object.keys(value).sort(), [...fields].sort(), what)

t.test('the envelope has five fields, and every amount is text', async (t) => {
  const { world, heard } = await listening()
  await world.accepted(aCharge({ metadata: { a: 1, b: true, c: 'x' } }))
  const [event] = heard()
  const { data, ...envelope } = JSON.parse(eventBody(event!, 'SANDBOX', noPayee).toString('utf8'))
  t.strictSame(envelope, {
    id: event!.id,
    type: 'payment.created',
    environment: 'SANDBOX',
    createdAt: '2026-11-20T12:00:00.000Z',
  })
  t.match(event!.id, /^evt_[0-9A-Z]{26}$/)
  t.strictSame(data.metadata, { a: 1, b: true, c: 'x' })
  const live = eventBody(event!, 'PRODUCTION' satisfies Environment, noPayee)
  t.equal(JSON.parse(live.toString('utf8')).environment, 'PRODUCTION')
})

t.test('every payment event has the same fields, whatever the method and the step', async (t) => {
  const { world, heard } = await listening()
  const pix = await world.accepted(aCharge({ customer: aPayer, externalId: 'order-1', reference: 'ref' }))
  await world.accepted(aPayment(pix.id))
  await world.accepted(aRefund(pix.id, 90))
  const cancelled = await world.accepted(aCharge())
  await world.accepted(aCancellation(cancelled.id))
  await world.accepted(aCharge(scenario('provider_error')))
  const boleto = await world.accepted(aBoleto())
  await world.accepted(aBoletoPayment(boleto.id))
  await world.accepted(aBoleto({ withPix: false }, scenario('provider_error')))
  const card = await world.accepted(aCardPayment({ installments: 3 }))
  await world.accepted(aRefund(card.id, 100))
  await world.accepted(aCardPayment({ token: 'tok_test_declined_51' }))
  await world.accepted(aCardPayment({ token: 'tok_test_antifraud' }))
  const held = await world.accepted(aCardPayment({ captures: false }))
  await world.accepted({ type: 'CaptureCharge', ...ours, transactionId: held.id, amountCents: toCents(1) })
  await world.accepted(aCardPayment({ token: 'tok_test_timeout' }))
  await world.accepted(aChargeback(card.id))
  const unreturnable = await world.accepted(aCardPayment({ token: 'tok_test_refund_fails' }))
  await world.accepted(aRefund(unreturnable.id, 100))
  await world.advance('P1M')
  const events = heard().filter(({ type }) => type.startsWith('payment.'))
  for (const event of events) {
    const { refund, chargeback, ...data } = dataOf(event)
    const { type } = event
    hasFields(t, data, paymentFields, type)
    t.match(data, { object: 'transaction', subscriptionId: null, invoiceId: null, currency: 'BRL' }, type)
    const isOf = { pix: pixFields, card: cardFields, boleto: boletoFields }
    for (const [part, fields] of Object.entries(isOf))
      hasFields(t, data[part] ?? Object.fromEntries(fields.map((name) => [name, null])), fields, type)
    const isOfRefund = type === 'payment.refunded' || type === 'payment.refund_failed'
    t.equal(refund !== undefined, isOfRefund, 'a refund is told with its refund')
    t.equal(chargeback !== undefined, type === 'payment.chargeback', 'a chargeback with its chargeback')
    hasFields(t, refund ?? emptyOf(refundFields), refundFields, type)
    hasFields(t, chargeback ?? emptyOf(chargebackFields), chargebackFields, type)
    for (const name of Object.keys(data).filter((name) => /amount$/i.test(name)))
      t.match(data[name], /^\d+$/, name)
  }
  const heardTypes = new Set<string>(typesOf(events))
  const known = eventTypes.filter((type) => type.startsWith('payment.'))
  t.strictSame([...heardTypes].sort(), [...known].sort(), 'none was left out')
})

const emptyOf = (fields: readonly string[]) => Object.fromEntries(fields.map((name) => [name, null]))

t.test('payment events say what the fiscal document of the sale writes about the payment', async (t) => {
  const { world, heard } = await listening()
  const key = '35261212345678000195550010000001231123456781'
  const { id } = await world.accepted(aCharge({ fiscalDocuments: [key] }))
  await world.accepted(aPayment(id))
  await world.accepted(aRefund(id, 90))
  const deposit = await world.accepted(anUnrequestedPix())
  await world.accepted(aBoleto())
  await world.accepted(aCardPayment())
  const asked: unknown[] = []
  const payee = {
    cnpj: '11222333000181',
    timeZone: 'America/Sao_Paulo',
    institutionOf: (connectionId: unknown) => {
      asked.push(connectionId)
      return '00000000'
    },
  }
  const shown = heard()
    .filter(({ type }) => type.startsWith('payment.'))
    .map((event) => JSON.parse(eventBody(event, 'PRODUCTION', payee).toString('utf8')))
    .map(({ type, data }) => [type, data.fiscal, data.fiscalDocuments])
  const { txid } = pixOf(world.transaction(id))!
  const ofCharge = (idTransacao: string | null, tpMeioPgto: string) => ({
    idTransacao,
    tpMeioPgto,
    cnpjReceb: '11222333000181',
    cnpjBasePsp: '00000000',
  })
  t.strictSame(shown.slice(0, 4), [
    // The txid comes with the code, an instant later.
    ['payment.created', ofCharge(null, '17'), [key]],
    ['payment.pending', ofCharge(txid, '17'), [key]],
    ['payment.approved', ofCharge(txid, '17'), [key]],
    ['payment.refunded', ofCharge(txid, '17'), [key]],
  ])
  const { endToEndId } = pixOf(world.transaction(deposit.id))!.payment!
  t.strictSame(shown.slice(4, 6), [
    ['payment.created', ofCharge(null, '20'), []],
    ['payment.approved', ofCharge(endToEndId, '20'), []],
  ])
  t.match(
    shown.slice(6).map(([type, fiscal]) => [type, fiscal.tpMeioPgto]),
    [
      ['payment.created', '15'],
      ['payment.pending', '15'],
      ['payment.created', '03'],
      ['payment.approved', '03'],
    ],
  )
  t.equal(asked.length, shown.length, 'the institution is the one behind the connection of the payment')
})

t.test('a snapshot is of its own version, though later ones are in the same commit', async (t) => {
  const { world, heard } = await listening()
  const { id } = await world.accepted(aCharge({ amountCents: toCents(10_000) }))
  await world.accepted(aPayment(id))
  await world.accepted(aRefund(id))
  const seen = heard()
    .map((event) => dataOf(event))
    .filter(({ object }) => object === 'transaction')
    .map(({ status, version, paidAmount, refundedAmount }) => [status, version, paidAmount, refundedAmount])
  t.strictSame(seen, [
    ['CREATED', 1, '0', '0'],
    ['PENDING', 2, '0', '0'],
    ['APPROVED', 3, '10000', '0'],
    ['REFUNDED', 6, '10000', '10000'],
  ])
})

t.test('why a payment failed is told with it', async (t) => {
  const { world, heard } = await listening()
  const failureOf = async (command: Parameters<World['execute']>[0]): Promise<unknown> => {
    await world.execute(command)
    const { status, failureReason, failureDetail } = dataOf(heard().at(-1))
    return [status, failureReason, failureDetail]
  }
  t.strictSame(await failureOf(aCardPayment({ token: 'tok_test_declined_51' })), [
    'DECLINED',
    'INSUFFICIENT_FUNDS',
    { providerCode: '51', message: 'insufficient funds', retryable: true },
  ])
  t.match(await failureOf(aCardPayment({ token: 'tok_test_antifraud' })), [
    'DECLINED',
    'ANTIFRAUD_DECLINED',
    { providerCode: null, retryable: false },
  ])
  t.strictSame(await failureOf(aCharge(scenario('provider_error'))), [
    'FAILED',
    'REGISTRATION_REJECTED',
    null,
  ])
  const { id } = await world.accepted(aCharge())
  t.strictSame(await failureOf(aCancellation(id)), ['CANCELLED', 'CANCELLED', null])
  await world.accepted(aCharge())
  heard()
  await world.advance('PT2H')
  t.match(dataOf(heard()[0]), { status: 'EXPIRED', failureReason: 'CHARGE_EXPIRED' })
})

t.test('boleto.paid adds what was paid and when to the payment', async (t) => {
  const { world, heard } = await listening()
  const { id } = await world.accepted(aBoleto())
  heard()
  await world.accepted(aBoletoPayment(id))
  const [paid] = heard()
  const data = dataOf(paid)
  t.equal(paid!.type, 'boleto.paid')
  hasFields(t, data, paymentFields, 'the payment')
  hasFields(t, data.boleto, paidBoletoFields, 'the boleto')
  t.match(data.boleto, { paidAmount: '9500', fineAmount: '0', interestAmount: '0', discountAmount: '500' })
})

t.test('pix.received names the payer without showing the document', async (t) => {
  const { world, heard } = await listening()
  const pays = async (customer: Customer): Promise<any> => {
    const { id } = await world.accepted(aCharge({ customer, externalId: 'order-1' }))
    heard()
    await world.accepted(aPayment(id))
    const [received] = heard()
    t.equal(received!.type, 'pix.received')
    return { ...dataOf(received), chargeId: id, txid: pixOf(world.transaction(id))!.txid }
  }
  const { chargeId, txid, ...data } = await pays({ ...aPayer, document: '12345678909' })
  hasFields(t, { ...data, txid }, receivedFields, 'a received PIX')
  t.match(data, {
    id: /^rpx_[0-9A-Z]{26}$/,
    object: 'received_pix',
    endToEndId: /^E00000000202611201200[A-Za-z0-9]{11}$/,
    amount: '1990',
    pixKey: world.account().pixKey.key,
    transactionId: chargeId,
    externalId: 'order-1',
    receivedAt: '2026-11-20T12:00:00.000Z',
  })
  t.strictSame(data.payer, { name: 'Ana Souza', document: '***.456.789-**', ispb: '00000000' })
  const ofCompany = await pays({ ...aPayer, document: '12ABC34501DE35', documentType: 'CNPJ' })
  t.strictSame(ofCompany.payer.document, '**.ABC.345/****-**')
  t.notMatch(JSON.stringify([data, ofCompany]), /12345678909|12ABC34501DE35/)
})

t.test('a PIX that no charge asked for is told before the transaction that it makes', async (t) => {
  const { world, heard } = await listening()
  const { id } = await world.accepted(anUnrequestedPix())
  const events = heard()
  t.strictSame(typesOf(events), [
    'pix.received',
    'payment.created',
    'payment.approved',
    'settlement.processing',
    'settlement.completed',
  ])
  t.match(dataOf(events[0]), { txid: null, externalId: null, transactionId: id, amount: '5' })
  t.match(dataOf(events[2]), { origin: 'DEPOSIT', kind: 'DEPOSIT', product: 'PIX', feeAmount: '0' })
})

t.test('settlements tell what comes into the balance, of one payment or of a day', async (t) => {
  const { world, heard } = await listening()
  const { id } = await world.accepted(aCharge({ amountCents: toCents(10_000) }))
  await world.accepted(aPayment(id))
  const ofPix = heard().filter(({ type }) => type.startsWith('settlement.'))
  await world.accepted(aCardPayment({ installments: 2 }))
  await world.accepted(aCardPayment())
  heard()
  await world.advance('P32D')
  const ofCards = heard()
  for (const [processing, completed] of [ofPix, ofCards] as const) {
    t.strictSame([processing!.type, completed!.type], ['settlement.processing', 'settlement.completed'])
    hasFields(t, dataOf(processing), settlementFields, 'processing')
    t.strictSame(
      { ...dataOf(processing), status: 'COMPLETED', completedAt: dataOf(completed).completedAt },
      dataOf(completed),
    )
    t.match(dataOf(processing), { object: 'settlement', status: 'PROCESSING', completedAt: null })
  }
  t.match(dataOf(ofPix[1]), {
    method: 'PIX',
    grossAmount: '10000',
    feeAmount: '99',
    netAmount: '9901',
    receivablesCount: 1,
    transactionId: id,
    date: '2026-11-20',
  })
  t.match(dataOf(ofCards[1]), {
    id: /^set_[0-9A-Z]{26}$/,
    method: 'CREDIT_CARD',
    grossAmount: '15000',
    feeAmount: '519',
    netAmount: '14481',
    receivablesCount: 2,
    transactionId: null,
    date: '2026-12-21',
    createdAt: '2026-12-21T09:00:00.000Z',
    completedAt: '2026-12-21T09:00:00.000Z',
  })
})

t.test('a MED is told with the identifier of the order', async (t) => {
  const { world, heard } = await listening()
  const { id } = await world.accepted(aCharge({ externalId: 'order-1' }))
  await world.accepted(aPayment(id))
  heard()
  await world.accepted(aMed(id, 500))
  const reversalId = world.transaction(id).reversals.meds[0]!.id
  await world.accepted(aMedDecision(reversalId, 'ACCEPTED', 200))
  const [open, closed, refunded] = heard()
  for (const event of [open, closed]) hasFields(t, dataOf(event), medFields, event!.type)
  t.match(dataOf(open), {
    id: reversalId,
    object: 'med',
    status: 'OPEN',
    closedAt: null,
    returnedAmount: '0',
  })
  t.match(dataOf(closed), { status: 'CLOSED', result: 'ACCEPTED', returnedAmount: '200' })
  t.match(dataOf(refunded), { externalId: 'order-1', refund: { origin: 'MED', amount: '200' } })
})

t.test('a chargeback tells its own steps apart', async (t) => {
  const { world, heard } = await listening()
  const { id } = await world.accepted(aCardPayment())
  heard()
  await world.accepted(aChargeback(id, 4_000))
  const reversalId = world.transaction(id).reversals.chargebacks[0]!.id
  await world.execute({ type: 'DisputeChargeback', ...ours, reversalId, text: 'x'.repeat(20) })
  await world.execute({ type: 'ResolveChargeback', ...ours, reversalId, result: 'WON' })
  const [open, won, ...others] = heard()
  t.strictSame(others, [], 'a defence is told to nobody')
  t.match(dataOf(open), {
    status: 'CHARGEBACK',
    chargeback: { id: reversalId, status: 'OPEN', amount: '4000', defense: null, brand: 'VISA' },
  })
  t.match(dataOf(won), {
    status: 'APPROVED',
    chargeback: { id: reversalId, status: 'WON', defense: { text: 'x'.repeat(20) } },
  })
})

t.test('what a merchant is told shows no document whole, and no token', async (t) => {
  const { world, heard } = await listening()
  const { id } = await world.accepted(aCharge({ customer: aPayer }))
  await world.accepted(aPayment(id))
  await world.accepted(aCardPayment({ token: 'tok_live_secret' }, { customer: aPayer }))
  const { id: boletoId } = await world.accepted(aBoleto())
  await world.accepted(aBoletoPayment(boletoId))
  const bodies = heard().map((event) => eventBody(event, 'SANDBOX', noPayee).toString('utf8'))
  for (const body of bodies) t.notMatch(body, /12345678909|tok_live_secret/)
})

t.test('first attempts go out in the order of what happened to one object', async (t) => {
  const { world, heard } = await listening()
  const { id } = await world.accepted(aCharge())
  await world.accepted(aPayment(id))
  await world.accepted(aMed(id))
  t.strictSame(
    heard().map(({ subject }) => objectIdOf(subject)),
    Array.from({ length: 7 }, () => id),
    'pix.received, the settlement and the MED of a charge follow it',
  )
})

t.test('there is a sample of every type in the shape of its family, marked as a test', async (t) => {
  const { world, heard } = await listening()
  const subscribed = ['id', 'object', 'status', 'planId', 'customerId']
  const subscription = [
    ...subscribed,
    'plan',
    'customer',
    'method',
    'card',
    'couponId',
    'discountCyclesLeft',
    'startAt',
    'trialEndsAt',
    'anchorDate',
    'currentPeriodStart',
    'currentPeriodEnd',
    'nextBillingAt',
    'cyclesBilled',
    'cancelAtPeriodEnd',
    'cancelReason',
    'cancelledAt',
    'pausedAt',
    'pixMandate',
    'scheduledChange',
    'pendingChange',
    'creditBalance',
    'latestInvoice',
    'metadata',
    'createdAt',
    'updatedAt',
  ]
  const paid = [...subscribed, 'invoice', 'transactionId', 'amount']
  const transfer = [
    'id',
    'object',
    'version',
    'kind',
    'status',
    'amount',
    'feeAmount',
    'currency',
    'beneficiary',
    'beneficiaryId',
    'scheduledFor',
    'runsAt',
    'approvals',
    'approvalReasons',
    'approvalEndsAt',
    'decisions',
    'createdBy',
    'description',
    'externalId',
    'metadata',
    'endToEndId',
    'cancelReason',
    'failureReason',
    'providerCode',
    'createdAt',
    'updatedAt',
    'completedAt',
  ]
  const crypto = ['id', 'object', 'asset', 'network', 'cryptoAmount', 'txHash']
  const charge = [...crypto, 'transactionId', 'amount', 'confirmations', 'address']
  const withdrawal = [...crypto, 'toAddress', 'failureReason']
  const conversion = [
    'id',
    'object',
    'fromCurrency',
    'toCurrency',
    'fromAmount',
    'toAmount',
    'rate',
    'failureReason',
  ]
  const sessionFields = [
    'id',
    'object',
    'environment',
    'version',
    'status',
    'linkId',
    'origin',
    'amount',
    'discountAmount',
    'interestAmount',
    'totalAmount',
    'currency',
    'transactionId',
    'transactionIds',
    'subscriptionId',
    'attempts',
    'externalId',
    'metadata',
    'expiresAt',
    'completedAt',
    'createdAt',
    'updatedAt',
  ]
  const shapes: Readonly<Record<EventType, readonly [object: string, fields: readonly string[]]>> = {
    'payment.created': ['transaction', paymentFields],
    'payment.pending': ['transaction', paymentFields],
    'payment.approved': ['transaction', paymentFields],
    'payment.failed': ['transaction', paymentFields],
    'payment.refunded': ['transaction', [...paymentFields, 'refund']],
    'checkout.completed': ['checkout_session', sessionFields],
    'checkout.expired': ['checkout_session', sessionFields],
    'payment.refund_failed': ['transaction', [...paymentFields, 'refund']],
    'payment.chargeback': ['transaction', [...paymentFields, 'chargeback']],
    'pix.received': ['received_pix', receivedFields],
    'pix.med_opened': ['med', medFields],
    'pix.med_closed': ['med', medFields],
    'boleto.paid': ['transaction', paymentFields],
    'subscription.created': ['subscription', subscription],
    'subscription.paid': ['subscription', paid],
    'subscription.failed': [
      'subscription',
      [...paid, 'failureReason', 'retryable', 'attemptNumber', 'nextAttemptAt', 'final'],
    ],
    'settlement.processing': ['settlement', settlementFields],
    'settlement.completed': ['settlement', settlementFields],
    'crypto.received': ['crypto_payment', charge],
    'crypto.expired': ['crypto_payment', charge],
    'crypto.withdrawal_completed': ['crypto_withdrawal', withdrawal],
    'crypto.withdrawal_failed': ['crypto_withdrawal', withdrawal],
    'conversion.completed': ['conversion', conversion],
    'conversion.failed': ['conversion', conversion],
    'transfer.scheduled': ['transfer', transfer],
    'transfer.pending_approval': ['transfer', transfer],
    'transfer.completed': ['transfer', transfer],
    'transfer.failed': ['transfer', transfer],
    'transfer.returned': ['transfer', [...transfer, 'returnedAmount', 'returns']],
  }
  for (const eventType of eventTypes) {
    const sample = await sampled(world, heard, eventType)
    const { test, ...data } = dataOf(sample)
    const [object, fields] = shapes[eventType]
    t.equal(sample.type, eventType)
    t.equal(test, true, eventType)
    t.match(data, { id: /^[a-z]{3}_[0-9A-Z]{26}$/, object }, eventType)
    hasFields(t, data, fields, eventType)
    t.equal(objectIdOf(sample.subject), account)
  }
  t.match(dataOf(await sampled(world, heard, 'payment.failed')), {
    status: 'EXPIRED',
    failureReason: 'CHARGE_EXPIRED',
    paidAmount: '0',
  })
  const refunded = dataOf(await sampled(world, heard, 'payment.refunded'))
  hasFields(t, refunded.refund, refundFields, 'its refund')
  t.match(refunded, { status: 'REFUNDED', refundedAmount: '1000', refund: { amount: '1000' } })
  t.match(dataOf(await sampled(world, heard, 'payment.refund_failed')), {
    status: 'APPROVED',
    refundedAmount: '0',
    refundableAmount: '1000',
    refund: { amount: '1000', status: 'FAILED', failureReason: 'REFUSED_BY_PROVIDER' },
  })
  const disputed = dataOf(await sampled(world, heard, 'payment.chargeback'))
  hasFields(t, disputed.chargeback, chargebackFields, 'its chargeback')
  hasFields(t, disputed.card, cardFields, 'its card')
  t.match(disputed, { method: 'CREDIT_CARD', status: 'CHARGEBACK', chargeback: { status: 'OPEN' } })
  const boleto = dataOf(await sampled(world, heard, 'boleto.paid'))
  hasFields(t, boleto.boleto, paidBoletoFields, 'its boleto')
  t.match(boleto, { method: 'BOLETO', status: 'APPROVED', netAmount: '701' })
})

const sampled = async (
  world: World,
  heard: () => readonly PublicEvent[],
  eventType: EventType,
): Promise<PublicEvent> => {
  await world.execute({ type: 'RequestSampleEvent', ...ours, eventType })
  return heard()[0]!
}
