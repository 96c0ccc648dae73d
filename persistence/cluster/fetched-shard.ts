import type { Member } from './record.ts'

/** A shard that this node fetches from another one. */
export type FetchedShard = {
  /** The node that gives the copy; null while none does. */
  readonly from: string | null
  readonly doneBytes: number
  readonly ofBytes: number
  /** The owner of the shard, according to the log of another node. */
  readonly owner: Member | null
}

/** Runs so many pieces of work at once; others wait for their turn. */
export const newSlots = (count: number) => {
  let free = count
  const waiting: (() => void)[] = []
  return async <Done>(work: () => Promise<Done>): Promise<Done> => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => void waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
}
