/** The environment clock of an account. */
export type Clock = {
  /** How far it is ahead of real time. */
  readonly clockOffsetMs: number
  /** Null while it runs in step with real time. */
  readonly advance: { readonly nowMs: number; readonly targetMs: number } | null
}

/** The time on the environment clock. An advancing clock stands still during its jobs, however long they take. */
export const clockNow = ({ clockOffsetMs, advance }: Clock, realMs: number): number =>
  advance === null ? realMs + clockOffsetMs : advance.nowMs
