import t from 'tap'
import type { Handler } from '../../../engine/kernel/handler.ts'
import type { Command, Query } from '../../../engine/kernel/registry.ts'
import type { Reply } from '../../../engine/kernel/reply.ts'
import { ShardMoved, ShardUnavailable } from '../../../engine/kernel/unavailable.ts'
import type { AccountId } from '../../../engine/shared/ids.ts'
import type { Remote } from '../../../gateway/cluster/remote.ts'
import { limits } from '../../../gateway/limits.ts'
import type { Message } from '../../../gateway/link.ts'
import { shardOf } from '../../../gateway/router.ts'
import { type ChannelEnd, newChannel } from '../../../gateway/runtime/channel.ts'
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
  serve: async (_, from) => [`from a ${from}`],
})

/** Another node that owns everything. */
const remote: Remote = {
  owner: () => ({ node: 'node-b', worker: 0 }),
  call: async (kind: string, message: Message) => [kind, message],
}

const failed = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'it did not fail',
    (error) => error,
  )

t.test('threads of one node: a call is done where its shard is hosted', async (t) => {
  const [end1, end2] = newChannel(1024)
  t.teardown(() => end1.bell.close())
  const open = (self: number, end: ChannelEnd, local: LocalShards) =>
    openRouter({ self, hosting: 2, shards: 2, local, siblings: new Map([[1 - self, end]]) })
  const one = open(
    0,
    end1,
    localOf(async () => here),
  )
  open(
    1,
    end2,
    localOf(async () => {
      throw new ShardUnavailable('recovering')
    }),
  )
  t.strictSame(await one.execute(command(0)), here)
  t.equal(await one.query(query(1)), 'found here')
  t.ok((await failed(one.execute(command(1)))) instanceof ShardUnavailable)
  t.equal(one.relayTo(accounts[0]!), null)
  t.strictSame(await one.relayTo(accounts[1]!)!(['request']), ['from a thread'])
  t.ok((await failed(one.here.execute(command(1)))) instanceof ShardMoved, 'another thread hosts it')
})

t.test('what another node owns is done there, also when a sibling asks for it', async (t) => {
  const [end1, end2] = newChannel(1024)
  t.teardown(() => end1.bell.close())
  const local = localOf(async () => here)
  const open = (self: number, end: ChannelEnd) =>
    openRouter({
      self,
      hosting: 2,
      shards: 2,
      local,
      siblings: new Map([[1 - self, end]]),
      elsewhere: (shard) => (shard === 1 ? remote : null),
    })
  const one = open(0, end1)
  const two = open(1, end2)
  t.strictSame(await one.execute(command(1)), ['execute', command(1)])
  t.strictSame(await two.query(query(1)), ['query', query(1)])
  t.strictSame(await two.execute(command(0)), here)
  t.strictSame(await two.relayTo(accounts[1]!)!(['request']), ['serve', ['request']])
  t.equal(one.relayTo(accounts[0]!), null)
})

t.test('what comes from another node is done here or refused, never sent on', async (t) => {
  const router = openRouter({
    self: 0,
    hosting: 2,
    shards: 2,
    local: localOf(async () => here),
    siblings: new Map(),
    elsewhere: () => remote,
  })
  t.match(await failed(router.serveNode('execute', command(0))), { owner: { node: 'node-b', worker: 0 } })
  t.match(await failed(router.here.query(query(0))), { owner: { node: 'node-b', worker: 0 } })
  const stranger = await failed(router.serveNode('query', query(1)))
  t.ok(
    stranger instanceof ShardMoved,
    'another worker hosts it: the asker reckons with another number of them',
  )
  t.match(stranger, { owner: null })
  t.strictSame(await router.serveNode('serve', ['request']), ['from a node'])
})

t.test('a shard that is handed over between the look and the call is followed', async (t) => {
  let isOwner = true
  const router = openRouter({
    self: 0,
    hosting: 1,
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
    hosting: 1,
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

t.test('a thread that takes no calls is sent no more; once it takes them, all are answered', async (t) => {
  const [end1, end2] = newChannel(1024)
  t.teardown(() => end1.bell.close())
  const open = (self: number, end: ChannelEnd) =>
    openRouter({
      self,
      hosting: 1,
      shards: 1,
      local: localOf(async () => here),
      siblings: new Map([[1 - self, end]]),
    })
  const wire = open(1, end1)
  const relay = wire.relayTo(accounts[0]!)!
  const large = 'x'.repeat(limits.bodyBytesMax)
  const outcomes: Promise<unknown>[] = []
  while (outcomes.length * large.length < 2 * limits.threadBacklogBytesMax)
    outcomes.push(relay([large]).catch((error) => error))
  t.ok((await outcomes.at(-1)) instanceof ShardUnavailable)
  open(0, end2)
  const answered = (await Promise.all(outcomes)).filter((outcome) => !(outcome instanceof ShardUnavailable))
  t.ok(answered.length * large.length >= limits.threadBacklogBytesMax, 'it refused no earlier than it had to')
  for (const answer of answered) t.strictSame(answer, ['from a thread'])
  t.strictSame(await relay(['request']), ['from a thread'])
})

t.test('who waits for a thread that has ended is told, and so is who calls it later', async (t) => {
  const [end1, end2] = newChannel(1024)
  const router = openRouter({
    self: 1,
    hosting: 1,
    shards: 1,
    local: localOf(async () => here),
    siblings: new Map([[0, end1]]),
  })
  const call = failed(router.execute(command(0)))
  end2.bell.close()
  t.ok((await call) instanceof ShardUnavailable)
  t.ok((await failed(router.execute(command(0)))) instanceof ShardUnavailable)
})
