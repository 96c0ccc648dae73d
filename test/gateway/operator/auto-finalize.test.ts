import t from 'tap'
import type { DirectoryFact } from '../../../engine/companies/directory.ts'
import { evolveDirectory, newDirectory } from '../../../engine/companies/evolve.ts'
import { openAutoFinalize } from '../../../gateway/operator/auto-finalize.ts'

const newUpgrade = () => {
  const directory = newDirectory()
  const facts: DirectoryFact[] = []
  const raised: number[] = []
  const peers = new Map<string, { isAlive: boolean; reads?: number }>()
  let atMs = 0
  const look = openAutoFinalize({
    directory,
    commit: async (decide) => {
      const fact = decide()
      if (fact === null) return
      facts.push(fact)
      evolveDirectory(directory, fact)
    },
    status: async () => ({ reads: 14, peers: [...peers].map(([node, peer]) => ({ node, ...peer })) }),
    realNow: () => 7,
    stopwatch: () => atMs,
    steadyMs: 600,
    onRaised: (version) => raised.push(version),
  })
  const lookAfter = async (ms: number): Promise<number> => {
    atMs += ms
    await look()
    return facts.length
  }
  return { directory, facts, raised, peers, lookAfter }
}

t.test('the nodes finish an upgrade once all that live have read a newer version for a time', async (t) => {
  const { facts, raised, peers, lookAfter } = newUpgrade()
  peers.set('b', { isAlive: true })
  peers.set('c', { isAlive: true, reads: 14 })
  t.equal(await lookAfter(0), 0)
  t.equal(await lookAfter(10_000), 0, 'b is of an earlier build')
  peers.set('b', { isAlive: false })
  t.equal(await lookAfter(0), 0)
  t.equal(await lookAfter(500), 0)
  peers.set('b', { isAlive: true, reads: 13 })
  t.equal(await lookAfter(200), 0, 'it is back')
  peers.set('b', { isAlive: true, reads: 15 })
  t.equal(await lookAfter(10_000), 0, 'and upgraded just now')
  t.equal(await lookAfter(599), 0)
  t.equal(await lookAfter(1), 1)
  t.strictSame(facts, [{ type: 'VersionRaised', version: 14, atMs: 7 }])
  t.equal(await lookAfter(10_000), 1)
  t.strictSame(raised, [14])
})

t.test('a node that another one was before does nothing', async (t) => {
  const { directory, raised, lookAfter } = newUpgrade()
  await lookAfter(0)
  evolveDirectory(directory, { type: 'VersionRaised', version: 14, atMs: 1 })
  t.equal(await lookAfter(600), 0)
  t.strictSame(raised, [])
})
