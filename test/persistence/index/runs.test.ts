import t, { type Test } from 'tap'
import { finish } from '../../../engine/kernel/work.ts'
import { anyTransaction, figuresOnly, filterOf } from '../../../engine/payments/transaction/filters.ts'
import type { TransactionRow } from '../../../engine/payments/transaction/row.ts'
import { newId } from '../../../engine/shared/ids.ts'
import { packId } from '../../../persistence/base/packed-id.ts'
import { fillTransaction } from '../../../persistence/index/fill.ts'
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

const newRun = (seed: number, amountMax: number) => {
  const entropy = seeded(seed)
  const random = (below: number): number => entropy() % below
  const tables = newTables(seed, inMemory())
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
