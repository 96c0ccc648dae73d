import t from 'tap'
import { aSeed } from '../../story.ts'
import { aCharge, aRefund, dayMs, opened } from '../../world.ts'

const metadata = { sandboxScenario: 'med' }

t.test('what was seeded long ago with the scenario has its MED, however late', async (t) => {
  const world = await opened()
  const seed = aSeed({ metadata, createdAtMs: world.now() - 100 * dayMs })
  t.match(await world.execute(seed), { accepted: true })
  world.shard.tick()
  t.match(world.transaction(seed.transactionId).reversals.meds, [{ status: 'OPEN', openedAtMs: world.now() }])
})

t.test('a MED finds nothing to contest while all of the payment is on its way back', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCharge({ metadata }))
  world.pass(2000)
  world.shard.tick()
  t.equal(world.transaction(id).status, 'APPROVED')
  const refund = world.shard.execute(aRefund(id))
  world.pass(5000)
  world.shard.tick()
  t.match(world.transaction(id), { status: 'APPROVED', reversals: { meds: [] } })
  await world.settle()
  t.match(await refund, { accepted: true, state: { status: 'REFUNDED' } })
  world.shard.tick()
  t.strictSame(world.transaction(id).reversals.meds, [])
})
