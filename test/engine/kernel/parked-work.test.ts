import t from 'tap'
import { parkedWorkOf } from '../../../engine/registry.ts'
import type { TransactionId } from '../../../engine/shared/ids.ts'
import { aBrokenPayment } from '../payments/broken-payment.ts'
import { aCharge, account, aPayment, opened, type World } from '../world.ts'

const parked = (world: World, id: TransactionId) => parkedWorkOf(world.transaction(id))

t.test('due work that is refused is parked, and everything else goes on', async (t) => {
  const world = await opened()
  const id = await aBrokenPayment(world)
  const other = await world.accepted(
    aCharge({ terms: { method: 'PIX', expiresInSeconds: 8 * 86_400, due: null } }),
  )
  t.match(await world.advance('P9D'), { accepted: true }, 'the clock comes to its end')
  t.equal(parked(world, id), 'CloseMed')
  t.equal(world.transaction(other.id).status, 'EXPIRED', 'what was due after it is done')
  const appended = world.journal.appended()
  t.strictSame(world.shard.tick(), [])
  t.equal(world.shard.timerBacklog(), 'NO')
  t.equal(world.journal.appended(), appended, 'it is not tried again')
  t.match(await world.accepted(aCharge()), { status: 'PENDING' })
})

t.test('by itself and before a request, too', async (t) => {
  const world = await opened()
  const [first, second] = [await aBrokenPayment(world), await aBrokenPayment(world)]
  world.pass(8 * 86_400_000)
  const query = { type: 'FindTransaction', accountId: account, transactionId: second, family: null } as const
  const asked = world.shard.query(query)
  await world.settle()
  t.match(await asked, { transaction: { id: second } })
  world.shard.tick()
  t.strictSame([parked(world, first), parked(world, second)], ['CloseMed', 'CloseMed'])
})

t.test('it is tried again when something else changes its actor; merchants hear nothing of it', async (t) => {
  const world = await opened()
  const id = await aBrokenPayment(world)
  await world.advance('P9D')
  t.strictSame(world.events(1), [], 'the clock')
  t.strictSame(world.events(2), [], 'what was parked')
  await world.execute(aPayment(id))
  t.match(world.transaction(id).timeline.at(-1), { type: 'PaymentReturned' })
  t.equal(parked(world, id), null)
  const appended = world.journal.appended()
  world.shard.tick()
  t.equal(parked(world, id), 'CloseMed')
  t.equal(world.journal.appended(), appended + 1)
})
