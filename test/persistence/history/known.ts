import type { ActorStates, ListedKind } from '../../../engine/kernel/registry.ts'
import type { FlushedEntry } from '../../../engine/kernel/step.ts'
import { isKeptByReset } from '../../../engine/registry.ts'
import type { AccountId } from '../../../engine/shared/ids.ts'
import { seeded } from '../../engine/world.ts'
import { accountNumber } from '../index/history.ts'

/** Chance, the same for the same seed. */
export type Dice = ReturnType<typeof newDice>

export const newDice = (seed: number) => {
  const entropy = seeded(seed)
  const random = (below: number): number => entropy() % below
  return {
    entropy,
    random,
    pick: <Value>(values: readonly Value[]): Value => values[random(values.length)]!,
    chance: (percent: number): boolean => random(1000) < percent * 10,
  }
}

/** The first has years behind it, the second clocks that are set back, the third resets of its Sandbox, the rest little. */
export const accounts: readonly AccountId[] = [1, 2, 3, 4, 5].map(accountNumber)

/** The ids of what there is, by account and kind in the order of birth, and of what a reset has forgotten. */
export type Known = {
  readonly hear: (entry: FlushedEntry) => void
  readonly ids: (accountId: AccountId, kind: ListedKind) => readonly string[]
  readonly gone: readonly string[]
}

export const newKnown = (): Known => {
  const own = new Map<string, string[]>()
  const seen = new Set<string>()
  const gone: string[] = []

  const idsOf = (accountId: AccountId, kind: ListedKind): string[] => {
    const key = `${accountId} ${kind}`
    if (!own.has(key)) own.set(key, [])
    return own.get(key)!
  }

  return {
    hear: ({ accountId, steps }) => {
      for (const { event, after } of steps) {
        if (event.type === 'SandboxCleared') forget(event.id)
        if (event.actor === 'account' || seen.has(event.id)) continue
        seen.add(event.id)
        idsOf((after as ActorStates[ListedKind]).accountId ?? accountId, event.actor).push(event.id)
      }
    },
    ids: idsOf,
    gone,
  }

  function forget(accountId: AccountId): void {
    for (const [key, ids] of own) {
      const [whose, kind] = key.split(' ') as [AccountId, ListedKind]
      if (whose === accountId && !isKeptByReset(kind)) gone.push(...ids.splice(0))
    }
  }
}
