import t from 'tap'
import { nobody, passOn, promised } from '../../../../engine/kernel/handler.ts'
import { ShardMoved, ShardUnavailable } from '../../../../engine/kernel/unavailable.ts'
import { bounds } from '../../../../gateway/base/bounds.ts'
import { newClusterCounters } from '../../../../gateway/link/cluster/counters.ts'
import { openRemotes } from '../../../../gateway/link/cluster/remote.ts'
import {
  type Kind,
  type Message,
  MovedTo,
  Unanswered,
  type WorkerPlace,
} from '../../../../gateway/link/link.ts'
import { serving } from '../serving.ts'

const a: WorkerPlace = { node: 'node-a', worker: 0 }
const b: WorkerPlace = { node: 'node-b', worker: 0 }
const c: WorkerPlace = { node: 'node-c', worker: 0 }
const command = { type: 'OpenAccount', accountId: 'acc' } as unknown as Message
const query = { type: 'FindAccount', accountId: 'acc' } as unknown as Message
const relayed = (verb: string): Message => [0, 'req_1', 0, verb, '/v1/x']

/** A node that asks: what each call to another one comes to, in turn, and how long that takes. */
const asking = (
  owners: (nowMs: number) => WorkerPlace | null,
  answer: (
    to: WorkerPlace,
    nowMs: number,
  ) => { readonly value?: unknown; readonly error?: Error; readonly ms?: number },
) => {
  let nowMs = 0
  const asked: { readonly to: string; readonly atMs: number; readonly timeoutMs: number }[] = []
  const counters = newClusterCounters()
  const reply = (to: WorkerPlace, timeoutMs: number): unknown => {
    asked.push({ to: to.node, atMs: nowMs, timeoutMs })
    const { value, error, ms = 1 } = answer(to, nowMs)
    nowMs += error instanceof Unanswered ? Math.min(ms, timeoutMs) : ms
    if (error !== undefined) throw error
    return value
  }
  const remoteOf = openRemotes({
    self: a,
    ownerOf: () => owners(nowMs),
    call: (to, _kind, _message, timeoutMs, waiter) => passOn((async () => reply(to, timeoutMs))(), waiter),
    here: serving(async () => reply(a, 0)),
    isCutOff: () => false,
    stopwatch: () => nowMs,
    wait: async (ms) => {
      nowMs += ms
    },
    counters,
  })
  const call = (kind: Kind, message: Message) => promised((to) => remoteOf(0).call(kind, message, to))
  return { call, asked, counters, now: () => nowMs }
}

const failed = async (call: Promise<unknown>): Promise<unknown> => {
  try {
    await call
  } catch (error) {
    return error
  }
  throw new Error('it did not fail')
}
const to = (asked: readonly { readonly to: string }[]) => asked.map((one) => one.to)

t.test('whoever moved is followed, at once where its new owner was named', async (t) => {
  const node = asking(
    (nowMs) => (nowMs < 100 ? b : c),
    (to) => (to === b ? { error: new MovedTo(c) } : { value: to.node }),
  )
  t.equal(await node.call('execute', command), 'node-c')
  t.strictSame(to(node.asked), ['node-b', 'node-c'])
  t.ok(node.now() < bounds.ownerPauseMsMin)
  t.match(node.counters, { elsewhere: 1, repeats: 1 })
})

t.test('otherwise the owner is looked up again after a pause', async (t) => {
  const node = asking(
    (nowMs) => (nowMs < 25 ? b : c),
    (to) => (to === b ? { error: new ShardMoved('handed over') } : { value: to.node }),
  )
  t.equal(await node.call('execute', command), 'node-c')
  t.strictSame(to(node.asked), ['node-b', 'node-b', 'node-c'])
})

t.test('a shard that comes to this node meanwhile is asked here', async (t) => {
  const node = asking(
    (nowMs) => (nowMs < 25 ? b : a),
    (to) => (to === b ? { error: new MovedTo(null) } : { value: to.node }),
  )
  t.equal(await node.call('execute', command), 'node-a')
})

t.test('two that name each other are asked for a bounded time, with pauses', async (t) => {
  const node = asking(
    () => b,
    (to) => ({ error: new MovedTo(to === b ? c : b) }),
  )
  const error = await failed(node.call('execute', command))
  t.ok(error instanceof ShardUnavailable && !(error instanceof ShardMoved))
  t.ok(node.now() < bounds.ownerSearchMs + 2 * bounds.ownerPauseMsMax)
  t.ok(node.asked.length < 100)
})

t.test('without an owner it waits as long as a failover takes', async (t) => {
  const late = asking(
    (nowMs) => (nowMs < 2500 ? null : b),
    () => ({ value: 'done' }),
  )
  t.equal(await late.call('execute', command), 'done')
  t.strictSame(to(late.asked), ['node-b'])
  t.ok(late.now() < 2500 + 2 * bounds.ownerPauseMsMax)
  const never = asking(
    () => null,
    () => ({ value: 'done' }),
  )
  t.ok((await failed(never.call('execute', command))) instanceof ShardUnavailable)
  t.ok(never.now() >= bounds.ownerSearchMs)
  t.ok(never.now() < bounds.ownerSearchMs + 2 * bounds.ownerPauseMsMax)
  t.strictSame(never.asked, [])
})

t.test('what was looked for is waited for less long: a client waits for both', async (t) => {
  const node = asking(
    (nowMs) => (nowMs < 3000 ? null : b),
    () => ({ value: 'done' }),
  )
  t.equal(await node.call('execute', command), 'done')
  const { atMs, timeoutMs } = node.asked[0]!
  t.ok(atMs >= 3000)
  t.equal(atMs + timeoutMs, bounds.nodeCallTimeoutMs)
  t.ok(bounds.clockAnswerMs < bounds.nodeCallTimeoutMs, 'the slowest answer comes in time')
})

t.test('a command without an answer is never sent again', async (t) => {
  for (const [kind, message] of [
    ['execute', command],
    ['serve', relayed('POST')],
    ['serve', relayed('DELETE')],
  ] as const) {
    const node = asking(
      () => b,
      () => ({ error: new Unanswered('lost'), ms: 60_000 }),
    )
    t.ok((await failed(node.call(kind, message))) instanceof ShardUnavailable)
    t.equal(node.asked.length, 1)
    t.equal(node.now(), bounds.nodeCallTimeoutMs)
  }
})

t.test('a read without an answer is, soon, and then waits as long as a command', async (t) => {
  for (const [kind, message] of [
    ['query', query],
    ['serve', relayed('GET')],
    ['serve', relayed('HEAD')],
  ] as const) {
    const node = asking(
      () => b,
      (_, nowMs) =>
        nowMs < bounds.nodeReadTimeoutMs ? { error: new Unanswered('lost'), ms: 60_000 } : { value: 'read' },
    )
    t.equal(await node.call(kind, message), 'read')
    const [first, second] = node.asked
    t.equal(first!.timeoutMs, bounds.nodeReadTimeoutMs)
    t.equal(second!.atMs + second!.timeoutMs, bounds.nodeCallTimeoutMs)
    const lost = asking(
      () => b,
      () => ({ error: new Unanswered('lost'), ms: 60_000 }),
    )
    t.ok((await failed(lost.call(kind, message))) instanceof ShardUnavailable)
    t.equal(lost.asked.length, 2)
    t.ok(lost.now() < 30_000, 'the client still waits')
  }
})

t.test('what the owner says otherwise is passed on', async (t) => {
  for (const error of [new ShardUnavailable('recovering'), new Error('we are wrong')]) {
    const node = asking(
      () => b,
      () => ({ error }),
    )
    t.equal(await failed(node.call('query', query)), error)
    t.equal(node.asked.length, 1)
  }
})

t.test('more calls than a worker can hold are turned away at once', async (t) => {
  const remoteOf = openRemotes({
    self: a,
    ownerOf: () => b,
    call: () => undefined,
    here: () => undefined,
    isCutOff: () => false,
    stopwatch: () => 0,
    wait: async () => undefined,
    counters: newClusterCounters(),
  })
  const remote = remoteOf(0)
  for (let n = 0; n < bounds.callsElsewhereMax; n++) remote.call('execute', command, nobody)
  t.ok((await failed(promised((to) => remote.call('execute', command, to)))) instanceof ShardUnavailable)
})
