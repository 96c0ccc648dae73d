import t from 'tap'
import type { TransactionId } from '../../../../engine/shared/ids.ts'
import { toCents } from '../../../../engine/shared/money.ts'
import { aConversion, aQuoteRequest } from '../../crypto/crypto.ts'
import { marketplace } from '../../marketplace/fixtures.ts'
import { moneyStory } from '../../money-out/transfer-story.ts'
import { aChargeback, aMed, aMedDecision, booksFor, listener, paidPix, typesOf } from '../../story.ts'
import {
  aCardPayment,
  aCharge,
  anUnrequestedPix,
  aPayment,
  aRefund,
  askSandbox,
  newWorld,
  opened,
  ours,
  type World,
} from '../../world.ts'
import { aNo } from '../card/commands.ts'

const medOf = (world: Pick<World, 'transaction'>, id: TransactionId) =>
  world.transaction(id).reversals.meds.at(-1)!

const linesOf = (world: Pick<World, 'memory'>): readonly (readonly [string, number])[] =>
  world.memory
    .list(ours.accountId, 'statementLine', { offset: 0, limit: 1000 })
    .states.map(({ type, cents }) => [type, cents] as const)
    .reverse()

/** The statement adds up to the balance, line by line. */
const statementProblems = (world: Pick<World, 'memory' | 'account'>): readonly string[] => {
  let balance = 0n
  const lines = [...world.memory.list(ours.accountId, 'statementLine', { offset: 0, limit: 1000 }).states]
  const problems = lines.reverse().flatMap(({ id, cents, balanceAfter }) => {
    balance += BigInt(cents)
    return String(balance) === balanceAfter ? [] : [`${id}: ${balanceAfter} instead of ${balance}`]
  })
  const { available } = world.account().balances
  return balance === available ? problems : [...problems, `${available} instead of ${balance}`]
}

const newestOf = ({ memory }: Pick<World, 'memory'>) =>
  memory.list(ours.accountId, 'transaction', { offset: 0, limit: 1 }).states[0]!

/** A PIX of 100.00 that is contested whole when nothing of it is there any more. */
const emptied = async () => {
  const story = await moneyStory(0)
  const to = { beneficiaryId: await story.known() }
  await story.receive(10_000)
  const { id } = newestOf(story)
  await story.sends(10_000, to)
  await story.execute(aMed(id))
  return { ...story, to, contested: id, med: () => medOf(story, id) }
}

t.test(
  'what becomes available later is blocked, up to the amount, in the entry that brings it',
  async (t) => {
    const world = await opened()
    const { id } = await paidPix(world)
    await world.accepted(aMed(id))
    t.match(medOf(world, id), { amountCents: 10_000, blockedCents: 9_901 })
    const heard = listener(world)
    await world.accepted(anUnrequestedPix())
    t.notOk(typesOf(heard()).includes('pix.med_opened'), 'it grows without an event')
    t.match(medOf(world, id), { blockedCents: 9_906 })
    t.match(world.account().balances, { available: 0n, blocked: 9_906n })
    await paidPix(world)
    t.match(medOf(world, id), { blockedCents: 10_000 })
    t.match(world.account().balances, { available: 9_807n, blocked: 10_000n })
    t.equal(world.account().shortMeds, undefined, 'nothing is missing any more')
    t.strictSame(world.account().balances, booksFor(world))
    t.strictSame(linesOf(world).slice(-4), [
      ['SETTLEMENT', 5],
      ['MED', -5],
      ['SETTLEMENT', 9_901],
      ['MED', -94],
    ])
    t.strictSame(statementProblems(world), [])
    t.match(world.transaction(id).timeline.at(-1), {
      type: 'MedBlocked',
      status: 'APPROVED',
      actor: { kind: 'CLOCK' },
      data: { amount: '94' },
    })
  },
)

t.test(
  'a transfer finds nothing of a credit, neither at once nor where it was scheduled before',
  async (t) => {
    const { receive, refusal, sends, transfer, advance, balances, to, med, ...story } = await emptied()
    const planned = await sends(3_000, to, { scheduledFor: '2026-11-23' as never })
    t.equal(planned.status, 'SCHEDULED')
    const [, refused] = await Promise.all([receive(5_000), refusal(1, to)])
    t.match(refused, { reason: 'INSUFFICIENT_BALANCE' })
    t.match(med(), { blockedCents: 5_000 })
    await advance('P3D')
    t.match(transfer(planned.id), { status: 'FAILED', failureReason: 'INSUFFICIENT_BALANCE' })
    await receive(6_000)
    t.match(med(), { blockedCents: 10_000 })
    t.match(balances(), { available: 1_000n, blocked: 10_000n })
    t.match(await refusal(1_001, to), { reason: 'INSUFFICIENT_BALANCE' })
    t.match(await sends(1_000, to), { status: 'COMPLETED' })
    t.strictSame(statementProblems(story), [])
  },
)

t.test('a transfer or a conversion that comes back comes back into the block', async (t) => {
  const story = await moneyStory(0)
  const to = { beneficiaryId: await story.known() }
  await story.receive(10_000)
  const { id } = newestOf(story)
  const slow = await story.sends(4_000, to, { metadata: { sandboxScenario: 'transfer_slow' } })
  const quote = aQuoteRequest('BRL', 'USDT', 6_000)
  await story.execute(quote)
  const conversion = aConversion(quote.quoteId, { sandboxScenario: 'conversion_slow' })
  await story.execute(conversion)
  t.equal(story.balances().available, 0n)
  await story.execute(aMed(id))
  t.match(medOf(story, id), { blockedCents: 0 })
  await story.execute({
    type: 'ResolveConversion',
    ...ours,
    conversionId: conversion.conversionId,
    result: 'FAILED',
    failureReason: 'MARKET_MOVED',
  })
  t.match(medOf(story, id), { blockedCents: 6_000 })
  await story.execute({
    type: 'ResolveMoneyOut',
    ...ours,
    transferId: slow.id,
    failureReason: 'ACCOUNT_CLOSED',
  })
  t.match(story.transfer(slow.id), { status: 'FAILED' })
  t.match(medOf(story, id), { blockedCents: 10_000 })
  t.match(story.balances(), { available: 0n, blocked: 10_000n })
  t.strictSame(statementProblems(story), [])
})

t.test(
  'a refund of another charge that fails comes back into the block; its reply is about itself',
  async (t) => {
    const world = await opened((request) =>
      request.operation === 'REFUND' ? Promise.resolve(aNo()) : askSandbox(request),
    )
    const other = await paidPix(world)
    const { id } = await paidPix(world)
    const keyed = { ...aRefund(other.id), idempotency: { key: 'k', fingerprint: 'f' } }
    const asked = world.shard.execute(keyed)
    await world.execute(aMed(id))
    const reply = await asked
    t.match(reply, { accepted: true, replayed: false, reversalId: keyed.refundId, state: { id: other.id } })
    t.match(world.transaction(other.id).reversals.refunds, [{ status: 'FAILED' }])
    t.match(world.transaction(id).timeline.slice(-2), [
      { type: 'MedOpened', data: { amount: '10000' } },
      { type: 'MedBlocked', data: { amount: '198' } },
    ])
    t.match(world.account().balances, { available: 9_802n, blocked: 10_000n })
    const again = await world.execute(keyed)
    t.match(again, { accepted: true, replayed: true, reversalId: keyed.refundId, state: { id: other.id } })
    t.strictSame(world.account().balances, booksFor(world))
    t.strictSame(statementProblems(world), [])
  },
)

t.test('a settlement ahead of its day is blocked, and so is what a won chargeback gives back', async (t) => {
  const story = await moneyStory(0)
  const to = { beneficiaryId: await story.known() }
  const settled = async () => {
    const { id } = await story.accepted(aCardPayment())
    await story.accepted({ type: 'SettleTransaction', ...ours, transactionId: id })
    return id
  }
  const disputed = await settled()
  const net = Number(story.balances().available)
  await story.receive(2 * net)
  const { id } = newestOf(story)
  await story.sends(2 * net, to)
  const { reversals } = await story.accepted(aChargeback(disputed))
  await story.execute(aMed(id))
  t.match(medOf(story, id), { blockedCents: 0 })
  const reversalId = reversals.chargebacks[0]!.id
  await story.execute({ type: 'DisputeChargeback', ...ours, reversalId, text: 'x' })
  await story.execute({ type: 'ResolveChargeback', ...ours, reversalId, result: 'WON' })
  t.match(medOf(story, id), { blockedCents: net })
  await settled()
  t.match(medOf(story, id), { blockedCents: 2 * net })
  t.match(story.balances(), { available: 0n, blocked: BigInt(2 * net) })
  t.strictSame(statementProblems(story), [])
})

t.test('what a batch brings is blocked', async (t) => {
  const { accepted, advance, execute, receive, sends, to, med, balances, ...story } = await emptied()
  await execute(aMedDecision(med().id, 'CANCELLED'))
  await accepted(aCardPayment())
  await advance('P29D')
  await receive(10_000)
  const { id } = newestOf(story)
  await sends(10_000, to)
  await execute(aMed(id))
  t.match(medOf(story, id), { blockedCents: 0 })
  await advance('P5D')
  t.ok(medOf(story, id).blockedCents > 0)
  t.match(balances(), { available: 0n, blocked: BigInt(medOf(story, id).blockedCents) })
  t.strictSame(statementProblems(story), [])
})

t.test('of several MEDs the oldest is served first; what one frees goes to the next', async (t) => {
  const story = await moneyStory(0)
  const to = { beneficiaryId: await story.known() }
  const ids: TransactionId[] = []
  for (const cents of [100, 200, 300]) {
    await story.receive(cents)
    ids.push(newestOf(story).id)
  }
  await story.sends(600, to)
  for (const id of ids) await story.execute(aMed(id))
  const blocked = () => ids.map((id) => medOf(story, id).blockedCents)
  t.strictSame(blocked(), [0, 0, 0])
  await story.receive(150)
  t.strictSame(blocked(), [100, 50, 0])
  await story.execute(aMedDecision(medOf(story, ids[0]!).id, 'REJECTED'))
  t.strictSame(blocked(), [100, 150, 0])
  t.match(story.balances(), { available: 0n, blocked: 150n })
  await story.receive(100)
  t.strictSame(blocked(), [100, 200, 50])
  await story.execute(aMedDecision(medOf(story, ids[1]!).id, 'ACCEPTED', 50))
  t.strictSame(blocked(), [100, 200, 200])
  await story.receive(150)
  t.strictSame(blocked(), [100, 200, 300])
  t.match(story.balances(), { available: 50n, blocked: 300n })
  t.strictSame(statementProblems(story), [])
})

t.test('a balance below zero is filled first', async (t) => {
  const world = await opened()
  const gone = await paidPix(world)
  const { id } = await paidPix(world, { amountCents: toCents(50) })
  await world.accepted(aRefund(gone.id))
  await world.accepted(aMed(id))
  t.equal(world.account().balances.available, -50n)
  await world.accepted({ ...anUnrequestedPix(), amountCents: toCents(60) } as never)
  t.match(medOf(world, id), { blockedCents: 10 })
  t.equal(world.account().balances.available, 0n)
  await world.advance('P8D')
  t.match(medOf(world, id), { status: 'CLOSED', result: 'ACCEPTED', returnedCents: 10 })
  t.strictSame(world.account().balances, booksFor(world))
})

t.test('once it is closed, nothing more is blocked', async (t) => {
  for (const result of ['ACCEPTED', 'REJECTED', 'CANCELLED'] as const) {
    const { receive, execute, balances, med } = await emptied()
    await receive(100)
    await execute(aMedDecision(med().id, result))
    await receive(1_000)
    t.match(med(), { blockedCents: 100, returnedCents: result === 'ACCEPTED' ? 100 : 0 })
    t.match(balances(), { available: result === 'ACCEPTED' ? 1_000n : 1_100n, blocked: 0n })
  }
})

t.test('what recipients have of a credit is theirs', async (t) => {
  const market = await marketplace()
  const { id } = await market.accepted(aCharge({ amountCents: toCents(10_000) }))
  await market.execute(aPayment(id))
  const drain = await market.accepted(aCharge({ amountCents: toCents(9_802) }))
  await market.execute(aPayment(drain.id))
  await market.execute(aRefund(drain.id))
  await market.execute(aMed(id))
  const before = medOf(market, id).blockedCents
  const divided = await market.accepted(aCharge({ amountCents: toCents(100), splitRuleId: market.rule }))
  await market.execute(aPayment(divided.id))
  t.equal(
    medOf(market, id).blockedCents,
    Math.min(10_000, before + 20),
    'twenty of a hundred are the company’s',
  )
  const card = await market.accepted(aCardPayment({}, { splitRuleId: market.rule }))
  await market.advance('P40D')
  t.ok(card)
  t.strictSame(market.bookProblems(), [])
})

t.test('a Sandbox that is reset forgets what was missing', async (t) => {
  const { receive, execute, balances, account } = await emptied()
  await execute({ type: 'ClearSandbox', ...ours })
  t.equal(account().shortMeds, undefined)
  await receive(1_000)
  t.match(balances(), { available: 1_000n, blocked: 0n })
})

t.test('what was missing is known after a restart', async (t) => {
  const { journal, receive, account } = await emptied()
  await receive(100)
  const entries = [...journal.replay(0)].map(({ record }) => record)
  const again = newWorld(undefined, undefined, entries)
  t.strictSame(again.account().shortMeds, account().shortMeds)
  t.match(again.account().shortMeds, [{ missingCents: 9_900 }])
})
