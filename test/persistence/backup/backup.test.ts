import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { open } from 'lmdb'
import t, { type Test } from 'tap'
import type { Journal } from '../../../engine/kernel/ports.ts'
import type { BackupJob, Point } from '../../../persistence/backup/backup.ts'
import { writeBackup } from '../../../persistence/backup/write.ts'
import { text } from '../../../persistence/codec/layout.ts'
import { openEnvironment } from '../../../persistence/disk/environment.ts'
import { claimDataDirectory } from '../../../persistence/home/data-directory.ts'
import { shardPathIn } from '../../../persistence/home/parts.ts'
import { flushedUpTo, openJournal } from '../../../persistence/journal/journal.ts'
import { openSmallDisk } from '../../cluster/small-disk.ts'
import { newDataDir } from '../../e2e/service.ts'

const openTexts = (path: string): Journal<string> =>
  openJournal(path, text(), { commits: 0, entries: 0, bytes: 0 })

const textsIn = async (path: string): Promise<string[]> => {
  const journal = openTexts(path)
  const texts = [...journal.replay(0)].map(({ record }) => record)
  await journal.close()
  return texts
}

const add = (journal: Journal<string>, ...texts: string[]): Promise<void> =>
  flushedUpTo(journal, texts.map((text) => journal.append(text)).at(-1)!)

/** A data directory of two shards whose journals a test writes. */
const newData = async (t: Test) => {
  const dataDir = newDataDir(t)
  const data = await (await claimDataDirectory(dataDir, null)).settle(2, 2, () => 'key')
  const directory = openTexts(data.directoryPath)
  const shards = [0, 1].map((number) => openTexts(join(data.shardPath(number), 'journal')))
  t.teardown(async () => {
    for (const journal of [directory, ...shards]) await journal.close()
    await data.release()
  })
  await add(directory, 'company')
  for (const [number, journal] of shards.entries()) await add(journal, `first of ${number}`, 'second')
  return { dataDir, data, directory, shards }
}

const jobOf = (t: Test, dataDir: string, parent = newDataDir(t)): BackupJob => {
  const path = join(parent, 'backup')
  const partial = `${path}.partial`
  mkdirSync(partial)
  return {
    path,
    partial,
    dataDir,
    service: '1',
    key: null,
    masterKey: false,
    after: null,
    verify: false,
  }
}

const write = (job: BackupJob, pointNow: () => Promise<Point>) =>
  writeBackup(job, { pointNow, onProgress: () => undefined })

const now = async (): Promise<Point> => ({ atMs: 1, ends: null })

t.test('a copy holds every entry of every journal, byte for byte', async (t) => {
  const { dataDir, shards } = await newData(t)
  const long = Array.from({ length: 40 }, () => randomBytes(300_000).toString('base64'))
  for (const text of long) await add(shards[1]!, text)
  const job = jobOf(t, dataDir)
  const made = await write(job, now)
  t.match(made, { pointMs: 1, directory: { entries: 1 }, shards: [{ entries: 2 }, { entries: 42 }] })
  t.ok(made.bytes > 40 * 300_000)
  const shardPath = shardPathIn(job.path)
  t.strictSame(await textsIn(join(job.path, 'directory')), ['company'])
  t.strictSame(await textsIn(join(shardPath(0), 'journal')), ['first of 0', 'second'])
  t.strictSame(await textsIn(join(shardPath(1), 'journal')), ['first of 1', 'second', ...long])
  t.notOk(existsSync(job.partial))
})

t.test('a snapshot is copied as it was at one moment, while others follow it', async (t) => {
  const { dataDir, data } = await newData(t)
  const root = openEnvironment<string>({ path: join(data.shardPath(0), 'state'), maxDbs: 8 })
  t.teardown(() => root.close())
  const values = root.openDB<Buffer, number>({ name: 'values', encoding: 'binary' })
  const meta = root.openDB<Buffer, string>({ name: 'meta', encoding: 'binary' })
  /** Nothing of a generation is there when the next one is. */
  const put = (generation: number) =>
    Promise.all([
      meta.put('generation', Buffer.from([generation])),
      ...Array.from({ length: 20 }, (_, n) => values.put(n, Buffer.alloc(500_000, generation))),
    ])
  await put(1)
  let running = true
  const putting = (async () => {
    for (let generation = 2; running; generation = (generation % 250) + 1) await put(generation)
  })()
  const job = jobOf(t, dataDir)
  await write(job, now).finally(() => {
    running = false
  })
  await putting
  const copy = open<Buffer, string>({
    path: join(shardPathIn(job.path)(0), 'state'),
    encoding: 'binary',
    maxDbs: 8,
  })
  const [generation] = copy.openDB<Buffer, string>({ name: 'meta', encoding: 'binary' }).get('generation')!
  const found = [...copy.openDB<Buffer, number>({ name: 'values', encoding: 'binary' }).getRange()]
  t.strictSame(
    found.map(({ key, value }) => [key, value.length, value.every((byte) => byte === generation)]),
    Array.from({ length: 20 }, (_, n) => [n, 500_000, true]),
  )
  await copy.close()
})

t.test(
  'a directory that changes while the shards are looked at makes another moment be chosen',
  async (t) => {
    const { dataDir, directory, shards } = await newData(t)
    let moments = 0
    const job = jobOf(t, dataDir)
    const made = await write(job, async () => {
      moments++
      if (moments === 1) {
        await add(directory, 'another company')
        await add(shards[0]!, 'of another company')
      }
      return { atMs: moments, ends: null }
    })
    t.match(made, { pointMs: 2, directory: { entries: 2 }, shards: [{ entries: 3 }, { entries: 2 }] })
  },
)

t.test(
  'what nodes of a cluster acknowledged is waited for, and what comes afterwards left out',
  async (t) => {
    const { dataDir, directory, shards } = await newData(t)
    let asked = 0
    const job = jobOf(t, dataDir)
    const made = await write(job, async () => {
      asked++
      // Of the two the first is on its way to this disk, and the second comes when the moment is over.
      setImmediate(() => void add(shards[1]!, `on its way ${asked}`))
      if (asked === 2) await add(shards[0]!, 'too late')
      return { atMs: 5, ends: { directory: directory.flushed(), shards: [2, 3] } }
    })
    t.match(made, { pointMs: 5, shards: [{ entries: 2 }, { entries: 3 }] })
    t.strictSame(await textsIn(join(shardPathIn(job.path)(0), 'journal')), ['first of 0', 'second'])
    t.strictSame(await textsIn(join(shardPathIn(job.path)(1), 'journal')), [
      'first of 1',
      'second',
      'on its way 1',
    ])
  },
)

t.test('a disk that becomes full in the middle ends it before anything looks whole', async (t) => {
  const { dataDir } = await newData(t)
  const disk = await openSmallDisk(t)
  const job = jobOf(t, dataDir, disk.path)
  await t.rejects(
    write(job, async () => {
      disk.fill(40)
      return now()
    }),
    /^the disk of .* has 40 MiB left; to write 1 MiB and leave 64 MiB free, that is too little$/,
  )
  t.notOk(existsSync(job.path))
  t.notOk(readdirSync(job.partial).includes('format.json'))
})

t.test('a journal that is damaged ends it with a line that names it', async (t) => {
  const { dataDir, shards } = await newData(t)
  await add(shards[1]!, 'third')
  const file = join(dataDir, 'shards/01/journal/data.mdb')
  const bytes = readFileSync(file)
  const place = openSync(file, 'r+')
  writeSync(place, 'x', bytes.lastIndexOf('third'))
  closeSync(place)
  const job = jobOf(t, dataDir)
  await t.rejects(write(job, now), /shards\/01\/journal is damaged at entry 3$/)
  t.notOk(existsSync(job.path))
})

t.test('a shard whose journal is missing is said, and not made', async (t) => {
  const { dataDir } = await newData(t)
  const log = join(dataDir, 'shards/01')
  rmSync(log, { recursive: true })
  await t.rejects(write(jobOf(t, dataDir), now), /shards\/01\/journal is missing$/)
  t.notOk(existsSync(log))
})
