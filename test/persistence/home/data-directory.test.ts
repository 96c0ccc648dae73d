import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { text } from '../../../persistence/codec/layout.ts'
import { claimDataDirectory } from '../../../persistence/home/data-directory.ts'
import { DataDirectoryRefusal } from '../../../persistence/home/manifest.ts'
import { flushedUpTo, openJournal } from '../../../persistence/journal/journal.ts'

const folder = (t: Test): string => {
  const path = mkdtempSync(join(tmpdir(), 'data-directory-'))
  t.teardown(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** A data directory of three shards, each with an entry. */
const made = async (path: string): Promise<void> => {
  const data = await (await claimDataDirectory(path, null)).settle(3, 3, () => 'key')
  for (const journalPath of [
    data.directoryPath,
    ...[0, 1, 2].map((n) => join(data.shardPath(n), 'journal')),
  ]) {
    const journal = openJournal(journalPath, text(), { commits: 0, entries: 0, bytes: 0 })
    await flushedUpTo(journal, journal.append(journalPath))
    await journal.close()
  }
  await data.release()
}

const opened = async (path: string, key = 'key'): Promise<void> => {
  const claimed = await claimDataDirectory(path, null)
  try {
    await (await claimed.settle(null, 3, () => key)).release()
  } catch (error) {
    await claimed.release()
    throw error
  }
}

/** The names and bytes of everything below a path, but for locks. */
const everythingIn = (path: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((item) => item.isFile() && item.name !== 'lock.mdb')
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((file) => [file.slice(path.length), readFileSync(file, 'base64')]),
  )

t.test('what is missing, exchanged or foreign is refused in one line, and nothing is written', async (t) => {
  const whole = folder(t)
  const other = folder(t)
  await made(whole)
  await made(other)
  await t.resolves(opened(whole))
  const damages: readonly (readonly [string, (path: string) => void, RegExp])[] = [
    [
      'no shard',
      (path) => rmSync(join(path, 'shards/01'), { recursive: true }),
      /shards\/01\/journal is missing/,
    ],
    [
      'no shards',
      (path) => rmSync(join(path, 'shards'), { recursive: true }),
      /shards\/00\/journal is missing/,
    ],
    [
      'no journal',
      (path) => rmSync(join(path, 'shards/02/journal/data.mdb')),
      /shards\/02\/journal is missing/,
    ],
    ['no directory', (path) => rmSync(join(path, 'directory'), { recursive: true }), /directory is missing/],
    ['no manifest', (path) => rmSync(join(path, 'format.json')), /has data and no format\.json/],
    [
      'shards exchanged',
      (path) => {
        renameSync(join(path, 'shards/00'), join(path, 'aside'))
        renameSync(join(path, 'shards/01'), join(path, 'shards/00'))
        renameSync(join(path, 'aside'), join(path, 'shards/01'))
      },
      /shards\/00\/journal is another journal .* it is “\S+ shard 1”, and not “\S+ shard 0”/,
    ],
    [
      'the journal of another data directory',
      (path) =>
        cpSync(join(other, 'shards/01/journal'), join(path, 'shards/01/journal'), { recursive: true }),
      /shards\/01\/journal is another journal/,
    ],
    ['a shard too many', (path) => mkdirSync(join(path, 'shards/03')), /shards\/03 does not belong/],
  ]
  for (const [title, damage, reason] of damages) {
    const path = join(folder(t), 'data')
    cpSync(whole, path, { recursive: true })
    damage(path)
    const before = everythingIn(path)
    await t.rejects(opened(path), { message: reason }, title)
    t.strictSame(everythingIn(path), before, title)
  }
})

t.test('the data of another journal does not fit under an identity', async (t) => {
  const path = folder(t)
  await made(path)
  cpSync(join(path, 'shards/01/journal/data.mdb'), join(path, 'shards/00/journal/data.mdb'))
  const journal = openJournal(join(path, 'shards/00/journal'), text(), { commits: 0, entries: 0, bytes: 0 })
  t.throws(() => [...journal.replay(0)], { message: /shards\/00\/journal is damaged at entry 1$/ })
  await journal.close()
})

t.test('a first start that was cut short begins anew', async (t) => {
  const path = folder(t)
  await made(path)
  const fresh = folder(t)
  const claimed = await claimDataDirectory(fresh, null)
  await (await claimed.settle(3, 3, () => 'key')).release()
  rmSync(join(fresh, 'format.json'))
  rmSync(join(fresh, 'shards/02'), { recursive: true })
  await t.resolves(opened(fresh))
  await t.resolves(opened(fresh))
})

t.test('another master key than the one of the first start is refused', async (t) => {
  const path = folder(t)
  await made(path)
  const before = everythingIn(path)
  await t.rejects(opened(path, 'other'), {
    message: `the master key is not the one that sealed the secrets in ${path}: put that one back, or name it with MASTER_KEY_FILE`,
  })
  t.strictSame(everythingIn(path), before)
  await t.resolves(opened(path))
})

t.test('each changed byte of the files that say what belongs where is noticed', async (t) => {
  const path = folder(t)
  await made(path)
  for (const name of ['format.json', 'directory/identity', 'shards/01/journal/identity']) {
    const file = join(path, name)
    const bytes = readFileSync(file)
    // The line's end says nothing.
    for (let at = 0; at < bytes.length - 1; at++) {
      const damaged = Buffer.from(bytes)
      damaged[at]! ^= 1
      writeFileSync(file, damaged)
      const error = await opened(path).catch((error: Error) => error)
      if (!(error instanceof DataDirectoryRefusal)) t.fail(`byte ${at} of ${name}: ${error}`)
    }
    writeFileSync(file, bytes)
  }
  await t.resolves(opened(path))
})
