import t from 'tap'
import type {
  AssignSuspense,
  ReceiveUnmatchedPix,
  WriteOffSuspense,
} from '../../../../../engine/payments/suspense/commands.ts'
import type { Suspense } from '../../../../../engine/payments/suspense/suspense.ts'
import type { SuspenseId, TransactionId } from '../../../../../engine/shared/ids.ts'
import { toCents } from '../../../../../engine/shared/money.ts'
import { connectionIdOf, live, liveAccount } from '../../../connections/live.ts'
import { listener, typesOf } from '../../../story.ts'
import { newTransactionId } from '../../../world.ts'
import { aLiveCharge, anArrival, aPixAtBank, newShop, registered } from './at-bank.ts'

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

const aWriteOff = (suspenseId: SuspenseId, by: WriteOffSuspense['by']): WriteOffSuspense => ({
  type: 'WriteOffSuspense',
  accountId: liveAccount,
  by,
  suspenseId,
  reason: 'o banco estornou',
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
