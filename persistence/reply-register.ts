import { limits as engineLimits } from '../engine/limits.ts'

/**
 * Which entries were made for which idempotency keys, by the key's hash: the entry itself says whether it is the one.
 * Held by days of real time, so that forgetting is dropping a day. About 40 bytes a key.
 */
export type ReplyRegister = {
  readonly put: (hash: number, sequence: number, atMs: number) => void
  /** The entries that may be meant, newest first. */
  readonly find: (hash: number) => readonly number[]
}

export const newReplyRegister = (): ReplyRegister => {
  /** One sequence a hash, or several where keys share it. */
  const days = new Map<number, Map<number, number | readonly number[]>>()

  const dayOf = (atMs: number): Map<number, number | readonly number[]> => {
    const number = Math.floor(atMs / engineLimits.idempotencyRetentionMs)
    let day = days.get(number)
    if (day === undefined) {
      day = new Map()
      days.set(number, day)
      for (const other of days.keys()) if (other < number - 1) days.delete(other)
    }
    return day
  }

  return {
    put: (hash, sequence, atMs) => {
      const day = dayOf(atMs)
      const before = day.get(hash)
      if (before === undefined) day.set(hash, sequence)
      else day.set(hash, typeof before === 'number' ? [sequence, before] : [sequence, ...before])
    },
    find: (hash) => {
      const found: number[] = []
      for (const day of days.values()) {
        const sequences = day.get(hash)
        if (typeof sequences === 'number') found.push(sequences)
        else if (sequences !== undefined) found.push(...sequences)
      }
      return found.sort((a, b) => b - a)
    },
  }
}
