import t from 'tap'
import { finish } from '../../../engine/kernel/work.ts'
import { anyTransaction, filterOf } from '../../../engine/payments/transaction/filters.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { entryLayout } from '../../../persistence/codec/entry.ts'
import { unpackStates } from '../../../persistence/shard/packed-states.ts'
import { aCancellation, aCharge, account, aPayment, opened } from '../../engine/world.ts'

const newest = { order: { by: 'createdAt', isDescending: true }, tells: 'nothing', packs: true } as const

t.test('states that were packed are what was packed, wherever their entries lie', async (t) => {
  const world = await opened()
  const charges: Transaction[] = []
  for (let n = 0; n < 30; n++) charges.push(await world.accepted(aCharge({ description: `ação ${n}` })))
  for (const [n, { id }] of charges.entries()) {
    if (n % 3 === 0) await world.accepted(aPayment(id))
    if (n % 3 === 1) await world.execute(aCancellation(id))
  }
  const found: Transaction[] = []
  for (let offset = 0; offset < 30; offset += 7) {
    const page = { ...newest, start: { offset }, limit: 7 }
    const { packed, states } = finish(world.memory.transactions(account, filterOf(anyTransaction), page))
    t.strictSame(states, [])
    // As bytes that came from another node, behind others and not aligned.
    const moved = Buffer.concat([Buffer.alloc(offset), packed!.bytes]).subarray(offset)
    found.push(...unpackStates<Transaction>('transaction', { ...packed!, bytes: moved }, entryLayout))
  }
  const expected = charges.map(({ id }) => world.transaction(id))
  t.strictSame(
    found.sort((a, b) => (a.id < b.id ? -1 : 1)),
    expected.sort((a, b) => (a.id < b.id ? -1 : 1)),
  )
})
