import t from 'tap'
import type { CancelCharge } from '../../../../../engine/payments/transaction/commands.ts'
import type { TransactionId } from '../../../../../engine/shared/ids.ts'
import { toCents } from '../../../../../engine/shared/money.ts'
import { listener, typesOf } from '../../../story.ts'
import {
  aLiveCancellation,
  aLiveCharge,
  anArrival,
  aPixAtBank,
  isRefused,
  newShop,
  registered,
  silence,
  stateAtBank,
} from './at-bank.ts'

const minute = 60_000
const hour = 60 * minute

const withReason = (id: TransactionId, reason: string) =>
  ({ ...aLiveCancellation(id), reason }) as CancelCharge

t.test('a charge is cancelled once its bank has removed it', async (t) => {
  for (const CANCEL of [stateAtBank('REMOVED_BY_RECEIVER'), { type: 'DONE', evidence: null } as const]) {
    const { world } = await newShop({ REGISTER: registered, CANCEL })
    const charge = await world.accepted(aLiveCharge())
    t.match(await world.accepted(withReason(charge.id, 'sold out')), {
      status: 'CANCELLED',
      cancelReason: 'sold out',
      failureReason: 'CANCELLED',
      calls: [],
    })
    t.match(await world.execute(aLiveCancellation(charge.id)), {
      rejection: { reason: 'INVALID_STATE', currentStatus: 'CANCELLED' },
    })
  }
})

t.test('a charge that was paid while it was being cancelled is booked, once', async (t) => {
  const payment = aPixAtBank()
  const { world, balances } = await newShop({ REGISTER: registered, CANCEL: stateAtBank('PAID', payment) })
  const charge = await world.accepted(aLiveCharge())
  t.match(await world.accepted(aLiveCancellation(charge.id)), { status: 'APPROVED', calls: [] })
  t.match(await world.execute(anArrival(charge, payment)), { rejection: { reason: 'ALREADY_RECEIVED' } })
  t.equal(balances().available, 9_901n)
})

t.test(
  'a notice that comes while the bank is being asked to cancel pays the charge, and ends the wait',
  async (t) => {
    const { world, bank, pass } = await newShop()
    const charge = await world.accepted(aLiveCharge())
    bank.answers = { CANCEL: silence }
    const cancelling = world.shard.execute(aLiveCancellation(charge.id))
    world.journal.flush()
    const arriving = world.shard.execute(anArrival(charge))
    await world.settle()
    t.match(await arriving, { accepted: true })
    t.match(await cancelling, { accepted: true, state: { status: 'APPROVED' } })
    bank.answers = { CANCEL: stateAtBank('REMOVED_BY_RECEIVER') }
    for (let n = 0; n < 12; n++) await pass(minute)
    t.equal(world.transaction(charge.id).status, 'APPROVED', 'an answer that comes too late changes nothing')
  },
)

t.test(
  'a silent bank leaves the charge payable, and the cancellation goes on without a second request',
  async (t) => {
    const { world, bank, pass } = await newShop()
    const hear = listener(world)
    const charge = await world.accepted(aLiveCharge())
    t.match(await world.accepted(withReason(charge.id, 'sold out')), {
      status: 'PENDING',
      calls: [{ operation: 'CANCEL' }],
    })
    t.match(await world.execute(aLiveCancellation(charge.id)), {
      rejection: { reason: 'OPERATION_IN_PROGRESS', operation: 'CANCEL' },
    })
    bank.answers = { CANCEL: stateAtBank('ACTIVE') }
    await pass(minute)
    t.equal(world.transaction(charge.id).status, 'PENDING', 'the bank has not removed it')
    bank.answers = { CANCEL: stateAtBank('REMOVED_BY_RECEIVER') }
    await pass(5 * minute)
    t.match(world.transaction(charge.id), { status: 'CANCELLED', cancelReason: 'sold out', calls: [] })
    t.strictSame(typesOf(hear()), ['payment.created', 'payment.pending', 'payment.failed'])
  },
)

t.test('a bank that refuses to cancel leaves everything as it was', async (t) => {
  const { world } = await newShop({ REGISTER: registered, CANCEL: isRefused('acesso negado') })
  const charge = await world.accepted(aLiveCharge())
  const refused = await world.accepted(aLiveCancellation(charge.id))
  t.match(refused, { status: 'PENDING', calls: [] })
  t.match(refused.timeline.at(-1), { type: 'CallEnded', data: { message: 'acesso negado' } })
})

t.test('a charge expires a minute after its time, when the bank says that nobody paid', async (t) => {
  const { world, bank, pass, operations } = await newShop()
  const hear = listener(world)
  const charge = await world.accepted(aLiveCharge())
  bank.answers = { READ_CHARGE: stateAtBank('ACTIVE') }
  await pass(hour + minute - 1)
  t.equal(world.transaction(charge.id).status, 'PENDING')
  t.strictSame(operations(), ['REGISTER'])
  await pass(1)
  t.strictSame(operations(), ['REGISTER', 'READ_CHARGE'])
  t.match(world.transaction(charge.id), { status: 'EXPIRED', failureReason: 'CHARGE_EXPIRED', calls: [] })
  t.strictSame(typesOf(hear()), ['payment.created', 'payment.pending', 'payment.failed'])
})

t.test(
  'who paid in the last second gets the goods, whether the bank says so by itself or is asked',
  async (t) => {
    const { world, bank, pass } = await newShop()
    const told = await world.accepted(aLiveCharge())
    const asked = await world.accepted(aLiveCharge())
    await pass(hour + 40_000)
    await world.execute(anArrival(told, { paidAtMs: told.expiresAtMs! - 1_000 }))
    bank.answers = { READ_CHARGE: stateAtBank('PAID', aPixAtBank()) }
    await pass(minute)
    t.equal(world.transaction(told.id).status, 'APPROVED')
    t.equal(world.transaction(asked.id).status, 'APPROVED')
  },
)

t.test('while the bank is silent a charge is pending, for a day at most', async (t) => {
  const { world, pass } = await newShop()
  const charge = await world.accepted(aLiveCharge())
  await pass(hour + minute)
  t.match(world.transaction(charge.id), { status: 'PENDING', calls: [{ operation: 'READ_CHARGE' }] })
  for (let hours = 0; hours < 23; hours++) await pass(hour)
  t.equal(world.transaction(charge.id).status, 'PENDING')
  await pass(hour)
  t.match(world.transaction(charge.id), { status: 'EXPIRED', calls: [] })
})

t.test('a refusal to say what became of a charge is no expiry', async (t) => {
  const { world, bank, pass } = await newShop()
  const charge = await world.accepted(aLiveCharge())
  bank.answers = { READ_CHARGE: isRefused('acesso negado') }
  for (let hours = 0; hours < 5; hours++) await pass(hour)
  t.equal(world.transaction(charge.id).status, 'PENDING')
})

t.test('a charge that was removed elsewhere is over for us as well', async (t) => {
  const { world, bank, pass } = await newShop()
  const byShop = await world.accepted(aLiveCharge())
  bank.answers = { READ_CHARGE: stateAtBank('REMOVED_BY_RECEIVER') }
  await pass(hour + minute)
  t.match(world.transaction(byShop.id), { status: 'CANCELLED', cancelReason: 'REMOVED_AT_BANK', calls: [] })
  bank.answers = { REGISTER: registered, READ_CHARGE: stateAtBank('REMOVED_BY_PROVIDER') }
  const byBank = await world.accepted(aLiveCharge())
  await pass(hour + minute)
  t.match(world.transaction(byBank.id), { status: 'FAILED', failureReason: 'PROVIDER_ERROR', calls: [] })
})

t.test('a cancellation that is on its way when the charge expires decides', async (t) => {
  const { world, bank, pass } = await newShop()
  const charge = await world.accepted(aLiveCharge())
  await pass(hour)
  await world.accepted(aLiveCancellation(charge.id))
  await pass(2 * hour)
  t.match(world.transaction(charge.id), { status: 'PENDING', calls: [{ operation: 'CANCEL' }] })
  bank.answers = { CANCEL: stateAtBank('REMOVED_BY_RECEIVER') }
  await pass(hour)
  t.match(world.transaction(charge.id), { status: 'CANCELLED', calls: [] })
})

t.test(
  'a payment of another amount that comes with the answer to a cancellation goes back, and the charge is asked for once more',
  async (t) => {
    const { world, bank, pass, received, balances } = await newShop()
    const charge = await world.accepted(aLiveCharge())
    bank.answers = {
      CANCEL: stateAtBank('PAID', aPixAtBank({ amountCents: toCents(1) })),
      RETURN: { type: 'RETURNED', returnId: null },
    }
    t.match(await world.accepted(aLiveCancellation(charge.id)), { status: 'PENDING' })
    t.match(received(), [{ amountCents: 1, returnReason: 'AMOUNT_MISMATCH', returning: 'RETURNED' }])
    bank.answers = { CANCEL: stateAtBank('REMOVED_BY_RECEIVER') }
    await pass(10 * minute)
    t.equal(world.transaction(charge.id).status, 'CANCELLED')
    t.equal(received().length, 1)
    t.equal(balances().suspense, 0n)
  },
)
