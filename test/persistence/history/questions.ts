import type { ListFilter } from '../../../engine/kernel/ports.ts'
import type { ActorStates, ListedKind } from '../../../engine/kernel/registry.ts'
import { finish } from '../../../engine/kernel/work.ts'
import { methodNames } from '../../../engine/payments/methods/index.ts'
import { anyTransaction, filterOf } from '../../../engine/payments/transaction/filters.ts'
import { chargeProducts, rowOf, transactionKinds } from '../../../engine/payments/transaction/row.ts'
import {
  dateFields,
  instantFields,
  type TransactionFilter,
  type TransactionPage,
} from '../../../engine/payments/transaction/search.ts'
import { type Transaction, transactionStatuses } from '../../../engine/payments/transaction/transaction.ts'
import { definitionOf, listedKinds } from '../../../engine/registry.ts'
import { addDays, dateIn } from '../../../engine/shared/calendar.ts'
import { type AccountId, newId } from '../../../engine/shared/ids.ts'
import { origins } from '../../../engine/shared/method.ts'
import type { StoredMemory } from '../../../persistence/shard/memory.ts'
import { unpackStates } from '../../../persistence/shard/packed-states.ts'
import { dayMs } from '../../engine/world.ts'
import { textOf } from './difference.ts'
import { accounts, type Dice, type Known } from './known.ts'
import { clockOf, givenNames, payers, type Scene, surnames, zone } from './life.ts'

/** A question to a memory, and how it reads when two memories do not agree on it. */
export type Question = { readonly text: string; readonly ask: (memory: StoredMemory) => unknown }

/** Any question. Often about something that is there, now and then about what was never, or is no longer. */
export const anyQuestion = (scene: Scene): Question => {
  const { random, pick, chance } = scene.dice
  const accountId = chance(55) ? accounts[0]! : pick(accounts)
  const what = random(100)
  if (what < 26) return aboutTransactions(scene, accountId)
  if (what < 38) return aboutList(scene, accountId)
  if (what < 60) return pick([aboutId, aboutKey, aboutEntries, aboutReversal])(scene, accountId)
  if (what < 70) return aboutFigures(scene, accountId)
  if (what < 80) return aboutSchedule(scene, accountId)
  if (what < 90) return pick([aboutTimers, aboutReply])(scene, accountId)
  return what < 99 ? aboutHistory(scene, accountId) : aboutShard(scene)
}

const aboutTransactions = (scene: Scene, accountId: AccountId): Question => {
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
      const all = packed === null ? states : [...unpackStates<Transaction>('transaction', packed)]
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

/** Nothing, days, months, or what is still to come. */
const anyPeriod = (scene: Scene, accountId: AccountId) => {
  const { random, pick, chance } = scene.dice
  const nowMs = clockOf(scene, accountId)
  const startMs = nowMs - random(pick([dayMs, 40 * dayMs, 800 * dayMs])) + random(40 * dayMs)
  const fromMs = chance(50) ? startMs : null
  const toMs = chance(50) ? startMs + random(pick([dayMs, 60 * dayMs])) : null
  const day = (atMs: number | null) => (atMs === null ? null : dateIn(zone, atMs))
  return { fromMs, toMs, from: day(fromMs), to: day(toMs) }
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

const aboutList = (scene: Scene, accountId: AccountId): Question => {
  const { random, pick, chance } = scene.dice
  const kind = chance(60) ? pick(['received', 'delivery', 'customer', 'invoice'] as const) : pick(listedKinds)
  const label = kind === 'transaction' ? null : labelOf(scene, accountId, kind)
  const { fromMs, toMs } = chance(40) ? anyPeriod(scene, accountId) : { fromMs: null, toMs: null }
  const filter: ListFilter<ActorStates[ListedKind]> = {
    offset: chance(70) ? 0 : random(scene.known.ids(accountId, kind).length + 5),
    limit: chance(3) ? 205 : pick([0, 1, 5, 10, 25]),
    asOf: chance(25) ? random(scene.twins.entries() + 1) : null,
    fromMs,
    toMs,
    ...(label !== null && chance(40) && { fits: (other: string) => other === label }),
    matches: chance(5) ? ({ id }) => id.charCodeAt(29) % 2 === 0 : null,
  }
  return {
    text: textOf({ list: accountId, kind, ...filter, label: filter.fits && label }),
    ask: (memory) => memory.list(accountId, kind, filter),
  }
}

const labelOf = (scene: Scene, accountId: AccountId, kind: ListedKind): string | null => {
  const one = someState(scene, accountId, kind)
  return one === undefined ? null : definitionOf(kind).label!(one as never)
}

const aboutId = (scene: Scene, accountId: AccountId): Question => {
  const { pick, chance } = scene.dice
  const kind = chance(50) ? 'transaction' : pick(listedKinds)
  const id = someId(scene, accountId, kind)
  return { text: textOf({ find: kind, id }), ask: (memory) => memory.find(kind, id) }
}

/** By what an actor can be found with, in its own account or in another one. */
const aboutKey = (scene: Scene, accountId: AccountId): Question => {
  const { pick, chance } = scene.dice
  const kind = pick(keyedKinds)
  const one = someState(scene, accountId, kind)
  const keys = one === undefined ? [] : definitionOf(kind).lookupKeys!(one as never)
  const key = keys.length > 0 && chance(85) ? pick(keys) : someId(scene, accountId, 'transaction')
  const whose = chance(85) ? accountId : pick(accounts)
  // The keys of these never change.
  if ((kind === 'received' || kind === 'delivery') && chance(40))
    return {
      text: textOf({ lookupId: whose, kind, key }),
      ask: (memory) => memory.lookupId(kind, whose, key),
    }
  return { text: textOf({ lookup: whose, kind, key }), ask: (memory) => memory.lookup(kind, whose, key) }
}

const keyedKinds = ['received', 'delivery', 'delivery', 'customer', 'invoice', 'subscription'] as const

const aboutEntries = (scene: Scene, accountId: AccountId): Question => {
  const { random, pick } = scene.dice
  const kind = pick(['transaction', 'delivery', 'subscription', 'received'] as const)
  const id = someId(scene, accountId, kind)
  const atMost = 1 + random(6)
  return {
    text: textOf({ entriesOf: kind, id, atMost }),
    ask: (memory) => memory.entriesOf(kind, id, atMost),
  }
}

const aboutReversal = (scene: Scene, accountId: AccountId): Question => {
  const { random, pick, chance } = scene.dice
  const prefix = pick(['rfd', 'cbk', 'med'] as const)
  if (chance(30)) {
    const { fromMs, toMs } = anyPeriod(scene, accountId)
    const within = chance(50) ? { fromMs: fromMs ?? 0, toMs: toMs ?? Number.MAX_SAFE_INTEGER } : undefined
    return {
      text: textOf({ reversals: accountId, prefix, within }),
      ask: (memory) => memory.reversals(accountId, prefix, within),
    }
  }
  const all = scene.twins.oracle.reversals(accountId, prefix)
  const id =
    all.length > 0 && chance(85)
      ? all[random(all.length)]!.id
      : newId(prefix, scene.twins.now(), scene.dice.entropy)
  return { text: textOf({ transactionOfReversal: id }), ask: (memory) => memory.transactionOfReversal(id) }
}

const aboutFigures = (scene: Scene, accountId: AccountId): Question => {
  const { random, pick, chance } = scene.dice
  const nowMs = clockOf(scene, accountId)
  if (chance(20)) {
    const prefix = pick(['cbk', 'med'] as const)
    return {
      text: textOf({ openDisputes: accountId, prefix }),
      ask: (memory) => memory.openDisputes(accountId, prefix),
    }
  }
  if (chance(35)) {
    const fromMs = nowMs - random(60 * dayMs)
    const toMs = fromMs + random(60 * dayMs)
    return {
      text: textOf({ receivedFigures: accountId, fromMs, toMs }),
      ask: (memory) => finish(memory.receivedFigures(accountId, fromMs, toMs)),
    }
  }
  const dateField = pick(instantFields)
  const spanMs = pick([3_600_000, dayMs, 30 * dayMs])
  const firstMs = nowMs - random(400 * dayMs)
  const instants = Array.from({ length: 2 + random(14) }, (_, n) => firstMs + n * spanMs)
  return {
    text: textOf({ periodFigures: accountId, instants, dateField }),
    ask: (memory) => inOrder(finish(memory.periodFigures(accountId, instants, dateField))),
  }
}

const aboutSchedule = (scene: Scene, accountId: AccountId): Question => {
  const { random, pick, chance } = scene.dice
  const from = addDays(dateIn(zone, clockOf(scene, accountId)), random(400) - 30)
  const period = { from, to: addDays(from, random(60)), ahead: null }
  if (chance(50))
    return {
      text: textOf({ scheduledFigures: accountId, ...period }),
      ask: (memory) => inOrder(finish(memory.scheduledFigures(accountId, period))),
    }
  const wanted = pick(methodNames)
  const filter = {
    ...period,
    asOf: chance(40) ? random(scene.twins.entries() + 1) : scene.twins.entries(),
    fits: chance(40) ? ({ method }: Pick<Transaction, 'method'>) => method === wanted : () => true,
  }
  const page = { offset: chance(60) ? 0 : random(100), limit: chance(3) ? 100 : pick([0, 5, 10]) }
  return {
    text: textOf({ scheduledReceivables: accountId, ...filter, wanted, page }),
    ask: (memory) => finish(memory.scheduledReceivables(accountId, filter, page)),
  }
}

/** What is due, and for which accounts anything may be. What was queued and is no longer due is dropped by asking each of them. */
const aboutTimers = (scene: Scene, accountId: AccountId): Question => {
  const aheadMs = scene.dice.random(scene.dice.pick([1, 3_600_000, 40 * dayMs]))
  const nowOf = (id: AccountId): number => clockOf(scene, id) + aheadMs
  const isAbout = scene.dice.chance(60)
  return {
    text: textOf({ dueTimer: isAbout ? accountId : 'all', aheadMs }),
    ask: (memory) =>
      isAbout
        ? memory.dueTimer(accountId, nowOf(accountId))
        : {
            timers: accounts.map((id) => memory.dueTimer(id, nowOf(id))),
            due: [...memory.accountsDue(nowOf)].sort(),
          },
  }
}

const aboutReply = (scene: Scene, accountId: AccountId): Question => {
  const key = `key-${scene.dice.random(520)}`
  const nowMs = scene.twins.now() + scene.dice.random(2 * dayMs)
  return {
    text: textOf({ findReply: accountId, key, nowMs }),
    ask: (memory) => memory.findReply(accountId, key, nowMs, 'transaction'),
  }
}

const aboutHistory = (scene: Scene, accountId: AccountId): Question => {
  const { random, chance } = scene.dice
  const fromMs = scene.twins.now() - random(3 * dayMs)
  const after = chance(40) ? random(scene.twins.entries() + 1) : null
  const window = { fromMs, toMs: fromMs + random(2 * dayMs), after }
  const atMost = { looked: 1 + random(40), found: 1 + random(10) }
  return {
    text: textOf({ history: accountId, window, atMost }),
    ask: (memory) => finish(memory.history(accountId, window, atMost)),
  }
}

/** What belongs to no account: who is asked, and which attempts are due, each handed out again. */
const aboutShard = ({ twins, dice }: Scene): Question => {
  const atMs = twins.now() + dice.random(2 * dayMs)
  const limit = dice.pick([1, 20, 400])
  return {
    text: textOf({ attempts: atMs, limit }),
    ask: (memory) => {
      memory.rearm()
      const isDue = memory.isAttemptDue(atMs)
      const attempts = memory.takeDueAttempts(atMs, limit).map(({ id }) => id)
      return { awaiting: [...memory.awaitingProvider()], isDue, attempts }
    },
  }
}

/** The id of one that is there, of another account, of another kind, that a reset has forgotten, or of none. */
const someId = ({ twins, dice, known }: Scene, accountId: AccountId, kind: ListedKind): string => {
  const { random, pick, chance, entropy } = dice
  const place = random(100)
  const ids =
    place < 80
      ? known.ids(accountId, kind)
      : place < 85
        ? known.ids(pick(accounts), kind)
        : place < 90
          ? known.gone
          : []
  if (ids.length > 0) return oneOf(dice, ids)
  return newId(
    chance(80) ? (definitionOf(kind).prefix as 'txn') : 'txn',
    twins.now() - random(100 * dayMs),
    entropy,
  )
}

/** One of the oldest, one of the newest, or any. */
const oneOf = ({ random, chance }: Dice, ids: readonly string[]): string => {
  const among = Math.max(1, Math.floor(ids.length / 10))
  return ids[chance(30) ? random(among) : chance(40) ? ids.length - 1 - random(among) : random(ids.length)]!
}

const someState = <Kind extends ListedKind>(
  { twins, dice, known }: Scene,
  accountId: AccountId,
  kind: Kind,
): ActorStates[Kind] | undefined => {
  const ids: ReturnType<Known['ids']> = known.ids(accountId, kind)
  return ids.length === 0 ? undefined : twins.oracle.find(kind, oneOf(dice, ids))?.state
}

/** Figures of groups have no order of their own. */
const inOrder = <Figures>(all: readonly Figures[]): readonly Figures[] =>
  all
    .map((figures) => [textOf(figures), figures] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, figures]) => figures)
