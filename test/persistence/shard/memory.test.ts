import t from 'tap'
import type { EntrySource } from '../../../persistence/journal/journal.ts'
import { openMemory, type StoredMemory } from '../../../persistence/shard/memory.ts'
import { newReplyRegister } from '../../../persistence/snapshot/reply-register.ts'
import { emptyStore } from '../../../persistence/snapshot/store.ts'
import { aCancellation, aCharge, account, aPayment, key, opened } from '../../engine/world.ts'
import { inMemory } from '../paging.ts'

/** A memory that was loaded from what another one's snapshot wrote: it knows no state but the accounts'. */
const reloaded = async (memory: StoredMemory, journal: EntrySource): Promise<StoredMemory> => {
  const store = emptyStore()
  await store.write(memory.takeSnapshot(journal.appended()))
  return openMemory(store, journal)
}

const everything = { offset: 0, limit: 99 }

t.test('what was loaded is what was known: states, lists, timers and idempotency keys', async (t) => {
  const world = await opened()
  const paid = await world.accepted(aCharge({ idempotency: { key: 'k', fingerprint: 'f' } }))
  await world.accepted(aPayment(paid.id))
  await world.accepted(aPayment(paid.id))
  const cancelled = await world.accepted(aCharge())
  await world.execute(aCancellation(cancelled.id))
  const pending = await world.accepted(aCharge({ terms: { method: 'PIX', expiresInSeconds: 60, due: null } }))
  const cold = await reloaded(world.memory, world.journal)
  for (const { id } of [paid, cancelled, pending])
    t.strictSame(cold.find('transaction', id), world.memory.find('transaction', id))
  t.strictSame(cold.find('account', account), world.memory.find('account', account))
  for (const kind of ['transaction', 'received', 'delivery'] as const)
    t.strictSame(cold.list(account, kind, everything), world.memory.list(account, kind, everything))
  const due = world.now() + 60_000
  t.match(cold.dueTimer(account, due), { dueAtMs: due, command: { transactionId: pending.id } })
  t.equal(cold.dueTimer(account, due - 1), undefined)
  t.match(cold.findReply(account, 'k', world.now(), 'transaction'), {
    fingerprint: 'f',
    state: { id: paid.id, status: 'PENDING' },
  })
  t.equal(cold.findReply(account, 'other', world.now(), 'transaction'), undefined)
  t.equal(cold.find('transaction', 'txn_nobody'), undefined)
  t.equal(cold.find('received', paid.id), undefined, 'an id is of one kind')
})

t.test('what a cleared Sandbox had is not there after a load either', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCharge({ idempotency: { key: 'k', fingerprint: 'f' } }))
  await world.execute({ type: 'ClearSandbox', accountId: account, by: key })
  const { id: after } = await world.accepted(aCharge())
  const cold = await reloaded(world.memory, world.journal)
  t.equal(cold.find('transaction', id), undefined)
  t.equal(cold.findReply(account, 'k', world.now(), 'transaction'), undefined)
  t.strictSame(
    cold.list(account, 'transaction', everything).states.map(({ id }) => id),
    [after],
  )
})

t.test('an idempotency key is forgotten after its time', async (t) => {
  const world = await opened()
  await world.accepted(aCharge({ idempotency: { key: 'k', fingerprint: 'f' } }))
  const dayMs = 24 * 3_600_000
  t.ok(world.memory.findReply(account, 'k', world.now() + dayMs - 1, 'transaction'))
  t.equal(world.memory.findReply(account, 'k', world.now() + dayMs, 'transaction'), undefined)
})

t.test(
  'keys that share a hash are kept apart, newest first; days before yesterday are dropped',
  async (t) => {
    const dayMs = 24 * 3_600_000
    const register = newReplyRegister(inMemory())
    register.put(7, 1, 0)
    register.put(7, 2, 1)
    register.put(7, 3, 2)
    register.put(7, 4, dayMs)
    register.put(8, 5, dayMs)
    t.strictSame(register.find(7), [4, 3, 2, 1])
    t.strictSame(register.find(9), [])
    register.put(8, 6, 2 * dayMs)
    t.strictSame(register.find(7), [4])
    t.strictSame(register.find(8), [6, 5])
  },
)
