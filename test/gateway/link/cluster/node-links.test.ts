import t from 'tap'
import { ShardMoved, ShardUnavailable } from '../../../../engine/kernel/unavailable.ts'
import { bounds } from '../../../../gateway/base/bounds.ts'
import { type Message, MovedTo, Unanswered, type WorkerPlace } from '../../../../gateway/link/link.ts'
import { startProxy } from '../../../nats/proxy.ts'
import { type NatsServers, startNatsServers } from '../../../nats/servers.ts'
import type { Served } from '../serving.ts'
import { connectTo, openLinks, subjectOf } from './connections.ts'

const a: WorkerPlace = { node: 'node-a', worker: 0 }
const b: WorkerPlace = { node: 'node-b', worker: 1 }
const c: WorkerPlace = { node: 'node-c', worker: 0 }
const second = 1000

let servers: NatsServers
t.before(async () => {
  servers = await startNatsServers(1)
})
t.teardown(() => servers.stop())

const text = (value: unknown): Message => [String(value)]
const echo: Served = async (_, message) => message

t.test(
  'the calls of one turn leave together, are done in their order, and so are their answers',
  async (t) => {
    const done: unknown[] = []
    const to = await openLinks(t, servers.url, b, async (_, message) => {
      done.push((message as string[])[0])
      return message
    })
    const from = await openLinks(t, servers.url, a)
    const answered: unknown[] = []
    const names = Array.from({ length: 100 }, (_, n) => String(n))
    const calls = names.map((name) =>
      from.call(b, 'serve', text(name), second).then((value) => answered.push((value as string[])[0])),
    )
    await Promise.all(calls)
    t.strictSame(done, names)
    t.strictSame(answered, names)
    t.match(from.counters, { calls: 100, batches: 1, unanswered: 0 })
    t.equal(to.connection.stats().outMsgs, 1, 'the answers are one message, too')
  },
)

t.test('a slow call holds up no other', async (t) => {
  let finish!: (value: unknown) => void
  const slow = new Promise((resolve) => {
    finish = resolve
  })
  await openLinks(t, servers.url, b, (_, message) =>
    (message as string[])[0] === 'slow' ? slow : echo('serve', message),
  )
  const from = await openLinks(t, servers.url, a)
  const late = from.call(b, 'serve', text('slow'), second)
  t.strictSame(await from.call(b, 'serve', text('quick'), second), ['quick'])
  finish('at last')
  t.equal(await late, 'at last')
})

t.test(
  'both ways at once, and everything that commands and answers hold comes out as it went in',
  async (t) => {
    const value = {
      sums: [0n, -5n, 2n ** 63n, -(2n ** 70n)],
      numbers: [0, -1, 1.5, 2 ** 40, Number.MAX_SAFE_INTEGER, -(2 ** 40)],
      texts: ['', 'São João 🦜', 'x'.repeat(70_000)],
      absent: [undefined, null],
      optional: undefined,
      nested: { deep: [{ id: 'a' }, { id: 'b' }] },
    }
    const bytes = new Uint8Array([0, 1, 254, 255])
    const heard: unknown[] = []
    const serve: Served = async (kind, message) => {
      heard.push([kind, message])
      return { value, bytes }
    }
    const one = await openLinks(t, servers.url, a, serve)
    const other = await openLinks(t, servers.url, b, serve)
    const message = { ...value, accountId: 'acc', type: 'FindAccount' } as unknown as Message
    const answers = await Promise.all([
      one.call(b, 'query', message, second),
      other.call(a, 'execute', message, second),
    ])
    for (const answer of answers as { value: typeof value; bytes: Uint8Array }[]) {
      t.strictSame(answer.value, value)
      t.strictSame([...answer.bytes], [...bytes])
    }
    t.strictSame(heard.toSorted(), [
      ['execute', message],
      ['query', message],
    ])
  },
)

t.test('what is too long for a message leaves in several, and is whole again', async (t) => {
  const observer = await connectTo(t, servers.url)
  const sizes: number[] = []
  observer.subscribe('pay.>', { callback: (_, { data }) => void sizes.push(data.length) })
  await observer.flush()
  const long = 'ação '.repeat(600_000)
  const many = Array.from({ length: 64 }, (_, n) => `${n} `.padEnd(20_000, 'x'))
  await openLinks(t, servers.url, b, async (_, message) =>
    (message as string[])[0] === 'long' ? long : message,
  )
  const from = await openLinks(t, servers.url, a)
  const [whole, ...rest] = await Promise.all([
    from.call(b, 'serve', text('long'), second),
    ...many.map((one) => from.call(b, 'serve', text(one), second)),
  ])
  t.equal(whole, long)
  t.strictSame(rest.flat(), many)
  const up = await from.call(b, 'serve', text(long), second)
  t.strictSame(up, [long], 'in a call as in an answer')
  t.ok(sizes.every((size) => size < bounds.nodeMessageBytesMax + 100))
  t.ok(sizes.length > 10)
  t.equal(from.counters.calls, 66)
})

t.test('what the other side says is what the caller hears', async (t) => {
  const owner = { node: 'node-c', worker: 3 }
  const serve: Served = async (_, message) => {
    switch ((message as string[])[0]) {
      case 'moved':
        throw new MovedTo(owner)
      case 'unknown key':
        throw new ShardMoved('the key is not known here yet')
      case 'unavailable':
        throw new ShardUnavailable('recovering')
      default:
        throw new TypeError('we are wrong')
    }
  }
  await openLinks(t, servers.url, b, serve)
  const from = await openLinks(t, servers.url, a)
  const outcome = (name: string) => failed(from.call(b, 'serve', text(name), second))
  const moved = await outcome('moved')
  t.ok(moved instanceof MovedTo)
  t.strictSame(moved.owner, owner)
  const unknown = await outcome('unknown key')
  t.ok(unknown instanceof MovedTo)
  t.equal(unknown.owner, null)
  const unavailable = await outcome('unavailable')
  t.ok(unavailable instanceof ShardUnavailable && !(unavailable instanceof ShardMoved))
  const fault = await outcome('fault')
  t.notOk(fault instanceof ShardUnavailable)
  t.match(fault, { message: /we are wrong/ })
})

t.test('where nobody is nothing was done, and that is known at once', async (t) => {
  const from = await openLinks(t, servers.url, a)
  const calls = [1, 2, 3].map((n) => failed(from.call(b, 'serve', text(n), second)))
  for (const error of await Promise.all(calls)) t.ok(error instanceof ShardMoved)
  t.equal(from.clock.now(), 0)
  const heard = await openLinks(t, servers.url, b, echo)
  t.strictSame(await from.call(b, 'serve', text('now'), second), ['now'])
  heard.close()
  await heard.connection.flush()
  t.ok((await failed(from.call(b, 'serve', text('gone'), second))) instanceof ShardMoved)
  const large = from.call(b, 'serve', text('x'.repeat(2_000_000)), second)
  t.ok((await failed(large)) instanceof ShardMoved, 'also of what leaves in parts')
})

t.test(
  'a call whose answer is lost is unanswered when its time is over, and a late answer is nobody’s',
  async (t) => {
    let finish!: (value: unknown) => void
    const serve: Served = (_, message) =>
      (message as string[])[0] === 'lost'
        ? new Promise((resolve) => {
            finish = resolve
          })
        : echo('serve', message)
    await openLinks(t, servers.url, b, serve)
    const from = await openLinks(t, servers.url, a)
    const lost = failed(from.call(b, 'serve', text('lost'), second))
    const patient = from.call(b, 'serve', text('lost'), 60 * second)
    await from.call(b, 'serve', text('there'), second)
    await from.clock.advance(second)
    await from.clock.advance(2 * bounds.nodeCallTickMs)
    t.ok((await lost) instanceof Unanswered)
    t.equal(from.counters.unanswered, 1)
    finish('late')
    t.equal(await patient, 'late', 'others go on waiting')
    t.strictSame(await from.call(b, 'serve', text('next'), second), ['next'])
    t.strictSame(from.troubles, [])
  },
)

t.test('a node that died fails its calls at once, and no others', async (t) => {
  const silent: Served = () => new Promise(() => undefined)
  const gone = await openLinks(t, servers.url, b, silent)
  let finish!: (value: unknown) => void
  const alive = new Promise((resolve) => {
    finish = resolve
  })
  await openLinks(t, servers.url, c, () => alive)
  const from = await openLinks(t, servers.url, a)
  const lost = failed(from.call(b, 'serve', text(1), 60 * second))
  const kept = from.call(c, 'serve', text(2), 60 * second)
  await gone.connection.flush()
  from.nodeDied('node-b')
  t.ok((await lost) instanceof Unanswered)
  finish('alive')
  t.equal(await kept, 'alive')
})

t.test('of two processes that take themselves for one worker, one does what is asked', async (t) => {
  let done = 0
  const serve: Served = async () => {
    done += 1
    throw new MovedTo(null)
  }
  await openLinks(t, servers.url, b, serve)
  await openLinks(t, servers.url, b, serve)
  const from = await openLinks(t, servers.url, a)
  for (let n = 0; n < 20; n++)
    t.ok((await failed(from.call(b, 'serve', text(n), second))) instanceof ShardMoved)
  t.equal(done, 20)
})

t.test(
  'a link that is opened again calls and is called, and hears nothing of its earlier life',
  async (t) => {
    const finish: ((value: unknown) => void)[] = []
    const held: Served = (_, message) =>
      (message as string[])[0] === 'held'
        ? new Promise((resolve) => finish.push(resolve))
        : echo('serve', message)
    const other = await openLinks(t, servers.url, b, held)
    const first = await openLinks(t, servers.url, a, echo)
    const held1 = failed(first.call(b, 'serve', text('held'), second))
    await first.call(b, 'serve', text('through'), second)
    first.close()
    t.ok((await held1) instanceof ShardUnavailable)
    t.ok((await failed(first.call(b, 'serve', text('closed'), second))) instanceof ShardUnavailable)
    const again = await openLinks(t, servers.url, a, echo)
    const held2 = again.call(b, 'serve', text('held'), second)
    t.strictSame(await again.call(b, 'serve', text('through'), second), ['through'])
    t.strictSame(await other.call(a, 'serve', text('back'), second), ['back'])
    finish[0]!('of the first life')
    t.strictSame(await again.call(b, 'serve', text('between'), second), ['between'])
    finish[1]!('of the second')
    t.equal(await held2, 'of the second')
  },
)

t.test('a message that cannot be read harms no other', async (t) => {
  const to = await openLinks(t, servers.url, b, echo)
  const from = await openLinks(t, servers.url, a)
  const stranger = await connectTo(t, servers.url)
  stranger.publish(subjectOf(b), 'nonsense')
  await stranger.flush()
  t.strictSame(await from.call(b, 'serve', text('ok'), second), ['ok'])
  t.equal(to.troubles.length, 1)
})

t.test(
  'while NATS is away nothing is sent, what was sent is unknown, and afterwards it goes on',
  async (t) => {
    const own = await startNatsServers(1)
    t.teardown(() => own.stop())
    let asked!: () => void
    const arrived = new Promise<void>((resolve) => {
      asked = resolve
    })
    const serve: Served = (_, message) => {
      asked()
      return (message as string[])[0] === 'held' ? new Promise(() => undefined) : echo('serve', message)
    }
    const to = await openLinks(t, own.url, b, serve)
    const from = await openLinks(t, own.url, a)
    const held = failed(from.call(b, 'serve', text('held'), 60 * second))
    await arrived
    const back = [to, from].map(({ connection }) => seen(connection.status(), 'reconnect'))
    await own.kill(0, 'SIGKILL')
    t.ok((await held) instanceof Unanswered)
    t.ok((await failed(from.call(b, 'serve', text('away'), second))) instanceof ShardMoved)
    await own.start(0)
    await Promise.all(back)
    for (const { connection } of [to, from]) await connection.flush()
    t.strictSame(await from.call(b, 'serve', text('again'), second), ['again'])
  },
)

t.test('an answer that was lost with the connection of the other side is not waited for', async (t) => {
  const proxy = await startProxy(servers.url)
  t.teardown(proxy.stop)
  await openLinks(t, servers.url, c, () => new Promise(() => undefined))
  const to = await openLinks(t, proxy.url, b, echo)
  const from = await openLinks(t, servers.url, a)
  // A server that has not heard of a subscription yet says that nobody is there.
  await to.connection.flush()
  proxy.swallowAnswers()
  const lost = failed(from.call(b, 'serve', text('lost'), 60 * second))
  let isKept = true
  from.call(c, 'serve', text('kept'), 60 * second).catch(() => {
    isKept = false
  })
  // The server has both calls before the connection of one goes: it would say that nobody is there.
  while (from.counters.batches < 2) await new Promise((resolve) => setImmediate(resolve))
  await from.connection.flush()
  const back = seen(to.connection.status(), 'reconnect')
  proxy.cut()
  await back
  await to.connection.flush()
  t.ok((await lost) instanceof Unanswered)
  t.equal(from.clock.now(), 0)
  t.ok(isKept, 'those of others are')
  t.strictSame(await from.call(b, 'serve', text('again'), second), ['again'])
})

/** What a call rejected with. */
const failed = async (call: Promise<unknown>): Promise<Error & { readonly owner?: unknown }> => {
  try {
    await call
  } catch (error) {
    return error as Error
  }
  throw new Error('it did not fail')
}

const seen = async (events: AsyncIterable<{ type: string }>, wanted: string): Promise<void> => {
  for await (const { type } of events) if (type === wanted) return
}
