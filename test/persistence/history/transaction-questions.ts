import { finish } from '../../../engine/kernel/work.ts'
import { methodNames } from '../../../engine/payments/methods/index.ts'
import { anyTransaction, filterOf } from '../../../engine/payments/transaction/filters.ts'
import {
  chargeProducts,
  partyIdNames,
  partyIds,
  rowOf,
  type TransactionRow,
  transactionKinds,
} from '../../../engine/payments/transaction/row.ts'
import {
  dateFields,
  type TransactionFilter,
  type TransactionPage,
} from '../../../engine/payments/transaction/search.ts'
import { type Transaction, transactionStatuses } from '../../../engine/payments/transaction/transaction.ts'
import type { AccountId } from '../../../engine/shared/ids.ts'
import { type Method, origins } from '../../../engine/shared/method.ts'
import { entryLayout } from '../../../persistence/codec/entry.ts'
import { unpackStates } from '../../../persistence/shard/packed-states.ts'
import { givenNames, payers, type Scene, surnames } from './charges.ts'
import { textOf } from './difference.ts'
import { anyPeriod, inOrder, type Question, someId, someState } from './subjects.ts'

export const aboutTransactions = (scene: Scene, accountId: AccountId): Question => {
  const filter = anyFilter(scene, accountId)
  const page = anyPage(scene, accountId)
  const { fits: _, ...asked } = filter
  const packs = scene.dice.chance(8)
  return {
    text: textOf({ transactions: accountId, packs, asked, page }),
    ask: (memory) => {
      const { states, packed, groups, ...found } = finish(
        memory.transactions(accountId, filter, packs ? { ...page, limit: 60, packs } : page),
      )
      const all =
        packed === null ? states : [...unpackStates<Transaction>('transaction', packed, entryLayout)]
      return { ...found, states: all, groups: inOrder(groups) }
    },
  }
}

const anyFilter = (scene: Scene, accountId: AccountId): TransactionFilter => {
  const { random, pick, chance } = scene.dice
  const one = someState(scene, accountId, 'transaction')
  const row = one && rowOf(one)
  const some = <Value>(values: readonly Value[]): readonly Value[] =>
    chance(20) ? [pick(values), pick(values)] : []
  const maybe = <Value>(percent: number, make: () => Value): Value | null => (chance(percent) ? make() : null)
  const several = (make: () => string): readonly string[] => Array.from({ length: 1 + random(4) }, make)
  const word = (): string =>
    pick([
      ...[row?.payer?.name, row?.payer?.email, row?.payer?.document].flatMap((text) => text ?? []),
      pick(givenNames),
      pick(surnames).toUpperCase(),
      `ana.${random(payers)}@exemplo.com`,
      String(10_000_000_000 + random(payers + 30)),
      'nobody',
    ])
  const terms = {
    ...anyTransaction,
    dateField: pick(dateFields),
    family: maybe(15, () => pick(['PIX_CHARGE', 'PIX_DEPOSIT', 'CARD', 'BOLETO'] as const)),
    statuses: some(transactionStatuses),
    overdue: maybe(5, () => chance(50)),
    methods: some(methodNames),
    origins: some(origins),
    products: some(chargeProducts),
    kinds: some(transactionKinds),
    providerId: maybe(8, () => pick([one?.providerId ?? 'none', 'other'])),
    minAmountCents: maybe(20, () => pick([1, 1990, random(100_000), one?.amountCents ?? 2])),
    maxAmountCents: maybe(20, () => pick([0, 1990, random(110_000), one?.amountCents ?? 2, 10 ** 12])),
    ids: maybe(6, () => several(() => someId(scene, accountId, 'transaction'))) ?? [],
    externalIds: maybe(8, () => several(() => `order-${random(4500)}`)) ?? [],
    partyIds: maybe(8, () => somePartyId(scene, row)) ?? {},
    customerId: maybe(5, () => one?.customerId ?? someId(scene, accountId, 'customer')),
    customer: maybe(8, word),
    search: maybe(12, () =>
      pick([
        word(),
        someId(scene, accountId, 'transaction'),
        row?.externalId ?? `order-${random(9000)}`,
        ...(row?.keys.flatMap((text) => text ?? []) ?? []),
      ]),
    ),
  }
  const { fromMs, toMs, from, to } = anyPeriod(scene, accountId)
  const asOf = maybe(25, () => random(scene.twins.entries() + 1))
  // What has settled is known by the minute, as days begin with one.
  const minute = (atMs: number | null): number | null => atMs && 60_000 * Math.floor(atMs / 60_000)
  return terms.dateField === 'settledOn'
    ? filterOf(terms, { asOf, fromMs: minute(fromMs), toMs: minute(toMs), from, to })
    : filterOf(terms, { asOf, fromMs, toMs, from: null, to: null })
}

/** Ids that others gave to a transaction, and now and then one of another kind. */
const somePartyId = (
  { dice: { pick } }: Scene,
  row: TransactionRow | undefined,
): TransactionFilter['partyIds'] => {
  const name = pick(partyIdNames)
  const own =
    row && partyIdNames.filter((one) => (partyIds[one].methods as readonly Method[]).includes(row.method))
  const meant = own === undefined || own.length === 0 ? name : pick([...own, ...own, ...own, name])
  return { [meant]: row?.keys[partyIds[meant].place] ?? 'none' }
}

const anyPage = (scene: Scene, accountId: AccountId): TransactionPage => {
  const { random, pick, chance } = scene.dice
  const order = { by: pick(['createdAt', 'amount'] as const), isDescending: chance(60) }
  const anchor = someState(scene, accountId, 'transaction')
  const limit = chance(3) ? 210 : pick([0, 1, 5, 10, 25])
  if (chance(35) && anchor !== undefined) {
    const at = order.by === 'amount' ? anchor.amountCents : anchor.createdAtMs
    const id = chance(80) ? anchor.id : someId(scene, accountId, 'transaction')
    return { order, start: { after: { at, id } }, limit, tells: 'nothing' }
  }
  const many = scene.known.ids(accountId, 'transaction').length
  const start = { offset: chance(70) ? 0 : random(many + 10) }
  return { order, start, limit, tells: pick(['figures', 'total', 'nothing'] as const) }
}
