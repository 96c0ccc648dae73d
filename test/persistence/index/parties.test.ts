import t from 'tap'
import { finish } from '../../../engine/kernel/work.ts'
import { anyTransaction, filterOf } from '../../../engine/payments/transaction/filters.ts'
import type { TransactionRow } from '../../../engine/payments/transaction/row.ts'
import { newId } from '../../../engine/shared/ids.ts'
import { type Keys, newKeys } from '../../../persistence/base/keys/keys.ts'
import { packId } from '../../../persistence/base/packed-id.ts'
import { newPager } from '../../../persistence/base/pager.ts'
import { newTimeSlice } from '../../../persistence/base/time-slice.ts'
import { fillTransaction } from '../../../persistence/index/fill.ts'
import { newNumberSet } from '../../../persistence/index/number-set.ts'
import { rowsToFilter } from '../../../persistence/index/rows-to-filter.ts'
import { insertRow } from '../../../persistence/index/table.ts'
import { newTables, type Tables } from '../../../persistence/index/tables.ts'
import { findTerms } from '../../../persistence/index/terms.ts'
import { newReplyRegister } from '../../../persistence/snapshot/reply-register.ts'
import { emptyStore, type Store } from '../../../persistence/snapshot/store.ts'
import { newTableSnapshots } from '../../../persistence/snapshot/table-snapshots.ts'
import { seeded } from '../../engine/world.ts'
import { accountNumber } from './history.ts'

/** So many others come between two payments of a regular that a customer has another number each time. */
const rowsBetween = 70_000
const regulars = 30
const count = 4 * rowsBetween

/** Tables on top of a snapshot, of which little stays in memory. */
const opened = (store: Store) => {
  const pager = newPager(16_000_000, store.read, store.beside)
  const paging = { pager }
  const keys: Keys = newKeys(store.seed, paging, () => tables.newNumber())
  const tables: Tables = newTables(store.seed, paging, keys)
  const snapshots = newTableSnapshots(tables, newReplyRegister(paging), keys, paging)
  snapshots.load(store.tableSnapshots(), store.keyRuns())
  return { table: tables.open(accountNumber(1), 'transaction'), snapshots, pager }
}

/** A table with regulars among people who pay once, as a start finds it. */
const newStoredTable = async () => {
  const store = emptyStore(1)
  const { table, snapshots } = opened(store)
  const entropy = seeded(1)
  const customerIds = Array.from({ length: regulars }, () => newId('cus', 1_700_000_000_000, entropy))
  /** The rows of each regular. */
  const rowsOf = Array.from({ length: regulars }, () => [] as number[])
  for (let n = 0; n < count; n++) {
    const regular = n % rowsBetween < regulars ? n % rowsBetween : null
    if (regular !== null) rowsOf[regular]!.push(n)
    const name = regular === null ? `Pessoa ${n}` : `Regular ${regular}`
    insertRow(table, packId('txn', newId('txn', 1_700_000_000_000 + n, entropy))!, n, n + 1)
    fillTransaction(
      table,
      n,
      rowWith({
        customerId: regular === null ? newId('cus', 1_700_000_000_000 + n, entropy) : customerIds[regular]!,
        payer: { name, email: `${name.replace(' ', '.')}@exemplo.com`, document: documentOf(n) },
      }),
      true,
    )
  }
  snapshots.change(table)
  await store.write({ sequence: count, accounts: [], cleared: [], ...snapshots.freeze() })
  return { ...opened(store), customerIds, rowsOf }
}

/** Some have documents of other countries. */
const documentOf = (n: number): string => (n % 3 === 0 ? `AB${n}` : String(10_000_000_000 + n))

const rowWith = (of: Pick<TransactionRow, 'customerId' | 'payer'>): TransactionRow => ({
  approvedAtMs: null,
  settlesAtOnce: false,
  createdAtMs: 0,
  status: 'PENDING',
  method: 'PIX',
  origin: 'API',
  currency: 'BRL',
  providerId: 'a-bank',
  overdue: false,
  hasDocuments: false,
  amountCents: 100,
  paidCents: 0,
  feeCents: 0,
  refundedCents: 0,
  disputedCents: 0,
  externalId: null,
  keys: [null, null],
  ...of,
})

t.test('one who returns after very many others is found without a look at other segments', async (t) => {
  const { table, customerIds, rowsOf, pager } = await newStoredTable()
  const segments = table.rows.segments.length

  const search = (filters: Partial<typeof anyTransaction>) => {
    const filter = filterOf(
      { ...anyTransaction, ...filters },
      { asOf: null, fromMs: null, toMs: null, from: null, to: null },
    )
    const terms = finish(
      findTerms(table, filter, {
        stateOf: () => t.fail('no state is needed') as never,
        rowOfId: () => null,
        rowsOfKey: () => [],
        slice: newTimeSlice(() => 0, 1),
      }),
    )
    const found: number[] = []
    let asked = 0
    for (let segment = 0; segment < segments; segment++) {
      const first = segment * 4096
      const end = Math.min(first + 4096, count)
      const meant = terms.rows && [...terms.rows].filter((row) => row >= first && row < end)
      if (meant?.length === 0) continue
      asked += 1
      const rows = Uint16Array.from(
        meant ?? Array.from({ length: end - first }, (_, n) => first + n),
        (row) => row - first,
      )
      const some = rowsToFilter(table.rows, segment, rows, rows.length)
      const fitting = terms.filter(first, some, rows.length)
      some.keep(fitting)
      for (const row of rows.subarray(0, fitting))
        if (terms.confirms?.(first + row) ?? true) found.push(first + row)
    }
    return { found, asked }
  }

  for (let regular = 0; regular < regulars; regular++) {
    for (const filters of [
      { customerId: customerIds[regular]! },
      { customer: `regular.${regular}@exemplo.com` },
      { search: `regular.${regular}@` },
    ]) {
      const before = pager.reads
      const { found, asked } = search(filters)
      const reads = pager.reads - before
      t.strictSame(found, rowsOf[regular], JSON.stringify(filters))
      t.equal(asked, 4, 'the segments of the four')
      // Of 69 segments with 280,000 payers: pieces of filters, a block for each of the four, and their lists.
      if ('search' in filters && regular > 0) t.ok(reads <= 60, `${reads} reads`)
    }
    const [first] = rowsOf[regular]!
    t.strictSame(search({ search: documentOf(first!) }).found, [first], 'by document')
  }
  t.strictSame(search({ customerId: newId('cus', 0, seeded(2)) }), { found: [], asked: 0 })
  t.strictSame(search({ search: 'E00416968202611271200abcdefghijk' }).found, [])
  t.strictSame(search({ search: '987654' }), { found: [], asked: 0 }, 'digits that are nowhere')
  for (const text of ['pessoa 123456', '123456', '23456', 'a.123456@', '12345'])
    t.strictSame(
      search({ search: text }).found,
      Array.from({ length: count }, (_, n) => n).filter(
        (n) => n % rowsBetween >= regulars && `pessoa ${n} pessoa.${n}@`.includes(text),
      ),
      text,
    )
  t.equal(search({ customer: 'Regular' }).found.length, 4 * regulars)
  t.equal(search({ customer: 'Pessoa' }).found.length, count - 4 * regulars, 'more payers than a few')
})

t.test('a set of numbers is exact, few or many', async (t) => {
  for (const size of [0, 1, 4096, 4097, 9000]) {
    const numbers = newNumberSet(() => 1_000_000)
    const members = new Set<number>()
    for (let n = 0; n < size; n++) members.add(1 + ((n * 77_777) % 1_000_000))
    for (const one of [...members, ...members]) numbers.add(one)
    const { has, marks, mask, few } = numbers.set()
    t.equal(few === null, size > 4096)
    if (few !== null)
      t.strictSame(
        few,
        [...members].sort((a, b) => a - b),
      )
    let wrong = 0
    for (let one = 1; one <= 1_000_000; one++) {
      if (has(one) !== members.has(one)) wrong += 1
      if (members.has(one) && marks[one & mask] !== 1) wrong += 1
    }
    t.equal(wrong, 0)
  }
})
