import t, { type Test } from 'tap'
import { finish } from '../../../engine/kernel/work.ts'
import { anyTransaction, figuresOnly, filterOf } from '../../../engine/payments/transaction/filters.ts'
import type { TransactionRow } from '../../../engine/payments/transaction/row.ts'
import { newId } from '../../../engine/shared/ids.ts'
import { extraKey, touch } from '../../../persistence/base/columns.ts'
import { packId } from '../../../persistence/base/packed-id.ts'
import { newPager } from '../../../persistence/base/pager.ts'
import { newTimeSlice } from '../../../persistence/base/time-slice.ts'
import { fillTransaction } from '../../../persistence/index/fill.ts'
import {
  groupAmounts,
  markOf,
  rowsBelow,
  sumOfRows,
  unpackAmounts,
} from '../../../persistence/index/grouped-amounts.ts'
import { insertRow } from '../../../persistence/index/table.ts'
import { newTables } from '../../../persistence/index/tables.ts'
import { newQuestions } from '../../../persistence/shard/questions.ts'
import { newStates } from '../../../persistence/snapshot/states.ts'
import { seeded } from '../../engine/world.ts'
import { inMemory, keysInMemory } from '../paging.ts'
import { accountNumber } from './history.ts'

const account = accountNumber(1)
const unread = (): never => {
  throw new Error('no state is needed')
}

/** Two runs of sixteen segments and some more: too many for a model that looks at states. */
const count = 2 * 65_536 + 9_000

const newRun = (seed: number, amountMax: number, paging = inMemory()) => {
  const entropy = seeded(seed)
  const random = (below: number): number => entropy() % below
  const tables = newTables(seed, paging, keysInMemory(seed))
  const table = tables.open(account, 'transaction')
  const questions = newQuestions({
    tables,
    states: newStates({ at: unread }, 10),
    keys: keysInMemory(),
    journal: { batchAt: unread },
    stopwatch: () => 0,
  })
  const rows: TransactionRow[] = []

  const changed = (row: TransactionRow): TransactionRow => {
    const status = (['PENDING', 'APPROVED', 'EXPIRED', 'REFUNDED'] as const)[random(4)]!
    const paidCents = status === 'APPROVED' || status === 'REFUNDED' ? row.amountCents : 0
    return {
      ...row,
      status,
      paidCents,
      feeCents: Math.floor(paidCents / 100),
      refundedCents: status === 'REFUNDED' ? paidCents : 0,
    }
  }
  const change = (): void => {
    const row = random(count)
    rows[row] = changed(rows[row]!)
    touch(table.rows, row)
    fillTransaction(table, row, rows[row]!, false)
  }

  for (let n = 0; n < count; n++) {
    const row = changed({
      approvedAtMs: null,
      settlesAtOnce: false,
      createdAtMs: 1000 + n - (n % 3),
      status: 'PENDING',
      method: (['PIX', 'BOLETO', 'CREDIT_CARD'] as const)[random(3)]!,
      origin: 'API',
      currency: 'BRL',
      providerId: 'a-bank',
      overdue: false,
      hasDocuments: false,
      amountCents: random(10) === 0 ? 1990 : amountMax - random(1_000_000),
      paidCents: 0,
      feeCents: 0,
      refundedCents: 0,
      disputedCents: 0,
      externalId: null,
      keys: [null, null],
      customerId: null,
      payer: null,
    })
    rows.push(row)
    insertRow(table, packId('txn', newId('txn', 1_700_000_000_000, entropy))!, row.createdAtMs, n + 1)
    fillTransaction(table, n, row, true)
  }

  /** Asks for the figures of random filters, and looks at every row for the same. */
  const compare = (t: Test): void => {
    const perhaps = <Value>(make: () => Value): Value | null => (random(2) === 0 ? make() : null)
    const filters = {
      ...anyTransaction,
      statuses: perhaps(() => [(['APPROVED', 'REFUNDED'] as const)[random(2)]!]) ?? [],
      methods: perhaps(() => ['PIX', 'CREDIT_CARD'] as const) ?? [],
      minAmountCents: perhaps(() => (random(5) === 0 ? 1990 : amountMax - random(1_200_000))),
      maxAmountCents: perhaps(() => (random(5) === 0 ? 1990 : amountMax - random(1_000_000))),
    }
    const fromMs = perhaps(() => random(count / 2))
    const toMs = perhaps(() => count - random(count / 2))
    const asOf = perhaps(() => count - random(count / 4))
    const filter = filterOf(filters, { asOf, fromMs, toMs, from: null, to: null })
    const found = finish(questions.transactions(account, filter, figuresOnly))
    const { minAmountCents, maxAmountCents } = filters
    const fitting = rows.filter(
      (row, n) =>
        filter.fits(row) &&
        row.amountCents >= (minAmountCents ?? 0) &&
        row.amountCents <= (maxAmountCents ?? Number.POSITIVE_INFINITY) &&
        row.createdAtMs >= (fromMs ?? 0) &&
        row.createdAtMs < (toMs ?? Number.POSITIVE_INFINITY) &&
        n + 1 <= (asOf ?? count),
    )
    const groups = new Map<string, bigint[]>()
    for (const { status, method, amountCents, paidCents, feeCents, refundedCents } of fitting) {
      const sums = groups.get(`${status} ${method}`) ?? [0n, 0n, 0n, 0n, 0n]
      const added = [1, amountCents, paidCents, feeCents, refundedCents]
      groups.set(
        `${status} ${method}`,
        sums.map((sum, n) => sum + BigInt(added[n]!)),
      )
    }
    const plain = found.groups.map(
      ({ status, method, count, amountCents, paidCents, feeCents, refundedCents }) =>
        [`${status} ${method}`, [BigInt(count), amountCents, paidCents, feeCents, refundedCents]] as const,
    )
    t.strictSame(
      { total: found.total, groups: new Map(plain) },
      { total: fitting.length, groups },
      JSON.stringify({ ...filters, fromMs, toMs, asOf }),
    )
  }
  return { change, compare, random, table }
}

for (const amountMax of [1_100_000, 999_999_999_999]) {
  t.test(`figures over very many rows of up to ${amountMax} are those of every row`, async (t) => {
    const { change, compare, random, table } = newRun(amountMax % 1000, amountMax)
    let grouped = 0
    for (let n = 0; n < 40; n++) {
      compare(t)
      grouped += table.runs.filter((run) => run !== undefined && run.grouped.value !== null).length
      if (random(4) === 0) for (let changes = random(4); changes > 0; changes--) change()
    }
    // With the largest amounts the sums of a run are not exact, and its segments are asked.
    t.equal(grouped > 10, amountMax < 10_000_000)
  })
}

t.test('amounts of what a snapshot has are stored beside it, and hold until a row changes', async (t) => {
  const beside = new Map<number, Uint8Array>()
  let puts = 0
  const pager = newPager(Number.POSITIVE_INFINITY, unread, {
    find: (key) => beside.get(key) ?? null,
    put: (key, bytes) => {
      puts += 1
      beside.set(key, bytes)
    },
  })
  const { change, compare, table } = newRun(7, 1_100_000, { pager })
  const store = (value: number): void => {
    for (const segment of table.rows.segments) {
      if (segment.status === 'STORED') continue
      segment.status = 'STORED'
      segment.stored = { value: value + segment.number }
    }
  }
  /** As after a start: nothing is in memory but statistics. */
  const start = (): void => void table.runs.splice(0)
  const askAll = (): void => {
    for (let n = 0; n < 12; n++) compare(t)
  }

  store(100)
  askAll()
  t.equal(puts, 2, 'both runs at the first question')
  t.strictSame([...beside.keys()].sort(), [100, 116].map((value) => extraKey(value, 3)).sort())
  start()
  askAll()
  t.equal(puts, 2, 'nothing is made again')
  for (let n = 0; n < 5; n++) change()
  askAll()
  t.equal(puts, 2, 'rows that changed may change again')
  store(200)
  start()
  askAll()
  t.ok(puts > 2, 'what was stored is of another state')
  beside.set(extraKey(116, 3), new Uint8Array(8))
  start()
  askAll()
})

t.test('grouped amounts count and sum any range as a look at every row does', async (t) => {
  const random = seeded(3)
  for (let round = 0; round < 60; round++) {
    const rows = random() % 700
    const groupCount = 1 + (random() % 4)
    const amountMax = [1, 200, 60_000, 2 ** 33][round % 4]!
    const groups = Uint16Array.from({ length: rows }, () => random() % groupCount)
    const amounts = Float64Array.from({ length: rows }, () => 1 + (random() % amountMax))
    const columns = [
      amounts,
      amounts.map((cents, row) => (groups[row] === 0 ? cents : 0)),
      amounts.map((cents) => Math.round(cents / 100)),
      amounts.map(() => (random() % 30 === 0 ? 2 ** 34 + (random() % 1000) : 0)),
    ]
    const rowsOf = (group: number): number[] => [...groups.keys()].filter((row) => groups[row] === group)
    const counts = Array.from({ length: groupCount }, (_, group) => rowsOf(group).length)
    const made = finish(
      groupAmounts(
        { counts, groups, columns },
        [7, 8],
        newTimeSlice(() => 0, 1),
      ),
    )
    t.strictSame(markOf(made.bytes, 2), [7, 8])
    const read = unpackAmounts(new Uint8Array(made.bytes), 2)
    for (const [group, own] of read.groups.entries()) {
      for (let n = 0; n < 8; n++) {
        const [min, max] = [random() % (amountMax + 2), random() % (amountMax + 2)].sort((a, b) => a - b) as [
          number,
          number,
        ]
        const inside = rowsOf(group).filter((row) => amounts[row]! >= min && amounts[row]! < max)
        const [from, to] = [rowsBelow(own, min), rowsBelow(own, max)]
        if (to - from !== inside.length) t.fail(`${round}: ${to - from} rows, not ${inside.length}`)
        columns.forEach((column, m) => {
          const sum = inside.reduce((total, row) => total + column[row]!, 0)
          if (sumOfRows(own, m, from, to) !== sum) t.fail(`${round}: column ${m} does not add up to ${sum}`)
        })
      }
    }
  }
})
