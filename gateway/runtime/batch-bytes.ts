import { Packr, RESET_BUFFER_MODE, Unpackr } from 'msgpackr'
import type { Batch } from '../link.ts'

// Records let the objects of a batch share field names. Sums of centavos are `bigint` of any size.
const options = { useRecords: true, moreTypes: false, useBigIntExtension: true }
const packr = new Packr(options)
// Buffers are copied: one that is kept for long, like the body of a delivery, must not keep the whole batch.
const unpackr = new Unpackr({ ...options, copyBuffers: true })

/** A batch as MessagePack. The bytes are only lent: the next batch overwrites them. */
export const bytesOf = ({ calls, results }: Batch): Uint8Array =>
  packr.pack([calls, results], RESET_BUFFER_MODE)

/** The reverse of `bytesOf`. */
export const batchFrom = (bytes: Uint8Array): Batch => {
  const [calls, results] = unpackr.unpack(bytes) as [Batch['calls'], Batch['results']]
  return { calls, results }
}
