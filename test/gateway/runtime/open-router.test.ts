import { MessageChannel } from 'node:worker_threads'
import t from 'tap'
import { type Handler, promised } from '../../../engine/kernel/handler.ts'
import type { Command, Query } from '../../../engine/kernel/registry.ts'
import type { Reply } from '../../../engine/kernel/reply.ts'
import { ShardMoved, ShardUnavailable } from '../../../engine/kernel/unavailable.ts'
import type { AccountId } from '../../../engine/shared/ids.ts'
import type { Remote } from '../../../gateway/link/cluster/remote.ts'
import type { Message } from '../../../gateway/link/link.ts'
import { shardOf } from '../../../gateway/link/router.ts'
import { type LocalShards, openRouter } from '../../../gateway/runtime/open-router.ts'
import { handlerFrom } from '../../engine/handler.ts'

/** An account of each of two shards: the first is hosted by thread 0, the second by thread 1. */
const accounts = [0, 1].map((shard) => {
  for (let n = 0; ; n++) if (shardOf(`acc_${n}` as AccountId, 2) === shard) return `acc_${n}` as AccountId
})
const command = (shard: number) => ({ type: 'OpenAccount', accountId: accounts[shard]! }) as Command
const query = (shard: number) => ({ type: 'FindAccount', accountId: accounts[shard]! }) as Query
const here = { accepted: true, by: 'here' } as unknown as Reply

const localOf = (execute: Handler['execute']): LocalShards => ({
  host: () => handlerFrom({ execute, query: async () => 'found here' as never }),
  serve: (_, from, to) => to.resolve([`from a ${from}`]),
})

/** Another node that owns everything. */
const remote: Remote = {
  owner: () => ({ node: 'node-b', worker: 0 }),
  call: (kind: string, message: Message, to) => to.resolve([kind, message]),
}

const failed = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'it did not fail',
    (error) => error,
  )

t.test('threads of one node: a call is done where its shard is hosted', async (t) => {
  const { port1, port2 } = new MessageChannel()
  t.teardown(() => port1.close())
  const open = (self: number, port: typeof port1, local: LocalShards) =>
    openRouter({ self, workers: 2, shards: 2, local, siblings: new Map([[1 - self, port]]) })
  const one = open(
    0,
    port1,
    localOf(async () => here),
  )
  open(
    1,
    port2,
    localOf(async () => {
      throw new ShardUnavailable('recovering')
    }),
  )
  t.strictSame(await one.execute(command(0)), here)
  t.equal(await one.query(query(1)), 'found here')
  t.ok((await failed(one.execute(command(1)))) instanceof ShardUnavailable)
  t.equal(one.relayTo(accounts[0]!), null)
  t.strictSame(await promised((to) => one.relayTo(accounts[1]!)!(['request'], to)), ['from a thread'])
  t.ok((await failed(one.here.execute(command(1)))) instanceof ShardMoved, 'another thread hosts it')
})

t.test('what another node owns is done there, also when a sibling asks for it', async (t) => {
  const { port1, port2 } = new MessageChannel()
  t.teardown(() => port1.close())
  const local = localOf(async () => here)
  const open = (self: number, port: typeof port1) =>
    openRouter({
      self,
      workers: 2,
      shards: 2,
      local,
      siblings: new Map([[1 - self, port]]),
      elsewhere: (shard) => (shard === 1 ? remote : null),
    })
  const one = open(0, port1)
  const two = open(1, port2)
  t.strictSame(await one.execute(command(1)), ['execute', command(1)])
  t.strictSame(await two.query(query(1)), ['query', query(1)])
  t.strictSame(await two.execute(command(0)), here)
  t.strictSame(await promised((to) => two.relayTo(accounts[1]!)!(['request'], to)), ['serve', ['request']])
  t.equal(one.relayTo(accounts[0]!), null)
})

t.test('what comes from another node is done here or refused, never sent on', async (t) => {
  const router = openRouter({
    self: 0,
    workers: 2,
    shards: 2,
    local: localOf(async () => here),
    siblings: new Map(),
    elsewhere: () => remote,
  })
  t.match(await failed(promised((to) => router.serveNode('execute', command(0), to))), {
    owner: { node: 'node-b', worker: 0 },
  })
  t.match(await failed(router.here.query(query(0))), { owner: { node: 'node-b', worker: 0 } })
  const stranger = await failed(promised((to) => router.serveNode('query', query(1), to)))
  t.ok(
    stranger instanceof ShardMoved,
    'another worker hosts it: the asker reckons with another number of them',
  )
  t.match(stranger, { owner: null })
  t.strictSame(await promised((to) => router.serveNode('serve', ['request'], to)), ['from a node'])
})

t.test('a shard that is handed over between the look and the call is followed', async (t) => {
  let isOwner = true
  const router = openRouter({
    self: 0,
    workers: 1,
    shards: 1,
    local: localOf(async () => {
      isOwner = false
      throw new ShardMoved('handed over')
    }),
    siblings: new Map(),
    elsewhere: () => (isOwner ? null : remote),
  })
  t.strictSame(await router.execute(command(0)), ['execute', command(0)])
  isOwner = true
  t.ok((await failed(router.here.execute(command(0)))) instanceof ShardMoved, 'but not for another node')
})

t.test('an owner that was not sure for a moment is asked again', async (t) => {
  let isSure = false
  const router = openRouter({
    self: 0,
    workers: 1,
    shards: 1,
    local: localOf(async () => {
      if (isSure) return here
      isSure = true
      throw new ShardMoved('not confirmed')
    }),
    siblings: new Map(),
    elsewhere: () => null,
  })
  t.strictSame(await router.execute(command(0)), here)
})
