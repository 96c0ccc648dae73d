import { unpack } from '../codec/codec.ts'
import { checkedValue } from '../disk/checked-value.ts'
import { Damaged } from '../disk/damage.ts'
import { type CopyOptions, copyShelf, openToFill, openToRead, type Shelf, sizeOf } from '../disk/shelf.ts'

/** A shard's snapshot, which the shard keeps replacing. */
export type StateSource = {
  readonly bytes: () => number
  /** All events up to this entry of the journal are published. */
  readonly published: () => number
  /** Copies the whole snapshot as of now. */
  readonly copy: (
    path: string,
    options: Pick<CopyOptions<string>, 'requireRoom'> & {
      readonly onProgress: (done: number, of: number) => Promise<void>
    },
  ) => Promise<void>
  readonly close: () => Promise<void>
}

/** Opens a shard's snapshot for reading while the service writes it. */
export const openStateSource = (path: string): StateSource => {
  const root = openToRead(path)
  const names = [...root.getKeys()] as string[]
  const shelves = new Map<string, Shelf>(
    names.map((name) => [name, root.openDB({ name, encoding: 'binary' })]),
  )
  const sizes = () => [...shelves.values()].map(sizeOf)
  return {
    published: () => {
      const stored = shelves.get('meta')?.get('position')
      return stored === undefined ? 0 : publishedIn(path, stored)
    },
    bytes: () => sizes().reduce((sum, { bytes }) => sum + bytes, 0),
    copy: async (path, { requireRoom, onProgress }) => {
      const copy = openToFill(path)
      const transaction = root.useReadTransaction()
      const of = sizes().reduce((sum, { keys }) => sum + keys, 0)
      let done = 0
      try {
        for (const [name, shelf] of shelves) {
          const to: Shelf = copy.openDB({ name, encoding: 'binary' })
          const onSlice = ({ keys }: { readonly keys: number }): Promise<void> => {
            done += keys
            return onProgress(done, of)
          }
          await copyShelf(shelf, to, { transaction, requireRoom, onSlice })
        }
      } finally {
        transaction.done()
        await copy.close()
      }
    },
    close: () => root.close(),
  }
}

/** The published sequence; 0 if damaged: then all events are published again, and receivers know their ids. */
const publishedIn = (path: string, stored: Buffer): number => {
  try {
    return (unpack(checkedValue(`${path} meta`, 'position', stored)) as { readonly published: number })
      .published
  } catch (error) {
    if (error instanceof Damaged) return 0
    throw error
  }
}
