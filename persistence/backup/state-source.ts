import { bounds } from '../base/bounds.ts'
import { unpack } from '../codec/codec.ts'
import { checkedValue } from '../disk/checked-value.ts'
import { Damaged } from '../disk/damage.ts'
import type { ReaderEntry, ReaderShelf } from '../disk/data-file/reader.ts'
import { openEnvironment } from '../disk/environment.ts'
import { type EventProgress, toldUpTo } from '../stream/stream.ts'
import { type CopyOptions, openStrictSource } from './stretches.ts'

/** A shard's snapshot, which the shard may be replacing. */
export type StateSource = {
  readonly bytes: () => number
  /** All events up to this entry of the journal are published. */
  readonly published: () => number
  /** Copies the whole snapshot as of now. Throws `Damaged` when it is not what was written. */
  readonly copy: (path: string, options: CopyOptions) => Promise<void>
  readonly close: () => void
}

/** Opens a shard's snapshot for reading. Throws `Damaged` where it does not begin as one. */
export const openStateSource = (path: string): StateSource => {
  const source = openStrictSource(path)
  const shelves = (): ReadonlyMap<string, ReaderShelf> =>
    new Map([...source.shelf().entries()].map(({ key }) => [String(key), source.shelf(String(key))]))
  const sum = (count: 'entries' | 'bytes'): number =>
    [...shelves().values()].reduce((sum, shelf) => sum + shelf.size()[count], 0)
  return {
    published: () => {
      const stored = source.glance(() => source.shelf('meta').get('position'))
      return stored === undefined ? 0 : publishedIn(path, stored)
    },
    bytes: () => source.glance(() => sum('bytes')),
    copy: async (to, options) => {
      const copy = openEnvironment<string>({ path: to })
      try {
        await source.viewWhile(async () => {
          const of = sum('entries')
          let done = 0
          for (const [name, shelf] of shelves()) {
            const into = copy.openDB<Buffer, string | number>({ name, encoding: 'binary' })
            for (const rows of slicesOf(shelf)) {
              options.requireRoom(rows.reduce((sum, { value }) => sum + value.length, 0))
              await Promise.all(rows.map(({ key, value }) => into.put(key!, value)))
              done += rows.length
              await options.onProgress(done, of)
            }
          }
          if (done < of) throw new Damaged(`${path} is damaged: it does not have the entries that it counts`)
        })
      } finally {
        await copy.close()
      }
    },
    close: source.close,
  }
}

/** All entries of a database, in slices. */
const slicesOf = function* (shelf: ReaderShelf): Generator<readonly ReaderEntry[]> {
  let slice: ReaderEntry[] = []
  let bytes = 0
  for (const entry of shelf.entries()) {
    slice.push(entry)
    bytes += entry.value.length
    if (bytes < bounds.backupSliceBytes) continue
    yield slice
    slice = []
    bytes = 0
  }
  if (slice.length > 0) yield slice
}

/** What a snapshot says of itself; earlier versions did not say how far its events were on the stream. */
const stated = (path: string, stored: Buffer) =>
  unpack(checkedValue(`${path} meta`, 'position', stored)) as Pick<EventProgress, 'published'> &
    Partial<EventProgress>

/** The published sequence; 0 if damaged: then all events are published again, and receivers know their ids. */
const publishedIn = (path: string, stored: Buffer): number => {
  try {
    return toldUpTo({ streamed: null, ...stated(path, stored) })
  } catch (error) {
    if (error instanceof Damaged) return 0
    throw error
  }
}
