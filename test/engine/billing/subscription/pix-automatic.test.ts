import t from 'tap'
import type { MandateRequest } from '../../../../engine/billing/mandate/mandate-request.ts'
import { pixOf } from '../../../../engine/payments/methods/pix/pix.ts'
import type { SubscriptionId } from '../../../../engine/shared/ids.ts'
import { toCents } from '../../../../engine/shared/money.ts'
import type { AnyAnswer } from '../../../../gateway/providers/answers.ts'
import { putAsideIn } from '../../story.ts'
import { askSandbox, askSandboxAny, institution, newWorld, opened, ours, type World } from '../../world.ts'
import { aDecision, anOutcome, automatic, mandated, mandateOf } from './mandated.ts'
import {
  anEnd,
  aPause,
  aPlanChange,
  aRetry,
  chargeOf,
  invoicesOf,
  lastInvoice,
  pays,
  planned,
  subscribed,
  subscriptionOf,
  toNoonOf,
} from './subscribing.ts'

const attemptsOf = (world: World, id: SubscriptionId): readonly string[] =>
  lastInvoice(world, id).attempts.map(({ trigger, status }) => `${trigger} ${status}`)

const transactionOf = (world: World, id: SubscriptionId) => world.transaction(chargeOf(world, id))

/** Whether a QR code can be paid for an invoice while its payer's bank tries to. */
const paysTwice = (world: World, id: SubscriptionId): boolean =>
  invoicesOf(world, id).some(({ attempts }) => {
    const charges = attempts.flatMap(({ transactionId }) => transactionId ?? []).map(world.transaction)
    const isCode = charges.some(
      ({ status, means }) => status === 'PENDING' && pixOf({ means })?.mandateId === null,
    )
    const tried = mandateOf(world, id).charges.some(
      ({ transactionId, attempts: days }) =>
        charges.some((charge) => charge.id === transactionId) &&
        days.some(({ state }) => state === 'REQUESTED' || state === 'SCHEDULED'),
    )
    return isCode && tried
  })

t.test('one code pays the first invoice and offers the mandate', async (t) => {
  const world = await opened()
  const subscription = await subscribed(world, {}, automatic)
  const { id, latestInvoice, mandate } = subscription
  t.match(mandate, {
    status: 'CREATED',
    journey: 'QR_WITH_PAYMENT',
    amountCents: 4900,
    periodicity: 'MENSAL',
    startOn: '2026-12-20',
    endOn: null,
  })
  t.equal(latestInvoice!.payment!.copyPaste, mandate!.copyPaste, 'the request waited for the bank')
  t.equal(pixOf(transactionOf(world, id))!.copyPaste, mandate!.copyPaste, 'its QR code is the same')
  t.match(mandateOf(world, id), { contract: id.slice(4), allowsRetries: true, calls: [] })
  await pays(world, id)
  t.match(subscriptionOf(world, id), { status: 'ACTIVE', mandate: { status: 'CREATED' } })
})

t.test('an active mandate is charged five days before, and pays on its day', async (t) => {
  const world = await opened()
  const { id, mandateId } = await mandated(world)
  await toNoonOf(world, '2026-12-14')
  t.equal(invoicesOf(world, id).length, 1)
  await toNoonOf(world, '2026-12-15')
  t.match(lastInvoice(world, id), { status: 'OPEN', dueDate: '2026-12-20', attempts: [{ payment: null }] })
  t.match(transactionOf(world, id), { status: 'PENDING', means: { pix: { copyPaste: null, mandateId } } })
  t.match(mandateOf(world, id).charges, [{ state: 'OPEN', dueOn: '2026-12-20', attempts: [{}] }])
  await toNoonOf(world, '2026-12-20')
  await world.execute(anOutcome(mandateId, 'PAID'))
  t.match(transactionOf(world, id), { status: 'APPROVED' })
  t.match(lastInvoice(world, id), { status: 'PAID', attempts: [{ status: 'SUCCEEDED' }] })
  t.strictSame(mandateOf(world, id).charges, [])
  await toNoonOf(world, '2027-01-15')
  t.equal(invoicesOf(world, id).length, 3, 'and so the next one')
  t.strictSame(putAsideIn(world), [])
})

t.test('a charge that is rejected before its day is replaced by a code at once', async (t) => {
  const world = await opened()
  const { id, mandateId } = await mandated(world)
  await toNoonOf(world, '2026-12-16')
  const scheduled = chargeOf(world, id)
  await world.execute(anOutcome(mandateId, 'REJECTED', 'AM04'))
  t.match(world.transaction(scheduled), {
    status: 'FAILED',
    failureReason: 'INSUFFICIENT_FUNDS',
    failureDetail: { providerCode: 'AM04' },
  })
  t.strictSame(attemptsOf(world, id), ['AUTOMATIC CANCELLED', 'AUTOMATIC PENDING'])
  t.match(lastInvoice(world, id), { status: 'OPEN', dunning: null })
  t.ok(subscriptionOf(world, id).latestInvoice!.payment!.copyPaste)
  t.strictSame(mandateOf(world, id).charges, [])
  await pays(world, id)
  t.equal(lastInvoice(world, id).status, 'PAID')
})

t.test(
  'three days are retried by mandate, requested at noon of the day before, and the fourth by code',
  async (t) => {
    const world = await opened()
    const { id, mandateId } = await mandated(world)
    await toNoonOf(world, '2026-12-20')
    await world.execute(anOutcome(mandateId, 'REJECTED', 'AM04'))
    t.match(subscriptionOf(world, id).status, 'PAST_DUE')
    for (const [on, by] of [
      ['2026-12-21', 2],
      ['2026-12-23', 3],
      ['2026-12-25', 4],
    ] as const) {
      await toNoonOf(world, on)
      t.equal(lastInvoice(world, id).attempts.length, by, on)
      t.match(mandateOf(world, id).charges[0]!.attempts.at(-1), { on, state: 'REQUESTED' })
      t.notOk(paysTwice(world, id))
      t.equal(
        lastInvoice(world, id).attempts.at(-1)!.transactionId,
        lastInvoice(world, id).attempts[0]!.transactionId,
      )
      await world.execute(anOutcome(mandateId, 'REJECTED', 'AM04'))
    }
    await toNoonOf(world, '2026-12-27')
    t.equal(lastInvoice(world, id).attempts.length, 5)
    t.not(pixOf(transactionOf(world, id))!.copyPaste, null, 'a code')
    t.notOk(paysTwice(world, id))
    t.equal(world.transaction(lastInvoice(world, id).attempts[0]!.transactionId!).status, 'CANCELLED')
    await pays(world, id)
    t.match(subscriptionOf(world, id).status, 'ACTIVE')
    t.strictSame(putAsideIn(world), [])
  },
)

t.test('a retry that pays settles the invoice by the one transaction of the charge', async (t) => {
  const world = await opened()
  const { id, mandateId } = await mandated(world)
  await toNoonOf(world, '2026-12-20')
  await world.execute(anOutcome(mandateId, 'REJECTED', 'AM04'))
  await toNoonOf(world, '2026-12-21')
  await world.execute(anOutcome(mandateId, 'PAID'))
  t.strictSame(attemptsOf(world, id), ['AUTOMATIC FAILED', 'DUNNING SUCCEEDED'])
  t.equal(subscriptionOf(world, id).status, 'ACTIVE')
})

t.test('a code that ends the charge leaves every retry to codes', async (t) => {
  const world = await opened()
  const { id, mandateId } = await mandated(world)
  await toNoonOf(world, '2026-12-20')
  const scheduled = chargeOf(world, id)
  await world.execute(anOutcome(mandateId, 'REJECTED', 'DENC'))
  t.match(world.transaction(scheduled), {
    status: 'FAILED',
    failureDetail: { providerCode: 'DENC', retryable: false },
  })
  t.strictSame(mandateOf(world, id).charges, [])
  await toNoonOf(world, '2026-12-21')
  t.not(transactionOf(world, id).id, scheduled)
  t.not(pixOf(transactionOf(world, id))!.copyPaste, null)
})

t.test('an attempt that nothing is played for expires with its day', async (t) => {
  const world = await opened()
  const { id } = await mandated(world)
  await toNoonOf(world, '2026-12-21')
  t.match(attemptsOf(world, id)[0], 'AUTOMATIC FAILED')
  t.equal(subscriptionOf(world, id).status, 'PAST_DUE')
  t.strictSame(putAsideIn(world), [])
})

t.test('a payer who ends the mandate while an attempt is scheduled gets a code', async (t) => {
  const world = await opened()
  const { id, mandateId } = await mandated(world)
  await toNoonOf(world, '2026-12-16')
  await world.execute(aDecision(mandateId, { status: 'CANCELLED', closedBy: 'PAYER', code: 'ACCL' }))
  t.match(subscriptionOf(world, id), {
    status: 'ACTIVE',
    mandate: { status: 'CANCELLED', closedBy: 'PAYER', code: 'ACCL' },
  })
  t.strictSame(attemptsOf(world, id), ['AUTOMATIC CANCELLED', 'AUTOMATIC PENDING'])
  t.notOk(paysTwice(world, id))
  await pays(world, id)
  await toNoonOf(world, '2027-01-16')
  t.equal(invoicesOf(world, id).length, 2, 'the lead is that of a code')
  await toNoonOf(world, '2027-01-17')
  t.not(pixOf(transactionOf(world, id))!.copyPaste, null)
})

t.test('a subscription that is cancelled calls its charge off and ends the mandate', async (t) => {
  const world = await opened()
  const { id } = await mandated(world)
  await toNoonOf(world, '2026-12-16')
  const scheduled = chargeOf(world, id)
  await world.execute(anEnd(id))
  t.equal(world.transaction(scheduled).status, 'CANCELLED')
  t.match(mandateOf(world, id), { status: 'CANCELLED', closedBy: 'RECEIVER', charges: [], calls: [] })
  t.match(subscriptionOf(world, id), { status: 'CANCELLED', mandate: { status: 'CANCELLED' } })
})

t.test(
  'from the evening before its day on a charge is not called off, and what it brings is returned',
  async (t) => {
    const world = await opened()
    const { id, mandateId } = await mandated(world)
    await toNoonOf(world, '2026-12-20')
    const scheduled = chargeOf(world, id)
    await world.execute(anEnd(id))
    t.match(mandateOf(world, id).charges, [{ state: 'CLOSING' }])
    await world.execute(anOutcome(mandateId, 'PAID'))
    const { status, timeline } = world.transaction(scheduled)
    t.equal(status, 'CANCELLED')
    t.equal(timeline.at(-1)!.type, 'PaymentReturned')
    t.equal(lastInvoice(world, id).status, 'VOID')
    await toNoonOf(world, '2026-12-30')
    t.strictSame(mandateOf(world, id).charges, [])
    t.strictSame(putAsideIn(world), [])
  },
)

t.test(
  'a pause calls the charge off, keeps the mandate and leaves a code for the open invoice',
  async (t) => {
    const world = await opened()
    const { id } = await mandated(world)
    await toNoonOf(world, '2026-12-16')
    await world.execute(aPause(id))
    t.strictSame(attemptsOf(world, id), ['AUTOMATIC CANCELLED', 'AUTOMATIC PENDING'])
    t.match(mandateOf(world, id), { status: 'ACTIVE', charges: [] })
    t.notOk(paysTwice(world, id))
    await pays(world, id)
    t.match(subscriptionOf(world, id).status, 'PAUSED')
  },
)

t.test('an invoice is not retried by hand while the payer’s bank tries', async (t) => {
  const world = await opened()
  const { id } = await mandated(world)
  await toNoonOf(world, '2026-12-16')
  t.equal(await world.refused(aRetry(lastInvoice(world, id).id)), 'ATTEMPT_IN_PROGRESS')
})

t.test('another price ends the mandate and offers a new one with the next code', async (t) => {
  const world = await opened()
  const { id, mandateId } = await mandated(world)
  const dearer = await planned(world, { amountCents: toCents(9900) })
  await world.execute(aPlanChange(id, dearer.id))
  t.match(subscriptionOf(world, id).mandate, { id: mandateId, status: 'ACTIVE' }, 'nothing before it is paid')
  await pays(world, id)
  t.match(world.memory.find('mandate', mandateId)!.state, { status: 'CANCELLED', closedBy: 'RECEIVER' })
  await toNoonOf(world, '2026-12-17')
  t.match(subscriptionOf(world, id).mandate, { status: 'CREATED', journey: 'OPTIONAL', amountCents: 9900 })
  t.not(subscriptionOf(world, id).mandate!.id, mandateId)
  t.equal(
    subscriptionOf(world, id).latestInvoice!.payment!.copyPaste,
    subscriptionOf(world, id).mandate!.copyPaste,
  )
})

t.test('a charge above the payer’s maximum is left to a code', async (t) => {
  const world = await opened()
  const { id } = await subscribed(world, {}, automatic)
  await pays(world, id)
  await world.execute(aDecision(mandateOf(world, id).id, { maximumCents: toCents(4000) }))
  await toNoonOf(world, '2026-12-17')
  t.not(pixOf(transactionOf(world, id))!.copyPaste, null)
  t.strictSame(mandateOf(world, id).charges, [])
})

t.test('an invoice that is issued anew in its period gets no second charge by mandate', async (t) => {
  const world = await opened()
  const { id, mandateId } = await mandated(world)
  await toNoonOf(world, '2026-12-20')
  t.equal(mandateOf(world, id).takenPeriods.length, 1)
  await world.execute(anOutcome(mandateId, 'REJECTED', 'DENC'))
  t.strictSame(mandateOf(world, id).takenPeriods, ['2026-12-20'], 'an attempt was made')
})

t.test('intervals that mandates do not have, and payers without a document, are refused', async (t) => {
  const world = await opened()
  const refusal = async (
    ...of: Parameters<typeof subscribed> extends [unknown, ...infer Rest] ? Rest : never
  ) => {
    const plan = await planned(world, of[0])
    return world.refused({
      ...(await import('./subscribing.ts')).aSubscription(plan.id, { ...automatic, ...of[1] }),
    })
  }
  t.equal(await refusal({ intervalCount: 2 }), 'PIX_AUTOMATIC_UNAVAILABLE')
  t.equal(await refusal({ interval: 'CUSTOM', intervalCount: 30 }), 'PIX_AUTOMATIC_UNAVAILABLE')
  const customer = {
    name: 'Ana',
    document: null,
    documentType: null,
    email: null,
    phone: null,
    address: null,
  }
  t.equal(await refusal({}, { customer }), 'CUSTOMER_DOCUMENT_REQUIRED')
})

t.test(
  'a charge whose answer a crash has lost is sent once more, under the same reference, and charged once',
  async (t) => {
    const requests: MandateRequest[] = []
    const silent = async (request: MandateRequest): Promise<AnyAnswer> => {
      if (request.operation !== 'SCHEDULE') return askSandboxAny(request)
      requests.push(request)
      return { type: 'SILENT' }
    }
    const before = await opened(askSandbox, askSandbox, [], institution, askSandboxAny, silent)
    const { id } = await mandated(before)
    await before.execute({
      type: 'AdvanceClock',
      ...ours,
      step: { toMs: Date.parse('2026-12-15T09:00:00Z') },
    })
    const left = [...before.journal.replay(0)].map(({ record }) => record)
    // What was written up to the intent: the process ends before it receives the answer.
    const intent = left.findLastIndex(({ events }) =>
      events.some((event) => event.type === 'MandateCalled' && event.call.operation === 'SCHEDULE'),
    )
    const asked: MandateRequest[] = []
    const recording = async (request: MandateRequest): Promise<AnyAnswer> => {
      asked.push(request)
      return askSandboxAny(request)
    }
    const world = newWorld(
      askSandbox,
      askSandbox,
      left.slice(0, intent + 1),
      institution,
      askSandboxAny,
      recording,
    )
    await world.settle()
    t.match(asked, [{ operation: 'SCHEDULE', reference: requests[0]!.reference, isResumed: true }])
    t.equal(asked[0]!.charge!.txid, requests[0]!.charge!.txid)
    t.match(mandateOf(world, id).charges, [{ state: 'OPEN' }])
    t.equal(transactionOf(world, id).status, 'PENDING')
  },
)

t.test('money that comes by the charge after its code was paid goes back', async (t) => {
  const world = await opened()
  const { id, mandateId } = await mandated(world)
  await toNoonOf(world, '2026-12-16')
  const scheduled = chargeOf(world, id)
  await world.execute(anOutcome(mandateId, 'REJECTED', 'AM04'))
  await pays(world, id)
  const late = { type: 'ReceivePix', ...ours, transactionId: scheduled, amountCents: null } as const
  await world.execute(late)
  t.equal(world.transaction(scheduled).timeline.at(-1)!.type, 'PaymentReturned')
  t.match(lastInvoice(world, id), { status: 'PAID', paidCents: 4900 })
  t.equal(subscriptionOf(world, id).creditCents, 0)
})
