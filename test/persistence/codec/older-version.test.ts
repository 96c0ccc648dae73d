import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'lmdb'
import t, { type Test } from 'tap'
import type { DirectoryFact } from '../../../engine/companies/directory.ts'
import { checksumBytes, checksumOf } from '../../../persistence/base/checksum.ts'
import { requireFormed } from '../../../persistence/cluster/formation.ts'
import { packRecord, unpackRecord } from '../../../persistence/cluster/record.ts'
import { openReplicaStore, startPosition } from '../../../persistence/cluster/replica-store.ts'
import { pack, unpack } from '../../../persistence/codec/codec.ts'
import { entryLayout } from '../../../persistence/codec/entry.ts'
import { codecVersion } from '../../../persistence/codec/layout.ts'
import { openBatches } from '../../../persistence/journal/batches.ts'
import { openFactLog } from '../../../persistence/journal/fact-log.ts'
import { flushedUpTo, openJournal } from '../../../persistence/journal/journal.ts'
import { openStore } from '../../../persistence/snapshot/store.ts'
import { verifyDataDirectory } from '../../../persistence/verify/verify.ts'
import { opened } from '../../engine/world.ts'
import { noKeys } from '../paging.ts'

/** Bytes of version 1 were never released: whatever begins with that version is refused in one line that says what to do. */
const refusal = /^stored bytes have version 1, [^\n]*: begin with a new data directory$/

const folder = (t: Test): string => {
  const path = mkdtempSync(join(tmpdir(), 'older-version-'))
  t.teardown(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** Makes every batch of a journal begin with version 1. */
const ageJournal = async (path: string): Promise<void> => {
  const db = open<Buffer, number>({ path, encoding: 'binary', cache: false })
  const old = [...openBatches(path, db).from(1, 1)]
  await db.clearAsync()
  const batches = openBatches(path, db)
  for (const { first, last, bytes } of old)
    await batches.put(first, last - first + 1, Buffer.concat([one, bytes.subarray(1)]))
  await db.close()
}

/** Makes every value of a database begin with version 1, or another, behind its checksum if it has one. */
const age = async (path: string, name: string, isChecked: boolean, version = 1): Promise<void> => {
  const root = open<Buffer, string>({ path, encoding: 'binary', cache: false, maxDbs: 8 })
  const db = root.openDB<Buffer, string>({ name, encoding: 'binary' })
  for (const { key, value } of [...db.getRange()]) {
    const old = Buffer.concat([Buffer.from([version]), value.subarray(isChecked ? checksumBytes + 1 : 1)])
    await db.put(key, isChecked ? Buffer.concat([checksumOf(key, old), old]) : old)
  }
  await root.close()
}
const one = Buffer.from([1])

const openShard = (path: string) =>
  openJournal(join(path, 'journal'), entryLayout, { commits: 0, entries: 0, bytes: 0 })

t.test('a journal of version 1 is neither opened nor verified', async (t) => {
  const path = folder(t)
  const journal = openShard(path)
  const [first] = (await opened()).journal.replay(0)
  await flushedUpTo(journal, journal.append(first!.record))
  await journal.close()
  await ageJournal(join(path, 'journal'))
  t.throws(() => openShard(path), { message: refusal })
  const { problems } = await verifyDataDirectory({ shards: 1, shardPath: () => path })
  t.equal(problems.length, 1)
  t.match(problems[0], /^\S+journal: stored bytes have version 1, [^\n]*$/)
})

t.test('nor is the journal of a directory', async (t) => {
  const path = folder(t)
  const log = openFactLog<DirectoryFact>(path)
  log.follow(async () => undefined)
  await log.append(() => ({ type: 'ShardPinned', shard: 0, node: null }))
  await log.close()
  await ageJournal(path)
  t.throws(() => openFactLog<DirectoryFact>(path), { message: refusal })
})

t.test('nor is a snapshot', async (t) => {
  const path = folder(t)
  const store = openStore(path, () => 1)
  await store.write({ sequence: 1, accounts: [], cleared: [], tableSnapshots: [], dropped: [], keys: noKeys })
  await store.close()
  await age(path, 'meta', true)
  t.throws(() => openStore(path, () => 1), { message: refusal })
})

t.test('a snapshot of a newer version is made again', async (t) => {
  const path = folder(t)
  const store = openStore(path, () => 1)
  await store.write({ sequence: 1, accounts: [], cleared: [], tableSnapshots: [], dropped: [], keys: noKeys })
  await store.close()
  await age(path, 'meta', true, codecVersion + 1)
  const opened = openStore(path, () => 1)
  t.equal(opened.sequence(), 0)
  await opened.write({
    sequence: 2,
    accounts: [],
    cleared: [],
    tableSnapshots: [],
    dropped: [],
    keys: noKeys,
  })
  await opened.close()
  const remade = openStore(path, () => 1)
  t.equal(remade.sequence(), 2)
  await remade.close()
})

t.test('nor is the log of a cluster', async (t) => {
  const path = folder(t)
  const store = openReplicaStore(path)
  await store.write([], startPosition)
  await store.close()
  await age(path, 'meta', true)
  t.throws(() => openReplicaStore(path), { message: refusal })

  const by = { node: 'a', incarnation: '1' }
  const record = packRecord({
    kind: 'CLAIM',
    epoch: 1,
    by,
    previous: '',
    first: 1,
    count: 0,
    published: 0,
    to: null,
  })
  t.throws(() => unpackRecord(Buffer.concat([one, record.subarray(1)])), /^a log record has version 1/)

  const formed = (format: number) => () =>
    requireFormed(
      {
        version: 1,
        id: '1',
        node: 'a',
        previous: '',
        fact: { type: 'ClusterFormed', shards: 1, masterKeyCheck: 'k', format },
      },
      { cluster: 'c', shards: null, masterKeyCheck: 'k' },
    )
  t.throws(formed(1), /^cluster c has format 1, [^\n]*: begin a cluster under another name/)
  t.throws(formed(99), /^cluster c has format 99; [^\n]*: start a newer version of the service$/)
  t.equal(formed(2)().format, 2)
})

t.test('nor are single values', async (t) => {
  t.throws(() => unpack(Buffer.concat([one, pack({ a: 1 }).subarray(1)])), { message: refusal })
})
