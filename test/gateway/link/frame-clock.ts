import type { FrameClock } from '../../../gateway/link/departures.ts'

/** A clock of frames that a test puts forward. */
export const newFrameClock = () => {
  let passedMs = 1000
  const ending: (() => void)[] = []
  const soon: (() => void)[] = []
  const runAll = (all: readonly (() => void)[]): void => {
    for (const run of all) run()
  }
  const clock: FrameClock = {
    nowMs: () => passedMs,
    atTurnEnd: (run) => void ending.push(run),
    soon: (run) => void soon.push(run),
  }
  return {
    ...clock,
    soonCount: () => soon.length,
    pass: (ms: number): void => {
      passedMs += ms
    },
    endTurn: (): void => runAll(ending.splice(0)),
    /** A millisecond passes, and what waits for it runs. */
    passSoon: (): void => {
      passedMs += 1
      runAll(soon.splice(0))
    },
  }
}
