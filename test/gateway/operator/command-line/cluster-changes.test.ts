import t from 'tap'
import { removeNode } from '../../../../gateway/operator/command-line/cluster/remove.ts'
import { rollingRestart } from '../../../../gateway/operator/command-line/cluster/rolling-restart.ts'
import { newFakeCluster } from './fake-cluster.ts'

const quietly = (): void => undefined

t.test(
  'a living node is drained, ends for good and is forgotten; a second time there is nothing to do',
  async (t) => {
    const cluster = newFakeCluster(['a', 'b', 'c'])
    cluster.pins.set(1, 'b')
    const { tools, steps } = cluster.tools('a')
    const plans: (readonly string[])[] = []
    const dry = await removeNode(tools, 'b', true, (plan) => void plans.push(plan))
    t.match(dry, { state: 'READY', nodes: ['a', 'c'] })
    t.match(plans, [
      [/^wait until/, /^node b hands 1 shards over/, /does not start again/, /^shard 1: no longer pinned/],
    ])
    t.strictSame([cluster.done, steps], [[], []], 'a dry run does nothing')
    t.match(await removeNode(tools, 'b', false, quietly), { state: 'DONE', nodes: ['a', 'c'] })
    t.strictSame(cluster.done, ['drain b for good', 'end b REMOVED', 'move 1 auto'])
    t.strictSame(
      steps.filter(({ state }) => state === 'DONE').map(({ step }) => step),
      ['SETTLE', 'DRAIN', 'END', 'FORGET'],
    )
    t.match(await removeNode(tools, 'b', false, quietly), { state: 'NOTHING_TO_DO', nodes: ['a', 'c'] })
    t.equal(cluster.done.length, 3)
  },
)

t.test('what is fetched or lags is waited for before a node is drained', async (t) => {
  const cluster = newFakeCluster(['a', 'b', 'c'])
  cluster.nodes.get('c')!.joining = [0, 1]
  cluster.lag.set('c', 5000)
  const { tools, steps } = cluster.tools('a', (pauses) => {
    if (pauses === 3) cluster.nodes.get('c')!.joining = []
    if (pauses === 5) cluster.lag.clear()
    t.equal(cluster.done.length > 0, pauses > 5)
  })
  cluster.owners[2] = 'a'
  await removeNode(tools, 'b', false, quietly)
  t.match(steps[0], {
    step: 'SETTLE',
    state: 'WAITING',
    waitsFor: ['node c fetches shards 0, 1', /lacks 5000/],
  })
})

t.test('a removal that would be dangerous is refused, and does nothing', async (t) => {
  const refused = async (
    names: readonly string[],
    prepare: (cluster: ReturnType<typeof newFakeCluster>) => void,
    wanted: RegExp,
    removed = 'b',
  ): Promise<void> => {
    const cluster = newFakeCluster(names)
    prepare(cluster)
    const { tools } = cluster.tools('a')
    for (const isDryRun of [true, false])
      await t.rejects(removeNode(tools, removed, isDryRun, quietly), wanted)
    t.strictSame(cluster.done, [])
  }
  await refused(['a', 'b'], () => undefined, /^the service of this machine is node a/, 'a')
  await refused(
    ['a', 'b'],
    ({ nodes, owners }) => {
      nodes.get('a')!.joining = [0, 2]
      owners.fill('b')
    },
    /^node b has the last whole copy of shards 0, 2: wait/,
  )
  await refused(
    ['a', 'b', 'c'],
    ({ nodes, lag }) => {
      nodes.get('c')!.isUnfit = true
      lag.set('a', 101)
    },
    /^node b has the last whole copy of shards 1, 2: wait/,
  )
  // Others get the copy of shard 0 before node b ends; nobody waits for shard 2, which is placed at a node that fetches it.
  await refused(
    ['a', 'b', 'c'],
    ({ nodes, copies }) => {
      nodes.get('a')!.joining = [2]
      copies.set(0, { number: 1, nodes: ['b'] })
      copies.set(2, { number: 1, nodes: ['a'] })
    },
    /^node b has the last whole copy of shard 2: wait/,
  )
  await refused(
    ['a', 'b'],
    ({ nodes }) => Object.assign(nodes.get('a')!, { isUnfit: true }),
    /^node b is the only one/,
  )
  await refused(
    ['a', 'b', 'c'],
    ({ nodes }) => Object.assign(nodes.get('c')!, { isSilent: true }),
    /^node c is SILENT: no node is taken away/,
  )
  await refused(
    ['a', 'b', 'c'],
    ({ nodes }) => Object.assign(nodes.get('c')!, { isDraining: true }),
    /^node c is DRAINING: it is being taken away/,
  )
  await refused(
    ['a', 'b', 'c'],
    ({ nodes }) => Object.assign(nodes.get('b')!, { isSilent: true }),
    /^node b is heard and does not answer: end its process/,
  )
})

t.test('a dead node is forgotten once nothing of it is needed', async (t) => {
  const cluster = newFakeCluster(['a', 'b', 'c'])
  cluster.pins.set(1, 'b')
  cluster.kill('b')
  const { tools } = cluster.tools('a')
  await t.rejects(
    removeNode(tools, 'b', false, quietly),
    /^node b does not run, and may be needed: shard 1 of the others have no owner/,
  )
  cluster.owners[1] = 'c'
  cluster.nodes.get('a')!.joining = [2]
  cluster.nodes.get('c')!.joining = [2]
  await t.rejects(removeNode(tools, 'b', false, quietly), /may be needed: shard 2/)
  cluster.nodes.get('c')!.joining = []
  t.match(await removeNode(tools, 'b', false, quietly), { state: 'DONE', nodes: ['a', 'c'] })
  t.strictSame(cluster.done, ['move 1 auto'])
})

t.test('a node that starts anew while it is removed is not forgotten', async (t) => {
  const cluster = newFakeCluster(['a', 'b', 'c'])
  cluster.pins.set(1, 'b')
  const { tools } = cluster.tools('a', () => {
    Object.assign(cluster.nodes.get('b')!, { backIn: null, lives: 2, isDraining: false })
  })
  cluster.nodes.get('b')!.lives = 1
  const ask = tools.ask
  const late = {
    ...tools,
    ask: async (name: string, input: object) => {
      const answer = await ask(name, input)
      // It still runs when it is looked at first.
      if (name === 'cluster end') cluster.nodes.get('b')!.backIn = null
      return answer
    },
  }
  await t.rejects(removeNode(late, 'b', false, quietly), /^node b started anew while it was removed/)
  t.equal(cluster.pins.get(1), 'b')
})

t.test('nodes are restarted one after the other, the one that is asked last', async (t) => {
  const cluster = newFakeCluster(['a', 'b', 'c'])
  const { tools, steps } = cluster.tools('a')
  t.match(await rollingRestart(tools, [], true, quietly), { state: 'READY', nodes: ['b', 'c', 'a'] })
  t.strictSame(cluster.done, [])
  t.match(await rollingRestart(tools, [], false, quietly), { state: 'DONE', nodes: ['b', 'c', 'a'] })
  const each = (node: string): string[] => [`drain ${node}`, `end ${node} RESTART`]
  t.strictSame(cluster.done, [...each('b'), ...each('c'), ...each('a')])
  t.equal(cluster.awayMax(), 1)
  const away = steps.filter(({ waitsFor }) => waitsFor.includes('the service of this machine is away'))
  t.ok(away.length > 0 && away.every(({ node }) => node === 'a'))
  t.strictSame(
    [...cluster.nodes.values()].map(({ lives }) => lives),
    [2, 2, 2],
  )
})

t.test('a restart that was interrupted begins with the node that is drained', async (t) => {
  const cluster = newFakeCluster(['a', 'b', 'c'])
  const { tools } = cluster.tools('a')
  await tools.ask('cluster drain', { node: 'c' })
  await t.rejects(rollingRestart(tools, ['b'], false, quietly), /^node c is DRAINING/)
  t.match(await rollingRestart(tools, [], false, quietly), { nodes: ['c', 'b', 'a'] })
})

t.test('it stops where a node does not come back in time, and says how to go on', async (t) => {
  const cluster = newFakeCluster(['a', 'b', 'c'])
  cluster.unwatch()
  await t.rejects(
    rollingRestart(cluster.tools('a').tools, [], false, quietly),
    /^it stops after 20 s: node b is not back\. Look at its log and at what starts it\. Then go on with: payments cluster rolling-restart c a$/,
  )
  t.strictSame(cluster.done, ['drain b', 'end b RESTART'])
})

t.test(
  'a restart is refused while a node is silent, unfit or gone, alone, or reads too little',
  async (t) => {
    const refused = async (
      prepare: (cluster: ReturnType<typeof newFakeCluster>) => void,
      wanted: RegExp,
      { names = ['a', 'b', 'c'], named = [] }: { names?: string[]; named?: string[] } = {},
    ): Promise<void> => {
      const cluster = newFakeCluster(names)
      prepare(cluster)
      await t.rejects(rollingRestart(cluster.tools('a').tools, named, false, quietly), wanted)
      t.strictSame(cluster.done, [])
    }
    const set = (node: string, state: object) => (cluster: ReturnType<typeof newFakeCluster>) =>
      void Object.assign(cluster.nodes.get(node)!, state)
    await refused(set('b', { isSilent: true }), /^node b is SILENT/)
    await refused(set('c', { isUnfit: true }), /^node c is UNFIT/)
    await refused((cluster) => cluster.kill('c'), /^node c is GONE/)
    await refused(() => undefined, /^there is no other node/, { names: ['a'] })
    await refused(() => undefined, /^there is no node z; the nodes are a, b, c$/, { named: ['z'] })
    await refused((cluster) => {
      cluster.write(15)
      for (const node of ['a', 'b']) cluster.nodes.get(node)!.reads = 15
    }, /^node c reads version 14, and the cluster writes 15: an upgrade was finished without it/)
  },
)

t.test('nodes of two builds are restarted, in the middle of an upgrade and on the way back', async (t) => {
  const cluster = newFakeCluster(['a', 'b', 'c'])
  cluster.nodes.get('b')!.reads = 15
  t.match(await rollingRestart(cluster.tools('a').tools, [], false, quietly), { state: 'DONE' })
})

t.test('two changes at the same time never take two nodes away', async (t) => {
  const states: string[] = []
  for (let seed = 1; seed <= 200; seed++) {
    const cluster = newFakeCluster(['a', 'b', 'c', 'd'])
    const random = randomOf(seed)
    /** Lets the other change go on for some steps, before any question and in every pause. */
    const between = async (): Promise<void> => {
      for (let steps = Math.floor(random() * 6); steps > 0; steps--) await Promise.resolve()
    }
    const shuffled = (asked: string) => {
      const { tools } = cluster.tools(asked, between)
      return {
        ...tools,
        ask: async (name: string, input: object) => between().then(() => tools.ask(name, input)),
      }
    }
    const outcomes = await Promise.allSettled([
      rollingRestart(shuffled('a'), ['b', 'c'], false, quietly),
      seed % 2 === 0
        ? rollingRestart(shuffled('d'), ['c', 'b'], false, quietly)
        : removeNode(shuffled('d'), 'c', false, quietly),
    ])
    if (cluster.awayMax() > 1) t.fail(`seed ${seed}: ${cluster.done}`)
    states.push(...outcomes.map(({ status }) => status))
  }
  t.strictSame([...new Set(states)].sort(), ['fulfilled', 'rejected'])
})

const randomOf = (seed: number) => {
  let state = seed * 2_654_435_761
  return (): number => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    return (state >>> 8) / 0x1000000
  }
}

t.test('a node ends for good when others have the copies that it was chosen to hold', async (t) => {
  const cluster = newFakeCluster(['a', 'b', 'c', 'd'], 2)
  cluster.copies.set(0, { number: 1, nodes: ['a', 'b'] })
  cluster.copies.set(1, { number: 1, nodes: ['b', 'c'] })
  const { tools, steps } = cluster.tools('a')
  const plans: (readonly string[])[] = []
  await removeNode(tools, 'b', false, (plan) => void plans.push(plan))
  t.match(plans, [
    [/^wait/, /^node b hands/, 'other nodes get the copies of shards 0, 1 that it holds', /78/],
  ])
  const waited = steps.filter(({ step, state }) => step === 'DRAIN' && state === 'WAITING')
  t.match(
    waited.map(({ waitsFor }) => waitsFor[0]),
    ['other nodes get the copies of shards 0, 1', 'other nodes get the copies of shard 1'],
  )
  t.strictSame(
    [...cluster.copies.values()].map(({ nodes }) => nodes),
    [
      ['a', 'c'],
      ['c', 'a'],
    ],
  )
  t.strictSame(cluster.done, ['drain b for good', 'end b REMOVED'])
})

t.test('a holder that is not heard is a trouble, and what a node need not hold is none', async (t) => {
  const cluster = newFakeCluster(['a', 'b', 'c', 'd'], 2)
  cluster.copies.set(0, { number: 1, nodes: ['a', 'b'] })
  cluster.copies.set(1, { number: 1, nodes: ['b', 'c'] })
  const { tools } = cluster.tools('a')
  const troubles = async (): Promise<unknown> => (await tools.ask('cluster status', {})).troubles
  t.strictSame(await troubles(), [])
  cluster.kill('b')
  cluster.owners[1] = 'c'
  t.strictSame(await troubles(), ['node b is not heard, and holds copies of shards 0, 1'])
})
