import type { ActorStates, ListedKind } from '../../../engine/kernel/registry.ts'
import { definitionOf } from '../../../engine/registry.ts'
import { dateIn } from '../../../engine/shared/calendar.ts'
import { type AccountId, newId } from '../../../engine/shared/ids.ts'
import type { StoredMemory } from '../../../persistence/shard/memory.ts'
import { dayMs } from '../../engine/world.ts'
import { clockOf, type Scene, zone } from './charges.ts'
import { textOf } from './difference.ts'
import { accounts, type Dice, type Known } from './known.ts'

/** A question to a memory, and how it reads when two memories do not agree on it. */
export type Question = { readonly text: string; readonly ask: (memory: StoredMemory) => unknown }

/** The id of one that is there, of another account, of another kind, that a reset has forgotten, or of none. */
export const someId = ({ twins, dice, known }: Scene, accountId: AccountId, kind: ListedKind): string => {
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

export const someState = <Kind extends ListedKind>(
  { twins, dice, known }: Scene,
  accountId: AccountId,
  kind: Kind,
): ActorStates[Kind] | undefined => {
  const ids: ReturnType<Known['ids']> = known.ids(accountId, kind)
  return ids.length === 0 ? undefined : twins.oracle.find(kind, oneOf(dice, ids))?.state
}

/** Nothing, days, months, or what is still to come. */
export const anyPeriod = (scene: Scene, accountId: AccountId) => {
  const { random, pick, chance } = scene.dice
  const nowMs = clockOf(scene, accountId)
  const startMs = nowMs - random(pick([dayMs, 40 * dayMs, 800 * dayMs])) + random(40 * dayMs)
  const fromMs = chance(50) ? startMs : null
  const toMs = chance(50) ? startMs + random(pick([dayMs, 60 * dayMs])) : null
  const day = (atMs: number | null) => (atMs === null ? null : dateIn(zone, atMs))
  return { fromMs, toMs, from: day(fromMs), to: day(toMs) }
}

/** Figures of groups have no order of their own. */
export const inOrder = <Figures>(all: readonly Figures[]): readonly Figures[] =>
  all
    .map((figures) => [textOf(figures), figures] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, figures]) => figures)
