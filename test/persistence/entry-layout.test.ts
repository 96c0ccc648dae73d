import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t from 'tap'
import type { Entry, Event } from '../../engine/events.ts'
import { toCents } from '../../engine/money.ts'
import { batchSize, packBatch, unpackFromBatch } from '../../persistence/codec.ts'
import { entryLayout } from '../../persistence/entry-layout.ts'
import { aBrokenPayment } from '../engine/broken-payment.ts'
import {
  aCoupon,
  aCouponEdit,
  aCouponRemoval,
  anEdit,
  aPlan,
  aPlanRemoval,
  aPolicySet,
  aSubscriptionId,
  happened,
} from '../engine/recurring/catalog.ts'
import { aSeed } from '../engine/story.ts'
import { everyFact } from '../engine/subscription/every-fact.ts'
import {
  aBoleto,
  aCancellation,
  aCardPayment,
  aCharge,
  account,
  anUnrequestedPix,
  aPayment,
  aRefund,
  key,
  type newWorld,
  opened,
  ours,
} from '../engine/world.ts'

/** Entries that hold every kind of fact, from a shard that lived through them. */
const everyKind = async (): Promise<Entry[]> => {
  const world = await opened()
  const customer = {
    name: 'Zoë 🦜 Müller',
    document: '12345678909',
    documentType: 'CPF',
    email: 'zoe@example.com',
    phone: null,
  } as const
  const idempotency = { key: 'k', fingerprint: 'f' }
  const metadata = { a: 1.5, b: true, ção: '\u0000"\\' }
  const a = await world.accepted(aCharge({ customer, metadata, idempotency, description: 'x'.repeat(300) }))
  await world.accepted(aPayment(a.id))
  await world.accepted(aPayment(a.id))
  const b = await world.accepted(aCharge())
  await world.tell(aCancellation(b.id))
  await world.accepted(aCharge({ metadata: { sandboxScenario: 'provider_error' } }))
  await world.accepted(aCharge({ terms: { method: 'PIX', expiresInSeconds: 60, due: null } }))
  await world.tell(anUnrequestedPix())
  await world.tell({ type: 'AdvanceClock', accountId: account, by: key, step: { by: 'PT1H' } })
  await world.tell({ type: 'RequestSampleEvent', accountId: account, by: key, eventType: 'boleto.paid' })
  const event = { eventId: `evt_${'0'.repeat(26)}` as never, eventType: 'payment.created', objectId: a.id }
  const body = new Uint8Array([0, 255, 1])
  const endpointIds = ['whk_1', 'whk_2'] as never
  await world.tell({ type: 'ScheduleDeliveries', ...ours, ...event, body, endpointIds })
  const [first, second] = world.memory.list(account, 'delivery', { offset: 0, limit: 2 }).states
  const outcome = {
    startedAtMs: 1.25,
    latencyMs: 3,
    statusCode: null,
    error: 'DNS',
    responseSnippet: '',
  } as const
  await world.tell({ type: 'RecordAttempt', ...ours, deliveryId: first!.id, outcome })
  await world.tell({ type: 'CancelDelivery', ...ours, deliveryId: second!.id })
  await everyMethod(world)
  await everyOffer(world)
  await everyFact(world)
  await aBrokenPayment(world)
  await world.advance('P8D')
  await world.tell({ type: 'ClearSandbox', ...ours })
  return [...world.journal.replay(0)].map(({ record }) => record)
}

/** Plans, coupons and dunning policies. */
const everyOffer = async (world: ReturnType<typeof newWorld>): Promise<void> => {
  const [plan, other] = [aPlan({}, { metadata: { ção: true } }), aPlan()]
  const [coupon, unused] = [aCoupon({ planIds: [plan.planId], name: 'São João' }), aCoupon()]
  for (const command of [plan, other, coupon, unused]) await world.tell(command)
  await world.tell(anEdit(plan.planId, { interval: 'CUSTOM', intervalCount: 10 }))
  await world.tell(aCouponEdit(coupon.couponId, { minAmountCents: toCents(1) }))
  for (const forPlan of [null, plan.planId, other.planId]) await world.tell(aPolicySet(forPlan))
  await world.tell(aPlanRemoval(other.planId))
  await world.tell(aCouponRemoval(unused.couponId))
  const atMs = world.now()
  const redemption = { actor: 'coupon', id: coupon.couponId, atMs, subscriptionId: aSubscriptionId } as const
  happened(
    world,
    { actor: 'plan', type: 'PlanUsed', id: plan.planId, atMs },
    { ...redemption, type: 'CouponRedeemed' },
    { ...redemption, type: 'RedemptionGivenBack' },
  )
}

/** Boletos, cards, and everything that takes a payment back. */
const everyMethod = async (world: ReturnType<typeof newWorld>): Promise<void> => {
  const late = { metadata: { sandboxScenario: 'paid_overdue' } }
  await world.accepted(aBoleto({ instructions: 'não receber\nem cheque' }, late))
  const boleto = await world.accepted(aBoleto())
  await world.tell({
    type: 'PayBoleto',
    ...ours,
    transactionId: boleto.id,
    amountCents: null,
    paidAtMs: null,
    clearing: 'NEXT_BUSINESS_DAY',
  })
  await world.tell(aCardPayment({ token: 'tok_test_declined_51' }))
  await world.tell(aCardPayment({}, { metadata: { sandboxScenario: 'provider_error' } }))
  await world.tell(aCardPayment({ token: 'tok_test_processing' }))
  await world.tell(aCardPayment({ token: 'tok_test_timeout' }))
  const kept = await world.accepted(aCardPayment({ token: 'tok_test_capture_fails', captures: false }))
  const capture = { type: 'CaptureCharge', ...ours, amountCents: toCents(4000) } as const
  await world.tell({ ...capture, transactionId: kept.id })
  await world.tell(aCancellation(kept.id))
  const captured = await world.accepted(aCardPayment({ captures: false, installments: 3 }))
  await world.tell({ ...capture, transactionId: captured.id })
  await world.tell(aRefund(captured.id, 1000))
  const dispute = { type: 'OpenChargeback', ...ours, amountCents: null, reason: null } as const
  for (const [result, text] of [
    ['WON', 'a'.repeat(20)],
    ['LOST', 'b'.repeat(20)],
  ] as const) {
    const payment = await world.accepted(aCardPayment({ installments: 2 }))
    await world.tell({ ...dispute, transactionId: payment.id })
    const partId = world.transaction(payment.id).reversals.chargebacks[0]!.id
    await world.tell({ type: 'DisputeChargeback', ...ours, partId, text })
    await world.tell({ type: 'ResolveChargeback', ...ours, partId, result })
  }
  await world.tell({ type: 'SettleTransaction', ...ours, transactionId: captured.id })
  const slow = await world.accepted(aCharge({ metadata: { sandboxScenario: 'refund_fails' } }))
  await world.tell(aPayment(slow.id))
  await world.tell(aRefund(slow.id))
  const contested = await world.accepted(aCharge())
  await world.tell(aPayment(contested.id))
  const med = { type: 'OpenMed', ...ours, amountCents: null, reason: null } as const
  await world.tell({ ...med, transactionId: contested.id })
  const partId = world.transaction(contested.id).reversals.meds[0]!.id
  await world.tell({ type: 'CloseMed', ...ours, partId, result: 'ACCEPTED', returnedCents: null })
  await world.tell(aSeed({ method: 'CRYPTO', origin: 'LINK', currency: 'USDT', amountCents: toCents(5) }))
  await world.advance('P40D')
}

const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, value) => (value instanceof Uint8Array ? [...value] : value)))

const kinds: readonly Event['type'][] = [
  'InvoiceNumbered',
  'RecurringCounted',
  'SubscriberCounted',
  'CardTriedInVain',
  'TimerPutAside',
  'SubscriptionCreated',
  'SubscriptionBilled',
  'InvoicePresented',
  'PeriodStarted',
  'SubscriptionPaid',
  'SubscriptionPaymentFailed',
  'TrialStarted',
  'SubscriptionPaused',
  'SubscriptionResumed',
  'SubscriptionSuspended',
  'SubscriptionCancelled',
  'SubscriptionCompleted',
  'CancellationScheduled',
  'PaymentAwaited',
  'CollectionGivenUp',
  'InvoiceWithdrawn',
  'CreditGranted',
  'PaymentMeansChanged',
  'PlanChangeScheduled',
  'PlanChangeAwaited',
  'PlanChangeDropped',
  'PlanSwapped',
  'InvoiceIssued',
  'AttemptStarted',
  'AttemptPresented',
  'AttemptAwaited',
  'AttemptExtended',
  'AttemptSucceeded',
  'AttemptFailed',
  'AttemptCancelled',
  'InvoiceVoided',
  'InvoiceGivenUp',
  'DunningPaused',
  'DunningPutOff',
  'AccountOpened',
  'PaymentBooked',
  'SettlementCompleted',
  'ClockMoved',
  'SampleEventRequested',
  'SandboxCleared',
  'ChargeCreated',
  'ChargeIssued',
  'ChargeRefused',
  'ChargePaid',
  'ChargeExpired',
  'ChargeCancelled',
  'PaymentReturned',
  'PixReceived',
  'DeliveryScheduled',
  'AttemptRecorded',
  'DeliveryCancelled',
  'ReversalBooked',
  'BoletoNumbered',
  'BatchSettled',
  'CustomerRegistered',
  'BoletoIssued',
  'BoletoOverdue',
  'BoletoPaymentReported',
  'BoletoCleared',
  'ProviderCalled',
  'ProviderCalledAgain',
  'ProviderSilent',
  'AuthorizationPending',
  'CardApproved',
  'CardAuthorized',
  'CardDeclined',
  'AuthorizationTimedOut',
  'AuthorizationReversed',
  'CardCaptured',
  'CaptureRefused',
  'CardVoided',
  'RefundRequested',
  'RefundCompleted',
  'RefundFailed',
  'ChargebackOpened',
  'ChargebackDisputed',
  'ChargebackWon',
  'ChargebackLost',
  'MedOpened',
  'MedClosed',
  'ReceivablesSettled',
  'TransactionSeeded',
  'DunningPolicySet',
  'DunningPolicyRemoved',
  'PlanCreated',
  'PlanChanged',
  'PlanUsed',
  'PlanRemoved',
  'CouponCreated',
  'CouponChanged',
  'CouponRedeemed',
  'RedemptionGivenBack',
  'CouponRemoved',
]

/** What version 1 did not have when it was recorded, as it is read now. */
const withWhatCameLater = (entry: { readonly events: readonly Record<string, unknown>[] }) => ({
  ...entry,
  events: entry.events.map((event) => {
    switch (event.type) {
      case 'PaymentBooked':
      case 'SettlementCompleted':
        return { ...event, schedule: [] }
      case 'ChargeCreated':
        return {
          ...event,
          charge: {
            ...(event.charge as object),
            customerId: null,
            card: null,
            boleto: null,
            subscriptionId: null,
            invoiceId: null,
            attempt: null,
            split: null,
          },
        }
      case 'ChargeRefused':
        return { ...event, callId: null }
      case 'ChargePaid':
        return {
          ...event,
          receivables: (event.receivables as object[]).map((row) => ({
            ...row,
            type: 'CREDIT',
            recipientId: null,
          })),
        }
      default:
        return event
    }
  }),
})

t.test('every kind of fact comes back from its bytes as it was', async (t) => {
  const entries = await everyKind()
  const found = new Set(entries.flatMap(({ events }) => events.map(({ type }) => type)))
  t.strictSame(
    kinds.filter((type) => !found.has(type)),
    [],
    'the sample has them all',
  )
  const batch = packBatch(entryLayout, entries)
  t.equal(batchSize(batch), entries.length)
  entries.forEach((entry, n) => {
    t.strictSame(plain(unpackFromBatch(entryLayout, batch, n)), plain(entry))
  })
})

t.test('bytes of version 1, as they were recorded, are read for ever', async (t) => {
  const file = join(resolve(import.meta.dirname, '../../..'), 'test/fixtures/journal-v1.json')
  const { batch, entries } = JSON.parse(readFileSync(file, 'utf8')) as {
    batch: string
    entries: Parameters<typeof withWhatCameLater>[0][]
  }
  const bytes = Buffer.from(batch, 'base64')
  t.equal(batchSize(bytes), entries.length)
  entries.forEach((entry, n) => {
    t.strictSame(plain(unpackFromBatch(entryLayout, bytes, n)), withWhatCameLater(entry))
  })
})

t.test('bytes that are of another version, cut short or changed are refused', async (t) => {
  const batch = packBatch(entryLayout, (await everyKind()).slice(0, 1))
  const newer = Buffer.from(batch)
  newer[0] = 2
  t.throws(() => unpackFromBatch(entryLayout, newer, 0), /version 2/)
  t.throws(() => unpackFromBatch(entryLayout, batch.subarray(0, -1), 0))
  const longer = Buffer.from(batch)
  longer.writeUInt32LE(longer.readUInt32LE(9) + 1, 9)
  t.throws(() => unpackFromBatch(entryLayout, longer, 0))
})
