import { type LoadRule, loadRuleOf } from '../../../persistence/cluster/load-rule.ts'
import { newRandom } from './random.ts'

/**
 * How much is asked of which log in a run, and when logs move because of that. It is drawn apart from all else, and in most runs nothing moves:
 * those are the runs that they were before, which is so for every seed that is known to find something.
 */
export type Loads = ReturnType<typeof newLoads>

export const newLoads = (seed: number, nowMs: () => number) => {
  const random = newRandom(seed ^ 8)
  const isBusy = random.chance(0.2)
  const logs = 3 + random.below(4)
  const pauseMs = random.pick([2_000, 4_000])
  const swingMs = random.pick([2_000, 9_000, 25_000, Number.POSITIVE_INFINITY])
  /** Some logs that are busy, after each swing others. */
  const busy = Array.from({ length: 97 }, () =>
    Array.from({ length: 1 + random.below(3) }, () => random.below(logs)),
  )
  const share = random.between(0.5, 0.95)
  const clients = 4 + random.below(4)
  const thinkMs = random.between(40, 150)
  const still = loadRuleOf(0)
  const rule: LoadRule = {
    ...still,
    ...(isBusy && { pauseMs, windowMs: pauseMs / 3, lastsMs: pauseMs / 6 }),
    ...(isBusy && { restMs: 5 * pauseMs, loadMin: 2, lookMs: 250 }),
  }
  return {
    isBusy,
    logs,
    clients,
    thinkMs,
    rule,
    /** A log that is busy now, or any. */
    pick: (): number =>
      random.chance(share)
        ? random.pick(busy[Math.floor(nowMs() / swingMs) % busy.length]!)
        : random.below(logs),
  }
}
