import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ShardUnavailable } from '../../../engine/kernel/unavailable.ts'
import { noDetails } from '../../../engine/payments/transaction/details.ts'
import { type LogRecord, packRecord, placedAt } from '../../../persistence/cluster/record.ts'
import { openReplicaStore, positionAfter, wholeUpTo } from '../../../persistence/cluster/replica-store.ts'
import type { ShardLog, ShardLogEvents } from '../../../persistence/cluster/shard-log.ts'
import { packBatch } from '../../../persistence/codec/codec.ts'
import { text } from '../../../persistence/codec/layout.ts'
import { wasClosed } from '../../../persistence/disk/closed-mark.ts'
import { Damaged, requireUndamaged } from '../../../persistence/disk/damage.ts'
import { damageOf } from '../../../persistence/disk/data-file.ts'
import { DamagedJournal } from '../../../persistence/journal/batches.ts'
import { flushedUpTo, openJournal } from '../../../persistence/journal/journal.ts'
import { openShardHost, type ShardHost } from '../../../persistence/shard/shard-host.ts'
import { aCharge, aList, opening, seeded } from '../../engine/world.ts'
import { quietHost } from '../quiet-host.ts'

const damages = Number(process.env.DAMAGES ?? 300)

const folder = (t: Test): string => {
  const path = mkdtempSync(join(tmpdir(), 'damage-'))
  t.teardown(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** A journal with batches of all sizes: within a page, of several pages, and of many entries. */
const recorded = async (path: string): Promise<readonly string[]> => {
  const journal = openJournal(path, text(), { commits: 0, entries: 0, bytes: 0 })
  const entries: string[] = []
  for (let n = 0; n < 400; n++) {
    const entry = `${n} `.repeat(n % 11 === 0 ? 3000 : n % 60)
    entries.push(entry)
    const sequence = journal.append(entry)
    if (n % 3 === 0) await flushedUpTo(journal, sequence)
  }
  await flushedUpTo(journal, entries.length)
  await journal.close()
  return entries
}

/** What is read of a journal; null when its damage is found before or meanwhile. */
const readAll = async (path: string): Promise<readonly string[] | null> => {
  if (damageOf(join(path, 'data.mdb')) !== null) return null
  try {
    const journal = openJournal(path, text(), { commits: 0, entries: 0, bytes: 0 })
    try {
      return [...journal.replay(0)].map(({ record }) => record)
    } finally {
      await journal.close()
    }
  } catch (error) {
    if (error instanceof DamagedJournal) return null
    throw error
  }
}

/** A node's copy of a log: a claim, batches of all sizes, and renewals between them. */
const recordedLog = async (path: string): Promise<readonly string[]> => {
  const store = openReplicaStore(path)
  const by = { node: 'a', incarnation: '1' }
  const append = (kind: LogRecord['kind'], entries: readonly string[]): Promise<void> => {
    const { applied, head: previous, epoch, entries: before } = store.position()
    const count = entries.length
    const record = { by, previous, first: before + 1, count, published: before, to: null }
    const bytes = packRecord(
      { ...record, kind, epoch: kind === 'CLAIM' ? epoch + 1 : epoch },
      count === 0 ? null : packBatch(text(), entries),
    )
    const placed = placedAt(applied + 1, bytes)
    return store.write([placed], positionAfter(store.position(), placed)!)
  }
  await append('CLAIM', [])
  for (let n = 0; n < 200; n++)
    await append('BATCH', n % 5 === 0 ? [] : [`${n} `.repeat(n % 11 === 0 ? 3000 : n % 60), `${n}`])
  await store.close()
  return (await readLog(path))!
}

/** What a node reads of its copy of a log; null when its damage is found before or meanwhile. */
const readLog = async (path: string): Promise<readonly string[] | null> => {
  try {
    const store = openReplicaStore(path)
    try {
      const { entries, applied, ...rest } = store.position()
      if (JSON.stringify(wholeUpTo(store.read)) !== JSON.stringify(store.position())) return null
      const records = Array.from({ length: applied }, (_, n) => store.read(n + 1)!.toString('base64url'))
      const batches = [...store.batches.from(1, entries)].map(({ bytes }) => bytes.toString('base64url'))
      return [JSON.stringify(rest), ...records, ...batches]
    } finally {
      await store.close()
    }
  } catch (error) {
    if (error instanceof Damaged) return null
    throw error
  }
}

for (const [what, record, read] of [
  ['a journal', recorded, readAll],
  ['a copy of a log', recordedLog, readLog],
] as const)
  t.test(`a damage of ${what} is found before it is served, and none ends the process`, async (t) => {
    const entropy = seeded(Number(process.env.SEED ?? 15))
    const random = (below: number): number => entropy() % below
    const path = join(folder(t), 'journal')
    const entries = await record(path)
    const whole = readFileSync(join(path, 'data.mdb'))
    t.strictSame(await read(path), entries, 'an undamaged file is sound')
    let found = 0
    for (let n = 0; n < damages; n++) {
      const bytes = Buffer.from(whole)
      const at = random(bytes.length)
      if (n % 3 === 0) bytes.fill(n % 2 === 0 ? 0 : random(256), at - (at % 512), at - (at % 512) + 512)
      else bytes[at] = bytes[at]! ^ (1 + random(255))
      if (bytes.equals(whole)) continue
      const copy = join(folder(t), String(n))
      mkdirSync(copy)
      writeFileSync(join(copy, 'data.mdb'), bytes)
      const seen = await read(copy)
      if (seen === null) found += 1
      else if (JSON.stringify(seen) !== JSON.stringify(entries)) t.fail(`damage ${n} at ${at} is served`)
      rmSync(copy, { recursive: true })
    }
    t.comment(`${found} of ${damages} found; the others are in pages that are not in use`)
    t.ok(found > damages / 2)
  })

/** A shard host that tells what it was told. */
const openHost = (path: string, see: (log: ShardLog, events: ShardLogEvents) => ShardLog = (log) => log) => {
  const told: string[] = []
  let damagesFound = 0
  let onChecked: (entries: number) => void
  let onHalted: (message: string) => void
  const checked = new Promise<number>((resolve) => {
    onChecked = resolve
  })
  const halted = new Promise<string>((resolve) => {
    onHalted = resolve
  })
  const quiet = quietHost(path)
  const host = openShardHost({
    ...quiet,
    openLog: (path, events) => see(quiet.openLog(path, events), events),
    onChecked: (entries) => onChecked(entries),
    onDamaged: () => {
      damagesFound += 1
    },
    onTrouble: (message) => {
      told.push(message)
      if (message.startsWith('shard 0 stops: ')) onHalted(message)
    },
  })
  return { ...host, told, checked, halted, damagesFound: () => damagesFound }
}

/** A shard that was stopped, with its snapshot; and what it lists. */
const recordedShard = async (path: string): Promise<readonly string[]> => {
  const host = openHost(path)
  await host.execute(opening)
  for (let n = 0; n < 200; n++)
    await host.execute(aCharge({ details: { ...noDetails, description: `Pedido ${n} de teste` } }))
  const listed = await listedBy(host)
  await host.close()
  return listed
}

const listedBy = async ({ query }: Pick<ShardHost, 'query'>): Promise<readonly string[]> =>
  (await query(aList({}))).rows.map((transaction) => JSON.stringify(transaction))

t.test('a changed character in an old entry is found in the background, and the shard stops', async (t) => {
  const path = folder(t)
  await recordedShard(path)
  const whole = openHost(path)
  t.equal(await whole.checked, 201, 'an undamaged journal is read through')
  await whole.close()

  const file = join(path, 'journal/data.mdb')
  const bytes = readFileSync(file)
  bytes.write('x', bytes.indexOf('Pedido 7 de teste'))
  writeFileSync(file, bytes)
  const host = openHost(path)
  t.match(
    await host.halted,
    /^shard 0 stops: \S+journal is damaged at entry 9\. Stop the service, and restore the data directory from a backup$/,
  )
  t.not(host.state(), 'SERVING')
  const stopped = new ShardUnavailable('the shard has stopped, because what it has stored is damaged')
  await t.rejects(listedBy(host), stopped)
  await t.rejects(host.execute(aCharge()), stopped)
  t.equal(host.told.length, 1, 'it is told once')
  t.equal(host.damagesFound(), 1)
  await host.close()
})

t.test('a journal is read again once, not each time that its shard is opened', async (t) => {
  const path = folder(t)
  let checks = 0
  let fail: ShardLogEvents['broken'] = () => undefined
  const host = openHost(path, (log, events) => {
    fail = events.broken
    const check: ShardLog['check'] = (isStopped) => {
      checks += 1
      return log.check(isStopped)
    }
    return { ...log, check }
  })
  t.equal(await host.checked, 0)
  const wasOpened = fail
  fail(new Error('a write failed'))
  t.equal(host.state(), 'RECOVERING')
  while (fail === wasOpened) await new Promise((resolve) => setTimeout(resolve, 10))
  t.equal((await host.execute(opening)).accepted, true)
  t.equal(checks, 1)
  await host.close()
})

t.test('a damaged snapshot, or one of another journal, is made again', async (t) => {
  const path = folder(t)
  const listed = await recordedShard(path)
  const whole = join(folder(t), 'whole')
  cpSync(path, whole, { recursive: true })
  const entropy = seeded(Number(process.env.SEED ?? 16))
  const file = join(path, 'state/data.mdb')
  const bytes = readFileSync(file)
  let found = 0
  for (let n = 0; n < damages / 10; n++) {
    const damaged = Buffer.from(bytes)
    const at = entropy() % bytes.length
    damaged[at] = damaged[at]! ^ (1 + (entropy() % 255))
    const copy = join(folder(t), 'copy')
    cpSync(whole, copy, { recursive: true })
    writeFileSync(join(copy, 'state/data.mdb'), damaged)
    const host = openHost(copy)
    t.ok((await listedBy(host)).join() === listed.join(), `nothing is lost by byte ${at}`)
    const isFound = host.told.some((line) => line.endsWith('the snapshot is made again from the journal'))
    t.equal(host.damagesFound(), isFound ? 1 : 0)
    if (isFound) found += 1
    await host.close()
  }
  t.ok(found > 0)
  t.comment(`${found} of ${damages / 10} damages were in bytes that are in use`)

  const longer = openHost(path)
  await longer.execute(aCharge())
  await longer.close()
  for (const [title, part] of [
    ['of a longer journal', 'state'],
    ['of a shorter one', 'journal'],
  ] as const) {
    const mixed = join(folder(t), 'mixed')
    cpSync(whole, mixed, { recursive: true })
    cpSync(join(path, part), join(mixed, part), { recursive: true })
    const host = openHost(mixed)
    if (part === 'journal') t.equal((await host.query(aList({}))).total, 201, title)
    else t.match(await host.halted, /journal ends at entry 201, and its snapshot at 202/, title)
    await host.close()
  }
})

t.test('the heads of values are read at a start behind a crash, and not behind a stop', async (t) => {
  const path = folder(t)
  await recorded(path)
  const file = join(path, 'data.mdb')
  const bytes = readFileSync(file)
  const head = headOfRun(bytes)
  bytes[head + countOffset] = bytes[head + countOffset]! ^ 1
  writeFileSync(file, bytes)
  requireUndamaged(path)
  t.equal(damageOf(file), `its page ${head / pageBytes} is damaged`, 'payments verify reads all of it')
  rmSync(join(path, 'closed'))
  t.throws(() => requireUndamaged(path), /is damaged: its page/)
})

t.test('a mark of an earlier stop says nothing about what was written since', async (t) => {
  const path = folder(t)
  await recorded(path)
  const stopped = folder(t)
  cpSync(path, stopped, { recursive: true })
  t.equal(wasClosed(stopped), true)
  const journal = openJournal(path, text(), { commits: 0, entries: 0, bytes: 0 })
  await flushedUpTo(journal, journal.append('one more'))
  t.equal(wasClosed(path), false, 'as after kill -9')
  await journal.close()
  t.equal(wasClosed(path), true)
  cpSync(join(stopped, 'data.mdb'), join(path, 'data.mdb'))
  t.equal(wasClosed(path), false, 'an older copy of the file')
})

const pageBytes = 4096
const overflow = 4
/** Where a page head counts the pages of its run. */
const countOffset = 20

/** Where the first value with pages of its own begins. */
const headOfRun = (bytes: Buffer): number => {
  for (let at = 2 * pageBytes; at < bytes.length; at += pageBytes)
    if (Number(bytes.readBigUInt64LE(at)) === at / pageBytes && bytes.readUInt16LE(at + 18) === overflow)
      return at
  throw new Error('there is no such value')
}
