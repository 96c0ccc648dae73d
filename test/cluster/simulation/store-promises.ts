import type { Test } from 'tap'
import type { RecordStore } from '../../../persistence/cluster/open-replica.ts'
import { type LogRecord, type Placed, packRecord, placedAt } from '../../../persistence/cluster/record.ts'
import { type Position, positionAfter, startPosition } from '../../../persistence/cluster/replica-store.ts'
import { packBatch } from '../../../persistence/codec/codec.ts'
import { text } from '../../../persistence/codec/layout.ts'

export type StoreUnderTest = {
  readonly store: RecordStore
  readonly entries: () => readonly string[]
}

/** A disk that a store can be opened on, one after the other. */
export type StoreBench = { readonly open: () => StoreUnderTest }

type StorePromise = { readonly title: string; readonly check: (t: Test, bench: StoreBench) => Promise<void> }

/** What replicas rely on of their stores: the model and the real one keep the same promises. */
export const storePromises: readonly StorePromise[] = [
  {
    title: 'a new store has nothing',
    check: async (t, { open }) => {
      const { store, entries } = open()
      t.strictSame(store.position(), startPosition)
      t.equal(store.read(1), null)
      t.strictSame(entries(), [])
      await store.close()
    },
  },
  {
    title: 'what a write has is there when it resolves, and not before',
    check: async (t, { open }) => {
      const { store, entries } = open()
      const { records, after } = chain(['one', 'two'], ['three'])
      const written = store.write(records, after)
      t.strictSame(store.position(), startPosition)
      await written
      t.strictSame(store.position(), after)
      t.strictSame(entries(), ['one', 'two', 'three'])
      for (const { sequence, bytes } of records) t.ok(store.read(sequence)?.equals(bytes))
      t.equal(store.read(records.length + 1), null)
      await store.close()
    },
  },
  {
    title: 'what was written is there when it is opened again, and goes on from there',
    check: async (t, { open }) => {
      const first = open()
      const { records, after } = chain(['one'], ['two'])
      const [claim, ...batches] = records
      await first.store.write([claim!], positionAfter(startPosition, claim!)!)
      await first.store.close()
      const second = open()
      t.match(second.store.position(), { applied: 1, epoch: 1, entries: 0 })
      await second.store.write(batches, after)
      await second.store.close()
      const third = open()
      t.strictSame(third.store.position(), after)
      t.strictSame(third.entries(), ['one', 'two'])
      for (const { sequence, bytes } of records) t.ok(third.store.read(sequence)?.equals(bytes))
      await third.store.close()
    },
  },
  {
    title: 'a write that nobody waited for is there as a whole, or not at all',
    check: async (t, { open }) => {
      const first = open()
      const { records, after } = chain(['one'], ['two'], ['three'])
      first.store.write(records, after).catch(() => undefined)
      await first.store.close()
      const { store, entries } = open()
      const { applied } = store.position()
      t.ok(applied === 0 || applied === records.length, `it has ${applied} records`)
      t.strictSame(entries(), applied === 0 ? [] : ['one', 'two', 'three'])
      t.equal(store.read(records.length) === null, applied === 0)
      await store.close()
    },
  },
  {
    title: 'a batch of a former owner is kept as a record, and its entries do not count',
    check: async (t, { open }) => {
      const { store, entries } = open()
      const { records, after } = chain(['one'])
      const late = record(after, { epoch: 0, first: 2, count: 1 }, ['late'])
      const end = positionAfter(after, late)!
      await store.write([...records, late], end)
      t.match(store.position(), { applied: 3, entries: 1 })
      t.strictSame(entries(), ['one'])
      t.ok(store.read(3)?.equals(late.bytes))
      await store.close()
    },
  },
  {
    title: 'dropped records are gone and their entries stay, and the last record is not dropped',
    check: async (t, { open }) => {
      const first = open()
      const { records, after } = chain(['one', 'two'], ['three'], ['four'])
      await first.store.write(records, after)
      t.strictSame(first.store.base(), startPosition)
      await first.store.dropUpTo(2)
      await first.store.close()
      const { store, entries } = open()
      const base = positionAfter(positionAfter(startPosition, records[0]!)!, records[1]!)!
      t.strictSame(store.base(), base)
      t.strictSame(store.position(), after)
      t.strictSame(
        [1, 2, 3, 4].map((sequence) => store.read(sequence)?.equals(records[sequence - 1]!.bytes) ?? null),
        [null, null, true, true],
      )
      t.strictSame(entries(), ['one', 'two', 'three', 'four'])
      t.equal(store.batches.last(), 4)
      t.match(
        [1, 2, 3].map((sequence) => store.batches.at(sequence).first),
        [1, 1, 3],
      )
      t.ok(store.batches.at(2).bytes.equals(records[1]!.batch))
      await store.dropUpTo(99)
      t.equal(store.base().applied, 3)
      t.ok(store.read(4)?.equals(records[3]!.bytes))
      await store.close()
    },
  },
  {
    title: 'a reader finds the record after the base at every moment of dropping',
    check: async (t, { open }) => {
      const { store } = open()
      const { records, after } = chain(...Array.from({ length: 300 }, (_, n) => [String(n)]))
      await store.write(records, after)
      let isDropping = true
      const dropAll = async (): Promise<void> => {
        for (let sequence = 5; sequence <= 300; sequence += 5) await store.dropUpTo(sequence)
      }
      const dropping = dropAll().finally(() => {
        isDropping = false
      })
      let missing = 0
      while (isDropping) {
        await new Promise((resolve) => setImmediate(resolve))
        if (store.read(store.base().applied + 1) === null) missing++
      }
      await dropping
      t.equal(store.base().applied, 300)
      t.equal(missing, 0)
      await store.close()
    },
  },
]

/** A claim, and a record with each of these groups of entries. */
const chain = (
  ...groups: readonly (readonly string[])[]
): { readonly records: Placed[]; readonly after: Position } => {
  const records = [record(startPosition, { kind: 'CLAIM', epoch: 1 })]
  let after = positionAfter(startPosition, records[0]!)!
  for (const entries of groups) {
    const placed = record(after, { first: after.entries + 1, count: entries.length }, entries)
    records.push(placed)
    after = positionAfter(after, placed)!
  }
  return { records, after }
}

const record = (
  { applied, head, epoch, entries }: Position,
  change: Partial<LogRecord>,
  batch: readonly string[] = [],
): Placed => {
  const made: LogRecord = {
    kind: 'BATCH',
    epoch,
    by: { node: 'a', incarnation: '1' },
    previous: head,
    first: entries + 1,
    count: 0,
    published: 0,
    streamed: 0,
    to: null,
    ...change,
  }
  const packed = batch.length === 0 ? null : packBatch(text(), batch)
  return placedAt(applied + 1, packRecord(made, packed))
}
