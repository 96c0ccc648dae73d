import { type CopyOptions, copyShelf, openToFill, openToRead, type Shelf, sizeOf } from './shelf.ts'

/** The snapshot of a shard that goes on writing snapshots. */
export type StateSource = {
  readonly bytes: () => number
  /** All of it as it is when this begins. */
  readonly copy: (
    path: string,
    options: Pick<CopyOptions<string>, 'requireRoom'> & {
      readonly onProgress: (done: number, of: number) => Promise<void>
    },
  ) => Promise<void>
  readonly close: () => Promise<void>
}

export const openStateSource = (path: string): StateSource => {
  const root = openToRead(path)
  const names = [...root.getKeys()] as string[]
  const shelves = new Map<string, Shelf>(
    names.map((name) => [name, root.openDB({ name, encoding: 'binary' })]),
  )
  const sizes = () => [...shelves.values()].map(sizeOf)
  return {
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
