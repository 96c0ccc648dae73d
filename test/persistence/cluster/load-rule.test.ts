import t from 'tap'
import { newLoadMeter } from '../../../persistence/cluster/load-meter.ts'
import {
  type LoadedShard,
  type LoadMove,
  loadRuleOf,
  loadsOf,
  nextMove,
} from '../../../persistence/cluster/load-rule.ts'
import { newRandom, type Random } from '../../cluster/simulation/random.ts'

const abc = ['a', 'b', 'c']

/** `a: 60 60, b: 10`: nodes and the loads of their shards, which may go anywhere. */
const shardsOf = (text: string, nodes: readonly string[] = abc): readonly LoadedShard[] =>
  text
    .split(', ')
    .flatMap((part) => {
      const [owner, loads] = part.split(': ')
      return loads!.split(' ').map((load) => ({ owner: owner!, load: Number(load), mayGoTo: nodes }))
    })
    .map((shard, n) => ({ shard: n, ...shard }))

const next = (text: string): LoadMove | null => nextMove(abc, shardsOf(text), 50)

t.test('one of two busy shards moves to the node with the smallest load', async (t) => {
  t.strictSame(next('a: 60 60, b: 10, c: 5'), { shard: 0, to: 'c' })
  t.strictSame(next('a: 60 20, b: 0, c: 0'), { shard: 1, to: 'b' }, 'a quarter less')
})

t.test('even loads, small loads and none move nothing', async (t) => {
  t.equal(next('a: 60 60, b: 120, c: 100'), null)
  t.equal(next('a: 60 20, b: 60, c: 60'), null, 'a quarter more is not clearly busier')
  t.equal(next('a: 24 25, b: 0, c: 0'), null)
  t.equal(next('a: 0 0, b: 0, c: 0'), null)
})

t.test('a shard that is more than a fair share stays, and lighter ones beside it move', async (t) => {
  t.equal(next('a: 300, b: 0, c: 0'), null)
  t.equal(next('a: 300 5 5, b: 0, c: 0'), null, 'that would make it a little better')
  t.strictSame(next('a: 300 150, b: 0, c: 0'), { shard: 1, to: 'b' })
  t.strictSame(next('a: 300 60 60, b: 0, c: 200'), { shard: 0, to: 'b' }, 'rather one than two')
})

t.test('many small shards move one by one where together they make it better', async (t) => {
  t.ok(next('a: 10 10 10 10 10 10 10 10, b: 0, c: 0'))
  t.equal(next('a: 100 1 1 1, b: 0, c: 0'), null)
})

t.test('where the busiest node has nothing to give, the next one does', async (t) => {
  t.strictSame(next('a: 300, b: 100 100, c: 0'), { shard: 1, to: 'c' })
})

t.test('the rule follows from the pause', async (t) => {
  const rule = loadRuleOf(1_800_000)
  t.match(rule, { windowMs: 600_000, lastsMs: 1_200_000, restMs: 86_400_000, lookMs: 60_000 })
  t.match(loadRuleOf(0), { ...rule, pauseMs: Number.POSITIVE_INFINITY }, 'loads are still measured')
})

/** A cluster by chance: few busy shards among idle ones, some that have to stay, some that only holders may own. */
const randomCluster = (random: Random) => {
  const nodes = [...'abcdef'].slice(0, 2 + random.below(5))
  const base = random.skewed(5, 500)
  const shards = Array.from({ length: 1 + random.below(24) }, (_, shard): LoadedShard => {
    const holders = nodes.filter(() => random.chance(0.7))
    const owner = random.pick(nodes)
    return {
      shard,
      owner,
      load: random.chance(0.3) ? 0 : random.pick([base, random.skewed(1, 2_000)]),
      mayGoTo: random.chance(0.2) ? [] : random.chance(0.5) ? nodes : holders,
    }
  })
  return { nodes, shards }
}

const moved = (shards: readonly LoadedShard[], { shard, to }: LoadMove): readonly LoadedShard[] =>
  shards.map((one) => (one.shard === shard ? { ...one, owner: to } : one))

const squares = (loads: ReadonlyMap<string, number>): number =>
  [...loads.values()].reduce((sum, load) => sum + load * load, 0)

/** What is wrong with a move; nothing in what should be. */
const faultsOf = (
  nodes: readonly string[],
  before: readonly LoadedShard[],
  move: LoadMove,
): readonly string[] => {
  const [was, will] = [loadsOf(nodes, before), loadsOf(nodes, moved(before, move))]
  const { owner, mayGoTo, load } = before[move.shard]!
  const rules: Readonly<Record<string, boolean>> = {
    'it goes to a node that may own it': mayGoTo.includes(move.to) && move.to !== owner,
    'it is busy, and so is its node': load > 0 && was.get(owner)! >= 50,
    'the node that takes it is not the next that is too busy': will.get(move.to)! <= 0.75 * was.get(owner)!,
    'the busiest node gets no busier': Math.max(...will.values()) <= Math.max(...was.values()),
    'loads are more even': squares(will) < squares(was),
  }
  return Object.keys(rules).filter((rule) => !rules[rule])
}

t.test('moves never make it worse, and end', async (t) => {
  const random = newRandom(1)
  let moves = 0
  for (let run = 0; run < 2_000; run++) {
    const { nodes, shards } = randomCluster(random)
    let present: readonly LoadedShard[] = shards
    let count = 0
    for (let move = nextMove(nodes, present, 50); move !== null; move = nextMove(nodes, present, 50)) {
      const faults = faultsOf(nodes, present, move)
      if (faults.length > 0) return t.fail(`run ${run}: not so: ${faults.join('; ')}`)
      present = moved(present, move)
      if (++count > 2 * shards.length) return t.fail(`run ${run} does not end`)
    }
    moves += count
  }
  t.ok(moves > 500, `${moves} moves`)
})

t.test('a shard does not go back although loads are a seventh more or less', async (t) => {
  const random = newRandom(2)
  let moves = 0
  for (let run = 0; run < 2_000; run++) {
    const { nodes, shards } = randomCluster(random)
    const move = nextMove(nodes, shards, 50)
    if (move === null) continue
    moves += 1
    const from = shards[move.shard]!.owner
    const others = moved(shards, move).map((one) => ({ ...one, load: one.load * random.between(0.93, 1.07) }))
    const back = nextMove(nodes, others, 50)
    if (back?.shard === move.shard && back.to === from) return t.fail(`run ${run} goes back`)
  }
  t.ok(moves > 500, `${moves} moves`)
})

t.test('load is the mean over the window', async (t) => {
  const meter = newLoadMeter(10_000)
  let entries = 1_000_000
  const pass = (seconds: number, perSecond: number, fromMs: number): number => {
    for (let n = 1; n <= 4 * seconds; n++) {
      entries += perSecond / 4
      meter.look(entries, fromMs + n * 250)
    }
    return fromMs + seconds * 1000
  }
  t.equal(meter.load(), 0)
  meter.look(entries, 0)
  t.equal(meter.load(), 0, 'what was there before is no load')
  let atMs = pass(5, 100, 0)
  t.equal(meter.load(), 100)
  t.notOk(meter.isWhole())
  atMs = pass(5, 0, atMs)
  t.equal(meter.load(), 50)
  t.ok(meter.isWhole())
  atMs = pass(10, 20, atMs)
  t.ok(Math.abs(meter.load() - 20) < 2, `${meter.load()}`)
  meter.look(5, atMs + 250)
  t.notOk(meter.isWhole(), 'a log that is read anew is measured anew')
  t.equal(meter.load(), 0)
})
