import t from 'tap'
import type { ReportReturn } from '../../../../../engine/payments/methods/pix/commands.ts'
import type { ReturnAtBank } from '../../../../../engine/payments/methods/pix/pix.ts'
import type {
  AssignSuspense,
  ReceiveUnmatchedPix,
  ReturnSuspense,
  WriteOffSuspense,
} from '../../../../../engine/payments/suspense/commands.ts'
import { leftInSuspenseCents, type Suspense } from '../../../../../engine/payments/suspense/suspense.ts'
import type { SuspenseId, TransactionId } from '../../../../../engine/shared/ids.ts'
import { toCents } from '../../../../../engine/shared/money.ts'
import { connectionIdOf, live, liveAccount } from '../../../connections/live.ts'
import { listener, typesOf } from '../../../story.ts'
import { newTransactionId } from '../../../world.ts'
import { aLiveCharge, anArrival, aPixAtBank, isRefused, newShop, registered, silence } from './at-bank.ts'

let items = 0
const anUnmatched = (change: Partial<ReceiveUnmatchedPix> = {}): ReceiveUnmatchedPix => ({
  type: 'ReceiveUnmatchedPix',
  ...live,
  suspenseId: `ssp_${String(++items).padStart(26, '0')}` as SuspenseId,
  connectionId: connectionIdOf(1),
  providerId: 'made-up-bank',
  txid: 'x'.repeat(32),
  pixKey: 'shop@bank.example',
  ...aPixAtBank(),
  ...change,
})

const ana = { kind: 'PERSON', id: 'per_1' } as const
const bia = { kind: 'PERSON', id: 'per_2' } as const

const anAssignment = (suspenseId: SuspenseId, chargeId: TransactionId | null): AssignSuspense => ({
  type: 'AssignSuspense',
  accountId: liveAccount,
  by: ana,
  suspenseId,
  chargeId,
  depositId: newTransactionId(),
})

const aWriteOff = (
  suspenseId: SuspenseId,
  by: WriteOffSuspense['by'],
  standing: WriteOffSuspense['standing'] = { sinceMs: 0, isConfirmed: true },
): WriteOffSuspense => ({
  type: 'WriteOffSuspense',
  accountId: liveAccount,
  by,
  suspenseId,
  reason: 'o banco estornou',
  standing,
})

const aReturn = (suspenseId: SuspenseId, by: ReturnSuspense['by'] = ana): ReturnSuspense => ({
  type: 'ReturnSuspense',
  accountId: liveAccount,
  by,
  suspenseId,
})

/** What the bank says of a return. */
const aReport = (endToEndId: string, returned: Partial<ReturnAtBank> = {}): ReportReturn => ({
  type: 'ReportReturn',
  accountId: liveAccount,
  by: { kind: 'PROVIDER', id: null },
  endToEndId,
  returned: {
    id: 'made-in-the-app',
    returnId: 'D'.padEnd(32, '7'),
    amountCents: toCents(10_000),
    status: 'DONE',
    nature: 'ORIGINAL',
    reason: null,
    ...returned,
  },
})

const suspendedShop = async () => {
  const shop = await newShop({ REGISTER: registered, RETURN: { type: 'RETURNED', returnId: 'D1' } })
  const unmatched = anUnmatched()
  await shop.world.execute(unmatched)
  const item = (): Suspense => shop.world.memory.find('suspense', unmatched.suspenseId)!.state
  return { ...shop, unmatched, id: unmatched.suspenseId, item }
}

t.test('money that belongs to nothing is in suspense, once, and is listed', async (t) => {
  const { world, unmatched, item, balances, sum } = await suspendedShop()
  t.match(item(), { status: 'OPEN', amountCents: 10_000, txid: 'x'.repeat(32) })
  t.match(balances(), { suspense: 10_000n, payer: -10_000n, available: 0n })
  t.equal(sum(), 0n)
  const { endToEndId } = unmatched
  t.match(await world.execute(anUnmatched({ endToEndId })), { rejection: { reason: 'ALREADY_RECEIVED' } })
  const charge = await world.accepted(aLiveCharge())
  t.match(await world.execute(anArrival(charge, { endToEndId })), {
    rejection: { reason: 'ALREADY_RECEIVED' },
  })
  const arrival = anArrival(charge)
  await world.execute(arrival)
  t.match(await world.execute(anUnmatched({ endToEndId: arrival.endToEndId })), {
    rejection: { reason: 'ALREADY_RECEIVED' },
  })
  const list = {
    type: 'ListSuspense',
    accountId: liveAccount,
    page: 1,
    pageSize: 10,
    asOf: null,
    from: null,
    to: null,
  } as const
  t.match(await world.shard.query({ ...list, statuses: [] }), {
    rows: [{ id: unmatched.suspenseId }],
    total: 1,
  })
  t.match(await world.shard.query({ ...list, statuses: ['ASSIGNED'] }), { total: 0 })
})

t.test('it pays the charge that it came for, as if it had come so', async (t) => {
  const { world, id, item, balances, sum, received } = await suspendedShop()
  const charge = await world.accepted(aLiveCharge())
  const hear = listener(world)
  await world.execute(anAssignment(id, charge.id))
  t.match(world.transaction(charge.id), { status: 'APPROVED', paidCents: 10_000 })
  t.match(item(), { status: 'ASSIGNED', transactionId: charge.id })
  t.match(balances(), { suspense: 0n, available: 9_901n, payer: -10_000n })
  t.equal(sum(), 0n)
  t.equal(received().length, 1)
  t.strictSame(typesOf(hear()).slice(0, 2), ['pix.received', 'payment.approved'])
  const other = await world.accepted(aLiveCharge())
  t.match(await world.execute(anAssignment(id, other.id)), { rejection: { reason: 'INVALID_STATE' } })
})

t.test('a charge that cannot take it sends it back', async (t) => {
  const { world, bank, id, balances, received } = await suspendedShop()
  const charge = await world.accepted(aLiveCharge({ amountCents: toCents(5_000) }))
  await world.execute(anAssignment(id, charge.id))
  t.match(received(), [{ returnReason: 'AMOUNT_MISMATCH', returning: 'RETURNED' }])
  t.match(balances(), { suspense: 0n, available: 0n, payer: 0n })
  t.match(bank.asked.at(-1), { operation: 'RETURN', amountCents: 10_000 })
})

t.test('without a charge it is a deposit', async (t) => {
  const { world, id, item, balances, sum } = await suspendedShop()
  const assignment = anAssignment(id, null)
  await world.execute(assignment)
  t.match(world.transaction(assignment.depositId), {
    status: 'APPROVED',
    origin: 'DEPOSIT',
    connectionId: connectionIdOf(1),
  })
  t.match(item(), { status: 'ASSIGNED', transactionId: assignment.depositId })
  t.match(balances(), { suspense: 0n, available: 10_000n })
  t.equal(sum(), 0n)
})

t.test(
  'it is never assigned to a charge of another connection, from which it could not be refunded',
  async (t) => {
    const { world } = await suspendedShop()
    const foreign = anUnmatched({ connectionId: connectionIdOf(2) })
    await world.execute(foreign)
    const charge = await world.accepted(aLiveCharge())
    for (const chargeId of [charge.id, newTransactionId()])
      t.match(await world.execute(anAssignment(foreign.suspenseId, chargeId)), {
        rejection: { reason: 'NOT_FOUND' },
      })
    t.equal(world.transaction(charge.id).status, 'PENDING')
  },
)

t.test('it takes two people to write it off', async (t) => {
  const { world, id, item, balances, sum } = await suspendedShop()
  for (const by of [live.by, { kind: 'CLOCK', id: null }, { kind: 'OPERATOR', id: null }] as const)
    t.match(await world.execute(aWriteOff(id, by)), { rejection: { reason: 'OWN_REQUEST' } })
  await world.execute(aWriteOff(id, ana))
  t.match(item(), { status: 'OPEN', proposed: { by: ana } })
  t.match(await world.execute(aWriteOff(id, ana)), { rejection: { reason: 'OWN_REQUEST' } })
  t.equal(balances().suspense, 10_000n)
  await world.execute(aWriteOff(id, bia))
  t.match(item(), { status: 'WRITTEN_OFF' })
  t.match(balances(), { suspense: 0n, payer: 0n, available: 0n })
  t.equal(sum(), 0n)
  t.match(await world.execute(anUnmatched({ endToEndId: item().endToEndId })), {
    rejection: { reason: 'ALREADY_RECEIVED' },
  })
})

t.test('who came to approve after the proposal, by one person alone, does not write it off', async (t) => {
  const { world, id, item } = await suspendedShop()
  await world.execute(aWriteOff(id, ana))
  const { proposed } = item()
  for (const standing of [null, { sinceMs: proposed!.atMs + 1, isConfirmed: false }])
    t.match(await world.execute(aWriteOff(id, bia, standing)), { rejection: { reason: 'APPROVER_TOO_NEW' } })
  t.match(await world.execute(aWriteOff(id, bia, { sinceMs: 0, isConfirmed: false })), { accepted: true })
  t.equal(item().status, 'WRITTEN_OFF')
})

t.test('the operator joins a person who wrote it off, and is no first one', async (t) => {
  const { world, id, item } = await suspendedShop()
  await world.execute(aWriteOff(id, ana))
  await world.execute(aWriteOff(id, { kind: 'OPERATOR', id: null }, null))
  t.equal(item().status, 'WRITTEN_OFF')
})

t.test('it goes back to its payer by the bank that it came by', async (t) => {
  const { world, bank, id, unmatched, item, balances, sum } = await suspendedShop()
  await world.execute(aReturn(id))
  await world.settle()
  t.match(item(), { status: 'RETURNED', returns: [{ returnId: 'D1', amountCents: 10_000 }] })
  t.match(bank.asked.at(-1), {
    operation: 'RETURN',
    amountCents: 10_000,
    connectionId: connectionIdOf(1),
    pixReturn: { endToEndId: unmatched.endToEndId, id: id.slice(4) },
  })
  t.match(balances(), { suspense: 0n, payer: 0n, available: 0n })
  t.equal(sum(), 0n)
  // What our return did is reported by the bank, too.
  t.match(await world.execute(aReport(unmatched.endToEndId, { id: id.slice(4) })), { accepted: true })
  t.match(await world.execute(aReturn(id, bia)), { rejection: { reason: 'INVALID_STATE' } })
  t.equal(bank.asked.filter(({ operation }) => operation === 'RETURN').length, 1)
  t.equal(balances().suspense, 0n)
})

t.test(
  'two people at once return it once, and what is returning is neither assigned nor written off',
  async (t) => {
    const { world, bank, id, item } = await suspendedShop()
    bank.answers = { REGISTER: registered }
    const charge = await world.accepted(aLiveCharge())
    const replies = await Promise.all([
      world.execute(aReturn(id)),
      world.execute(aReturn(id, bia)),
      world.execute(anAssignment(id, charge.id)),
      world.execute(aWriteOff(id, bia)),
    ])
    t.strictSame(
      replies.map(({ accepted }) => accepted),
      [true, false, false, false],
    )
    for (const reply of replies.slice(1))
      t.match(reply, { rejection: { reason: 'INVALID_STATE', currentStatus: 'RETURNING' } })
    await world.settle()
    t.equal(bank.asked.filter(({ operation }) => operation === 'RETURN').length, 1)
    t.equal(item().status, 'RETURNING')
    t.equal(world.transaction(charge.id).status, 'PENDING')
  },
)

t.test('what was assigned is not returned', async (t) => {
  const { world, bank, id, item } = await suspendedShop()
  const charge = await world.accepted(aLiveCharge())
  await Promise.all([world.execute(anAssignment(id, charge.id)), world.execute(aReturn(id, bia))])
  await world.settle()
  t.equal(item().status, 'ASSIGNED')
  t.notOk(bank.asked.some(({ operation }) => operation === 'RETURN'))
})

t.test('a silent bank is asked by the same id until it says what it did', async (t) => {
  const { world, bank, pass, id, item, balances } = await suspendedShop()
  bank.answers = { RETURN: silence }
  await world.execute(aReturn(id))
  await world.settle()
  t.match(item(), { status: 'RETURNING', returning: { unanswered: 1 } })
  await pass(5_000)
  bank.answers = { RETURN: { type: 'RETURNED', returnId: 'D2' } }
  await pass(15_000)
  t.match(item(), { status: 'RETURNED', returns: [{ returnId: 'D2' }] })
  const ids = bank.asked.flatMap(({ pixReturn }) => pixReturn?.id ?? [])
  t.strictSame(ids, [id.slice(4), id.slice(4), id.slice(4)])
  t.equal(balances().suspense, 0n)
})

t.test(
  'a return that the bank refuses on four days leaves it in suspense, and a person may try once more',
  async (t) => {
    const { world, bank, pass, id, item, balances } = await suspendedShop()
    bank.answers = { RETURN: isRefused('conta encerrada') }
    await world.execute(aReturn(id))
    await world.settle()
    for (let day = 1; day < 4; day++) {
      t.match(item(), { status: 'RETURNING', returning: { attempts: day, callId: null } })
      await pass(24 * 3_600_000)
    }
    t.match(item(), { status: 'OPEN', returning: { attempts: 4, message: 'conta encerrada', dueAtMs: null } })
    await pass(10 * 24 * 3_600_000)
    t.equal(balances().suspense, 10_000n)
    const ids = bank.asked.flatMap(({ pixReturn }) => pixReturn?.id ?? [])
    t.strictSame(
      ids,
      ['', '2', '3', '4'].map((n) => id.slice(4) + n),
    )
    bank.answers = { RETURN: { type: 'RETURNED', returnId: 'D3' } }
    await world.execute(aReturn(id, bia))
    await world.settle()
    t.match(item(), { status: 'RETURNED', returning: { attempts: 5, by: bia } })
    t.equal(balances().suspense, 0n)
  },
)

t.test('what a person sends back in the bank’s app is not there any more', async (t) => {
  const { world, bank, id, unmatched, item, balances, sum } = await suspendedShop()
  const part = aReport(unmatched.endToEndId, { id: 'a', amountCents: toCents(4_000) })
  await world.execute(part)
  await world.execute(part)
  t.match(item(), { status: 'OPEN' })
  t.equal(leftInSuspenseCents(item()), 6_000)
  t.equal(balances().suspense, 6_000n)
  const tooMuch = aReport(unmatched.endToEndId, { id: 'b', amountCents: toCents(6_001) })
  t.match(await world.execute(tooMuch), { rejection: { reason: 'REFUND_EXCEEDS_BALANCE' } })
  await world.execute(aReturn(id))
  await world.settle()
  t.match(bank.asked.at(-1), { operation: 'RETURN', amountCents: 6_000 })
  t.match(item(), { status: 'RETURNED' })
  t.match(balances(), { suspense: 0n, payer: 0n })
  t.equal(sum(), 0n)
})

t.test('money that the bank’s app has sent back ends our return of it', async (t) => {
  const { world, bank, pass, id, unmatched, item, balances } = await suspendedShop()
  bank.answers = { RETURN: silence }
  await world.execute(aReturn(id))
  await world.settle()
  await world.execute(aReport(unmatched.endToEndId))
  t.match(item(), { status: 'RETURNED', returning: { callId: null, dueAtMs: null } })
  const asked = bank.asked.length
  bank.answers = { RETURN: { type: 'RETURNED', returnId: 'D9' } }
  await pass(24 * 3_600_000)
  t.equal(bank.asked.length, asked)
  t.match(balances(), { suspense: 0n, payer: 0n })
})

t.test(
  'a part that the bank’s app has sent back leaves the rest, and our return of the whole is refused',
  async (t) => {
    const { world, bank, pass, id, unmatched, item, balances } = await suspendedShop()
    bank.answers = { RETURN: silence }
    await world.execute(aReturn(id))
    await world.settle()
    await world.execute(aReport(unmatched.endToEndId, { amountCents: toCents(1_000) }))
    t.equal(item().status, 'RETURNING')
    bank.answers = {
      RETURN: ({ amountCents }) =>
        amountCents > 9_000 ? isRefused('saldo') : { type: 'RETURNED', returnId: 'D4' },
    }
    await pass(5_000)
    t.match(item(), { status: 'RETURNING', returning: { callId: null } })
    await pass(24 * 3_600_000)
    t.match(item(), { status: 'RETURNED', returns: [{ amountCents: 1_000 }, { amountCents: 9_000 }] })
    t.match(balances(), { suspense: 0n, payer: 0n })
  },
)

t.test('a return of another amount than we asked for is no answer to it', async (t) => {
  const { world, bank, id, unmatched, item } = await suspendedShop()
  bank.answers = { RETURN: silence }
  await world.execute(aReturn(id))
  await world.settle()
  const report = aReport(unmatched.endToEndId, { id: id.slice(4), amountCents: toCents(1) })
  t.match(await world.execute(report), { rejection: { reason: 'AMOUNT_MISMATCH' } })
  t.equal(item().status, 'RETURNING')
  const refused = aReport(unmatched.endToEndId, { id: id.slice(4), status: 'NOT_DONE', reason: 'AB09' })
  await world.execute(refused)
  t.match(item(), { status: 'RETURNING', returning: { callId: null, message: 'AB09' } })
})

t.test('what went back of money that was assigned is a refund of its charge', async (t) => {
  const { world, id, unmatched, balances } = await suspendedShop()
  const charge = await world.accepted(aLiveCharge())
  await world.execute(anAssignment(id, charge.id))
  await world.execute(aReport(unmatched.endToEndId, { amountCents: toCents(2_500) }))
  t.match(world.transaction(charge.id), { reversals: { refunds: [{ origin: 'BANK', amountCents: 2_500 }] } })
  t.equal(balances().suspense, 0n)
})

t.test('what is left of it pays a charge of that amount', async (t) => {
  const { world, id, unmatched } = await suspendedShop()
  await world.execute(aReport(unmatched.endToEndId, { amountCents: toCents(4_000) }))
  const charge = await world.accepted(aLiveCharge({ amountCents: toCents(6_000) }))
  await world.execute(anAssignment(id, charge.id))
  t.match(world.transaction(charge.id), { status: 'APPROVED', paidCents: 6_000 })
})
