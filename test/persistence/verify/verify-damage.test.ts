import { cpSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { account, seeded } from '../../engine/world.ts'
import { copyOf, factsIn, filesIn, makeStoredDirectory, tracesOf, verified } from '../stored-directory.ts'

const damages = Number(process.env.DAMAGES ?? 200)

/** Does one damage to a file; what it did, in words. */
const damage = (file: string, random: (below: number) => number): string => {
  const bytes = readFileSync(file)
  const at = random(bytes.length)
  const sector = at - (at % 512)
  const page = at - (at % 4096)
  const kind = random(20)
  if (kind === 0) {
    rmSync(file)
    return 'is gone'
  }
  if (kind === 1) {
    truncateSync(file, at)
    return `is cut off at ${at}`
  }
  if (kind === 2) bytes.fill(0)
  else if (kind < 8) bytes.fill(random(2) * random(256), sector, Math.min(sector + 512, bytes.length))
  else if (kind < 10) bytes.fill(0, page, Math.min(page + 4096, bytes.length))
  else bytes[at] = bytes[at]! ^ (1 + random(255))
  writeFileSync(file, bytes)
  return `has damage ${kind} at ${at}`
}

for (const [what, home] of [
  ['a service', null],
  ['a node', { cluster: 'c', node: 'a' }],
] as const)
  t.test(`every damage of a file of ${what} is named, and none is in the way of verify`, async (t) => {
    const seed = Number(process.env.SEED ?? 15)
    const entropy = seeded(seed)
    const random = (below: number): number => entropy() % below
    const path = await makeStoredDirectory(t, home)
    const whole = await verified(path)
    t.strictSame(whole.problems, [])
    const sound = `${whole.digests} ${await factsIn(path)}`
    // The marks of what was closed are read by a start alone, which does with none.
    const names = filesIn(path).filter((name) => !name.endsWith('/closed'))
    const copy = copyOf(t, path)
    let found = 0
    for (let n = 0; n < damages; n++) {
      const name = names[n % names.length]!
      const file = join(copy, name)
      const done = damage(file, random)
      const { problems, digests } = await verified(copy).catch((error: Error) => {
        t.fail(`${name} ${done}: ${error.stack}`)
        return { problems: [error.message], digests: [] }
      })
      if (problems.length > 0) found += 1
      else if (`${digests} ${await factsIn(copy)}` !== sound) t.fail(`${name} ${done} is not named`)
      if (problems.some((line) => line.includes('\n'))) t.fail(`${name} ${done}: more than a line`)
      writeFileSync(file, readFileSync(join(path, name)))
    }
    t.comment(`${found} of ${damages} are named; the others are in bytes that nobody reads`)
    t.ok(found > damages / 2)
  })

/** Changes the byte behind a text in a file, wherever it is. */
const change = (file: string, text: string): void => {
  const bytes = readFileSync(file)
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) bytes[at] = bytes[at]! ^ 1
  writeFileSync(file, bytes)
}

t.test('verify leaves no trace in a data directory, sound or damaged', async (t) => {
  const path = await makeStoredDirectory(t)
  for (const lock of ['directory', 'shards/00/journal', 'shards/00/state'])
    rmSync(join(path, lock, 'lock.mdb'), { force: true })
  const before = tracesOf(path)
  t.strictSame((await verified(path)).problems, [])
  t.strictSame(tracesOf(path), before)
  change(join(path, 'shards/00/journal/data.mdb'), 'Pedido 7 de')
  truncateSync(join(path, 'shards/01/state/data.mdb'), 20_000)
  const damaged = tracesOf(path)
  t.equal((await verified(path)).problems.length, 2)
  t.strictSame(tracesOf(path), damaged)
})

t.test('every damage has its line, and none hides another', async (t) => {
  const path = await makeStoredDirectory(t)
  const at = (name: string): string => join(path, name)
  for (const order of [7, 22, 23, 30]) change(at('shards/00/journal/data.mdb'), `Pedido ${order} de`)
  change(at('shards/00/state/data.mdb'), 'Loja')
  change(at('shards/01/state/data.mdb'), 'Loja')
  writeFileSync(at('shards/01/journal/identity'), 'something else')
  change(at('directory/data.mdb'), 'hash-7')
  writeFileSync(at('master.key'), `${Buffer.alloc(32).toString('base64')}\n`)
  cpSync(at('shards/01'), at('shards/02'), { recursive: true })
  const restore = 'restore the data directory from a backup'
  const remade = 'the next start makes it again from the journal, and so does payments verify --repair'
  const { problems } = await verified(path)
  t.strictSame(
    problems.map((line) => line.replaceAll(path, '')),
    [
      '/master.key is not the key that sealed the secrets: put that one back',
      '/shards/02 does not belong in this data directory',
      `/directory is damaged at entries 7 to 10; ${restore}`,
      `/shards/00/state is damaged: its accounts are damaged at ${account}; ${remade}`,
      `/shards/00/journal is damaged at entries 11 to 15; ${restore}`,
      `/shards/00/journal is damaged at entries 32 to 34; ${restore}`,
      `/shards/00/journal is damaged at entries 39 to 43; ${restore}`,
      `/shards/01/state is damaged: its accounts are damaged at ${account}; ${remade}`,
      `/shards/01/journal/identity is damaged: it is not “${identityOf(path)} shard 1”; payments verify --repair writes it again`,
    ],
  )
})

t.test('a damaged manifest is named as well, and hides nothing', async (t) => {
  const path = await makeStoredDirectory(t)
  writeFileSync(join(path, 'format.json'), '{"format":4,')
  change(join(path, 'shards/00/journal/data.mdb'), 'Pedido 7 de')
  t.match((await verified(path)).problems, [
    /format\.json is missing or damaged: put it back from a backup$/,
    /shards\/00\/journal is damaged at entries 11 to 15; restore/,
  ])
  t.match((await verified(path, true)).problems, [/its format\.json is something else$/])
})

const identityOf = (path: string): string => JSON.parse(readFileSync(join(path, 'format.json'), 'utf8')).id

t.test('--repair makes again what the journal says, and leaves the rest as it is', async (t) => {
  const path = await makeStoredDirectory(t)
  const at = (name: string): string => join(path, name)
  const { digests } = await verified(path)
  const damages: readonly (() => void)[] = [
    () => change(at('shards/00/state/data.mdb'), 'Loja'),
    () => truncateSync(at('shards/00/state/data.mdb'), 5000),
    () => writeFileSync(at('shards/00/state/data.mdb'), ''),
    () => cpSync(at('shards/01/state/data.mdb'), at('shards/00/state/data.mdb')),
    () => rmSync(at('shards/01/journal/identity')),
  ]
  for (const [n, damage] of damages.entries()) {
    damage()
    t.equal((await verified(path)).problems.length, 1, `damage ${n}`)
    const { problems, repaired, ...after } = await verified(path, true)
    t.strictSame(problems, [])
    t.equal(repaired.length, 1)
    t.strictSame(after.digests, digests)
    t.ok(existsSync(at('shards/00/state/data.mdb')))
    const before = filesOf(path)
    t.strictSame((await verified(path, true)).repaired, [], 'a second time there is nothing to do')
    t.strictSame(filesOf(path), before)
  }

  change(at('shards/00/journal/data.mdb'), 'Pedido 7 de')
  change(at('shards/00/state/data.mdb'), 'Loja')
  change(at('shards/01/state/data.mdb'), 'Loja')
  const whole = tracesOf(at('shards/00'))
  const { problems, repaired } = await verified(path, true)
  t.match(problems, [
    /shards\/00\/state is damaged/,
    /shards\/00\/journal is damaged at entries 11 to 15; restore/,
  ])
  t.match(repaired, [/shards\/01\/state is made again from the journal, up to entry 28$/])
  t.strictSame(tracesOf(at('shards/00')), whole, 'without a whole journal a snapshot is all there is')
})

t.test('--repair sets the damaged logs of a node aside, so that it fetches them again', async (t) => {
  const path = await makeStoredDirectory(t, { cluster: 'c', node: 'a' })
  const at = (name: string): string => join(path, name)
  change(at('shards/00/log/data.mdb'), 'Pedido 7 de')
  rmSync(at('shards/01/log/data.mdb'))
  writeFileSync(at('directory/data.mdb'), Buffer.alloc(8192))
  change(at('shards/00/log/data.mdb'), '"first":22,"count":7')
  const found = (await verified(path)).problems.map((line) => line.replaceAll(path, ''))
  const again =
    'the node fetches it again from the cluster when it starts, or stop it and run payments verify --repair'
  t.strictSame(found, [
    `/directory is damaged: its first page is damaged; ${again}`,
    `/shards/00/log is damaged: its record 14 is damaged; ${again}`,
    `/shards/00/log is damaged at entries 11 to 15; ${again}`,
    `/shards/01/log is missing; ${again}`,
  ])
  const damaged = readFileSync(at('shards/00/log/data.mdb'))
  const { problems, repaired } = await verified(path, true)
  t.strictSame(problems, [])
  t.strictSame(
    repaired.map((line) => line.replaceAll(path, '')),
    [
      '/directory is empty, and the node fetches it again from the cluster; what was there is /directory/data.mdb.damaged',
      '/shards/00/log is empty, and the node fetches it again from the cluster; what was there is /shards/00/log/data.mdb.damaged',
      '/shards/01/log is empty, and the node fetches it again from the cluster',
    ],
  )
  t.ok(readFileSync(at('shards/00/log/data.mdb.damaged')).equals(damaged))
  t.strictSame((await verified(path, true)).repaired, [])
})

/** The traces of what is in a directory: its own changes while the socket of its lock is there. */
const filesOf = (path: string): readonly string[] => tracesOf(path).filter((trace) => !trace.startsWith('. '))
