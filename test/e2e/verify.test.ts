import { execFile } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { claimDataDirectory, openStoredDirectory } from '../../persistence/data-directory.ts'
import { newDataDir, newMerchant, startService } from './service.ts'

const main = join(import.meta.dirname, '../../gateway/runtime/main.js')

/** How `payments verify` ends. */
const verify = (path: string) =>
  new Promise<{ code: number; output: string; errors: string }>((resolve) => {
    execFile(process.execPath, [main, 'verify', path], (error, output, errors) =>
      resolve({ code: Number(error?.code ?? 0), output, errors }),
    )
  })

const everythingIn = (path: string): readonly string[] =>
  (readdirSync(path, { recursive: true }) as string[]).sort()

t.test('verify says in a line why it cannot look, and makes nothing', async (t) => {
  const service = await startService(t)
  await newMerchant(service)
  await service.kill('SIGTERM')
  const root = newDataDir(t)
  const at = (name: string): string => join(root, name)
  const copy = (name: string): string => {
    cpSync(service.dataDir, at(name), { recursive: true })
    return at(name)
  }
  copy('whole')
  mkdirSync(at('empty'))
  for (const [name, text] of [
    ['other', '{"name":"x"}'],
    ['text', 'hello'],
    ['number', '7'],
    ['older', '{"format":1,"shards":1}'],
  ] as const) {
    mkdirSync(at(name))
    writeFileSync(at(`${name}/format.json`), text)
  }
  const before = everythingIn(root)
  for (const [path, reason] of [
    ['absent', /absent does not exist/],
    ['empty', /empty is not a data directory: it has no format.json/],
    ['whole/format.json', /is only a part of a data directory: name .*whole$/],
    ['whole/shards', /is only a part of a data directory: name .*whole$/],
    ['whole/shards/00/journal', /is only a part of a data directory: name .*whole$/],
    ['other', /other is not a data directory: its format.json is something else/],
    ['text', /text is not a data directory: its format.json is something else/],
    ['number', /number is not a data directory: its format.json is something else/],
    ['older', /older has data format 1, from before the first release.* begin with a new data directory/],
  ] as const) {
    const { code, output, errors } = await verify(at(path))
    t.equal(code, 1, path)
    t.equal(output, '')
    t.match(errors.trim(), /^payments: [^\n]*$/)
    t.match(errors.trim(), reason)
  }
  t.strictSame(everythingIn(root), before)
})

t.test('verify finds what is missing, and makes nothing of it', async (t) => {
  const service = await startService(t)
  await newMerchant(service)
  await service.kill('SIGTERM')
  const path = join(newDataDir(t), 'copy')
  cpSync(service.dataDir, path, { recursive: true })
  rmSync(join(path, 'shards/01'), { recursive: true })
  rmSync(join(path, 'shards/00/journal'), { recursive: true })
  const before = everythingIn(path)
  const { code, output } = await verify(path)
  t.equal(code, 1)
  t.match(output, /^PROBLEM shard 0: cannot be replayed: its journal is missing$/m)
  t.match(output, /^PROBLEM shard 1: cannot be replayed: its journal is missing$/m)
  t.strictSame(everythingIn(path), before)
})

t.test('a data directory that may not be read is refused in a line', async (t) => {
  const path = newDataDir(t)
  await (await (await claimDataDirectory(path, null)).settle(1, 1, () => 'key')).release()
  // Root may read everything: it looks as somebody else.
  const isRoot = process.getuid!() === 0
  chmodSync(path, isRoot ? 0o700 : 0)
  if (isRoot) process.seteuid!('nobody')
  try {
    await t.rejects(openStoredDirectory(path), {
      message: /^[^\n]* cannot be read: EACCES: permission denied[^\n]*$/,
    })
  } finally {
    if (isRoot) process.seteuid!(0)
    chmodSync(path, 0o700)
  }
})
