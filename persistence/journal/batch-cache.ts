import type { StoredBatch } from '../codec/sealed-batch.ts'

/** The batches read last, up to a number of bytes: a list rebuilds many states from a few of them. */
export const newBatchCache = (bytesMax: number) => {
  /** Few, because a small batch is cheap to read again. */
  const batchesMax = 64
  const batches: StoredBatch[] = []
  let bytes = 0
  return {
    find: (sequence: number): StoredBatch | undefined => {
      for (let n = batches.length - 1; n >= 0; n--) {
        const batch = batches[n]!
        if (sequence >= batch.first && sequence <= batch.last) return batch
      }
      return undefined
    },
    keep: (batch: StoredBatch): StoredBatch => {
      bytes += batch.bytes.length
      batches.push(batch)
      while (batches.length > 1 && (bytes > bytesMax || batches.length > batchesMax))
        bytes -= batches.shift()!.bytes.length
      return batch
    },
  }
}
