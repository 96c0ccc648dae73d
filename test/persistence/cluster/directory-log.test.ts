import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import t, { type Test } from 'tap'
import type { Journal } from '../../../engine/kernel/ports.ts'
import { recordText } from '../../../persistence/cluster/directory-record.ts'
import { directorySubject } from '../../../persistence/cluster/names.ts'
import { codecVersion } from '../../../persistence/codec/layout.ts'
import { connectNats } from '../../../persistence/nats/connection.ts'
import { startProxy } from '../../nats/proxy.ts'
import { natsSettings } from '../../nats/settings.ts'
import { type Node, newDisk, openNode, openText, pin, start, stream } from './directory-nodes.ts'

const textsOf = async (t: Test, url: string): Promise<string[]> => {
  const connection = await connectNats(natsSettings(url), 'reader')
  t.teardown(() => connection.close())
  const manager = await jetstreamManager(connection)
  const { last_seq } = (await manager.streams.info(stream)).state
  const texts: string[] = []
  for (let seq = 1; seq <= last_seq; seq++)
    texts.push((await manager.streams.getMessage(stream, { seq }))!.string())
  return texts
}

t.test('facts of all nodes are on every disk, once and in one order', async (t) => {
  const servers = await start(t)
  const paths = [newDisk(t), newDisk(t), newDisk(t)]
  const all = await Promise.all(paths.map((path) => openNode(t, servers.url, path)))
  await Promise.all(
    all.flatMap(({ directory }, n) =>
      Array.from({ length: 10 }, (_, k) => directory.append(() => pin(k, `by-${n}`))),
    ),
  )
  await Promise.all(all.map(({ count }) => count(30)))
  const [first, second, third] = all
  t.equal(new Set(first!.facts.map((fact) => JSON.stringify(fact))).size, 30)
  t.strictSame(second!.facts, first!.facts)
  t.strictSame(third!.facts, first!.facts)
  await Promise.all(all.map(({ directory }) => directory.close()))
  const texts = await textsOf(t, servers.url)
  for (const path of paths) {
    const journal = openText(path)
    t.strictSame(
      [...journal.replay(0)].map(({ record }) => record),
      texts,
    )
    await journal.close()
  }
})

t.test('what was appended is on this disk and known, and still is after a start', async (t) => {
  const servers = await start(t)
  const path = newDisk(t)
  const node = await openNode(t, servers.url, path)
  await node.directory.append(() => pin(1, 'a'))
  t.strictSame(node.facts, [pin(1, 'a')])
  const away = await openNode(t, servers.url, newDisk(t))
  await node.directory.close()
  await away.directory.append(() => pin(2, 'b'))
  const again = await openNode(t, servers.url, path)
  t.strictSame(again.facts, [pin(1, 'a'), pin(2, 'b')])
})

t.test('a fact is decided on all that it comes after, whichever node wrote it', async (t) => {
  const servers = await start(t)
  const all = await Promise.all(
    [newDisk(t), newDisk(t), newDisk(t)].map((path) => openNode(t, servers.url, path)),
  )
  // Each shard may be pinned once: whoever comes second finds that it is.
  const pinOnce = ({ directory, facts }: (typeof all)[number], shard: number, node: string) =>
    directory.append(() =>
      facts.some((fact) => fact.type === 'ShardPinned' && fact.shard === shard) ? null : pin(shard, node),
    )
  await Promise.all(
    all.flatMap((node, n) => Array.from({ length: 8 }, (_, shard) => pinOnce(node, shard, `by-${n}`))),
  )
  for (const { facts, count } of all) {
    await count(8)
    t.strictSame(facts.map((fact) => (fact as { shard: number }).shard).sort(), [0, 1, 2, 3, 4, 5, 6, 7])
  }
  t.equal((await textsOf(t, servers.url)).length, 8)
  await t.rejects(
    all[0]!.directory.append(() => {
      throw new Error('no more')
    }),
    /^no more$/,
  )
  await all[0]!.directory.append(() => pin(8, 'a'))
  t.equal(all[0]!.facts.length, 9, 'a refusal holds up nothing')
})

t.test('an acknowledgement that is lost does not double the fact', async (t) => {
  const servers = await start(t)
  const proxy = await startProxy(servers.url)
  t.teardown(proxy.stop)
  const node = await openNode(t, proxy.url, newDisk(t))
  await node.directory.append(() => pin(1, 'a'))
  for (let shard = 2; shard <= 4; shard++) {
    proxy.swallowAnswers()
    const appended = node.directory.append(() => pin(shard, 'a'))
    while ((await textsOf(t, servers.url)).length < shard);
    proxy.cut()
    await appended
  }
  t.strictSame(
    node.facts,
    [1, 2, 3, 4].map((shard) => pin(shard, 'a')),
  )
  t.equal((await textsOf(t, servers.url)).length, 4)
})

t.test('while NATS is away a fact waits; when it is back it is there once', async (t) => {
  const servers = await start(t)
  const node = await openNode(t, servers.url, newDisk(t))
  await servers.kill(0, 'SIGKILL')
  const appended = node.directory.append(() => pin(1, 'a'))
  await servers.start(0)
  await appended
  t.strictSame(node.facts, [pin(1, 'a')])
  t.equal((await textsOf(t, servers.url)).length, 1)
})

t.test('what all servers lost with their power is put back from the disk of a node', async (t) => {
  const servers = await start(t)
  const path = newDisk(t)
  const behind = newDisk(t)
  const node = await openNode(t, servers.url, path)
  const second = await openNode(t, servers.url, newDisk(t))
  await node.directory.append(() => pin(1, 'a'))
  await (await openNode(t, servers.url, behind)).directory.close()
  await servers.keepDisks()
  for (const shard of [2, 3, 4]) await node.directory.append(() => pin(shard, 'a'))
  await second.count(4)
  const before = await textsOf(t, servers.url)
  await servers.losePower()
  await node.directory.append(() => pin(5, 'a'))
  t.strictSame((await textsOf(t, servers.url)).slice(0, 4), before)
  t.match(
    [...node.lines, ...second.lines].join('\n'),
    /error: the NATS servers lost records that they had acknowledged/,
  )
  const other = await openNode(t, servers.url, behind)
  t.strictSame(
    other.facts,
    [1, 2, 3, 4, 5].map((shard) => pin(shard, 'a')),
  )
  await second.count(5)
  t.strictSame(second.facts, node.facts)
  t.strictSame([...node.forks, ...second.forks], [])
})

t.test('a node whose disk differs from the log is refused, and nothing is overwritten', async (t) => {
  const servers = await start(t)
  const path = newDisk(t)
  const node = await openNode(t, servers.url, path)
  await node.directory.append(() => pin(1, 'a'))
  await servers.keepDisks()
  for (const shard of [2, 3]) await node.directory.append(() => pin(shard, 'a'))
  await node.directory.close()
  await servers.losePower()
  const other = await openNode(t, servers.url, newDisk(t))
  const refused =
    /^record \d of PAY_DIRECTORY_c does not continue what node n\d+ has on disk; nothing was changed/
  for (const shard of [7, 8, 9]) {
    await other.directory.append(() => pin(shard, 'b'))
    await t.rejects(openNode(t, servers.url, path), refused, `a log of ${shard - 5} records`)
  }
  t.equal((await textsOf(t, servers.url)).length, 4)
  const journal = openText(path)
  t.equal(journal.appended(), 3)
  await journal.close()
})

t.test('a log that somebody else wrote into is not followed', async (t) => {
  const servers = await start(t)
  const node = await openNode(t, servers.url, newDisk(t))
  await node.directory.append(() => pin(1, 'a'))
  const connection = await connectNats(natsSettings(servers.url), 'stranger')
  t.teardown(() => connection.close())
  const strange = JSON.stringify({ version: 1, id: 'x', node: 'x', previous: 'x', fact: pin(2, 'x') })
  await jetstream(connection).publish('pay.cluster.c.directory', strange)
  while (node.forks.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
  t.match(node.forks, [{ message: /^record 2 of PAY_DIRECTORY_c/ }])
  t.strictSame(node.facts, [pin(1, 'a')])
})

t.test('a disk that could not write is opened again, and misses nothing', async (t) => {
  const servers = await start(t)
  const path = newDisk(t)
  let failures = 2
  const failing = (): Journal<string> => {
    const journal = openText(path)
    if (failures === 0) return journal
    failures -= 1
    return { ...journal, whenFlushed: (_, to) => to.reject(new Error('the disk is full')) }
  }
  const node = await openNode(t, servers.url, path, failing)
  await Promise.all([node.directory.append(() => pin(1, 'a')), node.directory.append(() => pin(2, 'a'))])
  t.strictSame(node.facts, [pin(1, 'a'), pin(2, 'a')])
  t.match(node.lines, [/not followed for now/, /not followed for now/])
})

t.test('a damaged directory is set aside, and is what it was when its records have come again', async (t) => {
  const servers = await start(t)
  const path = newDisk(t)
  const file = join(path, 'data.mdb')
  const node = await openNode(t, servers.url, path)
  for (const shard of [1, 2, 3]) await node.directory.append(() => pin(shard, `pinned-${shard}`))
  await node.directory.close()
  const bytes = readFileSync(file)
  const damages = {
    'a character of the second record': (damaged: Buffer) =>
      damaged.write('y', damaged.lastIndexOf('inned-2')),
    'whole pages': (damaged: Buffer) => damaged.fill(0),
  }
  for (const [title, damage] of Object.entries(damages)) {
    const damaged = Buffer.from(bytes)
    damage(damaged)
    writeFileSync(file, damaged)
    const again = await openNode(t, servers.url, path)
    await again.directory.append(() => null)
    t.strictSame(again.facts, node.facts, title)
    t.match(again.lines, [/^error: .* is damaged.*: it is fetched again from the cluster/])
    t.strictSame(readFileSync(`${file}.damaged`), damaged, 'what was damaged is kept')
    await again.directory.close()
    const journal = openText(path)
    t.strictSame(
      [...journal.replay(0)].map(({ record }) => record),
      await textsOf(t, servers.url),
    )
    await journal.close()
  }
})

t.test('what was appended is known to every living node, and a dead one is not waited for', async (t) => {
  const servers = await start(t)
  const proxy = await startProxy(servers.url)
  t.teardown(proxy.stop)
  const writer = await openNode(t, servers.url, newDisk(t))
  const slow = await openNode(t, proxy.url, newDisk(t))
  // It has said that it is there.
  await writer.directory.append(() => pin(0, 'a'))
  t.strictSame(slow.facts, writer.facts)
  proxy.delay(300)
  for (const shard of [1, 2, 3]) {
    await writer.directory.append(() => pin(shard, 'a'))
    t.strictSame(slow.facts, writer.facts)
  }
  const both = await Promise.all(
    [4, 5].map(async (shard) => {
      await writer.directory.append(() => pin(shard, 'a'))
      return slow.facts.length
    }),
  )
  t.ok(both[0]! >= 5 && both[1] === 6)

  proxy.swallowAnswers()
  await writer.directory.append(() => pin(6, 'a'))
  t.equal(slow.facts.length, 6)
  t.match(writer.lines, [/^warn: a change is answered before these nodes have heard of it/])
  proxy.stop()
  await writer.directory.append(() => pin(7, 'a'))
  await writer.directory.append(() => pin(8, 'a'))
  t.equal(writer.lines.length, 1, 'one that is not heard any more is not behind')
})

t.test(
  'the version that nodes write is raised by a fact, and one that is not read ends a node',
  async (t) => {
    const servers = await start(t)
    const paths = [newDisk(t), newDisk(t)]
    const [a, b] = (await Promise.all(paths.map((path) => openNode(t, servers.url, path)))) as [Node, Node]
    t.equal(a.directory.writtenVersion(), 13, 'a cluster that has none writes the first')
    const raise = (version: number) =>
      a.directory.append(() =>
        a.directory.writtenVersion() < version ? { type: 'VersionRaised', version, atMs: 1 } : null,
      )
    await raise(codecVersion)
    t.equal(b.directory.writtenVersion(), codecVersion)
    await raise(codecVersion)
    const before = b.facts.length
    // As a newer build does it.
    const connection = await connectNats(natsSettings(servers.url), 'newer')
    t.teardown(() => connection.close())
    const previous = (await textsOf(t, servers.url)).at(-1) ?? null
    const fact = { type: 'VersionRaised', version: codecVersion + 1, atMs: 2 } as const
    const text = recordText({ id: 'newer-1', node: 'n', fact }, previous)
    await jetstream(connection).publish(directorySubject('c'), text)
    const line = new RegExp(
      `^the cluster writes version ${codecVersion + 1}; this program reads up to ${codecVersion}: start a newer`,
    )
    while (b.forks.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    t.match(b.forks[0]?.message, line)
    t.equal(b.facts.length, before, 'it has stored nothing of it')
    await t.rejects(openNode(t, servers.url, newDisk(t)), line)
    await t.rejects(openNode(t, servers.url, paths[1]!), line)
  },
)
