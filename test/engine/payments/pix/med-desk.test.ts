import t from 'tap'
import type { EvidenceFile } from '../../../../engine/payments/transaction/transaction.ts'
import type { MedId, TransactionId } from '../../../../engine/shared/ids.ts'
import { toCents } from '../../../../engine/shared/money.ts'
import { med } from '../../../../gateway/resources/payments/med.ts'
import { marketplace } from '../../marketplace/fixtures.ts'
import { aMed, aMedDecision, booksFor, listener, paidPix, typesOf } from '../../story.ts'
import { aCharge, aPayment, aRefund, dayMs, opened, ours, refusalOf, type World } from '../../world.ts'

const file: EvidenceFile = { name: 'receipt.pdf', mediaType: 'application/pdf', base64: 'JVBERi0=' }
const aDefense = (reversalId: MedId, text = 'It was collected.') =>
  ({ type: 'DefendMed', ...ours, reversalId, text, files: [file] }) as const
const aContest = (reversalId: MedId, text = 'It was collected.') =>
  ({ type: 'ContestMed', ...ours, reversalId, text, files: [] }) as const
const aResolution = (reversalId: MedId, result: 'WON' | 'LOST') =>
  ({ type: 'ResolveMedContest', ...ours, reversalId, result }) as const

const medOf = (world: Pick<World, 'transaction'>, id: TransactionId) =>
  world.transaction(id).reversals.meds.at(-1)!

const seen = (world: World, id: TransactionId) => med.view(medOf(world, id), world.transaction(id))

/** A paid PIX of 100.00 whose MED is open, with the money for it. */
const contested = async () => {
  const world = await opened()
  const { id } = await paidPix(world)
  const spare = await paidPix(world)
  await world.accepted(aMed(id))
  return { world, id, spare, medId: medOf(world, id).id }
}

const returned = async () => {
  const own = await contested()
  await own.world.accepted(aMedDecision(own.medId, 'ACCEPTED'))
  return own
}

t.test('an operational failure is analysed for a day, a fraud for seven', async (t) => {
  const world = await opened()
  const { id } = await paidPix(world)
  await world.accepted({
    ...aMed(id, 100),
    reason: 'OPERATIONAL_FAILURE',
    details: 'sent twice',
    rootEndToEndId: 'E00000000202611201200abcdefghijk',
  })
  t.match(seen(world, id), {
    details: 'sent twice',
    rootEndToEndId: 'E00000000202611201200abcdefghijk',
    analysisDueAt: '2026-11-21T12:00:00.000Z',
  })
  await world.advance('PT23H59M59S')
  t.match(medOf(world, id), { status: 'OPEN' })
  await world.advance('PT1S')
  t.match(medOf(world, id), { status: 'CLOSED', result: 'ACCEPTED', returnedCents: 100 })
})

t.test('an open MED is answered once, with text and files; its days go on', async (t) => {
  const { world, id, medId } = await contested()
  const heard = listener(world)
  const { version } = world.transaction(id)
  await world.accepted(aDefense(medId))
  t.strictSame(typesOf(heard()), [])
  t.equal(world.transaction(id).version, version + 1)
  t.match(seen(world, id), {
    status: 'OPEN',
    defense: {
      text: 'It was collected.',
      files: [{ name: 'receipt.pdf', mediaType: 'application/pdf', size: 5, sha256: /^[0-9a-f]{64}$/ }],
      submittedAt: '2026-11-20T12:00:00.000Z',
    },
  })
  t.match(await refusalOf(world, aDefense(medId)), { reason: 'ALREADY_DEFENDED' })
  t.match(await refusalOf(world, aContest(medId)), { reason: 'INVALID_STATE', currentStatus: 'OPEN' })
  await world.advance('P7D')
  t.match(medOf(world, id), { status: 'CLOSED', result: 'ACCEPTED' })
  t.match(await refusalOf(world, aDefense(medId)), { reason: 'INVALID_STATE', currentStatus: 'CLOSED' })
  t.match(await refusalOf(world, aDefense('med_nobody' as MedId)), { reason: 'NOT_FOUND' })
})

t.test('in the Sandbox a defense decides by what it says, after five seconds', async (t) => {
  for (const [text, result] of [
    ['with winning_evidence', 'REJECTED'],
    ['with losing_evidence', 'ACCEPTED'],
  ] as const) {
    const { world, id, medId } = await contested()
    await world.accepted(aDefense(medId, text))
    await world.advance('PT4S')
    t.match(medOf(world, id), { status: 'OPEN' })
    await world.advance('PT1S')
    t.match(medOf(world, id), { status: 'CLOSED', result })
  }
})

t.test('a won contest credits what was returned, with a line of its own, and no event', async (t) => {
  const { world, id, medId } = await returned()
  const before = world.account().balances.available
  t.match(seen(world, id), { contestUntil: '2027-02-08T12:00:00.000Z', contest: null })
  const heard = listener(world)
  await world.accepted(aContest(medId))
  t.match(seen(world, id), {
    contest: { status: 'UNDER_REVIEW', text: 'It was collected.', resolvedAt: null },
  })
  t.match(await refusalOf(world, aContest(medId)), { reason: 'INVALID_STATE', currentStatus: 'UNDER_REVIEW' })
  await world.accepted(aResolution(medId, 'WON'))
  t.match(seen(world, id), {
    status: 'CLOSED',
    result: 'ACCEPTED',
    returnedAmount: '10000',
    contest: { status: 'WON', resolvedAt: '2026-11-20T12:00:00.000Z' },
  })
  t.strictSame(typesOf(heard()), [])
  t.equal(world.account().balances.available, before + 10_000n)
  t.strictSame(world.account().balances, booksFor(world))
  const [line] = world.memory.list(ours.accountId, 'statementLine', { offset: 0, limit: 1 }).states
  t.match(line, { type: 'MED', cents: 10_000, objectId: id })
  t.match(world.transaction(id), {
    status: 'REFUNDED',
    receivables: [{ type: 'CREDIT' }, { type: 'REFUND' }, { type: 'REFUND_REVERSAL', grossCents: 10_000 }],
  })
  t.match(await refusalOf(world, aResolution(medId, 'WON')), {
    reason: 'INVALID_STATE',
    currentStatus: 'WON',
  })
  t.match(await refusalOf(world, aRefund(id)), { reason: 'INVALID_STATE' }, 'it went back to the payer once')
})

t.test('a lost contest changes nothing, and there is no second one', async (t) => {
  const { world, id, medId } = await returned()
  const { balances } = world.account()
  t.match(await refusalOf(world, aResolution(medId, 'LOST')), { reason: 'NOT_FOUND' })
  await world.accepted(aContest(medId))
  await world.accepted(aResolution(medId, 'LOST'))
  t.strictSame(world.account().balances, balances)
  t.match(seen(world, id), { contest: { status: 'LOST' } })
  t.match(await refusalOf(world, aContest(medId)), { reason: 'INVALID_STATE', currentStatus: 'LOST' })
})

t.test('for eighty days, and only where something was returned', async (t) => {
  const early = await returned()
  await early.world.advance('P80D')
  t.equal(await early.world.refused(aContest(early.medId)), 'accepted', 'to the last millisecond')
  const late = await returned()
  await late.world.execute({
    type: 'AdvanceClock',
    ...ours,
    step: { toMs: Date.UTC(2026, 10, 20, 12) + 80 * dayMs + 1 },
  })
  t.match(await refusalOf(late.world, aContest(late.medId)), { reason: 'DEFENSE_WINDOW_CLOSED' })
  for (const [result, returned] of [
    ['REJECTED', null],
    ['CANCELLED', null],
    ['ACCEPTED', 0],
  ] as const) {
    const { world, id, medId } = await contested()
    await world.accepted(aMedDecision(medId, result, returned))
    t.match(seen(world, id), { contestUntil: null })
    t.match(await refusalOf(world, aContest(medId)), { reason: 'NOTHING_RETURNED' })
  }
})

t.test('in the Sandbox the text of a contest decides it, too', async (t) => {
  for (const [text, status] of [
    ['with winning_evidence', 'WON'],
    ['with losing_evidence', 'LOST'],
  ] as const) {
    const { world, id, medId } = await returned()
    await world.accepted(aContest(medId, text))
    await world.advance('PT5S')
    t.match(medOf(world, id).contest, { status })
  }
})

t.test('recipients have back what they gave, after several MEDs that returned parts', async (t) => {
  const market = await marketplace()
  const { id } = await market.accepted(aCharge({ amountCents: toCents(10_000), splitRuleId: market.rule }))
  await market.execute(aPayment(id))
  await market.execute(aPayment((await market.accepted(aCharge({ amountCents: toCents(50_000) }))).id))
  const before = market.account().balances
  const medIds: MedId[] = []
  for (const part of [3_000, 1_001]) {
    await market.execute(aMed(id, 5_000))
    medIds.push(medOf(market, id).id)
    await market.execute(aMedDecision(medIds.at(-1)!, 'ACCEPTED', part))
  }
  const owed = market.balance(market.seller)
  t.ok(owed < 0)
  const [, share] = market.transaction(id).reversals.refunds.map(({ split }) => split![0]!.amountCents)
  await market.execute(aContest(medIds[1]!))
  await market.execute(aResolution(medIds[1]!, 'WON'))
  t.equal(market.balance(market.seller), owed + share!, 'of the second alone')
  await market.execute(aContest(medIds[0]!))
  await market.execute(aResolution(medIds[0]!, 'WON'))
  t.equal(market.balance(market.seller), 0)
  t.strictSame(market.account().balances, before)
  t.strictSame(market.bookProblems(), [])
})

t.test('what a won contest credits is blocked for another MED that is short', async (t) => {
  const { world, spare, medId } = await returned()
  const other = await paidPix(world, { amountCents: toCents(9_000) })
  await world.accepted(aRefund(spare.id))
  await world.accepted(aMed(other.id))
  t.match(medOf(world, other.id), { blockedCents: 9_000 - 287 })
  await world.accepted(aContest(medId))
  await world.accepted(aResolution(medId, 'WON'))
  t.match(medOf(world, other.id), { blockedCents: 9_000 })
  t.equal(world.account().balances.available, 10_000n - 287n)
  t.strictSame(world.account().balances, booksFor(world))
})
