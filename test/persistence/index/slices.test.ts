import t from 'tap'
import { applyEntry } from '../../../engine/engine.ts'
import type { Entry } from '../../../engine/kernel/entry.ts'
import { finish, type Work } from '../../../engine/kernel/work.ts'
import { anyTransaction, filterOf } from '../../../engine/payments/transaction/filters.ts'
import type { FoundTransactions, TransactionPage } from '../../../engine/payments/transaction/search.ts'
import { openMemory } from '../../../persistence/shard/memory.ts'
import { emptyStore } from '../../../persistence/snapshot/store.ts'
import { accountNumber, newHistory } from './history.ts'
import { newModel } from './model.ts'

const accountId = accountNumber(1)

/** Some segments of transactions in a memory whose every look at the stopwatch says that a slice is over. */
const busyMemory = () => {
  const history = newHistory(3)
  const model = newModel()
  let now = 0
  const memory = openMemory(emptyStore(), history, { stopwatch: () => now++ })
  const tell = (entry: Entry): void => {
    const sequence = history.append(entry)
    applyEntry(memory, sequence, entry)
    model.apply(sequence, entry)
  }
  tell(history.opening(accountId))
  for (let n = 0; n < 14_000; n++) tell(history.birth(accountId, n))
  return { history, model, memory, tell }
}

/** Does the work, and something else in every pause of it. Answers also how many pauses there were. */
const withOthers = <Value>(
  work: Work<Value>,
  others: (pause: number) => void,
): { value: Value; pauses: number } => {
  for (let pauses = 0; ; pauses++) {
    const step = work.next()
    if (step.done) return { value: step.value, pauses }
    others(pauses)
  }
}

const all = (asOf: number | null, change = {}) =>
  filterOf({ ...anyTransaction, ...change }, { asOf, fromMs: null, toMs: null, from: null, to: null })
const page = (order: TransactionPage['order'], offset = 0): TransactionPage => ({
  order,
  start: { offset },
  limit: 25,
  tells: 'figures',
})
const newest = { by: 'createdAt', isDescending: true } as const
const largest = { by: 'amount', isDescending: true } as const

t.test('long scans give way after every segment and every state', async (t) => {
  const { memory } = busyMemory()
  for (const order of [newest, largest]) {
    for (const filter of [all(null), all(null, { search: 'ana' }), all(null, { minAmountCents: 5000 })]) {
      const { pauses } = withOthers(memory.transactions(accountId, filter, page(order)), () => undefined)
      t.ok(pauses >= 3 + 25, `${pauses} pauses`)
    }
  }
  const list = { offset: 0, limit: 5, matches: () => true }
  t.ok(withOthers(memory.listing(accountId, 'transaction', list), () => undefined).pauses > 100)
})

t.test(
  'what is born meanwhile is not seen, and what changes is seen once, as before or as after',
  async (t) => {
    const { history, model, memory, tell } = busyMemory()
    for (const order of [newest, largest]) {
      const asOf = history.appended()
      const before = model.transactions(accountId, all(asOf), page(order, 6_000))
      const { value } = withOthers(memory.transactions(accountId, all(asOf), page(order, 6_000)), (pause) => {
        tell(history.birth(accountId, 20_000 + pause))
        tell(history.change(model.one(accountId, 'transaction', history.random)!, 20_000))
      })
      t.equal(value.total, before.total)
      t.strictSame(
        value.states.map(({ id }) => id),
        before.states.map(({ id }) => id),
      )
      t.equal(
        value.groups.reduce((sum, { count }) => sum + count, 0),
        before.total,
      )
    }
    const counts = { statuses: ['CREATED'], search: 'a' }
    const { value } = withOthers(memory.transactions(accountId, all(null, counts), page(newest)), () =>
      tell(history.change(model.one(accountId, 'transaction', history.random)!, 20_000)),
    )
    t.equal(
      value.groups.reduce((sum, { count }) => sum + count, 0),
      value.total,
      'totals count what the list counts',
    )
  },
)

t.test('an account that is cleared meanwhile is empty', async (t) => {
  const { history, memory, tell } = busyMemory()
  const work = memory.transactions(accountId, all(null, { search: 'ana' }), page(newest))
  const { value } = withOthers(work, (pause) => {
    if (pause === 2) tell(history.clearing(accountId))
  })
  t.strictSame(value, { states: [], packed: null, next: null, total: 0, groups: [] })
  const another = busyMemory()
  const list = another.memory.listing(accountId, 'transaction', { offset: 0, limit: 5, matches: () => true })
  const { value: listed } = withOthers(list, (pause) => {
    if (pause === 2) another.tell(another.history.clearing(accountId))
    if (pause === 3) another.tell(another.history.birth(accountId, 1))
  })
  t.match(listed, { total: 1, states: { length: 1 } })
})

t.test('an export in pieces is the list, while others come and change', async (t) => {
  const { history, model, memory, tell } = busyMemory()
  const asOf = history.appended()
  const filter = all(asOf, { minAmountCents: 50 })
  for (const order of [newest, largest, { by: 'createdAt', isDescending: false } as const]) {
    const expected = model.transactions(accountId, filter, { ...page(order), limit: 99_999 })
    const ids: string[] = []
    for (let start: TransactionPage['start'] = { offset: 0 }; ; ) {
      const piece: FoundTransactions = finish(
        memory.transactions(accountId, filter, { order, start, limit: 997, tells: 'nothing' }),
      )
      ids.push(...piece.states.map(({ id }) => id))
      tell(history.birth(accountId, history.random(14_000)))
      tell(history.change(model.one(accountId, 'transaction', history.random)!, 20_000))
      if (piece.next === null) break
      start = { after: piece.next }
    }
    t.ok(ids.join() === expected.states.map(({ id }) => id).join(), `${ids.length} rows`)
  }
})
