import t from 'tap'
import { clockNow } from '../../../engine/kernel/clock.ts'
import { ledgerSum } from '../../../engine/ledger/postings.ts'
import type { ProviderAnswer, ProviderRequest } from '../../../engine/payments/provider.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import {
  aCardPayment,
  aCharge,
  account,
  aPayment,
  aRefund,
  askSandbox,
  institution,
  newWorld,
  opened,
  refusalOf,
  type World,
} from '../world.ts'
import { aCapture, aCardCancellation } from './card/commands.ts'

const undone: ProviderAnswer = { type: 'UNDONE', message: 'taken back' }
const silence: ProviderAnswer = { type: 'SILENT' }

/** A world whose provider answers this operation so, in its order and then as the Sandbox does. */
const answering = (operation: ProviderRequest['operation'], ...answers: ProviderAnswer[]): Promise<World> =>
  opened((request) => {
    const next = request.operation === operation ? answers.shift() : undefined
    return next === undefined ? askSandbox(request) : Promise.resolve(next)
  })

const hour = 3_600_000

t.test('an authorization that the acquirer took back by itself is none', async (t) => {
  for (const answers of [[undone], [silence, undone]]) {
    const world = await answering('AUTHORIZE', ...answers)
    const { id } = await world.accepted(aCardPayment())
    await world.advance('PT1H')
    t.match(world.transaction(id), { status: 'FAILED', failureReason: 'PROVIDER_ERROR', calls: [] })
    t.equal(world.account().balances.available, 0n)
    t.equal(ledgerSum(world.account().balances), 0n)
  }
})

t.test(
  'a sale that was taken back when it was to be captured is cancelled, and captures nothing',
  async (t) => {
    for (const answers of [[undone], [silence, undone]]) {
      const world = await answering('CAPTURE', ...answers)
      const { id } = await world.accepted(aCardPayment({ captures: false }))
      await world.execute(aCapture(id))
      await world.advance('PT1H')
      t.match(world.transaction(id), { status: 'CANCELLED', paidCents: 0, calls: [], receivables: [] })
      t.equal(await world.refused(aCapture(id)), 'INVALID_STATE')
    }
  },
)

t.test('a refund that came back has failed, and its money can be refunded', async (t) => {
  for (const answers of [[undone], [silence, undone]]) {
    const world = await answering('REFUND', ...answers)
    const { id } = await world.accepted(aCharge())
    await world.accepted(aPayment(id))
    const before = world.account().balances.available
    await world.accepted(aRefund(id, 500))
    await world.advance('PT1H')
    t.match(world.transaction(id), {
      status: 'APPROVED',
      reversals: { refunds: [{ status: 'FAILED', failureReason: 'REFUSED_BY_PROVIDER' }] },
    })
    t.equal(world.account().balances.available, before)
    await world.accepted(aRefund(id))
    t.match(world.transaction(id), { status: 'REFUNDED' })
  }
})

t.test('a void that would be undone is asked for until it is sure', async (t) => {
  const world = await answering('VOID', undone)
  const { id } = await world.accepted(aCardPayment({ captures: false }))
  await world.execute(aCardCancellation(id))
  t.match(world.transaction(id), { status: 'AUTHORIZED', calls: [{ operation: 'VOID', unanswered: 1 }] })
  await world.advance('PT5S')
  t.match(world.transaction(id), { status: 'CANCELLED', calls: [] })
})

/** A refund that is never decided. */
const openRefund = async (
  answer: ProviderAnswer,
): Promise<{ world: World; call: () => Transaction['calls'][0] }> => {
  const world = await opened((request) =>
    request.operation === 'REFUND' ? Promise.resolve(answer) : askSandbox(request),
  )
  const { id } = await world.accepted(aCharge())
  await world.accepted(aPayment(id))
  await world.accepted(aRefund(id, 500))
  return { world, call: () => world.transaction(id).calls[0]! }
}

t.test('an open call is repeated every ten minutes for a day, and then every six hours', async (t) => {
  const { world, call } = await openRefund(silence)
  const inMs = () => call().dueAtMs! - clockNow(world.account(), world.now())
  t.equal(inMs(), 5_000)
  const waits: number[] = []
  for (let n = 0; n < 6; n++) {
    await world.advance(`PT${inMs() / 1_000}S`)
    waits.push(inMs() / 1_000)
  }
  t.strictSame(waits, [15, 60, 180, 600, 600, 600])
  await world.advance('PT23H')
  t.ok(inMs() <= 600_000)
  await world.advance('PT1H')
  const first = inMs()
  t.ok(first > 5 * hour && first <= 6 * hour)
  const before = call().unanswered
  await world.advance('P1D')
  t.equal(call().unanswered, before + 4)
})

t.test('a provider that says when is asked then', async (t) => {
  const { world, call } = await openRefund({ type: 'PENDING', asksAgainInMs: 90_000 })
  t.equal(call().dueAtMs! - clockNow(world.account(), world.now()), 90_000)
  const { call: other, world: slow } = await openRefund({ type: 'PENDING', asksAgainInMs: null })
  t.equal(other().dueAtMs! - clockNow(slow.account(), slow.now()), 5_000)
})

t.test('what was under way when a shard is opened says so, and what is due later does not', async (t) => {
  const world = await opened(() => new Promise(() => undefined))
  void world.shard.execute(aCardPayment())
  world.journal.flush()
  const left = [...world.journal.replay(0)].map(({ record }) => record)
  const resumed = newWorld(askSandbox, undefined, left)
  t.match(resumed.shard.unansweredCalls(), [{ operation: 'AUTHORIZE', asked: 0, isResumed: true }])
  const silent = await opened(async () => silence)
  await silent.execute(aCardPayment())
  const postponed = newWorld(
    askSandbox,
    undefined,
    [...silent.journal.replay(0)].map(({ record }) => record),
  )
  t.strictSame(postponed.shard.unansweredCalls(), [])
})

t.test('while its provider does not answer, nothing new is begun, and nothing is stored', async (t) => {
  let seconds: number | null = 12
  const world = await opened(undefined, undefined, [], { ...institution, unreachableSeconds: () => seconds })
  const appended = world.journal.appended()
  const idempotency = { key: 'order-1', fingerprint: 'f' }
  for (const [rail, charge] of [
    ['PIX', aCharge({ idempotency })],
    ['CARD', aCardPayment({}, { idempotency })],
  ] as const)
    t.strictSame(await refusalOf(world, charge), {
      reason: 'PROVIDER_UNREACHABLE',
      rail,
      retryAfterSeconds: 12,
    })
  t.equal(world.journal.appended(), appended)
  seconds = null
  const { id } = await world.accepted(aCharge({ idempotency }))
  await world.accepted(aPayment(id))
  seconds = 12
  t.match(await world.accepted(aRefund(id)), { status: 'REFUNDED' }, 'money back is never refused')
})

t.test('what the provider does not offer is refused before something is stored', async (t) => {
  const asked: unknown[] = []
  const without = {
    ...institution,
    offers: (of: unknown, rail: unknown, offer: unknown) => {
      asked.push([of, rail, offer])
      return false
    },
  }
  const world = await opened(undefined, undefined, [], without)
  const appended = world.journal.appended()
  t.strictSame(await refusalOf(world, aCardPayment({ captures: false })), {
    reason: 'NOT_OFFERED',
    rail: 'CARD',
    offer: 'CAPTURE',
  })
  t.equal(world.journal.appended(), appended)
  const paid = await world.accepted(aCardPayment())
  t.strictSame(await refusalOf(world, aRefund(paid.id)), {
    reason: 'REFUND_NOT_SUPPORTED',
    method: 'CREDIT_CARD',
  })
  t.strictSame(asked, [
    [account, 'CARD', 'CAPTURE'],
    [account, 'CARD', 'REFUND'],
  ])
})
