import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'lmdb'
import t, { type Test } from 'tap'
import { openFileReader } from '../../../persistence/disk/data-file/reader.ts'
import { damageOf } from '../../../persistence/disk/data-file.ts'
import { openEnvironment } from '../../../persistence/disk/environment.ts'
import { openSource } from '../../../persistence/home/source.ts'
import { seeded } from '../../engine/world.ts'

const folder = (t: Test): string => {
  const path = mkdtempSync(join(tmpdir(), 'data-file-'))
  t.teardown(() => rmSync(path, { recursive: true, force: true }))
  return join(path, 'env')
}

t.test('a file is read without LMDB as LMDB reads it', async (t) => {
  const path = folder(t)
  const root = open<Buffer, string>({ path, encoding: 'binary', maxDbs: 3 })
  const numbers = root.openDB<Buffer, number>({ name: 'numbers', encoding: 'binary' })
  const texts = root.openDB<Buffer, string>({ name: 'texts', encoding: 'binary' })
  const entropy = seeded(3)
  const keys: number[] = []
  for (let n = 0; n < 3000; n++) {
    const key = entropy() % 100_000
    keys.push(key)
    // Within a page, and of several.
    void numbers.put(key, Buffer.alloc(entropy() % (n % 50 === 0 ? 20_000 : 200), n))
    void texts.put(`key ${key}`, Buffer.from(`${n}`))
    if (n % 7 === 0) void numbers.remove(keys[entropy() % keys.length]!)
    if (n % 100 === 0) await root.flushed
  }
  await root.flushed
  const reader = openFileReader(join(path, 'data.mdb'))
  const shelf = reader.shelf('numbers')
  const plain = (entries: Iterable<{ key: unknown; value: Buffer }>): string[] =>
    [...entries].map(({ key, value }) => `${key} ${value.toString('base64')}`)
  t.strictSame(plain(shelf.entries()), plain(numbers.getRange()))
  t.strictSame(plain(reader.shelf('texts').entries()), plain(texts.getRange()))
  for (let n = 0; n < 500; n++) {
    const key = entropy() % 100_000
    const [after] = numbers.getRange({ start: key, limit: 1 })
    const [before] = numbers.getRange({ start: key, reverse: true, limit: 1 })
    const [first] = shelf.entries(key)
    t.equal(first?.key, after?.key, `from ${key}`)
    t.equal(shelf.before(key)?.key, before?.key, `before ${key}`)
    t.strictSame(shelf.get(key), numbers.get(key), `at ${key}`)
  }
  t.strictSame([...reader.shelf('nothing').entries()], [])
  reader.close()
  await root.close()
})

t.test('a view is of one commit, whatever is written meanwhile', async (t) => {
  const path = folder(t)
  const root = openEnvironment<number>({ path })
  const fill = (byte: number): void =>
    root.transactionSync(() => {
      for (let key = 1; key <= 500; key++) root.putSync(key, Buffer.alloc(300, byte))
    })
  fill(1)
  const source = openSource(path)
  const shelf = source.shelf()
  const bytesIn = (): readonly number[] => [...new Set([...shelf.entries()].map(({ value }) => value[0]!))]
  const seen = source.view(() => {
    for (let byte = 2; byte < 20; byte++) fill(byte)
    return { bytes: bytesIn(), count: [...shelf.entries()].length }
  })
  t.strictSame(seen, { bytes: [1], count: 500 })
  t.strictSame(source.view(bytesIn), [19])
  source.close()
  await root.close()
})

t.test('a damage of the commit that LMDB goes back to after a power cut is found', async (t) => {
  const path = folder(t)
  const root = open<Buffer, number>({ path, encoding: 'binary' })
  await root.put(1, Buffer.alloc(10))
  await root.flushed
  await root.close()
  const file = join(path, 'data.mdb')
  t.equal(damageOf(file), null)
  const bytes = readFileSync(file)
  // The number of its transaction, in the middle of the first page.
  bytes.writeUInt8(9, 2048 + 24 + 128)
  writeFileSync(file, bytes)
  t.equal(damageOf(file), 'its page 0 is damaged')
})
