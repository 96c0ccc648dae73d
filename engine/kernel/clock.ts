/** The environment clock of an account. */
export type Clock = {
  /** How far it is ahead of the real one. */
  readonly clockOffsetMs: number
  /** Null while it runs with the real one. */
  readonly advance: { readonly nowMs: number; readonly targetMs: number } | null
}

/** What the environment clock shows. A clock that advances stands between its jobs, however long they take. */
export const clockNow = ({ clockOffsetMs, advance }: Clock, realMs: number): number =>
  advance === null ? realMs + clockOffsetMs : advance.nowMs
