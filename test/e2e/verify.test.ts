import { execFile } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { claimDataDirectory, openStoredDirectory } from '../../persistence/home/data-directory.ts'
import { copyOf, makeStoredDirectory } from '../persistence/stored-directory.ts'
import { chargeOf, startCharges } from './backup-world.ts'
import { caller, newDataDir, newMerchant, posted, startService } from './service.ts'

const main = join(import.meta.dirname, '../../gateway/program/main.js')

/** How `payments verify` ends. */
const verify = (path: string, ...options: string[]) =>
  new Promise<{ code: number; output: string; errors: string }>((resolve) => {
    execFile(process.execPath, [main, 'verify', path, ...options], (error, output, errors) =>
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
  rmSync(join(path, 'master.key'))
  const before = everythingIn(path)
  const { code, output } = await verify(path)
  t.equal(code, 1)
  t.match(output, /^PROBLEM \S+\/shards\/00\/journal is missing; restore the data directory from a backup$/m)
  t.match(output, /^PROBLEM \S+\/shards\/01\/journal is missing; restore the data directory from a backup$/m)
  t.match(
    output,
    /^PROBLEM \S+\/master\.key is missing, and no start opens the secrets without it: put it back/m,
  )
  t.match(output, /^3 problems$/m)
  t.strictSame(everythingIn(path), before)
})

t.test('beside a service that keeps writing, verify finds what is damaged and nothing else', async (t) => {
  const service = await startService(t)
  const { dataDir } = service
  const { call } = await newMerchant(service)
  await call('POST', '/v1/pix/charges', chargeOf('o-primeiro'))
  const charges = startCharges(call, 8)
  for (const reached of [100, 300, 500]) {
    await charges.reach(reached)
    const { code, output } = await verify(dataDir)
    t.equal(code, 0, output)
    const entries = Number(/^2 shards, (\d+) entries/.exec(output)?.[1])
    t.ok(entries >= reached, `${entries} entries, of at least ${reached}`)
  }
  t.match(await verify(dataDir, '--repair'), {
    code: 1,
    output: '',
    errors: /^payments: \S+ is in use by another running process; stop it first\n$/,
  })
  await charges.stop()
  const journals = [0, 1].map((number) => join(dataDir, `shards/0${number}/journal`))
  const damaged = journals.filter((journal) => changed(join(journal, 'data.mdb'), 'o-primeiro'))
  t.equal(damaged.length, 1)
  const { code, output } = await verify(dataDir)
  t.equal(code, 1)
  t.match(output, new RegExp(`^PROBLEM ${damaged[0]} is damaged at entr\\S+ [^\\n]*; restore`, 'm'))
  t.match(output, /^1 problem$/m)
})

t.test('since a backup, verify reads what came after it, and that it continues there', async (t) => {
  const service = await startService(t)
  const { dataDir } = service
  const { call, key } = await newMerchant(service)
  await posted(call, '/v1/pix/charges', chargeOf('o-antigo'))
  const backup = join(newDataDir(t), 'backup')
  const made = await service.command('backup', backup)
  await posted(call, '/v1/pix/charges', chargeOf('o-novo'))
  const later = join(newDataDir(t), 'later')
  await service.command('backup', later)
  const beside = JSON.parse((await verify(dataDir, '--since', backup, '--json')).output)
  t.match(beside, { shards: 2, transactions: 2, digests: [], problems: [] })
  await service.kill('SIGTERM')
  const all = JSON.parse((await verify(dataDir, '--json')).output)
  const since = JSON.parse((await verify(dataDir, '--since', backup, '--json')).output)
  t.strictSame(since, { ...all, entries: all.entries - made.entries, digests: [] })
  t.equal(all.digests.length, 2)

  const journals = [0, 1].map((number) => join(dataDir, `shards/0${number}/journal`))
  const damage = (text: string): string => journals.find((path) => changed(join(path, 'data.mdb'), text))!
  damage('o-antigo')
  t.equal(
    (await verify(dataDir, '--since', backup)).code,
    0,
    'what was checked with the backup is not read again',
  )
  const damaged = damage('o-novo')
  const { code, output } = await verify(dataDir, '--since', backup)
  t.equal(code, 1)
  t.match(output, new RegExp(`^PROBLEM ${damaged} is damaged at entr`, 'm'))

  const other = await startService(t)
  await newMerchant(other)
  const foreign = join(newDataDir(t), 'backup')
  await other.command('backup', foreign)
  t.match(await verify(dataDir, '--since', foreign), {
    code: 1,
    errors: /^payments: \S+ is a backup of data directory \S+, and \S+ is data directory \S+\n$/,
  })
  t.match(await verify(dataDir, '--since', dataDir), { code: 1, errors: /^payments: [^\n]+\n$/ })

  // A backup from before was restored: the directory is the same, and its journals go another way.
  const restored = join(newDataDir(t), 'restored')
  cpSync(backup, restored, { recursive: true })
  t.match((await verify(restored, '--since', backup)).output, /^sound$/m)
  t.match((await verify(restored, '--since', later)).output, notContinued)
  const again = await startService(t, { dataDir: restored })
  const recalled = caller(again.origin, key.secret)
  for (const name of ['o-outro', 'o-mais-um']) await posted(recalled, '/v1/pix/charges', chargeOf(name))
  await again.kill('SIGTERM')
  t.match((await verify(restored, '--since', backup)).output, /^sound$/m)
  t.match((await verify(restored, '--since', later)).output, notContinued)
})

const notContinued =
  /^PROBLEM \S+\/journal does not continue what was checked before, up to entry \d+: it was restored/m

/** Changes a text wherever it is in a file that a service has open. Returns whether it is there. */
const changed = (file: string, text: string): boolean => {
  const bytes = readFileSync(file)
  const descriptor = openSync(file, 'r+')
  let isThere = false
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) {
    isThere = true
    writeSync(descriptor, 'O', at)
  }
  closeSync(descriptor)
  return isThere
}

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

t.test('a real process ends with a line for each damage, whatever the bytes are', async (t) => {
  const path = await makeStoredDirectory(t)
  const files = [
    'format.json',
    'master.key',
    'directory/data.mdb',
    'shards/00/journal/data.mdb',
    'shards/01/state/data.mdb',
  ]
  const damages: readonly (readonly [string, (file: string) => void])[] = [
    ['zeroed', (file) => writeFileSync(file, Buffer.alloc(statSync(file).size))],
    ['cut off', (file) => truncateSync(file, statSync(file).size >> 1)],
  ]
  for (const [what, damage] of damages) {
    for (const name of files) {
      const copy = copyOf(t, path)
      damage(join(copy, name))
      const { code, output, errors } = await verify(copy)
      t.equal(code, 1, `${name} is ${what}`)
      t.match(output + errors, /^(PROBLEM|payments:) [^\n]*$/m)
      t.notMatch(output + errors, /^ +at /m)
    }
  }
})
