import t, { type Test } from 'tap'
import { applyEntry } from '../../../engine/engine.ts'
import type { Entry } from '../../../engine/kernel/entry.ts'
import { finish } from '../../../engine/kernel/work.ts'
import { methodNames } from '../../../engine/payments/methods/index.ts'
import { anyTransaction, figuresOnly, filterOf } from '../../../engine/payments/transaction/filters.ts'
import {
  chargeProducts,
  type TransactionGroup,
  transactionKinds,
} from '../../../engine/payments/transaction/row.ts'
import {
  agendaDays,
  type ScheduledReceivable,
  scheduledSumOf,
} from '../../../engine/payments/transaction/scheduled.ts'
import {
  dateFields,
  type GroupFigures,
  type InstantField,
  instantFields,
  type PeriodFigures,
  type TransactionFilter,
  type TransactionPage,
} from '../../../engine/payments/transaction/search.ts'
import { transactionStatuses } from '../../../engine/payments/transaction/transaction.ts'
import { listedKinds } from '../../../engine/registry.ts'
import { addDays } from '../../../engine/shared/calendar.ts'
import type { AccountId } from '../../../engine/shared/ids.ts'
import { origins } from '../../../engine/shared/method.ts'
import { tableDifferences } from '../../../persistence/index/compare.ts'
import { openMemory, type StoredMemory } from '../../../persistence/shard/memory.ts'
import { emptyStore, type Store } from '../../../persistence/snapshot/store.ts'
import { accountNumber, firstDay, type History, newHistory, providerNames, words } from './history.ts'
import { type Model, newModel } from './model.ts'

/** The first has a clock that only goes on, with many births in one millisecond; the second's is set back now and then. */
const accounts = [1, 2, 3].map(accountNumber)

type Run = {
  readonly history: History
  readonly model: Model
  readonly store: Store
  memory: StoredMemory
}

const newRun = (seed: number): Run => {
  const history = newHistory(seed)
  const store = emptyStore(seed)
  return { history, model: newModel(), store, memory: openMemory(store, history, { hotStates: 50 }) }
}

const tell = ({ history, model, memory }: Run, entry: Entry): void => {
  const sequence = history.append(entry)
  applyEntry(memory, sequence, entry)
  model.apply(sequence, entry)
}

const bearMany = (run: Run, accountId: AccountId, count: number, clock: { nowMs: number }): void => {
  const { history } = run
  for (let n = 0; n < count; n++) {
    if (history.chance(30)) clock.nowMs += history.random(3)
    if (accountId === accounts[1] && history.chance(1)) clock.nowMs -= history.random(200)
    tell(run, history.birth(accountId, clock.nowMs))
  }
}

const randomFilter = ({ history, model }: Run, accountId: AccountId, clockMs: number): TransactionFilter => {
  const { random, pick, chance } = history
  const some = <Value>(values: readonly Value[]): readonly Value[] =>
    chance(25) ? [pick(values), pick(values)] : []
  const text = <Value>(percent: number, make: () => Value): Value | null => (chance(percent) ? make() : null)
  const several = (make: () => string): readonly string[] => Array.from({ length: 1 + random(4) }, make)
  const anId = (): string => model.one(accountId, 'transaction', random)?.id ?? 'txn_none'
  const words3 = [...words, 'a', 'an', '.2', 'exemplo', 'ÇÃO', 'joao joao', 'o’n']
  const filters = {
    ...anyTransaction,
    dateField: pick(dateFields),
    family: text(20, () => pick(['PIX_CHARGE', 'PIX_DEPOSIT', 'CARD', 'BOLETO'] as const)),
    statuses: some(transactionStatuses),
    methods: some(methodNames),
    origins: some(origins),
    products: some(chargeProducts),
    kinds: some(transactionKinds),
    providerId: text(10, () => pick([...providerNames, 'other'])),
    minAmountCents: text(30, () => pick([1, 1990, random(100_000), 2 ** 45])),
    maxAmountCents: text(30, () => pick([0, 1990, random(110_000), 999_999_999_998])),
    ids: text(6, () => several(anId)) ?? [],
    externalIds: text(12, () => several(() => `order-${random(60)}`)) ?? [],
    partyIds:
      text(12, () =>
        pick([{ txid: `txid${random(50)}` }, { endToEndId: `E${random(70)}` }, { nsu: `E${random(70)}` }]),
      ) ?? {},
    customerId: text(2, () => 'cus_00000000000000000000000000'),
    customer: text(10, () =>
      pick([...words3, `ana.${random(30)}@exemplo.com`, `${10_000_000_000 + random(50)}`]),
    ),
    search: text(20, () =>
      pick([
        ...words3,
        anId(),
        `order-${random(60)}`,
        `txid${random(50)}`,
        `E${random(70)}`,
        `JOAO.${random(30)}@ex`,
        `${10_000_000_000 + random(50)}`,
      ]),
    ),
  }
  const asOf = text(30, () => random(history.appended() + 1))
  const from = text(60, () => addDays(firstDay, random(40) - 2))
  const to = text(60, () => addDays(from ?? firstDay, random(20)))
  // What has settled is known by the minute, as days begin with one.
  if (filters.dateField === 'settledOn') {
    const fromMs = text(60, () => 60_000 * (Math.floor(clockMs / 60_000) + random(70_000) - 5))
    const toMs = text(60, () => (fromMs ?? 60_000 * Math.floor(clockMs / 60_000)) + 60_000 * random(9000))
    return filterOf(filters, { asOf, fromMs, toMs, from, to })
  }
  const fromMs = text(30, () => clockMs - random(4000))
  const toMs = text(30, () => (fromMs ?? clockMs - 4000) + random(4000))
  return filterOf(filters, { asOf, fromMs, toMs, from, to })
}

const randomPage = ({ history, model }: Run, accountId: AccountId): TransactionPage => {
  const { random, pick, chance } = history
  const order = { by: pick(['createdAt', 'amount'] as const), isDescending: chance(60) }
  const anchor = model.one(accountId, 'transaction', random)
  const at = order.by === 'amount' ? anchor?.amountCents : anchor?.createdAtMs
  const id = chance(80) ? anchor?.id : 'txn_77777777777777777777777777'
  const limit = pick([0, 1, 25, 200, 5000])
  if (chance(30) && anchor !== undefined)
    return { order, start: { after: { at: at!, id: id! } }, limit, tells: 'nothing' }
  const start = { offset: chance(50) ? 0 : random(12_000) }
  return { order, start, limit, tells: pick(['figures', 'total', 'nothing'] as const) }
}

const inOrder = (groups: readonly GroupFigures[]): readonly GroupFigures[] =>
  [...groups].sort((a, b) => (Object.values(a).join() < Object.values(b).join() ? -1 : 1))

const compareTransactions = (t: Test, run: Run, accountId: AccountId, clockMs: number): void => {
  const filter = randomFilter(run, accountId, clockMs)
  const page = randomPage(run, accountId)
  const expected = run.model.transactions(accountId, filter, page)
  const found = finish(run.memory.transactions(accountId, filter, page))
  const { fits: _, ...asked } = filter
  const question = JSON.stringify({ asked, page })
  const plain = ({ states, groups, ...rest }: typeof found) => ({
    ...rest,
    ids: states.map(({ id, version }) => `${id} ${version}`),
    groups: inOrder(groups),
  })
  t.strictSame(plain(found), plain(expected), question)
  t.strictSame(found.states[0], expected.states[0])
}

const compareLists = (t: Test, run: Run, accountId: AccountId, clockMs: number): void => {
  const { model, memory, history } = run
  const { random, pick, chance } = history
  const filter = {
    offset: chance(50) ? 0 : random(50),
    limit: pick([0, 5, 500]),
    asOf: chance(30) ? random(history.appended() + 1) : null,
    fromMs: chance(30) ? clockMs - random(4000) : null,
    toMs: chance(30) ? clockMs - random(1000) : null,
  }
  const words = pick([['RETURNED'], ['RECEIVED', 'whk_1'], ['SUCCEEDED'], ['PENDING', 'whk_2']])
  const fits = (label: string): boolean => words.some((word) => label.includes(word))
  const matches = chance(30) ? ({ id }: { id: string }) => id.charCodeAt(29) % 2 === 0 : null
  for (const kind of ['received', 'delivery'] as const) {
    const { states, total } = memory.list(accountId, kind, { ...filter, fits, matches })
    t.strictSame(
      { ids: states.map(({ id }) => id), total },
      model.list(accountId, kind, { ...filter, fits, matches }),
      JSON.stringify({ kind, filter, words }),
    )
  }
  const from = clockMs - random(4000)
  for (const [fromMs, toMs] of [
    [from, from + random(3000)],
    [0, clockMs + 1],
  ] as const)
    t.strictSame(
      finish(memory.receivedFigures(accountId, fromMs, toMs)),
      model.receivedFigures(accountId, fromMs, toMs),
    )
  comparePeriods(
    t,
    run,
    accountId,
    [from, from + 1, from + random(500) + 1, clockMs - 1, clockMs + 1].sort((a, b) => a - b),
    run.history.pick(instantFields),
  )
}

/** Periods of all lengths come to what each of them does as a filter. */
const comparePeriods = (
  t: Test,
  { memory }: Run,
  accountId: AccountId,
  instants: readonly number[],
  dateField: InstantField,
): void => {
  const expected = instants.slice(1).flatMap((toMs, period) =>
    finish(
      memory.transactions(
        accountId,
        filterOf(
          { ...anyTransaction, dateField },
          { asOf: null, fromMs: instants[period]!, toMs, from: null, to: null },
        ),
        figuresOnly,
      ),
    ).groups.map(
      ({ count, amountCents, paidCents, feeCents: _, refundedCents: __, disputedCents: ___, ...group }) => ({
        period,
        group,
        count,
        amountCents,
        paidCents,
      }),
    ),
  )
  const inTurn = <Figures extends PeriodFigures>(all: readonly Figures[]): Figures[] =>
    [...all].sort((a, b) => (JSON.stringify(groupKey(a)) < JSON.stringify(groupKey(b)) ? -1 : 1))
  t.strictSame(inTurn(finish(memory.periodFigures(accountId, instants, dateField))), inTurn(expected))
}

/** What batches bring on some days, summed up and listed, is what the states say. */
const compareSchedule = (t: Test, { memory, model, history }: Run, accountId: AccountId): void => {
  const { random, pick, chance } = history
  const from = addDays(firstDay, random(40) - 2)
  const period = { from, to: addDays(from, random(30)) }
  const methods = chance(50) ? [pick(methodNames)] : methodNames
  const fits = ({ method }: Pick<TransactionGroup, 'method'>): boolean => methods.includes(method)
  const expected = model
    .all(accountId, 'transaction')
    .flatMap((transaction) => transaction.receivables.map((receivable) => ({ receivable, transaction })))
    .filter(({ receivable }) => receivable.status === 'SCHEDULED')
    .filter(({ receivable: { expectedOn } }) => expectedOn >= period.from && expectedOn <= period.to)
  const found = finish(memory.scheduledFigures(accountId, { ...period, ahead: null }))
  const own = agendaDays(found)
  t.same(
    scheduledSumOf(own),
    scheduledSumOf(
      expected.map(({ receivable: { grossCents, feeCents } }) => ({
        count: 1,
        grossCents: BigInt(grossCents),
        feeCents: BigInt(feeCents),
      })),
    ),
  )
  for (const { date, count, parts } of own) {
    t.equal(count, expected.filter(({ receivable }) => receivable.expectedOn === date).length)
    t.same(scheduledSumOf(parts).count, count)
  }
  const fitting = expected.filter(({ transaction }) => fits(transaction))
  const page = { offset: chance(50) ? 0 : random(100), limit: pick([0, 10, 200]) }
  const asOf = history.appended()
  const { rows, total } = finish(
    memory.scheduledReceivables(accountId, { ...period, ahead: null, asOf, fits }, page),
  )
  t.equal(total, fitting.length)
  t.equal(rows.length, Math.max(0, Math.min(page.limit, total - page.offset)))
  const textOf = ({ receivable, transaction }: ScheduledReceivable): string =>
    `${receivable.expectedOn} ${transaction.id} ${receivable.grossCents} ${receivable.feeCents}`
  const days = rows.map(({ receivable }) => receivable.expectedOn)
  t.strictSame(days, [...days].sort(), 'day after day')
  if (rows.length === total) t.strictSame(rows.map(textOf).sort(), fitting.map(textOf).sort())
}

const groupKey = ({ period, group }: PeriodFigures) => [
  period,
  group.status,
  group.method,
  group.origin,
  group.currency,
  group.providerId,
  group.overdue,
]

/** What the snapshot wrote, with the entries behind it, is what is known. */
const reopen = (t: Test, run: Run): void => {
  const { history, store } = run
  const opened = openMemory(store, history, { hotStates: 50 })
  for (let sequence = store.sequence() + 1; sequence <= history.appended(); sequence++)
    applyEntry(opened, sequence, history.at(sequence))
  for (const accountId of accounts) {
    for (const kind of listedKinds) {
      const table = run.memory.tableOf(accountId, kind)
      if (table !== undefined) t.strictSame(tableDifferences(table, opened.tableOf(accountId, kind)), [])
    }
    for (const transaction of run.model.all(accountId, 'transaction').slice(-50)) {
      t.strictSame(opened.find('transaction', transaction.id)?.state, transaction)
      t.strictSame(
        opened.lookup('delivery', accountId, transaction.id),
        run.memory.lookup('delivery', accountId, transaction.id),
      )
    }
    for (let atMs = 0; atMs < 5000; atMs += 700)
      t.strictSame(opened.dueTimer(accountId, atMs)?.dueAtMs, run.memory.dueTimer(accountId, atMs)?.dueAtMs)
  }
  for (let n = 0; n < 50; n++) {
    const sequence = 1 + history.random(history.appended())
    const { accountId, idempotency, atMs } = history.at(sequence)
    if (idempotency === undefined || history.at(sequence).events[0]!.actor !== 'transaction') continue
    t.strictSame(
      opened.findReply(accountId, idempotency.key, atMs, 'transaction'),
      run.memory.findReply(accountId, idempotency.key, atMs, 'transaction'),
    )
  }
  run.memory = opened
}

const seeds = (process.env.SEEDS ?? '1,2').split(',').map(Number)

for (const seed of seeds) {
  t.test(
    `whatever happened, every question is answered as by looking at every state (seed ${seed})`,
    async (t) => {
      const run = newRun(seed)
      const { history, model, store } = run
      const { random, pick, chance } = history
      const clock = { nowMs: 1000 }
      for (const accountId of accounts) tell(run, history.opening(accountId))
      // Enough for several segments, so that there are whole ones to pass over.
      bearMany(run, accounts[0]!, 9_000, clock)
      bearMany(run, accounts[1]!, 9_000, clock)
      for (let n = 0; n < 4_000; n++) {
        const accountId = pick(accounts)
        const one = model.one(accountId, 'transaction', random)
        const what = one === undefined ? 0 : random(100)
        if (what < 20) bearMany(run, accountId, 1 + random(4), clock)
        else if (what < 70) tell(run, history.change(one!, clock.nowMs))
        else if (what < 80) tell(run, history.receipt(one!, clock.nowMs))
        else if (what < 88) tell(run, history.delivery(one!, clock.nowMs))
        else if (what < 95) {
          const delivery = model.one(accountId, 'delivery', random)
          if (delivery !== undefined) tell(run, history.attempt(delivery))
        } else if (accountId === accounts[2] && chance(10)) tell(run, history.clearing(accountId))
        if (n % 20 === 0) compareTransactions(t, run, pick(accounts), clock.nowMs)
        if (n % 80 === 0) compareLists(t, run, pick(accounts), clock.nowMs)
        if (n % 80 === 40) compareSchedule(t, run, pick(accounts))
        if (n % 800 === 799) {
          const taken = run.memory.takeSnapshot(history.appended())
          // The snapshot stands for its sequence, whatever happens until it is written.
          for (let more = 0; more < 100; more++)
            tell(
              run,
              history.change(model.one(pick(accounts.slice(0, 2)), 'transaction', random)!, clock.nowMs),
            )
          const writing = store.write(taken)
          bearMany(run, accounts[0]!, 50, clock)
          await writing
          reopen(t, run)
        }
      }
    },
  )
}
