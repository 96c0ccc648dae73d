import { bounds } from '../base/bounds.ts'

/** When frames leave; tests put a clock of their own in its place. */
export type FrameClock = {
  /** A monotonic clock in milliseconds. */
  readonly nowMs: () => number
  /** Runs at the end of this turn of the event loop. */
  readonly atTurnEnd: (run: () => void) => void
  /** Runs after a millisecond, the shortest time that Node waits. */
  readonly soon: (run: () => void) => void
}

/** The clock of a service. */
export const frameClock: FrameClock = {
  nowMs: () => performance.now(),
  atTurnEnd: setImmediate,
  soon: (run) => void setTimeout(run, 1),
}

/**
 * Says when the frames to other nodes leave, with a function for each place: at the end of the turn, all places together; but behind another frame to
 * the same place, what comes is gathered for a moment, since a frame costs its two sides and NATS more than a call does. A lone call never waits.
 */
export const newDepartures = ({
  nowMs,
  atTurnEnd,
  soon,
}: FrameClock): (() => (leave: () => void) => void) => {
  let leaving: (() => void)[] = []
  const endTurn = (): void => {
    const all = leaving
    leaving = []
    for (const leave of all) leave()
  }
  return () => {
    let leftAtMs = Number.NEGATIVE_INFINITY
    return (leave) => {
      const go = (): void => {
        leftAtMs = nowMs()
        leave()
      }
      const goOrGather = (): void => {
        if (nowMs() - leftAtMs < bounds.frameGatherMs) soon(go)
        else go()
      }
      if (leaving.push(goOrGather) === 1) atTurnEnd(endTurn)
    }
  }
}
