import t from 'tap'
import type { NodeStatus } from '../../../../gateway/link/cluster/control.ts'
import { clusterView } from '../../../../gateway/link/cluster/status.ts'

const node = (name: string, more: Partial<NodeStatus>): NodeStatus => ({
  node: name,
  incarnation: `${name}-1`,
  version: '0.1.0',
  workers: 2,
  isDraining: false,
  isUnfit: false,
  clockAheadMs: 0,
  peers: [],
  shards: [],
  ...more,
})

t.test('a shard’s owner is the one of the latest epoch; others are behind it by their lag', async (t) => {
  const { shards } = clusterView(
    [
      node('a', { shards: [{ shard: 0, owner: 'a', epoch: 4, applied: 90 }] }),
      node('b', { shards: [{ shard: 0, owner: 'b', epoch: 5, applied: 100 }] }),
      node('c', { shards: [{ shard: 0, owner: 'a', epoch: 4, applied: 101 }] }),
    ],
    2,
    { pins: new Map([[0, 'b']]), writtenVersion: 13 },
  )
  t.strictSame(shards, [
    { shard: 0, owner: 'b', epoch: 5, applied: 100, lag: { a: 10, c: 0 }, pinnedTo: 'b' },
    { shard: 1, owner: null, epoch: 0, applied: 0, lag: {}, pinnedTo: null },
  ])
})

t.test('a shard whose owner does not answer is compared with the node that is furthest', async (t) => {
  const { shards } = clusterView(
    [
      node('a', { shards: [{ shard: 0, owner: 'z', epoch: 1, applied: 7 }] }),
      node('b', { shards: [{ shard: 0, owner: 'z', epoch: 1, applied: 9 }] }),
    ],
    1,
    { pins: new Map(), writtenVersion: 13 },
  )
  t.match(shards, [{ owner: 'z', applied: 9, lag: { a: 2, b: 0 } }])
})

t.test('nodes that do not answer are told apart by whether others hear them', async (t) => {
  const { nodes } = clusterView(
    [
      node('a', {
        peers: [
          { node: 'b', isAlive: true },
          { node: 'c', isAlive: true },
          { node: 'd', isAlive: false },
        ],
        shards: [{ shard: 0, owner: 'a', epoch: 1, applied: 1 }],
      }),
      node('b', { isDraining: true, shards: [{ shard: 1, owner: 'e', epoch: 1, applied: 1 }] }),
    ],
    2,
    { pins: new Map(), writtenVersion: 13 },
  )
  t.strictSame(nodes, [
    {
      node: 'a',
      state: 'ALIVE',
      version: '0.1.0',
      reads: 13,
      workers: 2,
      clockAheadMs: 0,
      shards: 1,
      joining: [],
    },
    {
      node: 'b',
      state: 'DRAINING',
      version: '0.1.0',
      reads: 13,
      workers: 2,
      clockAheadMs: 0,
      shards: 0,
      joining: [],
    },
    {
      node: 'c',
      state: 'SILENT',
      version: null,
      reads: 13,
      workers: null,
      clockAheadMs: null,
      shards: 0,
      joining: [],
    },
    {
      node: 'd',
      state: 'GONE',
      version: null,
      reads: null,
      workers: null,
      clockAheadMs: null,
      shards: 0,
      joining: [],
    },
    {
      node: 'e',
      state: 'GONE',
      version: null,
      reads: null,
      workers: null,
      clockAheadMs: null,
      shards: 1,
      joining: [],
    },
  ])
})

t.test('an upgrade is unfinished while a node reads more than is written', async (t) => {
  const viewOf = (writtenVersion: number) =>
    clusterView(
      [
        node('a', { reads: 14, peers: [{ node: 'c', isAlive: true, reads: 15 }] }),
        // Of a build that does not say it.
        node('b', {}),
      ],
      1,
      { pins: new Map(), writtenVersion },
    )
  t.strictSame(
    viewOf(13).nodes.map(({ node, reads }) => [node, reads]),
    [
      ['a', 14],
      ['b', 13],
      ['c', 15],
    ],
  )
  t.match(viewOf(14), { writtenVersion: 14, isUpgradeUnfinished: true })
  t.equal(viewOf(15).isUpgradeUnfinished, false)
})
