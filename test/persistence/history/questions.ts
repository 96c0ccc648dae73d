import type { ListFilter } from '../../../engine/kernel/ports.ts'
import type { ActorStates, ListedKind } from '../../../engine/kernel/registry.ts'
import { finish } from '../../../engine/kernel/work.ts'
import { methodNames } from '../../../engine/payments/methods/index.ts'
import { instantFields } from '../../../engine/payments/transaction/search.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { definitionOf, listedKinds } from '../../../engine/registry.ts'
import { addDays, dateIn } from '../../../engine/shared/calendar.ts'
import { type AccountId, newId } from '../../../engine/shared/ids.ts'
import { dayMs } from '../../engine/world.ts'
import { clockOf, type Scene, zone } from './charges.ts'
import { textOf } from './difference.ts'
import { accounts } from './known.ts'
import { anyPeriod, inOrder, type Question, someId, someState } from './subjects.ts'
import { aboutTransactions } from './transaction-questions.ts'

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
