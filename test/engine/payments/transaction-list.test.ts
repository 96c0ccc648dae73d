import t from 'tap'
import { openShard } from '../../../engine/engine.ts'
import { promised } from '../../../engine/kernel/handler.ts'
import { AskerLeft } from '../../../engine/kernel/unavailable.ts'
import { methodNames } from '../../../engine/payments/methods/index.ts'
import { pixOf } from '../../../engine/payments/methods/pix/pix.ts'
import { facetsOf, totalsOf } from '../../../engine/payments/transaction/figures.ts'
import {
  anyTransaction,
  filterOf,
  type TransactionFilters,
} from '../../../engine/payments/transaction/filters.ts'
import type { ExportTransactions, ListTransactions } from '../../../engine/payments/transaction/queries.ts'
import { kindOf, productOf, type TransactionGroup } from '../../../engine/payments/transaction/row.ts'
import type { GroupFigures, TransactionOrder } from '../../../engine/payments/transaction/search.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import type { CalendarDate } from '../../../engine/shared/calendar.ts'
import { origins } from '../../../engine/shared/method.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { entryLayout } from '../../../persistence/codec/entry.ts'
import { openMemory } from '../../../persistence/shard/memory.ts'
import { unpackStates } from '../../../persistence/shard/packed-states.ts'
import { emptyStore } from '../../../persistence/snapshot/store.ts'
import { memoryJournal } from '../../persistence/journal/memory-journal.ts'
import { plainProfile } from '../profile.ts'
import {
  aCancellation,
  aCharge,
  account,
  anUnrequestedPix,
  aPayment,
  institution,
  opened,
  seeded,
} from '../world.ts'

const newest = { by: 'createdAt', isDescending: true } as const
const period = { asOf: null, from: null, to: null } as const

const list = (change: Partial<ListTransactions> = {}): ListTransactions => ({
  type: 'ListTransactions',
  accountId: account,
  ...anyTransaction,
  ...period,
  page: 1,
  pageSize: 25,
  order: newest,
  totals: true,
  ...change,
})

/** Two paid charges, one cancelled, one pending, and a deposit that nobody asked for. */
const aDay = async () => {
  const world = await opened()
  const customer = {
    name: 'Íris Lobão',
    document: '12345678909',
    documentType: 'CPF',
    email: 'Iris@loja.com',
    phone: null,
    address: null,
  } as const
  const charges = []
  for (const amountCents of [10_000, 300, 20_000, 5_000]) {
    charges.push(
      await world.accepted(
        aCharge({ amountCents: toCents(amountCents), customer, externalId: `o-${amountCents}` }),
      ),
    )
    world.pass(1000)
  }
  const ids = charges.map(({ id }) => id)
  await world.accepted(aPayment(ids[0]!))
  await world.accepted(aPayment(ids[1]!))
  await world.accepted(aCancellation(ids[2]!))
  await world.execute(anUnrequestedPix())
  return { ...world, ids }
}

t.test('totals count everything that fits, not the page', async (t) => {
  const { shard, ids } = await aDay()
  const listed = await shard.query(list({ family: 'PIX_CHARGE', pageSize: 2, page: 2 }))
  t.strictSame(
    listed.rows.map(({ id }) => id),
    [ids[1], ids[0]],
  )
  t.equal(listed.total, 4)
  t.strictSame(listed.totals, [
    {
      currency: 'BRL',
      count: 4,
      grossCents: 35_300n,
      openCents: 5_000n,
      paidCents: 10_300n,
      feeCents: 102n,
      netCents: 10_198n,
      refundedCents: 0n,
      disputedCents: 0n,
    },
  ])
  t.strictSame((await shard.query(list({ statuses: ['EXPIRED'] }))).totals, [], 'no row, no currency')
  t.equal((await shard.query(list({ totals: false }))).totals, null)
})

t.test('every filter narrows the list', async (t) => {
  const { shard, ids, now } = await aDay()
  const amounts = async (change: Partial<ListTransactions>): Promise<number[]> =>
    (await shard.query(list(change))).rows.map(({ amountCents }) => amountCents)
  t.strictSame(await amounts({}), [5, 5_000, 20_000, 300, 10_000])
  t.strictSame(await amounts({ family: 'PIX_DEPOSIT' }), [5])
  t.strictSame(await amounts({ family: 'CARD' }), [])
  t.strictSame(await amounts({ origins: ['API'], statuses: ['APPROVED', 'PENDING'] }), [5_000, 300, 10_000])
  t.strictSame(await amounts({ kinds: ['DEPOSIT'] }), [5])
  t.strictSame(
    await amounts({ products: ['PIX'], providerId: 'sandbox-psp', methods: ['PIX'], maxAmountCents: 300 }),
    [5, 300],
  )
  t.strictSame(await amounts({ providerId: 'sandbox-bank' }), [])
  t.strictSame(await amounts({ minAmountCents: 300, maxAmountCents: 5_000 }), [5_000, 300])
  t.strictSame(await amounts({ ids: [ids[2]!] }), [20_000])
  t.strictSame(await amounts({ externalIds: ['o-300'] }), [300])
  t.strictSame(await amounts({ externalIds: ['o-301'] }), [])
  t.strictSame(
    await amounts({ ids: [ids[2]!, 'txn_none', ids[0]!] }),
    await amounts({ ids: [ids[0]!, ids[2]!] }),
  )
  t.equal((await amounts({ ids: [ids[2]!, 'txn_none', ids[0]!] })).length, 2)
  t.strictSame(await amounts({ ids: ['txn_none', 'txn_neither'] }), [])
  t.strictSame(await amounts({ externalIds: ['o-300', 'o-301', 'o-20000'] }), [20_000, 300])
  t.strictSame(await amounts({ customer: 'lobao', minAmountCents: 9_000 }), [20_000, 10_000])
  t.strictSame(await amounts({ customer: 'iris@LOJA.com', maxAmountCents: 300 }), [300])
  t.strictSame(await amounts({ customer: '@loja.com' }), [])
  t.strictSame(await amounts({ search: '@loja', maxAmountCents: 300 }), [300])
  t.strictSame(await amounts({ search: '123.456.789-09', maxAmountCents: 300 }), [300])
  t.strictSame(await amounts({ search: ids[3]! }), [5_000])
  t.strictSame(await amounts({ customerId: `cus_${'0'.repeat(26)}` }), [])
  const paid = (await shard.query(list({ ids: [ids[0]!] }))).rows[0]!
  t.strictSame(await amounts({ search: pixOf(paid)!.payment!.endToEndId }), [10_000])
  t.strictSame(await amounts({ search: pixOf(paid)!.txid! }), [10_000])
  const today = new Date(now() - 3 * 3_600_000).toISOString().slice(0, 10) as CalendarDate
  t.equal((await amounts({ from: today, to: today })).length, 5)
  t.strictSame(await amounts({ to: '2026-11-19' as CalendarDate }), [])
})

t.test('four orders, each with a next piece from any of its rows', async (t) => {
  const { shard } = await aDay()
  const orders: [TransactionOrder, number[]][] = [
    [newest, [5, 5_000, 20_000, 300, 10_000]],
    [{ by: 'createdAt', isDescending: false }, [10_000, 300, 20_000, 5_000, 5]],
    [{ by: 'amount', isDescending: true }, [20_000, 10_000, 5_000, 300, 5]],
    [{ by: 'amount', isDescending: false }, [5, 300, 5_000, 10_000, 20_000]],
  ]
  for (const [order, expected] of orders) {
    const { rows } = await shard.query(list({ order }))
    t.strictSame(
      rows.map(({ amountCents }) => amountCents),
      expected,
    )
    const pieces: number[][] = []
    const piece: ExportTransactions = {
      type: 'ExportTransactions',
      accountId: account,
      ...anyTransaction,
      ...period,
      order,
      after: null,
      limit: 2,
    }
    const first = await shard.query(piece)
    t.equal(first.total, 5)
    for (let found = first; ; found = await shard.query({ ...piece, asOf: first.asOf, after: found.next })) {
      const states = [...unpackStates<Transaction>('transaction', found.packed, entryLayout)]
      pieces.push(states.map(({ amountCents }) => amountCents))
      if (found.next === null) break
      t.ok(found === first || found.total === null, 'only the first piece counts')
    }
    t.strictSame(pieces.flat(), expected)
  }
})

t.test('facets say what there is to choose from, the commonest first', async (t) => {
  const { shard } = await aDay()
  const { type: _, ...filters } = list()
  const facets = await shard.query({ ...filters, type: 'FacetTransactions' })
  t.strictSame(facets, {
    providers: [{ value: 'sandbox-psp', count: 5 }],
    products: [{ value: 'PIX', count: 5 }],
    methods: [{ value: 'PIX', count: 5 }],
    origins: [
      { value: 'API', count: 4 },
      { value: 'DEPOSIT', count: 1 },
    ],
    statuses: [
      { value: 'APPROVED', count: 3 },
      { value: 'CANCELLED', count: 1 },
      { value: 'PENDING', count: 1 },
    ],
    kinds: [
      { value: 'PIX', count: 4 },
      { value: 'DEPOSIT', count: 1 },
    ],
    currencies: [{ value: 'BRL', count: 5 }],
  })
})

t.test('product and kind follow from method and origin', async (t) => {
  const group = {
    status: 'PENDING',
    currency: 'BRL',
    overdue: false,
    hasDocuments: false,
    providerId: 'a-bank',
  } as const
  const said = methodNames.flatMap((method) =>
    origins.map((origin) => {
      const own: TransactionGroup = { ...group, method, origin }
      return `${method} ${origin}: ${productOf(own)} ${kindOf(own)}`
    }),
  )
  for (const line of [
    'PIX API: PIX PIX',
    'PIX DEPOSIT: PIX DEPOSIT',
    'BOLETO DASHBOARD: BOLETO BOLETO',
    'CREDIT_CARD CHECKOUT: CARD CHECKOUT',
    'DEBIT_CARD POS: CARD CARD',
    'CREDIT_CARD SUBSCRIPTION: RECURRING SUBSCRIPTION',
    'PIX LINK: PIX LINK',
    'CRYPTO MARKETPLACE: CRYPTO CRYPTO',
  ])
    t.ok(said.includes(line), line)
})

t.test('families are what their routes show', async (t) => {
  const shown = (family: TransactionFilters['family']): string[] => {
    const { fits } = filterOf({ ...anyTransaction, family })
    return methodNames.flatMap((method) =>
      (['API', 'DEPOSIT'] as const)
        .filter((origin) =>
          fits({
            status: 'PENDING',
            currency: 'BRL',
            overdue: false,
            hasDocuments: false,
            method,
            origin,
            providerId: 'a-bank',
          }),
        )
        .map((origin) => `${method} ${origin}`),
    )
  }
  t.strictSame(shown('PIX_CHARGE'), ['PIX API'])
  t.strictSame(shown('PIX_DEPOSIT'), ['PIX DEPOSIT'])
  t.strictSame(shown('CARD'), [
    'CREDIT_CARD API',
    'CREDIT_CARD DEPOSIT',
    'DEBIT_CARD API',
    'DEBIT_CARD DEPOSIT',
  ])
  t.strictSame(shown('BOLETO'), ['BOLETO API', 'BOLETO DEPOSIT'])
  t.equal(shown(null).length, 2 * methodNames.length)
})

t.test('totals are by currency, net is paid less fee', async (t) => {
  const group = (currency: 'BRL' | 'USDT', count: number, cents: bigint): GroupFigures => ({
    status: 'APPROVED',
    method: 'PIX',
    origin: 'API',
    currency,
    overdue: false,
    hasDocuments: false,
    providerId: 'a-bank',
    count,
    amountCents: cents,
    paidCents: cents,
    feeCents: 7n,
    refundedCents: 1n,
    disputedCents: 2n,
  })
  const groups = [group('USDT', 1, 100n), group('BRL', 2, 2n ** 70n), group('BRL', 3, 3n)]
  t.match(totalsOf(groups), [
    { currency: 'BRL', count: 5, paidCents: 2n ** 70n + 3n, netCents: 2n ** 70n - 11n, refundedCents: 2n },
    { currency: 'USDT', count: 1, netCents: 93n, disputedCents: 2n },
  ])
  t.strictSame(facetsOf(groups).currencies, [
    { value: 'BRL', count: 5 },
    { value: 'USDT', count: 1 },
  ])
})

t.test('commands get their turn between the slices of a question', async (t) => {
  const { shard, tell, order } = await sliced()
  for (let n = 0; n < 30; n++) await tell(aCharge())
  const listed = shard.query(list()).then(({ total }) => order.push(`listed ${total}`))
  const told = tell(aCharge()).then(() => order.push('told'))
  await Promise.all([listed, told])
  t.equal(order[0], 'pause')
  t.equal(order.at(-1), 'listed 30', 'what came meanwhile is not in the list')
  t.ok(order.indexOf('told') < order.lastIndexOf('pause'))
})

t.test('a question ends when the one who asked has left', async (t) => {
  const { shard, tell, order } = await sliced()
  for (let n = 0; n < 30; n++) await tell(aCharge())
  await shard.query(list())
  const pauses = order.length
  t.ok(pauses > 3, 'it takes many slices')
  const hasLeft = (): boolean => order.length >= pauses + 2
  const error = await promised<unknown>((to) => shard.answer(list(), { ...to, hasLeft })).catch((e) => e)
  t.type(error, AskerLeft)
  t.equal(order.length, pauses + 2, 'nothing more is looked for')
  t.equal((await shard.query(list())).total, 30, 'others are answered')
})

/** A shard whose questions take many slices, and what happens in which order. */
const sliced = async () => {
  const journal = memoryJournal(entryLayout)
  let now = 0
  const memory = openMemory(emptyStore(), journal, { stopwatch: () => now++ })
  const order: string[] = []
  const shard = openShard({
    number: 0,
    journal,
    memory,
    realNow: () => Date.UTC(2026, 10, 20),
    stopwatch: () => Date.UTC(2026, 10, 20),
    entropy: seeded(1),
    institution,
    pause: async () => {
      order.push('pause')
      await new Promise((resolve) => setImmediate(resolve))
    },
    onFlushed: () => undefined,
    onDue: () => undefined,
  })
  const tell = async (command: Parameters<typeof shard.execute>[0]) => {
    const reply = shard.execute(command)
    journal.flush()
    return reply
  }
  const profile = {
    companyId: 'x' as never,
    environment: 'SANDBOX',
    name: 'B',
    city: 'B',
    timeZone: 'UTC',
    ...plainProfile,
  } as const
  await tell({ type: 'OpenAccount', accountId: account, by: { kind: 'KEY', id: 'k' }, profile })
  return { shard, tell, order }
}
