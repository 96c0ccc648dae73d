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
      node('a', { shards: [{ shard: 0, owner: 'a', epoch: 4, applied: 90, load: 3 }] }),
      node('b', { shards: [{ shard: 0, owner: 'b', epoch: 5, applied: 100, load: 12.345 }] }),
      node('c', { shards: [{ shard: 0, owner: 'a', epoch: 4, applied: 101 }] }),
    ],
    2,
    {
      pins: new Map([[0, 'b']]),
      copies: new Map([[0, { number: 1, nodes: ['b', 'c', 'd'] }]]),
      moves: { number: 4, nodes: new Map([[1, 'c']]) },
      writtenVersion: 14,
    },
  )
  t.strictSame(shards, [
    {
      shard: 0,
      owner: 'b',
      epoch: 5,
      applied: 100,
      lag: { a: 10, c: 0 },
      load: 12.3,
      pinnedTo: 'b',
      movedTo: null,
      holders: ['b', 'c', 'd'],
    },
    {
      ...{ shard: 1, owner: null, epoch: 0, applied: 0, lag: {} },
      ...{ load: null, pinnedTo: null, movedTo: 'c', holders: null },
    },
  ])
})

t.test('a shard whose owner does not answer is compared with the node that is furthest', async (t) => {
  const { shards } = clusterView(
    [
      node('a', { shards: [{ shard: 0, owner: 'z', epoch: 1, applied: 7 }] }),
      node('b', { shards: [{ shard: 0, owner: 'z', epoch: 1, applied: 9 }] }),
    ],
    1,
    { pins: new Map(), copies: new Map(), moves: { number: 0, nodes: new Map() }, writtenVersion: 13 },
  )
  t.match(shards, [{ owner: 'z', applied: 9, lag: { a: 2, b: 0 }, holders: null }])
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
    { pins: new Map(), copies: new Map(), moves: { number: 0, nodes: new Map() }, writtenVersion: 13 },
  )
  t.strictSame(nodes, [
    {
      node: 'a',
      state: 'ALIVE',
      incarnation: 'a-1',
      version: '0.1.0',
      reads: 13,
      workers: 2,
      clockAheadMs: 0,
      shards: 1,
      load: null,
      joining: [],
    },
    {
      node: 'b',
      state: 'DRAINING',
      incarnation: 'b-1',
      version: '0.1.0',
      reads: 13,
      workers: 2,
      clockAheadMs: 0,
      shards: 0,
      load: 0,
      joining: [],
    },
    {
      node: 'c',
      state: 'SILENT',
      incarnation: null,
      version: null,
      reads: 13,
      workers: null,
      clockAheadMs: null,
      shards: 0,
      load: null,
      joining: [],
    },
    {
      node: 'd',
      state: 'GONE',
      incarnation: null,
      version: null,
      reads: null,
      workers: null,
      clockAheadMs: null,
      shards: 0,
      load: null,
      joining: [],
    },
    {
      node: 'e',
      state: 'GONE',
      incarnation: null,
      version: null,
      reads: null,
      workers: null,
      clockAheadMs: null,
      shards: 1,
      load: null,
      joining: [],
    },
  ])
})

t.test('the load of a node is that of the shards that it owns', async (t) => {
  const { nodes } = clusterView(
    [
      node('a', {
        shards: [
          { shard: 0, owner: 'a', epoch: 1, applied: 1, load: 20.04 },
          { shard: 1, owner: 'a', epoch: 1, applied: 1, load: 0.5 },
          { shard: 2, owner: 'b', epoch: 1, applied: 1, load: 70 },
        ],
      }),
      node('b', { shards: [{ shard: 2, owner: 'b', epoch: 1, applied: 1, load: 71 }] }),
    ],
    3,
    { pins: new Map(), copies: new Map(), moves: { number: 0, nodes: new Map() }, writtenVersion: 14 },
  )
  t.match(nodes, [
    { node: 'a', load: 20.5 },
    { node: 'b', load: 71 },
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
      { pins: new Map(), copies: new Map(), moves: { number: 0, nodes: new Map() }, writtenVersion },
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
