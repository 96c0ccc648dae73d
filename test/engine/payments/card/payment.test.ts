import t from 'tap'
import type { Command } from '../../../../engine/kernel/registry.ts'
import { ShardUnavailable } from '../../../../engine/kernel/unavailable.ts'
import { cardOf } from '../../../../engine/payments/methods/card/card.ts'
import type { DeclineCode } from '../../../../engine/payments/methods/card/decline-codes.ts'
import type { ProviderRequest } from '../../../../engine/payments/provider.ts'
import type { CancelCharge } from '../../../../engine/payments/transaction/commands.ts'
import type { Customer } from '../../../../engine/shared/customer.ts'
import { type AccountId, accountIdOf, type TransactionId } from '../../../../engine/shared/ids.ts'
import { toCents } from '../../../../engine/shared/money.ts'
import { plainProfile } from '../../profile.ts'
import { clockOf } from '../../story.ts'
import {
  aCancellation,
  aCardPayment,
  account,
  aPayer,
  aRefund,
  askSandbox,
  companyId,
  key,
  opened,
} from '../../world.ts'
import {
  aCapture,
  aCardCancellation,
  aClearing,
  aClockReset,
  aNo,
  aResolution,
  aYes,
  books,
  heard,
  silence,
  type World,
} from './commands.ts'

const minute = 60_000
const day = 86_400_000

/** The operations that a payment's timeline says the acquirer was asked for. */
const askedFor = (world: World, id: TransactionId): readonly unknown[] =>
  world
    .transaction(id)
    .timeline.filter(({ type }) => type === 'ProviderCalled')
    .map(({ data }) => data.operation)

t.test('who may not refund cancels what is authorized, and nothing that is captured', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCardPayment())
  t.equal(await world.refused({ ...aCardCancellation(id), mayRefund: false }), 'REFUND_NOT_PERMITTED')
  t.equal(world.transaction(id).status, 'APPROVED')
  const held = await world.accepted(aCardPayment({ captures: false }))
  t.match(await world.accepted({ ...aCardCancellation(held.id), mayRefund: false }), { status: 'CANCELLED' })
})

t.test('authorized and captured at once: approved, booked, told twice', async (t) => {
  const world = await opened()
  const before = world.told.length
  const payment = await world.accepted(aCardPayment())
  const now = world.now()
  t.match(payment, {
    status: 'APPROVED',
    version: 3,
    amountCents: 10_000,
    paidCents: 10_000,
    feeCents: 319,
    failureReason: null,
    approvedAtMs: now,
    expiresAtMs: null,
    calls: [],
    means: {
      card: {
        authorizedAtMs: now,
        capturedAtMs: now,
        capturedCents: 10_000,
        acquirer: { nsu: /^\d{6}$/, tid: /^\d{20}$/, authorizationCode: /^\d{6}$/, returnCode: '00' },
      },
    },
  })
  t.strictSame(heard(world, before), ['payment.created v1 CREATED', 'payment.approved v3 APPROVED'])
  t.strictSame(books(t, world), { available: 0, receivable: 9681, blocked: 0, fees: 319, payer: -10_000 })
})

t.test('authorized only: nothing is booked until it is captured', async (t) => {
  const world = await opened()
  const before = world.told.length
  const payment = await world.accepted(aCardPayment({ captures: false }))
  t.match(payment, {
    status: 'AUTHORIZED',
    version: 3,
    paidCents: 0,
    feeCents: 0,
    approvedAtMs: null,
    expiresAtMs: world.now() + 7 * day,
    receivables: [],
    means: { card: { authorizedAtMs: world.now(), capturedAtMs: null, capturedCents: null } },
  })
  t.strictSame(heard(world, before), ['payment.created v1 CREATED', 'payment.pending v3 AUTHORIZED'])
  t.strictSame(books(t, world), { available: 0, receivable: 0, blocked: 0, fees: 0, payer: 0 })
})

t.test('every code of ABECS declines with its reason, and says whether to try again', async (t) => {
  const world = await opened()
  const catalogue: [DeclineCode, string, boolean][] = [
    ['05', 'GENERIC_DECLINE', true],
    ['51', 'INSUFFICIENT_FUNDS', true],
    ['59', 'SUSPECTED_FRAUD', true],
    ['61', 'AMOUNT_LIMIT_EXCEEDED', true],
    ['62', 'CARD_TEMPORARILY_BLOCKED', true],
    ['78', 'CARD_NOT_UNLOCKED', true],
    ['91', 'ISSUER_UNAVAILABLE', true],
    ['14', 'INVALID_CARD', false],
    ['41', 'LOST_CARD', false],
    ['43', 'STOLEN_CARD', false],
    ['46', 'ACCOUNT_CLOSED', false],
    ['54', 'EXPIRED_CARD', false],
    ['57', 'TRANSACTION_NOT_PERMITTED', false],
    ['63', 'SECURITY_VIOLATION', false],
  ]
  for (const [providerCode, failureReason, retryable] of catalogue) {
    const wanted = { status: 'DECLINED', failureReason, failureDetail: { providerCode, retryable } }
    const before = world.told.length
    const byToken = await world.accepted(aCardPayment({ token: `tok_test_declined_${providerCode}` }))
    t.match(byToken, { ...wanted, version: 3, failedAtMs: world.now(), paidCents: 0, calls: [] })
    t.match(cardOf(byToken), { authorizedAtMs: null, acquirer: { returnCode: providerCode } })
    t.strictSame(heard(world, before), ['payment.created v1 CREATED', 'payment.failed v3 DECLINED'])
    const sandboxScenario = `declined_${providerCode}`
    t.match(await world.accepted(aCardPayment({}, { metadata: { sandboxScenario } })), wanted)
  }
  t.strictSame(books(t, world), { available: 0, receivable: 0, blocked: 0, fees: 0, payer: 0 })
})

t.test('a declined payment cannot be captured, cancelled, refunded or resolved', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCardPayment({ token: 'tok_test_declined_51' }))
  t.equal(await world.refused(aCapture(id)), 'INVALID_STATE')
  t.equal(await world.refused(aCancellation(id)), 'INVALID_STATE')
  t.equal(await world.refused(aCardCancellation(id)), 'INVALID_STATE')
  t.equal(await world.refused(aRefund(id)), 'INVALID_STATE')
  t.equal(await world.refused(aResolution(id, 'APPROVED')), 'INVALID_STATE')
})

const aFraudster: Customer = { ...aPayer, document: '00000000191' }

t.test('the antifraud refuses by token, by scenario and by document, never to be tried again', async (t) => {
  const world = await opened()
  const refusals = [
    aCardPayment({ token: 'tok_test_antifraud' }),
    aCardPayment({}, { metadata: { sandboxScenario: 'antifraud' } }),
    aCardPayment({ token: 'tok_live_0001' }, { customer: aFraudster }),
  ]
  for (const refusal of refusals) {
    t.match(await world.accepted(refusal), {
      status: 'DECLINED',
      failureReason: 'ANTIFRAUD_DECLINED',
      failureDetail: { providerCode: null, retryable: false },
    })
  }
})

t.test('an acquirer that could not be used leaves the payment FAILED', async (t) => {
  const world = await opened()
  const before = world.told.length
  const payment = await world.accepted(aCardPayment({}, { metadata: { sandboxScenario: 'provider_error' } }))
  t.match(payment, { status: 'FAILED', failureReason: 'PROVIDER_ERROR', failedAtMs: world.now(), calls: [] })
  t.strictSame(heard(world, before), ['payment.created v1 CREATED', 'payment.failed v3 FAILED'])
})

t.test('the scenario counts more than the token, the token more than the document', async (t) => {
  const world = await opened()
  const outcome = async (token: string, sandboxScenario: string | null, customer: Customer | null) => {
    const metadata = sandboxScenario === null ? {} : { sandboxScenario }
    const { status, failureReason } = await world.accepted(aCardPayment({ token }, { metadata, customer }))
    return `${status} ${failureReason}`
  }
  t.equal(await outcome('tok_test_declined_51', 'declined_05', aFraudster), 'DECLINED GENERIC_DECLINE')
  t.equal(await outcome('tok_test_declined_51', 'approved', aFraudster), 'APPROVED null')
  t.equal(await outcome('tok_test_declined_51', null, aFraudster), 'DECLINED INSUFFICIENT_FUNDS')
  t.equal(await outcome('tok_test_approved', null, aFraudster), 'APPROVED null')
  t.equal(await outcome('tok_of_the_acquirer', null, aFraudster), 'DECLINED ANTIFRAUD_DECLINED')
  t.equal(await outcome('tok_of_the_acquirer', null, aPayer), 'APPROVED null')
})

t.test('amounts trigger nothing, and any other token is approved', async (t) => {
  const world = await opened()
  for (const amount of [1, 51, 5100, 999_999_999_999])
    t.equal((await world.accepted(aCardPayment({}, { amountCents: toCents(amount) }))).status, 'APPROVED')
  for (const token of ['x', 'tok_test_', 'tok_test_declined_99', 'tok_test_declined_5', '4242'])
    t.equal((await world.accepted(aCardPayment({ token }))).status, 'APPROVED', token)
})

t.test('an acquirer that takes its time is asked again after five seconds, and decides', async (t) => {
  const world = await opened()
  const before = world.told.length
  const payment = await world.accepted(aCardPayment({ token: 'tok_test_processing' }))
  t.match(payment, { status: 'PROCESSING', version: 3, paidCents: 0, approvedAtMs: null })
  await world.advance('PT4S')
  t.equal(world.transaction(payment.id).status, 'PROCESSING')
  await world.advance('PT1S')
  t.match(world.transaction(payment.id), { status: 'APPROVED', approvedAtMs: payment.createdAtMs + 5000 })
  t.strictSame(heard(world, before), [
    'payment.created v1 CREATED',
    'payment.pending v3 PROCESSING',
    'payment.approved v5 APPROVED',
  ])
  const other = await world.accepted(aCardPayment({ token: 'tok_test_processing_declined' }))
  t.equal(other.status, 'PROCESSING')
  const since = world.told.length
  await world.advance('PT5S')
  t.match(world.transaction(other.id), { status: 'DECLINED', failureReason: 'GENERIC_DECLINE' })
  t.strictSame(heard(world, since), ['payment.failed v5 DECLINED'])
})

t.test('decided late, a payment that only authorizes is AUTHORIZED for seven days from then', async (t) => {
  const world = await opened()
  const before = world.told.length
  const { id } = await world.accepted(aCardPayment({ token: 'tok_test_processing', captures: false }))
  await world.advance('PT5S')
  const { status, means, expiresAtMs } = world.transaction(id)
  t.equal(status, 'AUTHORIZED')
  t.equal(expiresAtMs, cardOf({ means })!.authorizedAtMs! + 7 * day)
  t.strictSame(heard(world, before).slice(1), [
    'payment.pending v3 PROCESSING',
    'payment.pending v5 AUTHORIZED',
  ])
})

t.test(
  'unknown for fifteen minutes, an authorization is taken back and the payment has failed',
  async (t) => {
    const world = await opened()
    const before = world.told.length
    const payment = await world.accepted(aCardPayment({ token: 'tok_test_timeout' }))
    await world.advance('PT14M59S')
    t.equal(world.transaction(payment.id).status, 'PROCESSING')
    t.strictSame(askedFor(world, payment.id), ['AUTHORIZE'])
    await world.advance('PT1S')
    t.match(world.transaction(payment.id), {
      status: 'FAILED',
      failureReason: 'ACQUIRER_TIMEOUT',
      failedAtMs: payment.createdAtMs + 15 * minute,
      calls: [],
    })
    t.strictSame(askedFor(world, payment.id), ['AUTHORIZE', 'REVERSE'])
    t.equal(world.transaction(payment.id).timeline.at(-1)!.type, 'AuthorizationReversed')
    const events = heard(world, before)
    t.strictSame(events.slice(0, 2), ['payment.created v1 CREATED', 'payment.pending v3 PROCESSING'])
    t.equal(events.length, 3)
    t.match(events[2], /^payment\.failed v\d+ FAILED$/)
  },
)

t.test('a reversal that nobody answers is asked again, with the same reference, until it is', async (t) => {
  const references: string[] = []
  const world = await opened(async (request) => {
    if (request.operation !== 'REVERSE') return silence
    references.push(request.reference)
    return references.length < 4 ? silence : aYes
  })
  const { id } = await world.accepted(aCardPayment())
  await world.advance('PT1H')
  t.equal(references.length, 4)
  t.equal(new Set(references).size, 1)
  t.match(world.transaction(id), { status: 'FAILED', calls: [] })
})

t.test('a reversal that the acquirer refuses is over too: there was nothing to take back', async (t) => {
  const world = await opened(async ({ operation }) => (operation === 'REVERSE' ? aNo() : silence))
  const { id } = await world.accepted(aCardPayment())
  await world.advance('PT16M')
  t.match(world.transaction(id), { status: 'FAILED', failureReason: 'ACQUIRER_TIMEOUT', calls: [] })
})

t.test('the Sandbox decides in place of an acquirer that is still processing', async (t) => {
  const world = await opened()
  const processing = async (captures = true) =>
    (await world.accepted(aCardPayment({ token: 'tok_test_timeout', captures }))).id
  const approved = await processing()
  t.match(await world.accepted(aResolution(approved, 'APPROVED')), { status: 'APPROVED', paidCents: 10_000 })
  const authorized = await processing(false)
  t.match(await world.accepted(aResolution(authorized, 'APPROVED')), { status: 'AUTHORIZED' })
  const declined = await processing()
  t.match(await world.accepted(aResolution(declined, 'DECLINED', '54')), {
    status: 'DECLINED',
    failureReason: 'EXPIRED_CARD',
    failureDetail: { providerCode: '54', retryable: false },
  })
  const failed = await processing()
  t.match(await world.accepted(aResolution(failed, 'FAILED')), {
    status: 'FAILED',
    failureReason: 'PROVIDER_ERROR',
  })
  for (const id of [approved, authorized, declined, failed]) {
    const { version } = world.transaction(id)
    t.equal(await world.refused(aResolution(id, 'DECLINED')), 'INVALID_STATE')
    await world.advance('PT16M')
    t.equal(world.transaction(id).version, version, 'nobody asks about it any more')
  }
  t.strictSame(books(t, world), { available: 0, receivable: 9681, blocked: 0, fees: 319, payer: -10_000 })
})

t.test('captured whole: approved with its fee and receivables', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCardPayment({ captures: false, installments: 2 }))
  await world.advance('P2D')
  const before = world.told.length
  const payment = await world.accepted(aCapture(id))
  const capturedAtMs = payment.createdAtMs + 2 * day
  t.match(payment, { status: 'APPROVED', version: 5, paidCents: 10_000, feeCents: 399 })
  t.match(payment, { approvedAtMs: capturedAtMs, means: { card: { capturedAtMs, capturedCents: 10_000 } } })
  t.equal(payment.receivables.length, 2)
  t.strictSame(heard(world, before), ['payment.approved v5 APPROVED'])
  t.equal(await world.refused(aCapture(id)), 'INVALID_STATE')
})

t.test('captured in part: fee and receivables are of that part, and the rest is released', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCardPayment({ captures: false, installments: 3 }))
  const payment = await world.accepted(aCapture(id, 1000))
  t.match(payment, { status: 'APPROVED', amountCents: 10_000, paidCents: 1000, feeCents: 40 })
  t.equal(cardOf(payment)!.capturedCents, 1000)
  t.strictSame(
    payment.receivables.map(({ grossCents }) => grossCents),
    [334, 333, 333],
  )
  t.strictSame(books(t, world), { available: 0, receivable: 960, blocked: 0, fees: 40, payer: -1000 })
  t.equal(await world.refused(aCapture(id, 1)), 'INVALID_STATE', 'once')
  t.equal(await world.refused(aRefund(id, 1001)), 'REFUND_EXCEEDS_BALANCE')
})

t.test('not more than was authorized, not of another status, not of another method', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCardPayment({ captures: false }))
  t.match(await world.execute(aCapture(id, 10_001)), {
    accepted: false,
    rejection: { reason: 'CAPTURE_EXCEEDS_AUTHORIZED', authorizedCents: 10_000 },
  })
  t.equal(world.transaction(id).status, 'AUTHORIZED')
  t.equal((await world.accepted(aCapture(id, 10_000))).status, 'APPROVED')
  const captured = await world.accepted(aCardPayment())
  t.match(await world.execute(aCapture(captured.id, 20_000)), {
    rejection: { reason: 'INVALID_STATE', currentStatus: 'APPROVED', allowedStatuses: ['AUTHORIZED'] },
  })
  t.equal(await world.refused(aCapture('txn_nobody' as TransactionId)), 'NOT_FOUND')
})

t.test('a capture that the acquirer refuses leaves the payment AUTHORIZED, and the key free', async (t) => {
  let refusals = 1
  const world = await opened((request) =>
    request.operation === 'CAPTURE' && refusals-- > 0
      ? Promise.resolve(aNo('issuer away'))
      : askSandbox(request),
  )
  const { id } = await world.accepted(aCardPayment({ captures: false }))
  const before = world.told.length
  const idempotency = { key: 'capture-1', fingerprint: 'a' }
  const refused = await world.execute(aCapture(id, null, idempotency))
  t.match(refused, { accepted: true, replayed: false, state: { status: 'AUTHORIZED', calls: [] } })
  t.match(world.transaction(id).timeline.at(-1), { type: 'CaptureRefused', data: { message: 'issuer away' } })
  t.strictSame(heard(world, before), [], 'no status changed')
  const corrected = { ...idempotency, fingerprint: 'b' }
  const captured = await world.execute(aCapture(id, 500, corrected))
  t.match(captured, { accepted: true, replayed: false, state: { status: 'APPROVED', paidCents: 500 } })
  t.match(await world.execute(aCapture(id, 500, corrected)), {
    accepted: true,
    replayed: true,
    state: { status: 'APPROVED', paidCents: 500 },
  })
})

t.test('the token that refuses captures authorizes, and can still be voided', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCardPayment({ token: 'tok_test_capture_fails', captures: false }))
  t.match(await world.accepted(aCapture(id)), { status: 'AUTHORIZED', calls: [] })
  t.match(await world.accepted(aCapture(id, 1)), { status: 'AUTHORIZED', calls: [] })
  t.match(await world.accepted(aCardCancellation(id)), { status: 'CANCELLED' })
})

t.test('an authorization is voided by either route, whole, and told as cancelled', async (t) => {
  const world = await opened()
  const voids = [
    (id: TransactionId): Command => ({ ...aCancellation(id), reason: 'out of stock' }) as CancelCharge,
    (id: TransactionId): Command => aCardCancellation(id),
  ]
  const reasons = ['out of stock', null]
  for (const [n, aVoid] of voids.entries()) {
    const { id } = await world.accepted(aCardPayment({ captures: false }))
    const before = world.told.length
    t.match(await world.accepted(aVoid(id)), {
      status: 'CANCELLED',
      failureReason: 'CANCELLED',
      cancelReason: reasons[n]!,
      cancelledAtMs: clockOf(world),
      paidCents: 0,
      version: 5,
      calls: [],
    })
    t.strictSame(askedFor(world, id), ['AUTHORIZE', 'VOID'])
    t.strictSame(heard(world, before), ['payment.failed v5 CANCELLED'])
    t.match(await world.execute(aVoid(id)), {
      rejection: { reason: 'INVALID_STATE', currentStatus: 'CANCELLED' },
    })
    t.equal(await world.refused(aCapture(id)), 'INVALID_STATE')
    await world.advance('P8D')
    t.equal(world.transaction(id).status, 'CANCELLED', 'it does not expire as well')
  }
  t.strictSame(books(t, world), { available: 0, receivable: 0, blocked: 0, fees: 0, payer: 0 })
})

t.test('a void that the acquirer refuses leaves the payment AUTHORIZED, and the key free', async (t) => {
  let refusals = 1
  const world = await opened((request) =>
    request.operation === 'VOID' && refusals-- > 0 ? Promise.resolve(aNo()) : askSandbox(request),
  )
  const { id } = await world.accepted(aCardPayment({ captures: false }))
  const idempotency = { key: 'void-1', fingerprint: 'a' }
  t.match(await world.accepted(aCardCancellation(id, idempotency)), { status: 'AUTHORIZED', calls: [] })
  const second = await world.execute(aCardCancellation(id, idempotency))
  t.match(second, { accepted: true, replayed: false, state: { status: 'CANCELLED' } })
  const third = await world.execute(aCardCancellation(id, idempotency))
  t.match(third, { accepted: true, replayed: true, state: { status: 'CANCELLED' } })
})

t.test('what is captured is cancelled by a refund of all that can be refunded', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCardPayment())
  await world.accepted(aRefund(id, 2500))
  const before = world.told.length
  const payment = await world.accepted(aCardCancellation(id))
  t.equal(payment.status, 'REFUNDED')
  t.match(payment.reversals.refunds.at(-1), {
    amountCents: 7500,
    status: 'COMPLETED',
    origin: 'CARD_CANCEL',
    reason: 'Cancelled by API',
  })
  t.strictSame(heard(world, before), ['payment.refunded v9 REFUNDED'])
  t.equal(await world.refused(aCardCancellation(id)), 'INVALID_STATE')
  t.equal(await world.refused(aCancellation(id)), 'INVALID_STATE', 'the other route never refunds')
  t.strictSame(books(t, world), { available: 0, receivable: 0, blocked: 0, fees: 0, payer: 0 })
})

t.test('of a capture and a void at once the first wins, and the other is refused', async (t) => {
  const world = await opened()
  const captured = await world.accepted(aCardPayment({ captures: false }))
  const capture = world.shard.execute(aCapture(captured.id))
  t.equal(await world.refused(aCardCancellation(captured.id)), 'OPERATION_IN_PROGRESS')
  t.match(await capture, { accepted: true, state: { status: 'APPROVED' } })
  const second = await world.accepted(aCardPayment({ captures: false }))
  const capturing = world.shard.execute(aCapture(second.id))
  t.equal(await world.refused(aCancellation(second.id)), 'OPERATION_IN_PROGRESS')
  t.match(await capturing, { accepted: true, state: { status: 'APPROVED' } })
  const voided = await world.accepted(aCardPayment({ captures: false }))
  const voiding = world.shard.execute(aCancellation(voided.id))
  t.equal(await world.refused(aCapture(voided.id)), 'OPERATION_IN_PROGRESS')
  t.match(await voiding, { accepted: true, state: { status: 'CANCELLED' } })
  const twice = await world.accepted(aCardPayment({ captures: false }))
  const once = world.shard.execute(aCapture(twice.id, 1))
  t.equal(await world.refused(aCapture(twice.id, 2)), 'OPERATION_IN_PROGRESS')
  t.match(await once, { accepted: true, state: { paidCents: 1 } })
  for (const { id } of [captured, second, voided, twice]) t.equal(askedFor(world, id).length, 2)
})

t.test('while an authorization is on its way nothing else happens to the payment', async (t) => {
  const world = await opened()
  const command = aCardPayment({ captures: false })
  const authorizing = world.shard.execute(command)
  const { transactionId: id } = command
  const refusals = [aCapture(id), aCancellation(id), aCardCancellation(id)].map((other) =>
    world.shard.execute(other),
  )
  const refund = world.shard.execute(aRefund(id))
  await world.settle()
  for (const refusal of refusals)
    t.match(await refusal, { rejection: { reason: 'OPERATION_IN_PROGRESS', currentStatus: 'CREATED' } })
  t.match(await refund, { rejection: { reason: 'INVALID_STATE', currentStatus: 'CREATED' } })
  t.match(await authorizing, { accepted: true, state: { status: 'AUTHORIZED' } })
})

t.test('an authorization expires after seven days, not before', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCardPayment({ captures: false }))
  const other = await world.accepted(aCardPayment({ captures: false }))
  world.pass(7 * day - 1)
  t.equal((await world.accepted(aCapture(other.id))).status, 'APPROVED')
  t.equal(world.transaction(id).status, 'AUTHORIZED')
  const before = world.told.length
  world.pass(1)
  t.equal(await world.refused(aCapture(id)), 'INVALID_STATE')
  t.match(world.transaction(id), {
    status: 'EXPIRED',
    failureReason: 'AUTHORIZATION_EXPIRED',
    expiredAtMs: world.now(),
  })
  t.strictSame(heard(world, before), ['payment.failed v4 EXPIRED'])
  t.equal(await world.refused(aCancellation(id)), 'INVALID_STATE')
})

t.test('an authorization that is being captured when its time is over waits for the answer', async (t) => {
  const answers = [silence, aNo()]
  const world = await opened((request) =>
    request.operation === 'CAPTURE' ? Promise.resolve(answers.shift() ?? aYes) : askSandbox(request),
  )
  const { id } = await world.accepted(aCardPayment({ captures: false }))
  world.pass(7 * day - 1000)
  t.match(await world.accepted(aCapture(id)), { status: 'AUTHORIZED', calls: [{ operation: 'CAPTURE' }] })
  await world.advance('PT4S')
  t.equal(world.transaction(id).status, 'AUTHORIZED')
  await world.advance('PT1S')
  t.match(world.transaction(id), { status: 'EXPIRED', failureReason: 'AUTHORIZATION_EXPIRED' })
})

t.test('a capture that is answered late is asked again with its reference, and captures once', async (t) => {
  const references: string[] = []
  const world = await opened((request) => {
    if (request.operation !== 'CAPTURE') return askSandbox(request)
    references.push(request.reference)
    return Promise.resolve(references.length < 3 ? silence : aYes)
  })
  const { id } = await world.accepted(aCardPayment({ captures: false }))
  const idempotency = { key: 'slow', fingerprint: 'a' }
  t.match(await world.accepted(aCapture(id, 700, idempotency)), { status: 'AUTHORIZED' })
  t.equal(await world.refused(aCapture(id, 700, idempotency)), 'IDEMPOTENCY_KEY_IN_PROGRESS')
  t.equal(await world.refused(aCardCancellation(id)), 'OPERATION_IN_PROGRESS')
  await world.advance('PT20S')
  t.match(world.transaction(id), { status: 'APPROVED', paidCents: 700 })
  t.equal(references.length, 3)
  t.equal(new Set(references).size, 1)
  const replay = await world.execute(aCapture(id, 700, idempotency))
  t.match(replay, { accepted: true, replayed: true, state: { status: 'APPROVED', paidCents: 700 } })
  t.strictSame(books(t, world), { available: 0, receivable: 678, blocked: 0, fees: 22, payer: -700 })
})

t.test('a repeat is answered as the first request was, whatever happened since', async (t) => {
  const world = await opened()
  const first = async (idempotency: { key: string; fingerprint: string }, token?: string) =>
    world.accepted(aCardPayment({ ...(token && { token }), captures: false }, { idempotency }))
  const authorized = await first({ key: 'a', fingerprint: 'f' })
  await world.accepted(aCapture(authorized.id))
  await world.accepted(aRefund(authorized.id))
  t.strictSame(await first({ key: 'a', fingerprint: 'f' }), authorized)
  const declined = await first({ key: 'd', fingerprint: 'f' }, 'tok_test_declined_54')
  t.equal(declined.status, 'DECLINED')
  t.strictSame(await first({ key: 'd', fingerprint: 'f' }), declined)
  const failed = await world.accepted(
    aCardPayment(
      {},
      { metadata: { sandboxScenario: 'provider_error' }, idempotency: { key: 'e', fingerprint: 'f' } },
    ),
  )
  t.equal(failed.status, 'FAILED')
  t.strictSame(await first({ key: 'e', fingerprint: 'f' }), failed)
  const processing = await first({ key: 'p', fingerprint: 'f' }, 'tok_test_processing')
  t.equal(processing.status, 'PROCESSING')
  await world.advance('PT5S')
  t.equal(world.transaction(processing.id).status, 'AUTHORIZED')
  t.strictSame(await first({ key: 'p', fingerprint: 'f' }), processing)
})

t.test('repeats of a refund and of a cancellation show the refund as it was', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCardPayment({ token: 'tok_test_refund_slow' }))
  const idempotency = { key: 'refund', fingerprint: 'f' }
  const command = aRefund(id, 400)
  const first = await world.execute({ ...command, idempotency })
  t.match(first, { accepted: true, reversalId: command.refundId })
  await world.advance('PT5S')
  t.match(world.transaction(id).reversals.refunds, [{ status: 'COMPLETED' }])
  const again = await world.execute({ ...aRefund(id, 400), idempotency })
  t.match(again, {
    accepted: true,
    replayed: true,
    reversalId: command.refundId,
    state: { status: 'APPROVED', reversals: { refunds: [{ status: 'PROCESSING' }] } },
  })
  const { id: other } = await world.accepted(aCardPayment())
  const cancellation = { key: 'cancel', fingerprint: 'f' }
  const cancelled = await world.accepted(aCardCancellation(other, cancellation))
  t.equal(cancelled.status, 'REFUNDED')
  const repeat = await world.execute(aCardCancellation(other, cancellation))
  t.match(repeat, { accepted: true, replayed: true })
  t.strictSame(repeat.accepted && repeat.state, cancelled)
  t.equal(world.transaction(other).reversals.refunds.length, 1)
})

t.test('while the acquirer is asked a key is in progress; for another request it is refused', async (t) => {
  const world = await opened()
  const idempotency = { key: 'order-1', fingerprint: 'a' }
  const first = world.shard.execute(aCardPayment({}, { idempotency }))
  const same = world.shard.execute(aCardPayment({}, { idempotency }))
  const other = world.shard.execute(aCardPayment({}, { idempotency: { key: 'order-1', fingerprint: 'b' } }))
  await world.settle()
  t.match(await first, { accepted: true, replayed: false, state: { status: 'APPROVED' } })
  t.match(await same, { rejection: { reason: 'IDEMPOTENCY_KEY_IN_PROGRESS' } })
  t.match(await other, { rejection: { reason: 'IDEMPOTENCY_KEY_REUSED' } })
  t.match(await world.execute(aCardPayment({}, { idempotency })), { accepted: true, replayed: true })
  t.equal(
    await world.refused(aCardPayment({}, { idempotency: { key: 'order-1', fingerprint: 'b' } })),
    'IDEMPOTENCY_KEY_REUSED',
  )
  t.equal(world.memory.list(account, 'transaction', { offset: 0, limit: 9 }).total, 1)
})

t.test('a key is kept for a day from the answer, and new again after it', async (t) => {
  const world = await opened()
  const idempotency = { key: 'order-1', fingerprint: 'a' }
  const { id } = await world.accepted(aCardPayment({}, { idempotency }))
  world.pass(day - 1)
  t.equal((await world.accepted(aCardPayment({}, { idempotency }))).id, id)
  world.pass(1)
  t.not((await world.accepted(aCardPayment({}, { idempotency }))).id, id)
})

t.test('refused commands leave their keys free', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCardPayment({ captures: false }))
  const idempotency = { key: 'k', fingerprint: 'a' }
  t.equal(await world.refused(aCapture(id, 10_001, idempotency)), 'CAPTURE_EXCEEDS_AUTHORIZED')
  t.match(await world.execute(aCapture(id, 1, { ...idempotency, fingerprint: 'b' })), {
    accepted: true,
    replayed: false,
  })
})

t.test('Production has no acquirer: a payment is refused before anything is stored', async (t) => {
  const world = await opened()
  const production: AccountId = accountIdOf(companyId, 'PRODUCTION')
  const profile = {
    companyId,
    environment: 'PRODUCTION',
    name: 'L',
    city: 'R',
    timeZone: 'UTC',
    ...plainProfile,
  } as const
  await world.execute({ type: 'OpenAccount', accountId: production, by: key, profile })
  const appended = world.journal.appended()
  const command = aCardPayment(
    {},
    { accountId: production, customer: aPayer, idempotency: { key: 'k', fingerprint: 'f' } },
  )
  t.equal(await world.refused(command), 'PROVIDER_ABSENT')
  t.equal(await world.refused({ ...command, amountCents: toCents(1) }), 'PROVIDER_ABSENT')
  t.equal(world.journal.appended(), appended)
})

t.test('an answer to a payment that is not there any more is dropped, and its request told so', async (t) => {
  const asked: ProviderRequest[] = []
  const world = await opened(async (request) => {
    asked.push(request)
    return aYes
  })
  const waiting = world.shard.execute(aCardPayment({ captures: false }))
  const cleared = world.shard.execute(aClearing)
  t.ok((await waiting.catch((error) => error)) instanceof ShardUnavailable)
  await world.settle()
  t.match(await cleared, { accepted: true })
  t.equal(asked.length, 1)
  t.equal(world.memory.find('transaction', asked[0]!.transactionId), undefined)
  t.strictSame(world.shard.unansweredCalls(), [])
  t.strictSame(books(t, world), { available: 0, receivable: 0, blocked: 0, fees: 0, payer: 0 })
  t.equal((await world.accepted(aCardPayment())).status, 'APPROVED')
})

t.test('a Sandbox that is cleared while its clock advances over a silent acquirer goes on', async (t) => {
  const world = await opened()
  await world.accepted(aCardPayment({ token: 'tok_test_timeout' }))
  await world.accepted(aCardPayment({ captures: false }))
  await world.execute(aClearing)
  t.match(await world.advance('P1Y'), { accepted: true })
  t.equal(world.memory.list(account, 'transaction', { offset: 0, limit: 9 }).total, 0)
})

t.test(
  'a clock that is set back leaves payments of the future as they are, and expires them then',
  async (t) => {
    const world = await opened()
    await world.advance('P1M')
    const { id } = await world.accepted(aCardPayment({ captures: false }))
    const slow = await world.accepted(aCardPayment({ token: 'tok_test_processing' }))
    await world.execute(aClockReset)
    world.shard.tick()
    t.equal(world.transaction(id).status, 'AUTHORIZED')
    t.equal((await world.accepted(aCapture(id, 1))).status, 'APPROVED')
    t.equal(world.transaction(slow.id).status, 'PROCESSING')
    await world.advance('P2M')
    t.equal(world.transaction(slow.id).status, 'APPROVED')
  },
)

t.test('the versions of a payment are its changes, one each, and the timeline names them all', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCardPayment({ captures: false }))
  await world.accepted(aCapture(id, 5000))
  await world.accepted(aRefund(id, 100))
  const { version, timeline } = world.transaction(id)
  t.strictSame(
    timeline.map((step) => `${step.version} ${step.type} ${step.status}`),
    [
      '1 ChargeCreated CREATED',
      '2 ProviderCalled CREATED',
      '3 CardAuthorized AUTHORIZED',
      '4 ProviderCalled AUTHORIZED',
      '5 CardCaptured APPROVED',
      '6 RefundRequested APPROVED',
      '7 ProviderCalled APPROVED',
      '8 RefundCompleted PARTIALLY_REFUNDED',
    ],
  )
  t.equal(version, 8)
})
