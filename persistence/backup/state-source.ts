import { type CopyOptions, copyShelf, openToFill, openToRead, type Shelf, sizeOf } from './shelf.ts'

/** A shard's snapshot, which the shard keeps replacing. */
export type StateSource = {
  readonly bytes: () => number
  /** Copies all of it as of now. */
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
