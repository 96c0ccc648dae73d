import t from 'tap'
import { nextHolders } from '../../../persistence/cluster/copies-rule.ts'
import { copyPlacement, placement } from '../../../persistence/cluster/placement.ts'

const names = (text: string): readonly string[] => [...text]
const nodesOf = (text: string, zoneOf: (n: number) => string = () => '') =>
  names(text).map((node, n) => ({ node, zone: zoneOf(n) }))

t.test('each shard has as many copies as asked for, and each node its share', async (t) => {
  const placed = copyPlacement(6, nodesOf('abcde'), 3)
  for (const nodes of placed) t.equal(new Set(nodes).size, 3)
  const counts = names('abcde').map((node) => placed.filter((nodes) => nodes.includes(node)).length)
  t.ok(Math.min(...counts) >= 2 && Math.max(...counts) <= 4, counts.join())
  t.strictSame(copyPlacement(6, nodesOf('edcba'), 3), placed, 'in whatever order nodes were heard')
})

t.test('with fewer nodes than copies each holds one', async (t) => {
  t.strictSame(copyPlacement(2, nodesOf('ab'), 3), [names('ab'), names('ab')])
  t.strictSame(copyPlacement(2, [], 3), [[], []])
})

t.test('copies are in as many zones as there are', async (t) => {
  const zoneOf = (n: number): string => (n < 4 ? 'one' : n === 4 ? 'two' : 'three')
  const zones = new Map(nodesOf('abcdef', zoneOf).map(({ node, zone }) => [node, zone]))
  for (const nodes of copyPlacement(12, nodesOf('abcdef', zoneOf), 3))
    t.strictSame(nodes.map((node) => zones.get(node)).sort(), ['one', 'three', 'two'])
  for (const nodes of copyPlacement(
    12,
    nodesOf('abcd', (n) => (n < 3 ? 'one' : 'two')),
    3,
  ))
    t.ok(nodes.includes('d'), 'one zone may have several')
})

t.test('a pinned node holds a copy, and a node that comes takes few from others', async (t) => {
  t.ok(copyPlacement(6, nodesOf('abcdefgh'), 2, new Map([[3, 'h']]))[3]!.includes('h'))
  const [before, after] = [copyPlacement(6, nodesOf('abcde'), 3), copyPlacement(6, nodesOf('abcdef'), 3)]
  const taken = before.flatMap((nodes, shard) => nodes.filter((node) => !after[shard]!.includes(node)))
  t.ok(taken.length <= 9, `${taken.length} of 18`)
})

t.test('a shard is owned by one of its holders, pinned or not', async (t) => {
  const holders = ['ab', 'bc', 'bc', 'de'].map(names)
  const owners = placement(4, names('abcde'), new Map([[3, 'a']]), (shard) => holders[shard]!)
  for (const [shard, owner] of owners.entries()) t.ok(holders[shard]!.includes(owner!), `${shard}: ${owner}`)
  t.strictSame(
    placement(2, names('ab'), new Map(), (shard) => (shard === 0 ? [] : ['a'])),
    [null, 'a'],
  )
})

const next = (
  holders: string | null,
  wanted: string,
  caughtUp: string,
  { known = 'abcdef', copies = 3 } = {},
): string | null => {
  const view = {
    holders: holders === null ? null : names(holders),
    wanted: names(wanted),
    known: names(known),
  }
  return nextHolders({ ...view, caughtUp: new Set(names(caughtUp)) }, copies)?.join('') ?? null
}

t.test('copies are first placed where there are more nodes than copies: on all of them', async (t) => {
  t.equal(next(null, 'abc', '', { known: 'abc' }), null)
  t.equal(next(null, 'abc', '', { known: 'abcd' }), 'abcd')
})

t.test('a new holder comes before another one leaves, which leaves when it is needed no more', async (t) => {
  t.equal(next('abc', 'abc', 'abc'), null)
  t.equal(next('abc', 'bcd', 'abc'), 'abcd')
  t.equal(next('abcd', 'bcd', 'abc'), null, 'the new one has not caught up')
  t.equal(next('abcd', 'bcd', 'abcd'), 'bcd')
  t.equal(next('abcdef', 'abc', 'abcdef'), 'abcef', 'one by one')
})

t.test('none leaves while fewer than asked for have caught up without it', async (t) => {
  t.equal(next('abcd', 'bcd', 'acd'), null, 'b is away')
  t.equal(next('abcd', 'bcd', 'bcd'), 'bcd', 'who is gone leaves, too')
  t.equal(next('abc', 'ab', 'ab', { known: 'ab' }), 'ab', 'two nodes are left, and three copies asked for')
  t.equal(next('abc', 'ab', 'a', { known: 'ab' }), null, 'one of the two has not caught up')
  t.equal(next('abcd', 'ab', 'abcd', { copies: 2 }), 'abd', 'fewer are asked for')
})
