/** The clocks of a machine: both drift and run on while a process stands still, and the one on the wall can be set. */
export type Clock = ReturnType<typeof newClock>

export const newClock = (trueNow: () => number, startMs: number, rate: number) => {
  let wallShiftMs = 0
  const monotonicNow = (): number => startMs + trueNow() * rate
  return {
    monotonicNow,
    wallNow: (): number => monotonicNow() - startMs + wallShiftMs,
    /** How long a timer of this machine takes in true time. */
    trueMs: (ms: number): number => ms / rate,
    setWall: (shiftMs: number): void => {
      wallShiftMs = shiftMs
    },
  }
}
