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
  const batches: (Stretch & { readonly length: number })[] = []
  /** The batches' bytes, one after the other. */
  let gathered = spare.pop() ?? new Uint8Array(1024 * 1024)
  /** For each row its id as four numbers, how many entries it has, and their sequences. */
  const rows: number[] = []
  let count = 0
  let bytes = 0

  const require = (sequence: number): void => {
    if (batchIn(batches, sequence) !== undefined) return
    const { first, last, bytes: own } = journal.batchAt(sequence)
    if (bytes + own.length > gathered.length) {
      const larger = new Uint8Array(2 * gathered.length + own.length)
      larger.set(gathered.subarray(0, bytes))
      gathered = larger
    }
    gathered.set(own, bytes)
    batches.push({ first, last, length: own.length })
    bytes += own.length
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
    /** All of them; to be called once. */
    pack: (): PackedStates => {
      const head = [
        batches.length,
        ...batches.flatMap(({ first, last, length }) => [first, last, length]),
        ...rows,
      ]
      const packed = new Uint8Array(8 * (1 + head.length) + bytes)
      new Float64Array(packed.buffer, 0, 1 + head.length).set([head.length, ...head])
      packed.set(gathered.subarray(0, bytes), 8 * (1 + head.length))
      if (spare.length < spareMax && gathered.length <= spareBytesMax) spare.push(gathered)
      return { count, bytes: packed }
    },
  }
}

/**
 * Room for batches that is used again: V8 collects a whole heap after some tens of megabytes of new buffers, which an export would otherwise make each
 * 14,000 rows.
 */
const spare: Uint8Array<ArrayBuffer>[] = []
const spareMax = 2
const spareBytesMax = 4 * 1024 * 1024

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

type Stretch = Pick<StoredBatch, 'first' | 'last'>

/** Most are in the batch that was found or added last. */
const batchIn = <Batch extends Stretch>(batches: readonly Batch[], sequence: number): Batch | undefined =>
  batches.findLast(({ first, last }) => sequence >= first && sequence <= last)
