import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Journal } from '../../../engine/kernel/ports.ts'
import { bounds } from '../../../persistence/base/bounds.ts'
import { blob, number, record, text } from '../../../persistence/codec/layout.ts'
import { openPagedFile } from '../../../persistence/disk/data-file/pages.ts'
import { committed } from '../../../persistence/disk/environment.ts'
import { newBatchCache } from '../../../persistence/journal/batch-cache.ts'
import { flushedUpTo, openJournal } from '../../../persistence/journal/journal.ts'
import { memoryJournal } from './memory-journal.ts'

type Record = { readonly n: number; readonly text: string; readonly bytes: Uint8Array }

const layout = record<Record>({ n: number(), text: text(), bytes: blob })

const entry = (n: number): Record => ({
  n,
  text: `entry ${n}`,
  bytes: new Uint8Array([n & 255]),
})
const plain = ({ n, text, bytes }: Record) => ({ n, text, bytes: [...bytes] })

const folder = (t: Test): string => {
  const path = mkdtempSync(join(tmpdir(), 'journal-'))
  t.teardown(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** What every journal promises; the one in memory is the oracle. */
const contract = (name: string, open: (t: Test) => { journal: Journal<Record>; flush: () => void }) => {
  t.test(`${name}: entries come back in order, with the sequences that append gave`, async (t) => {
    const { journal, flush } = open(t)
    const sequences = Array.from({ length: 10 }, (_, n) => journal.append(entry(n)))
    t.strictSame(sequences, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    t.equal(journal.appended(), 10)
    t.strictSame(plain(journal.at(4)), plain(entry(3)), 'an entry can be read before it is on disk')
    t.equal(journal.flushed(), 0, 'nothing is on disk in the turn of the append')
    const settled = flushedUpTo(journal, 10)
    flush()
    await settled
    t.equal(journal.flushed(), 10)
    const all = [...journal.replay(0)]
    t.strictSame(
      all.map(({ sequence }) => sequence),
      sequences,
    )
    t.strictSame(
      all.map(({ record }) => plain(record)),
      sequences.map((n) => plain(entry(n - 1))),
    )
    t.strictSame(
      [...journal.replay(7)].map(({ sequence }) => sequence),
      [8, 9, 10],
    )
    for (const n of [1, 4, 10]) t.strictSame(plain(journal.at(n)), plain(entry(n - 1)))
    for (const n of [0, 11]) t.throws(() => journal.at(n), `there is no entry ${n}`)
    t.strictSame([...journal.replay(10)], [])
    let isTold = false
    journal.whenFlushed(10, { resolve: () => (isTold = true), reject: () => undefined })
    t.ok(isTold, 'what is on disk is not waited for')
    await journal.close()
  })

  t.test(`${name}: the listener hears how far the disk is`, async (t) => {
    const { journal, flush } = open(t)
    const heard: number[] = []
    journal.onFlushed((sequence) => heard.push(sequence))
    journal.append(entry(1))
    const settled = flushedUpTo(journal, 1)
    flush()
    await settled
    t.strictSame(heard, [1])
    await journal.close()
  })
}

contract('in memory', () => {
  const journal = memoryJournal(layout)
  return { journal, flush: journal.flush }
})
contract('LMDB', (t) => ({
  journal: openJournal(folder(t), layout, { commits: 0, entries: 0, bytes: 0 }),
  flush: () => undefined,
}))

t.test('entries that arrive while a commit is under way share the next one', async (t) => {
  const metrics = { commits: 0, entries: 0, bytes: 0 }
  const journal = openJournal(folder(t), layout, metrics)
  const first = journal.append(entry(0))
  const firstSettled = flushedUpTo(journal, first)
  await new Promise((resolve) => setImmediate(resolve))
  for (let n = 1; n <= 100; n++) journal.append(entry(n))
  await Promise.all([firstSettled, flushedUpTo(journal, 101)])
  t.strictSame({ commits: metrics.commits, entries: metrics.entries }, { commits: 2, entries: 101 })
  await journal.close()
})

t.test('more entries than a batch holds go to disk in several, none acknowledged early', async (t) => {
  const metrics = { commits: 0, entries: 0, bytes: 0 }
  const journal = openJournal(folder(t), layout, metrics)
  const count = bounds.batchEntriesMax * 2 + 10
  const acknowledged: number[] = []
  for (let n = 1; n <= count; n++) {
    const sequence = journal.append(entry(n))
    void flushedUpTo(journal, sequence).then(() => {
      acknowledged.push(sequence)
      t.ok(journal.flushed() >= sequence || t.fail(`${sequence} acknowledged before its flush`))
    })
  }
  await flushedUpTo(journal, count)
  t.equal(acknowledged.length, count)
  t.equal(metrics.commits, 3)
  await journal.close()
})

t.test(
  'a large commit is several batches of one transaction, so that an entry is read with few others',
  async (t) => {
    const path = folder(t)
    const metrics = { commits: 0, entries: 0, bytes: 0 }
    const journal = openJournal(path, layout, metrics)
    const large = (n: number): Record => ({
      n,
      text: 'x'.repeat(n === 40 ? 100_000 : 1000),
      bytes: new Uint8Array(0),
    })
    const transactionOf = (): number => {
      const pages = openPagedFile(join(path, 'data.mdb'))
      const { transaction } = pages.meta()
      pages.close()
      return transaction
    }
    for (let n = 1; n <= 100; n++) journal.append(large(n))
    const before = transactionOf()
    await flushedUpTo(journal, 100)
    t.equal(metrics.commits, 1)
    t.equal(transactionOf(), before + 1)
    const batches = [...journal.batches.from(1, 100)]
    t.equal(
      batches.flatMap(({ first, last }) => last - first + 1).reduce((sum, count) => sum + count),
      100,
    )
    for (const { first, last, bytes } of batches)
      t.ok(bytes.length <= bounds.batchBytesMax || first === last, `${first} to ${last}`)
    t.equal(batches.length, 5)
    await journal.close()
    const after = openJournal(path, layout, metrics)
    t.strictSame(
      [...after.replay(0)].map(({ record }) => record.text.length),
      Array.from({ length: 100 }, (_, n) => large(n + 1).text.length),
    )
    await after.close()
  },
)

t.test('a journal that is opened again goes on after its last entry', async (t) => {
  const path = folder(t)
  const metrics = { commits: 0, entries: 0, bytes: 0 }
  const before = openJournal(path, layout, metrics)
  for (let n = 1; n <= 5; n++) before.append(entry(n))
  await before.close()
  const after = openJournal(path, layout, metrics)
  t.equal(after.appended(), 5)
  t.equal(after.append(entry(6)), 6)
  await flushedUpTo(after, 6)
  t.strictSame(
    [...after.replay(3)].map(({ record }) => record.n),
    [4, 5, 6],
  )
  await after.close()
})

t.test('entries of many batches are read in any order, again and again', async (t) => {
  const journal = openJournal(folder(t), layout, { commits: 0, entries: 0, bytes: 0 })
  for (let n = 1; n <= 300; n++) {
    journal.append(entry(n))
    if (n % 3 === 0) await flushedUpTo(journal, n)
  }
  await flushedUpTo(journal, 300)
  const wrong = []
  for (let n = 0; n < 2000; n++) {
    const sequence = 1 + ((n * 7919) % 300)
    if (journal.at(sequence).n !== sequence) wrong.push(sequence)
  }
  t.strictSame(wrong, [])
  await journal.close()
})

t.test('the batches read last are at hand, few enough to be small', async (t) => {
  const cache = newBatchCache(1000)
  const batch = (first: number, size: number) => ({ first, last: first + 9, bytes: Buffer.alloc(size) })
  for (let n = 0; n < 10; n++) cache.keep(batch(n * 10, 300))
  t.equal(cache.find(99)?.first, 90)
  t.equal(cache.find(70)?.first, 70)
  t.equal(cache.find(69), undefined, 'three of them fill it')
  cache.keep(batch(200, 5000))
  t.equal(cache.find(205)?.first, 200, 'a larger one is kept alone')
  t.equal(cache.find(95), undefined)
  for (let n = 0; n < 100; n++) cache.keep(batch(1000 + n * 10, 1))
  t.equal(cache.find(1000), undefined, 'nor are there very many')
  t.equal(cache.find(1995)?.first, 1990)
})

t.test('an entry that cannot become bytes fails the journal, not the process', async (t) => {
  const path = folder(t)
  const journal = openJournal(path, layout, { commits: 0, entries: 0, bytes: 0 })
  journal.append({ n: 1, text: null as unknown as string, bytes: new Uint8Array() })
  await t.rejects(flushedUpTo(journal, 1), /cannot write/)
  t.throws(() => journal.append(entry(2)), /cannot write/)
  await journal.close()
})

t.test('a commit that LMDB gives up reaches who wrote, and ends nothing else', async (t) => {
  const unheard: unknown[] = []
  const hear = (reason: unknown): void => void unheard.push(reason)
  process.prependListener('unhandledRejection', hear)
  t.teardown(() => process.removeListener('unhandledRejection', hear))
  const commitError = Promise.reject(new Error('MDB_PROBLEM'))
  const failed = Object.assign(new Error('Commit failed'), { commitError })
  await t.rejects(committed(Promise.all([Promise.reject(failed), Promise.resolve()])), failed)
  await new Promise((resolve) => setImmediate(resolve))
  t.strictSame(unheard, [])
})
