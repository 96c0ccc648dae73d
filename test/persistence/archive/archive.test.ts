import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { HistoryUnavailable } from '../../../engine/kernel/unavailable.ts'
import { isDamage } from '../../../persistence/archive/files.ts'
import { packJournal } from '../../../persistence/archive/pack.ts'
import { mendArchives } from '../../../persistence/backup/mend-archive.ts'
import {
  batchSize,
  entriesWithin,
  joinedBatch,
  packBatch,
  pieceOfBatch,
} from '../../../persistence/codec/codec.ts'
import { text } from '../../../persistence/codec/layout.ts'
import { openStoredDirectory } from '../../../persistence/home/data-directory.ts'
import { shardPathIn } from '../../../persistence/home/parts.ts'
import { writeIdentity } from '../../../persistence/journal/identity.ts'
import { flushedUpTo, openJournal, type StoredJournal } from '../../../persistence/journal/journal.ts'
import { openShardHost } from '../../../persistence/shard/shard-host.ts'
import { verifyStoredDirectory } from '../../../persistence/verify/verify.ts'
import { openSmallDisk } from '../../cluster/small-disk.ts'
import { seeded } from '../../engine/world.ts'
import { quietHost } from '../quiet-host.ts'
import { openUsedDirectory, packedAtOnce } from '../used-directory.ts'

const folder = (t: Test): string => {
  const path = mkdtempSync(join(tmpdir(), 'archive-'))
  t.teardown(() => rmSync(path, { recursive: true, force: true }))
  return path
}

const openAt = (path: string): StoredJournal<string> =>
  openJournal(join(path, 'journal'), text(), { commits: 0, entries: 0, bytes: 0 })

const random = seeded(7)
/** Texts that pack, and some that take many blocks. */
const record = (n: number): string =>
  `charge ${n} `.repeat(1 + (random() % 40)) + (n % 97 === 0 ? `${random()} `.repeat(4000) : '')

/** A journal in `path/journal`, with batches of some entries each. */
const write = async (path: string, entries: number): Promise<readonly string[]> => {
  mkdirSync(join(path, 'journal'))
  writeIdentity(join(path, 'journal'), 'a shard')
  const journal = openAt(path)
  const records: string[] = []
  while (records.length < entries) {
    for (let n = 1 + (random() % 30); n > 0; n--) {
      records.push(record(records.length + 1))
      journal.append(records.at(-1)!)
    }
    await flushedUpTo(journal, records.length)
  }
  await journal.close()
  return records
}

type Batch = { readonly first: number; readonly seal: string; readonly bytes: Buffer }

const batchesOf = ({ batches, flushed }: StoredJournal<string>): readonly Batch[] =>
  [...batches.from(1, flushed())].map(({ first, seal, bytes }) => ({
    first,
    seal: seal.toString('base64url'),
    bytes: Buffer.from(bytes),
  }))

/** Every way to read a journal gives what was written. */
const requireSame = (
  t: Test,
  journal: StoredJournal<string>,
  records: readonly string[],
  before: readonly Batch[],
) => {
  t.strictSame(
    [...journal.replay(0)].map(({ record }) => record),
    records,
  )
  const batches = batchesOf(journal)
  t.strictSame(
    batches.map(({ first, seal }) => [first, seal]),
    before.map(({ first, seal }) => [first, seal]),
  )
  t.ok(
    batches.every(({ bytes }, n) => bytes.equals(before[n]!.bytes)),
    'byte for byte',
  )
  for (let n = 1; n <= records.length; n += 41) t.equal(journal.at(n), records[n - 1])
}

t.test('a batch is cut into pieces and joined again, byte for byte', async (t) => {
  const batch = packBatch(
    text(),
    Array.from({ length: 50 }, (_, n) => record(n + 1)),
  )
  for (const bytesMax of [1, 300, 5000, 1_000_000]) {
    const pieces: Buffer[] = []
    for (let at = 0; at < 50; ) {
      const count = entriesWithin(batch, at, bytesMax)
      pieces.push(pieceOfBatch(batch, at, at + count))
      at += count
    }
    t.ok(pieces.every((piece) => piece.length <= bytesMax || batchSize(piece) === 1))
    t.ok(joinedBatch(pieces).equals(batch))
  }
})

t.test('what is packed is read as before, and the journal goes on behind it', async (t) => {
  const path = folder(t)
  const records = await write(path, 3000)
  let journal = openAt(path)
  const before = batchesOf(journal)
  const bytes = before.reduce((sum, batch) => sum + batch.bytes.length, 0)
  await packJournal(journal.batches, 1000, packedAtOnce)
  const first = journal.batches.archived().sequence
  t.ok(first <= 1000 && first > 950, 'whole batches up to the entry')
  requireSame(t, journal, records, before)
  await packJournal(journal.batches, 2500, packedAtOnce)
  const end = journal.batches.archived().sequence
  t.ok(end <= 2500 && end > 2450)
  requireSame(t, journal, records, before)
  await journal.close()

  journal = openAt(path)
  t.equal(journal.batches.archived().sequence, end, 'where the archive ends is in the journal')
  requireSame(t, journal, records, before)
  const more = [...records, 'one more']
  journal.append('one more')
  await flushedUpTo(journal, more.length)
  requireSame(t, journal, more, batchesOf(journal))
  t.strictSame(
    batchesOf(journal)
      .slice(0, -1)
      .map(({ seal }) => seal),
    before.map(({ seal }) => seal),
  )
  await journal.close()
  const packed = readdirSync(join(path, 'archive')).reduce(
    (sum, name) => sum + readFileSync(join(path, 'archive', name)).length,
    0,
  )
  t.ok(packed < bytes / 3, `${packed} bytes of ${bytes}`)
})

t.test('a journal is whole wherever packing ends', async (t) => {
  const path = folder(t)
  const records = await write(path, 600)
  const journal = openAt(path)
  const before = batchesOf(journal)
  const copies: string[] = []
  /** What a killed process leaves: everything that was written, flushed or not. */
  const copy = (): void => {
    copies.push(folder(t))
    cpSync(path, copies.at(-1)!, { recursive: true })
  }
  let reads = 0
  const log = {
    ...journal.batches,
    at: (sequence: number) => {
      if (++reads % 3 === 0) copy()
      return journal.batches.at(sequence)
    },
    dropArchived: async (end: Parameters<StoredJournal['batches']['dropArchived']>[0]): Promise<void> => {
      copy()
      await journal.batches.dropArchived(end)
      copy()
    },
  }
  const pause = async (): Promise<void> => copy()
  await packJournal(log, 300, { ...packedAtOnce, pause })
  await packJournal(log, 550, { ...packedAtOnce, pause })
  await journal.close()
  t.ok(copies.length >= 40, `${copies.length} moments`)
  for (const copied of copies) {
    const again = openAt(copied)
    requireSame(t, again, records, before)
    await packJournal(again.batches, 550, packedAtOnce)
    requireSame(t, again, records, before)
    const names = readdirSync(join(copied, 'archive'))
    t.ok(
      names.every((name) => name.endsWith('.entries')),
      'nothing partial is left',
    )
    await again.close()
  }
})

t.test('a damaged byte is found wherever it is, and nothing of it is returned', async (t) => {
  const path = folder(t)
  const records = await write(path, 600)
  const journal = openAt(path)
  await packJournal(journal.batches, 550, packedAtOnce)
  const end = journal.batches.archived().sequence
  await journal.close()
  const [name] = readdirSync(join(path, 'archive'))
  const file = join(path, 'archive', name!)
  const whole = readFileSync(file)
  const isRight = (opened: StoredJournal<string>, n: number): boolean => {
    try {
      return opened.at(n) === records[n - 1]
    } catch (error) {
      return error instanceof HistoryUnavailable
    }
  }
  for (let n = 0; n < 60; n++) {
    const bytes = Buffer.from(whole)
    const at = n < 12 ? bytes.length - 1 - n : random() % bytes.length
    bytes[at]! ^= 1 << (random() % 8)
    writeFileSync(file, bytes)
    const opened = openAt(path)
    try {
      for (const _ of opened.batches.from(1, opened.flushed()));
      t.fail(`byte ${at} of ${bytes.length}`)
    } catch (error) {
      t.ok(isDamage(error), (error as Error).message)
    }
    t.ok([1, 100, 250, 400, end].every((sequence) => isRight(opened, sequence)))
    t.equal(opened.at(600), records[599], 'what is not packed is read')
    await opened.close()
  }
  writeFileSync(file, whole.subarray(0, whole.length - 5))
  const short = openAt(path)
  t.throws(() => short.at(1), { message: /is damaged/ })
  await short.close()
})

t.test('an archive that is away is missed only where it is needed, and comes back', async (t) => {
  const path = folder(t)
  const records = await write(path, 600)
  const archive = join(path, 'archive')
  const away = join(path, 'elsewhere')
  const packing = openAt(path)
  await packJournal(packing.batches, 300, packedAtOnce)
  t.equal(packing.batches.archive.trouble(), null)
  await packing.close()
  renameSync(archive, away)
  const journal = openAt(path)
  t.match(journal.batches.archive.trouble()!.message, 'archive')
  t.throws(() => journal.at(10), { message: /cannot be read/ })
  t.equal(journal.at(500), records[499])
  renameSync(away, archive)
  t.equal(journal.at(10), records[9])
  t.equal(journal.batches.archive.trouble(), null)
  await journal.close()
})

t.test(
  'files that the journal does not know are taken where they are the same, and replaced otherwise',
  async (t) => {
    const path = folder(t)
    const records = await write(path, 600)
    const unpacked = folder(t)
    cpSync(path, unpacked, { recursive: true })
    let journal = openAt(path)
    const before = batchesOf(journal)
    await packJournal(journal.batches, 300, packedAtOnce)
    await journal.close()
    const [name] = readdirSync(join(path, 'archive'))
    cpSync(join(path, 'archive'), join(unpacked, 'archive'), { recursive: true })
    writeFileSync(join(unpacked, 'archive', '1.partial'), 'the start of a file')
    journal = openAt(unpacked)
    let blocks = 0
    await packJournal(journal.batches, 300, { ...packedAtOnce, pause: async () => void blocks++ })
    t.strictSame(readdirSync(join(unpacked, 'archive')), [name], 'it is taken')
    requireSame(t, journal, records, before)
    await journal.close()

    const changed = folder(t)
    const others = await write(changed, 600)
    cpSync(join(path, 'archive'), join(changed, 'archive'), { recursive: true })
    journal = openAt(changed)
    const batches = batchesOf(journal)
    await packJournal(journal.batches, 300, packedAtOnce)
    requireSame(t, journal, others, batches)
    await journal.close()
  },
)

t.test('a disk that fails or is full ends packing, and nothing else; later it goes on', async (t) => {
  const path = folder(t)
  const records = await write(path, 600)
  const journal = openAt(path)
  const before = batchesOf(journal)
  const some = await open(join(path, 'some'), 'w')
  const handles = Object.getPrototypeOf(some)
  await some.close()
  const failing = async (name: 'write' | 'sync', after: number): Promise<void> => {
    const real = handles[name]
    let calls = 0
    handles[name] = function (...given: unknown[]) {
      if (calls++ < after) return real.apply(this, given)
      return Promise.reject(Object.assign(new Error('EIO: i/o error, write'), { code: 'EIO' }))
    }
    try {
      await t.rejects(packJournal(journal.batches, 500, packedAtOnce), { code: 'EIO' })
    } finally {
      handles[name] = real
    }
    t.equal(journal.batches.archived().sequence, 0)
    requireSame(t, journal, records, before)
  }
  await failing('write', 0)
  await failing('write', 2)
  await failing('sync', 0)
  // That of the folder, behind the file.
  await failing('sync', 1)
  await packJournal(journal.batches, 300, packedAtOnce)
  requireSame(t, journal, records, before)

  const disk = await openSmallDisk(t)
  const archived = journal.batches.archived().sequence
  await journal.close()
  cpSync(join(path, 'archive'), join(disk.path, '00'), { recursive: true })
  rmSync(join(path, 'archive'), { recursive: true })
  symlinkSync(join(disk.path, '00'), join(path, 'archive'))
  const elsewhere = openAt(path)
  disk.fill(32)
  await t.rejects(packJournal(elsewhere.batches, 500, packedAtOnce), { code: 'ENOSPC' })
  t.equal(elsewhere.batches.archived().sequence, archived)
  requireSame(t, elsewhere, records, before)
  elsewhere.append('one more')
  await flushedUpTo(elsewhere, records.length + 1)
  disk.free()
  await packJournal(elsewhere.batches, 500, packedAtOnce)
  t.ok(elsewhere.batches.archived().sequence > 450)
  requireSame(t, elsewhere, [...records, 'one more'], batchesOf(elsewhere))
  await elsewhere.close()
})

t.test(
  'a power cut loses nothing: files and their names are on disk before the journal drops anything',
  async (t) => {
    const path = folder(t)
    const records = await write(path, 500)
    const journal = openAt(path)
    const before = batchesOf(journal)
    const some = await open(join(path, 'some'), 'w')
    const handles = Object.getPrototypeOf(some)
    await some.close()
    const archive = join(path, 'archive')
    /** The bytes of each file that were flushed, by its number on the disk, and the names in the folder when that was. */
    const bytes = new Map<number, Buffer>()
    let names = new Map<string, number>()
    const { sync } = handles
    handles.sync = async function () {
      await sync.apply(this)
      const flushed = readlinkSync(`/proc/self/fd/${this.fd}`)
      if (!flushed.startsWith(archive)) return
      if (flushed !== archive) return void bytes.set(statSync(flushed).ino, readFileSync(flushed))
      names = new Map(readdirSync(archive).map((name) => [name, statSync(join(archive, name)).ino]))
    }
    t.teardown(() => {
      handles.sync = sync
    })
    let moments = 0
    /** What the disk has when the power is cut now: what is not flushed is gone. */
    const cut = async (): Promise<void> => {
      moments++
      const left = folder(t)
      cpSync(join(path, 'journal'), join(left, 'journal'), { recursive: true })
      if (names.size > 0) mkdirSync(join(left, 'archive'))
      for (const [name, number] of names)
        writeFileSync(join(left, 'archive', name), bytes.get(number) ?? Buffer.alloc(0))
      const again = openAt(left)
      requireSame(t, again, records, before)
      await packJournal(again.batches, 450, { ...packedAtOnce })
      requireSame(t, again, records, before)
      await again.close()
    }
    const log = {
      ...journal.batches,
      dropArchived: async (end: Parameters<StoredJournal['batches']['dropArchived']>[0]): Promise<void> => {
        await cut()
        await journal.batches.dropArchived(end)
        await cut()
      },
    }
    await packJournal(log, 200, packedAtOnce)
    await packJournal(log, 450, { ...packedAtOnce, pause: cut })
    await journal.close()
    t.ok(moments > 8, `${moments} moments`)
  },
)

t.test('a shard packs by itself what is old enough, and nothing younger', async (t) => {
  const world = await openUsedDirectory(t, 3)
  await world.load(150)
  world.pass(5 * dayMs)
  await world.load(30)
  await world.close()
  const [entries] = world.entries()
  const young = entries!.findIndex(({ atMs }) => atMs > world.now() - dayMs)
  const openHost = (afterMs: number | null) =>
    openShardHost({
      ...quietHost(shardPathIn(world.dataDir)(0)),
      realNow: world.now,
      archiving: { afterMs, diskShare: null },
      onTrouble: (message, error) => t.fail(message, { error }),
    })
  const never = openHost(null)
  await new Promise((resolve) => setImmediate(resolve))
  t.match(never.archive(), { entries: 0, isPacking: false })
  await never.close()
  const host = openHost(3 * dayMs)
  while (host.archive()!.entries === 0) await new Promise((resolve) => setImmediate(resolve))
  const { entries: packed } = host.archive()!
  t.ok(packed > young - 15 && packed <= young, `${packed} of the ${young} that are old`)
  await host.close()
  const data = await openStoredDirectory(world.dataDir)
  const { problems } = await verifyStoredDirectory(data, join(world.dataDir, 'master.key'))
  t.notMatch(problems.map(({ text }) => text).join(), /shards/)
  await data.release()
})

const dayMs = 24 * 3_600_000

t.test(
  'an archive that is damaged in part, or gone, is written again from a backup that has it',
  async (t) => {
    const world = await openUsedDirectory(t, 4)
    await world.load(120)
    await world.pack()
    await world.load(120)
    await world.pack()
    const backup = await world.backup()
    const other = await openUsedDirectory(t, 5)
    await other.load(200)
    const foreign = await other.backup()
    await other.close()
    await world.close()
    const folderOf = (shard: number): string => join(shardPathIn(world.dataDir)(shard), 'archive')
    const data = await openStoredDirectory(world.dataDir)
    const problems = async () =>
      (await verifyStoredDirectory(data, join(world.dataDir, 'master.key'))).problems
        .map(({ text }) => text)
        .filter((text) => text.includes('archive'))
    t.strictSame(await problems(), [])
    const before = readdirSync(folderOf(0))
    t.equal(before.length, 2)
    const [first] = before
    const file = join(folderOf(0), first!)
    const bytes = readFileSync(file)
    bytes[100]! ^= 1
    // Of other bounds, as one that was written by other rules.
    writeFileSync(join(folderOf(0), first!.replace(/-(\d+)/, '-0000000000000003')), bytes)
    rmSync(file)
    rmSync(folderOf(1), { recursive: true })
    t.equal((await problems()).length, 2)
    t.strictSame(await mendArchives(data, [foreign.path]), [], 'another history is not taken')
    t.match(await mendArchives(data, [foreign.path, backup.path]), [
      /00\/archive has entries 1 to \d+ again, from/,
      /01\/archive has entries 1 to \d+ again, from/,
    ])
    t.strictSame(await problems(), [])
    t.strictSame(readdirSync(folderOf(0)), before)
    await data.release()
  },
)
