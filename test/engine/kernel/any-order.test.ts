import assert from 'node:assert/strict'
import t from 'tap'
import { applyEntry } from '../../../engine/engine.ts'
import type { Command } from '../../../engine/kernel/registry.ts'
import { cardOf } from '../../../engine/payments/methods/card/card.ts'
import { methodNames } from '../../../engine/payments/methods/index.ts'
import type { ProviderAnswer } from '../../../engine/payments/provider.ts'
import { type Transaction, transactionStatuses } from '../../../engine/payments/transaction/transaction.ts'
import type { SeedTransaction } from '../../../engine/sandbox/commands.ts'
import type { CalendarDate } from '../../../engine/shared/calendar.ts'
import type { ChargebackId, MedId, RefundId, TransactionId } from '../../../engine/shared/ids.ts'
import { origins } from '../../../engine/shared/method.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { openMemory } from '../../../persistence/shard/memory.ts'
import { emptyStore } from '../../../persistence/snapshot/store.ts'
import {
  aBoletoPayment,
  aChargeback,
  aMed,
  aMedDecision,
  aSeed,
  booksFor,
  putAsideIn,
  scenario,
  transactionsOf,
} from '../story.ts'
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
  askSandbox,
  dayMs,
  newWorld,
  ours,
  seeded,
  type World,
} from '../world.ts'

/**
 * Commands of every kind in any order, with the clock going any way it may: whatever is refused, nothing breaks an
 * invariant, no timer gets stuck, the books show what the payments say, and the journal says what memory knows. A seed that found something stays here.
 */
const seedsThatFoundSomething: readonly number[] = [114, 225]
const seedsOfThisRun = 25
const commandsMax = 200

for (const seed of [...seedsThatFoundSomething, ...Array.from({ length: seedsOfThisRun }, (_, n) => n + 1)]) {
  t.test(`any commands in any order keep the books (seed ${seed})`, async (t) => {
    await live(seed)
    t.pass('nothing broke')
  })
}

async function live(seed: number): Promise<void> {
  const random = seeded(seed)
  const upTo = (max: number): number => random() % max
  const oneOf = <Item>(items: readonly Item[]): Item => items[upTo(items.length)]!
  const world = newWorld(async (request) => {
    const dice = upTo(10)
    if (dice === 0) return silent
    if (dice === 1 && request.operation !== 'REVERSE') return refused
    return askSandbox(request)
  })
  await world.open()

  const names = ['paid', 'paid_twice', 'paid_late', 'never_paid', 'med', 'refund_slow', 'refund_fails']
  const scenarios = [...names, 'paid_overdue', 'chargeback', 'insufficient_balance', 'provider_error']
  const tokens = [
    'approved',
    'processing',
    'timeout',
    'chargeback',
    'declined_51',
    'refund_slow',
    'capture_fails',
  ]
  const change = () => ({
    amountCents: toCents(1 + upTo(oneOf([10, 1_000, 1_000_000]))),
    customer: aPayer,
    ...(upTo(3) === 0 && scenario(oneOf(scenarios))),
  })
  const dueDate = (): CalendarDate =>
    new Date(clock() + upTo(60) * dayMs).toISOString().slice(0, 10) as CalendarDate
  const clock = (): number => world.now() + world.account().clockOffsetMs
  const amount = (): number | null => (upTo(2) === 0 ? null : 1 + upTo(oneOf([5, 500, 500_000])))
  /** Mostly one that the command can be about. */
  const some = (fits: (transaction: Transaction) => boolean = () => true): TransactionId => {
    const all = transactionsOf(world)
    const fitting = all.filter(fits)
    return oneOf(fitting.length === 0 || upTo(10) === 0 ? all : fitting).id
  }
  const parts = (): readonly string[] =>
    transactionsOf(world).flatMap(({ reversals: { refunds, chargebacks, meds } }) =>
      [...refunds, ...chargebacks, ...meds].map(({ id }) => id),
    )
  const part = <Id extends string>(prefix: string): Id =>
    (oneOf(parts().filter((id) => id.startsWith(prefix))) ?? `${prefix}nobody`) as Id

  const creations: readonly (() => Command)[] = [
    () => aCharge(change()),
    () => aCharge({ ...change(), origin: 'DEPOSIT' }),
    () => anUnrequestedPix(),
    () => aBoleto({ dueDate: dueDate(), discountCents: toCents(0), withPix: upTo(2) === 0 }, change()),
    () =>
      aCardPayment(
        { token: `tok_test_${oneOf(tokens)}`, installments: 1 + upTo(12), captures: upTo(4) > 0 },
        change(),
      ),
    () => aRandomSeed(),
  ]
  const aRandomSeed = (): SeedTransaction => {
    const method = oneOf(methodNames)
    return aSeed({
      ...change(),
      method,
      status: oneOf(transactionStatuses),
      origin: oneOf(origins),
      currency: method === 'CRYPTO' ? 'USDT' : 'BRL',
      installments: 1 + upTo(12),
      createdAtMs: clock() - upTo(300) * dayMs,
    })
  }
  const anAdvance = (): Command => ({
    type: 'AdvanceClock',
    ...ours,
    step: { by: oneOf(['PT5S', 'PT1H', 'P1D', 'P9D', 'P29D', 'P40D']) },
  })
  const others: readonly (() => Command)[] = [
    () => aPayment(some(({ method, status }) => method === 'PIX' && status === 'PENDING')),
    () => aPayment(some()),
    () =>
      aBoletoPayment(
        some(({ method, status }) => method === 'BOLETO' && status === 'PENDING'),
        { clearing: oneOf(['IMMEDIATE', 'NEXT_BUSINESS_DAY']) },
      ),
    () => aCancellation(some(({ status }) => status === 'PENDING' || status === 'AUTHORIZED')),
    () => aRefund(some(isHeld), amount()),
    () => aRefund(some(isHeld), amount()),
    () => aRefund(some(isHeldCard), amount()),
    () => ({
      type: 'ResolveRefund',
      ...ours,
      reversalId: part<RefundId>('rfd_'),
      result: oneOf(['COMPLETED', 'FAILED']),
    }),
    () =>
      aMed(
        some((transaction) => isHeld(transaction) && transaction.method === 'PIX'),
        amount(),
      ),
    () => aMedDecision(part<MedId>('med_'), oneOf(['ACCEPTED', 'REJECTED', 'CANCELLED']), amount()),
    () => aChargeback(some(isHeldCard), amount()),
    () => aChargeback(some(isHeldCard)),
    () => ({
      type: 'DisputeChargeback',
      ...ours,
      reversalId: part<ChargebackId>('cbk_'),
      text: oneOf(defenses),
    }),
    () => ({
      type: 'ResolveChargeback',
      ...ours,
      reversalId: part<ChargebackId>('cbk_'),
      result: oneOf(['WON', 'WON', 'LOST']),
    }),
    () => ({
      type: 'CaptureCharge',
      ...ours,
      transactionId: some(({ status }) => status === 'AUTHORIZED'),
      amountCents: amount() as never,
    }),
    () => ({
      type: 'CancelCardPayment',
      ...ours,
      transactionId: some(isHeldCard),
      refundId: aRefund(some()).refundId,
      address: null,
      mayRefund: true,
    }),
    () => ({
      type: 'ResolveAuthorization',
      ...ours,
      transactionId: some(),
      result: oneOf(['APPROVED', 'DECLINED', 'FAILED']),
      providerCode: '51',
    }),
    () => ({ type: 'SettleTransaction', ...ours, transactionId: some() }),
    () => ({ type: 'ExpireCharge', ...ours, transactionId: some(), method: null }),
    anAdvance,
    anAdvance,
  ]

  for (let count = 0; count < commandsMax; count++) {
    const isEmpty = transactionsOf(world).length === 0
    const command = (isEmpty || upTo(3) === 0 ? oneOf(creations) : oneOf(others))()
    const happenings: readonly (() => Promise<unknown>)[] = [
      () => world.execute({ type: 'ResetClock', ...ours }),
      () => passed(world, upTo(oneOf([1_000, dayMs, 100 * dayMs]))),
    ]
    await world.execute(command)
    for (const happening of upTo(12) === 0 ? [oneOf(happenings)] : []) await happening()
    requireSound(world)
  }
  await world.advance('P2Y')
  requireSound(world)
  const replayed = openMemory(emptyStore(), world.journal)
  for (const { sequence, record } of world.journal.replay(0)) applyEntry(replayed, sequence, record)
  assert.deepStrictEqual(replayed.find('account', account), world.memory.find('account', account))
  for (const { id } of transactionsOf(world))
    assert.deepStrictEqual(replayed.find('transaction', id), world.memory.find('transaction', id))
}

const silent: ProviderAnswer = { type: 'SILENT' }
const refused: ProviderAnswer = { type: 'REFUSED', refusal: { reason: 'ERROR', message: 'no' } }
const defenses = ['winning_evidence ......', 'losing_evidence ......', 'nothing of the kind ......']

/** Real time goes by, and the service notices. */
const passed = async (world: World, ms: number): Promise<void> => {
  world.pass(ms)
  world.shard.tick()
  await world.settle()
}

const requireSound = (world: World): void => {
  assert.deepStrictEqual(putAsideIn(world), [])
  const { balances, schedule } = world.account()
  assert.deepStrictEqual(balances, booksFor(world))
  const scheduled = Object.values(schedule).flatMap((month) => Object.values(month))
  const net = scheduled.reduce((sum, { grossCents, feeCents }) => sum + BigInt(grossCents - feeCents), 0n)
  assert.equal(net, balances.receivable)
  for (const transaction of transactionsOf(world)) {
    const { paidCents, feeCents, reversals } = transaction
    const back = reversals.refunds.reduce(
      (sum, { amountCents, status }) => sum + (status === 'FAILED' ? 0 : amountCents),
      0,
    )
    assert.ok(back <= paidCents, 'no more goes back than was paid')
    assert.ok(feeCents >= 0 && feeCents <= paidCents, 'the fee is a part of what was paid')
    for (const row of transaction.receivables) assert.ok(row.grossCents >= 0 && row.feeCents >= 0)
  }
}

const isHeld = ({ status }: Transaction): boolean => status === 'APPROVED' || status === 'PARTIALLY_REFUNDED'
const isHeldCard = (transaction: Transaction): boolean => isHeld(transaction) && cardOf(transaction) !== null
