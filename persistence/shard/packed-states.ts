import type { Entry } from '../../engine/kernel/entry.ts'
import type { PackedStates } from '../../engine/kernel/ports.ts'
import type { ActorState } from '../../engine/kernel/registry.ts'
import { idPrefixOf } from '../../engine/registry.ts'
import { bounds } from '../base/bounds.ts'
import { viewsAt } from '../base/columns.ts'
import { idAt } from '../base/packed-id.ts'
import { unpackFromBatch } from '../codec/codec.ts'
import type { Layout } from '../codec/layout.ts'
import type { StoredBatch } from '../codec/sealed-batch.ts'
import { sequencesOf } from '../index/table.ts'
import type { Table } from '../index/table-type.ts'
import type { EntrySource } from '../journal/journal.ts'
import { foldEntries } from '../snapshot/states.ts'

/**
 * Gathers the stored entries of some actors, so that another thread can do the slow part: read entries, fold
 * states and write them. The journal checks the bytes here.
 */
export const newStatePacker = (journal: Pick<EntrySource, 'batchAt'>) => {
  const batches: StoredBatch[] = []
  /** For each row its id as four numbers, how many entries it has, and their sequences. */
  const rows: number[] = []
  let count = 0
  let bytes = 0

  const require = (sequence: number): void => {
    if (batchIn(batches, sequence) !== undefined) return
    const batch = journal.batchAt(sequence)
    batches.push(batch)
    bytes += batch.bytes.length
  }

  return {
    add: (table: Table, row: number): void => {
      const { id } = viewsAt(table.rows, row)
      const n = 4 * (row & table.rows.schema.mask)
      const sequences = sequencesOf(table, row)
      for (const sequence of sequences) require(sequence)
      rows.push(id[n]!, id[n + 1]!, id[n + 2]!, id[n + 3]!, sequences.length, ...sequences)
      count += 1
    },
    /** Whether to stop adding rows: entries that lie far apart take much room. */
    isFull: () => bytes >= bounds.packedBytesMax,
    pack: (): PackedStates => {
      const head = [
        batches.length,
        ...batches.flatMap((one) => [one.first, one.last, one.bytes.length]),
        ...rows,
      ]
      const packed = new Uint8Array(8 * (1 + head.length) + bytes)
      new Float64Array(packed.buffer, 0, 1 + head.length).set([head.length, ...head])
      let at = 8 * (1 + head.length)
      for (const batch of batches) {
        packed.set(batch.bytes, at)
        at += batch.bytes.length
      }
      return { count, bytes: packed }
    },
  }
}

/** The states of packed actors of one kind, in order. */
export const unpackStates = function* <State extends ActorState>(
  kind: Parameters<typeof idPrefixOf>[0],
  { count, bytes }: PackedStates,
  layout: Layout<Entry>,
): Iterable<State> {
  // Copied unless it is aligned, as bytes that came from another node may not be.
  const whole = bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes)
  const headLength = new Float64Array(whole.buffer, whole.byteOffset, 1)[0]!
  const head = new Float64Array(whole.buffer, whole.byteOffset + 8, headLength)
  let start = 8 * (1 + headLength)
  let at = 1
  const batches: StoredBatch[] = []
  for (let left = head[0]!; left > 0; left--, at += 3) {
    const [first, last, length] = head.subarray(at, at + 3) as unknown as [number, number, number]
    const own = Buffer.from(whole.buffer, whole.byteOffset + start, length)
    batches.push({ first, last, bytes: own })
    start += length
  }
  const entryAt = (sequence: number) => {
    const { first, bytes } = batchIn(batches, sequence)!
    return unpackFromBatch(layout, bytes, sequence - first)
  }
  const prefix = idPrefixOf(kind)
  for (let n = 0; n < count; n++) {
    const id = idAt(prefix, Uint32Array.from(head.subarray(at, at + 4)), 0)
    const sequences = head.subarray(at + 5, at + 5 + head[at + 4]!)
    yield foldEntries(id, sequences, entryAt).state as State
    at += 5 + sequences.length
  }
}

/** Most are in the batch that was found or added last. */
const batchIn = (batches: readonly StoredBatch[], sequence: number): StoredBatch | undefined =>
  batches.findLast(({ first, last }) => sequence >= first && sequence <= last)
