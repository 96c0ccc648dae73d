import t from 'tap'
import type { AnyFact } from '../../../engine/kernel/registry.ts'
import { UpgradeUnfinished } from '../../../engine/kernel/unavailable.ts'
import { parkedWorkOf } from '../../../engine/registry.ts'
import { aCharge, opened, type World } from '../world.ts'

/** A journal of an earlier version, which writes facts as `asWritten` leaves them, until the upgrade is finished. */
const writeAs = (world: World, asWritten: (fact: AnyFact) => AnyFact) => {
  const journal = Object.assign(world.journal, { asWritten })
  return () => Object.assign(journal, { asWritten: undefined })
}

const withoutWordFor = (type: AnyFact['type']) => (fact: AnyFact) => {
  if (fact.type === type) throw new UpgradeUnfinished(`${type} is new`)
  return fact
}

t.test('a fact that cannot be written is refused before anything is stored or applied', async (t) => {
  const world = await opened()
  const finish = writeAs(world, withoutWordFor('ChargeCancelled'))
  const idempotency = { key: 'k', fingerprint: 'f' }
  const { id } = await world.accepted(aCharge())
  const appended = world.journal.appended()
  const cancel = {
    type: 'CancelCharge',
    accountId: world.account().id,
    by: { kind: 'KEY', id: 'key_1' },
    transactionId: id,
    family: null,
    reason: null,
    idempotency,
  } as never
  await t.rejects(world.execute(cancel), /^ChargeCancelled is new$/)
  t.equal(world.journal.appended(), appended)
  t.equal(world.transaction(id).status, 'PENDING')
  t.match(await world.accepted(aCharge()), { status: 'PENDING' }, 'everything else goes on')
  finish()
  t.match(await world.execute(cancel), { accepted: true, replayed: false }, 'nothing is left of the key')
  t.equal(world.transaction(id).status, 'CANCELLED')
})

t.test('due work that would decide one waits, and is not parked', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(
    aCharge({ terms: { method: 'PIX', expiresInSeconds: 3600, due: null } }),
  )
  const finish = writeAs(world, withoutWordFor('ChargeExpired'))
  world.pass(7_200_000)
  world.shard.tick()
  await world.accepted(aCharge())
  t.equal(world.transaction(id).status, 'PENDING')
  finish()
  world.pass(1_000)
  world.shard.tick()
  t.equal(world.transaction(id).status, 'EXPIRED')
  t.equal(parkedWorkOf(world.transaction(id)), null)
})

t.test(
  'a field that cannot be written is not in the state either, here as on every other node',
  async (t) => {
    const world = await opened()
    writeAs(world, (fact) =>
      fact.type === 'ChargeCreated'
        ? { ...fact, charge: { ...fact.charge, details: { ...fact.charge.details, reference: null } } }
        : fact,
    )
    const { id } = await world.accepted(aCharge({ reference: 'new', description: 'old' }))
    t.match(world.transaction(id).details, { reference: null, description: 'old' })
    t.match(world.journal.at(world.journal.appended()).events[0], {
      charge: { details: { reference: null } },
    })
  },
)
