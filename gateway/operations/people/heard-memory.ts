import { bounds } from '../../base/bounds.ts'

/** Shares with all threads when the main thread last received facts about sessions. */
export const newHeardMemory = (
  heardAtMs: () => number,
  every: (periodMs: number, run: () => void) => void,
): { readonly memory: SharedArrayBuffer } => {
  const memory = new SharedArrayBuffer(8)
  const cell = new Float64Array(memory)
  const note = (): void => {
    cell[0] = heardAtMs()
  }
  note()
  every(bounds.sessionsStaleMs / 10, note)
  return { memory }
}

/** Whether the facts about sessions are recent enough to admit people by them. */
export const hasContact = (memory: SharedArrayBuffer, nowMs: number): boolean =>
  nowMs - new Float64Array(memory)[0]! <= bounds.sessionsStaleMs
