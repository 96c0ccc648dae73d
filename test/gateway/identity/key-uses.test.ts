import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import type { KeyId } from '../../../engine/shared/ids.ts'
import { type KeyUse, type KeyUses, openKeyUses } from '../../../gateway/identity/key-uses.ts'

const use = (id: string, atMs: number, ip: string): KeyUse => [
  id as KeyId,
  { used: { atMs, ip }, refused: null },
]
const newFile = () => join(mkdtempSync(join(tmpdir(), 'payments-uses-')), 'key-uses.json')

/** A node whose workers have seen what is pushed. */
const newNode = (others: () => readonly KeyUses[], file = newFile()) => {
  const seen: KeyUse[][] = []
  const uses = openKeyUses({
    file,
    gather: async () => seen.splice(0),
    report: (told) => Promise.all(others().map((other) => other.hear(told))),
  })
  return { seen, uses, file }
}

t.test('uses of all workers are there when somebody looks, and after a restart', async (t) => {
  const node = newNode(() => [])
  node.seen.push(
    [use('key_a', 60_000, '192.0.2.1')],
    [use('key_a', 120_000, '192.0.2.2'), use('key_b', 60_000, '192.0.2.3')],
  )
  const current = await node.uses.current()
  t.strictSame([...current], [use('key_a', 120_000, '192.0.2.2'), use('key_b', 60_000, '192.0.2.3')])
  await node.uses.tick()
  node.seen.push([['key_a' as KeyId, { used: null, refused: { atMs: 180_000, ip: '198.51.100.1' } }]])
  await node.uses.tick()
  const restarted = newNode(() => [], node.file)
  t.strictSame((await restarted.uses.current()).get('key_a' as KeyId), {
    used: { atMs: 120_000, ip: '192.0.2.2' },
    refused: { atMs: 180_000, ip: '198.51.100.1' },
  })
})

t.test('nodes tell each other what is new, and a new one asks for the rest', async (t) => {
  const nodes: KeyUses[] = []
  const [a, b] = [newNode(() => [nodes[1]!]), newNode(() => [nodes[0]!])]
  nodes.push(a.uses, b.uses)
  a.seen.push([use('key_a', 120_000, '192.0.2.1')])
  b.seen.push([use('key_a', 60_000, '192.0.2.9')])
  await b.uses.tick()
  await a.uses.tick()
  const latest = [use('key_a', 120_000, '192.0.2.1')]
  t.strictSame([[...(await a.uses.current())], [...(await b.uses.current())]], [latest, latest])
  const late = newNode(() => nodes)
  await late.uses.join()
  t.strictSame([...(await late.uses.current())], latest)
})

t.test('a damaged file is as good as none', async (t) => {
  const file = newFile()
  for (const text of ['', '{', '{}']) {
    writeFileSync(file, text)
    t.equal((await newNode(() => [], file).uses.current()).size, 0, text)
  }
})

t.test('a key that is used once more while its use is told is told again', async (t) => {
  const told: string[][] = []
  let seen: KeyUse[] = [use('key_a', 60_000, '192.0.2.1')]
  const uses: KeyUses = openKeyUses({
    file: newFile(),
    gather: async () => [seen.splice(0)],
    report: async ({ uses: now }) => {
      told.push(now.map(([, { used }]) => used!.ip))
      if (told.length > 1) return []
      seen = [use('key_a', 120_000, '192.0.2.2')]
      await uses.current()
      return []
    },
  })
  await uses.tick()
  await uses.tick()
  t.strictSame(told, [['192.0.2.1'], ['192.0.2.2']])
})
