import t from 'tap'
import { providerRequestsOf } from '../../../engine/engine.ts'
import { type CallAge, openOpenCalls } from '../../../gateway/observability/open-calls.ts'
import {
  aLiveCharge,
  anArrival,
  isRefused,
  newShop,
  registered,
  silence,
} from '../../engine/payments/pix/bank/at-bank.ts'
import { scenario } from '../../engine/story.ts'
import { aCharge, aRefund, opened, type World } from '../../engine/world.ts'

/** The open calls of a world, as a worker follows them: what is on disk is seen, and then called. */
const following = (world: World) => {
  const openCalls = openOpenCalls(world.now)
  let seen = 0
  const counts = (): Partial<Record<CallAge, number>> => {
    for (const entry of world.told.slice(seen)) {
      openCalls.onFlushed(entry)
      for (const request of providerRequestsOf(entry)) openCalls.onCall(request, 3)
    }
    seen = world.told.length
    return Object.fromEntries(Object.entries(openCalls.counts()).filter(([, count]) => count > 0))
  }
  return { openCalls, counts }
}

t.test('calls that a bank has not answered are counted by their age, until it does', async (t) => {
  const { world, bank, pass } = await newShop({ REGISTER: registered, REFUND: silence })
  const { counts } = following(world)
  const charge = await world.accepted(aLiveCharge())
  t.strictSame(counts(), {}, 'one that was answered is not open')
  await world.accepted(anArrival(charge))
  const { accountId } = charge
  await world.execute({ ...aRefund(charge.id, 100), accountId })
  await world.execute({ ...aRefund(charge.id, 200), accountId })
  t.strictSame(counts(), { under_1m: 2 })
  await pass(120_000)
  t.strictSame(counts(), { under_1h: 2 })
  await pass(2 * 3_600_000)
  t.strictSame(counts(), { under_24h: 2 })
  await pass(25 * 3_600_000)
  t.strictSame(counts(), { over_24h: 2 }, 'repeats do not make it younger')
  bank.answers = { REFUND: { type: 'DONE', evidence: null } }
  await pass(7 * 3_600_000)
  t.strictSame(counts(), {})
})

t.test('a call that something else has ended is open no more', async (t) => {
  const { world, bank, pass } = await newShop({})
  const { counts } = following(world)
  const charge = await world.accepted(aLiveCharge())
  t.strictSame(counts(), { under_1m: 1 })
  await pass(11 * 60_000)
  t.strictSame(counts(), { under_1m: 1 }, 'it is called off in place of being registered')
  bank.answers = { CANCEL: isRefused('not found') }
  await pass(5 * 60_000)
  t.equal(world.transaction(charge.id).status, 'FAILED')
  t.strictSame(counts(), {}, 'the registration has ended with it')
})

t.test('a shard that leaves takes its calls along, and the Sandbox has none', async (t) => {
  const { world } = await newShop({})
  const { counts, openCalls } = following(world)
  await world.accepted(aLiveCharge())
  t.strictSame(counts(), { under_1m: 1 })
  openCalls.onLead(4)
  t.strictSame(counts(), { under_1m: 1 })
  openCalls.onLead(3)
  t.strictSame(counts(), {})
  const sandbox = await opened()
  const played = following(sandbox)
  const charge = await sandbox.accepted(aCharge(scenario('refund_pending')))
  t.ok(charge)
  t.strictSame(played.counts(), {})
})
