import { limits } from '../../base/limits.ts'

/** When the main thread last had news of the sessions, in memory that all threads read. */
export const newHeardMemory = (heardAtMs: () => number): { readonly memory: SharedArrayBuffer } => {
  const memory = new SharedArrayBuffer(8)
  const cell = new Float64Array(memory)
  const note = (): void => {
    cell[0] = heardAtMs()
  }
  note()
  setInterval(note, limits.sessionsStaleMs / 10).unref()
  return { memory }
}

/** Whether sessions are known well enough to let people in by them. */
export const hasContact = (memory: SharedArrayBuffer, nowMs: number): boolean =>
  nowMs - new Float64Array(memory)[0]! <= limits.sessionsStaleMs
