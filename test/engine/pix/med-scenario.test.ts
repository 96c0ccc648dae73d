import t from 'tap'
import { toCents } from '../../../engine/money.ts'
import { aCharge, account, aRefund, key, newTransactionId, newWorld } from '../world.ts'

const day = 86_400_000
const metadata = { sandboxScenario: 'med' }

t.test('what was seeded long ago with the scenario has its MED, however late', async (t) => {
  const world = newWorld()
  await world.open()
  const transactionId = newTransactionId()
  const seeded = await world.tell({
    type: 'SeedTransaction',
    accountId: account,
    by: key,
    transactionId,
    method: 'PIX',
    origin: 'API',
    status: 'APPROVED',
    currency: 'BRL',
    amountCents: toCents(10_000),
    installments: 1,
    description: null,
    reference: null,
    externalId: null,
    customer: null,
    metadata,
    createdAtMs: world.now() - 100 * day,
  })
  t.match(seeded, { accepted: true })
  world.shard.tick()
  t.match(world.transaction(transactionId).reversals.meds, [{ status: 'OPEN', openedAtMs: world.now() }])
})

t.test('a MED finds nothing to contest while all of the payment is on its way back', async (t) => {
  const world = newWorld()
  await world.open()
  const { id } = await world.accepted(aCharge({ metadata }))
  world.pass(2000)
  world.shard.tick()
  t.equal(world.transaction(id).status, 'APPROVED')
  const refund = world.shard.tell(aRefund(id))
  world.pass(5000)
  world.shard.tick()
  t.match(world.transaction(id), { status: 'APPROVED', reversals: { meds: [] } })
  await world.settle()
  t.match(await refund, { accepted: true, state: { status: 'REFUNDED' } })
  world.shard.tick()
  t.strictSame(world.transaction(id).reversals.meds, [])
})
