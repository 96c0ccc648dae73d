import t from 'tap'
import { promised } from '../../../../engine/kernel/handler.ts'
import { ShardMoved, ShardUnavailable } from '../../../../engine/kernel/unavailable.ts'
import { bounds } from '../../../../gateway/base/bounds.ts'
import { newClusterCounters } from '../../../../gateway/link/cluster/counters.ts'
import { type Bus, openNodeLinks } from '../../../../gateway/link/cluster/node-links.ts'
import { Unanswered, type WorkerPlace } from '../../../../gateway/link/link.ts'
import { newFrameClock } from '../frame-clock.ts'
import { type Served, serving } from '../serving.ts'
import { lostSubject, newClock, subjectOf } from './connections.ts'

const a: WorkerPlace = { node: 'node-a', worker: 0 }
const b: WorkerPlace = { node: 'node-b', worker: 0 }
const second = 1000

type Published = { readonly subject: string; readonly data: Uint8Array }

/** A network that delivers what the test lets through. */
const newNetwork = () => {
  const subscribers = new Map<string, Set<(message: Published) => void>>()
  const published: Published[] = []
  return {
    published,
    /** Hands a message to whoever subscribed to its subject, as often as the test says. */
    deliver: (message: Published): void => {
      for (const take of subscribers.get(message.subject) ?? []) take(message)
    },
    /** What was published since the last time. */
    take: (): readonly Published[] => published.splice(0),
    connect: () => {
      let tell = (_: { readonly type: string }): void => undefined
      const bus: Bus = {
        publish: (subject, data) => void published.push({ subject, data }),
        subscribe: (subject, { callback }) => {
          const take = (message: Published): void => callback(null, message)
          const all = subscribers.get(subject) ?? new Set()
          subscribers.set(subject, all.add(take))
          return { unsubscribe: () => void all.delete(take) }
        },
        status: async function* () {
          for (;;)
            yield await new Promise<{ readonly type: string }>((resolve) => {
              tell = resolve
            })
        },
      }
      return { bus, happen: (type: string) => tell({ type }) }
    },
  }
}

type Network = ReturnType<typeof newNetwork>

const outcomeOf = (error: unknown): unknown => {
  if (error instanceof Unanswered) return 'unanswered'
  if (error instanceof ShardMoved) return 'moved'
  return error instanceof ShardUnavailable ? 'unavailable' : error
}

/** One life of a worker. */
const startWorker = (
  network: Network,
  self: WorkerPlace,
  serve: Served = async () => ['served'],
  writtenVersion = () => 14,
) => {
  const { bus, happen } = network.connect()
  const frames = newFrameClock()
  const clock = newClock()
  const counters = newClusterCounters()
  const links = openNodeLinks({
    bus,
    self,
    subjectOf,
    lostSubject,
    serve: serving(serve),
    wait: clock.wait,
    frameClock: frames,
    writtenVersion,
    counters,
    onTrouble: (message, error) => {
      throw new Error(message, { cause: error })
    },
  })
  const outcomes: unknown[] = []
  const call = (name: string, to = b): void => {
    promised((waiter) => links.call(to, 'serve', [name], second, waiter)).then(
      (value) => outcomes.push(value),
      (error) => outcomes.push(outcomeOf(error)),
    )
  }
  return { ...links, call, outcomes, frames, clock, counters, happen }
}

/** Lets promises settle; no time passes. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const timeOut = async ({ clock }: ReturnType<typeof startWorker>): Promise<void> => {
  await clock.advance(second + 2 * bounds.nodeCallTickMs)
  await settle()
}

t.test(
  'a lost frame leaves its calls unanswered, undone, and forgotten when their time is over',
  async (t) => {
    const network = newNetwork()
    const done: unknown[] = []
    startWorker(network, b, async (_, message) => done.push(message))
    const from = startWorker(network, a)
    from.call('lost')
    from.frames.endTurn()
    t.equal(network.take().length, 1)
    await timeOut(from)
    t.strictSame(from.outcomes, ['unanswered'])
    t.strictSame(done, [])
    t.equal(from.counters.unanswered, 1)
  },
)

t.test('a frame that comes twice is done once, and its answer is heard once', async (t) => {
  const network = newNetwork()
  let done = 0
  const to = startWorker(network, b, async () => {
    done += 1
    return [done]
  })
  const from = startWorker(network, a)
  from.call('twice')
  from.frames.endTurn()
  const [asked] = network.take()
  network.deliver(asked!)
  network.deliver(asked!)
  await settle()
  to.frames.endTurn()
  const answers = network.take()
  t.equal(answers.length, 1)
  network.deliver(answers[0]!)
  network.deliver(answers[0]!)
  await settle()
  t.strictSame(from.outcomes, [[1]])
  t.equal(done, 1)
})

t.test('a lost answer: it was done once, which its caller cannot know', async (t) => {
  const network = newNetwork()
  let done = 0
  const to = startWorker(network, b, async () => {
    done += 1
  })
  const from = startWorker(network, a)
  from.call('done')
  from.frames.endTurn()
  for (const asked of network.take()) network.deliver(asked)
  await settle()
  to.frames.endTurn()
  const [late] = network.take()
  await timeOut(from)
  t.strictSame(from.outcomes, ['unanswered'])
  network.deliver(late!)
  await settle()
  t.equal(from.outcomes.length, 1, 'late, it is nobody’s')
  t.equal(done, 1)
})

t.test('an answer to an earlier life of a node answers none of its calls', async (t) => {
  const network = newNetwork()
  const to = startWorker(network, b, async (_, message) => message)
  const first = startWorker(network, a)
  first.call('first life')
  first.frames.endTurn()
  const [asked] = network.take()
  first.close()
  const again = startWorker(network, a)
  again.call('second life')
  again.frames.endTurn()
  const [askedAgain] = network.take()
  network.deliver(asked!)
  await settle()
  to.frames.endTurn()
  for (const answer of network.take()) network.deliver(answer)
  await settle()
  t.strictSame(first.outcomes, ['unavailable'])
  t.strictSame(again.outcomes, [])
  network.deliver(askedAgain!)
  await settle()
  to.frames.endTurn()
  to.frames.passSoon()
  for (const answer of network.take()) network.deliver(answer)
  await settle()
  t.strictSame(again.outcomes, [['second life']])
})

t.test('a node that dies between fails what waits for it, and what still gathers is not sent', async (t) => {
  const network = newNetwork()
  const from = startWorker(network, a)
  from.call('sent')
  from.frames.endTurn()
  from.call('gathering')
  from.frames.endTurn()
  from.nodeDied('node-b')
  await settle()
  t.strictSame(from.outcomes, ['unanswered', 'unanswered'])
  t.equal(network.take().length, 1)
  from.frames.passSoon()
  t.strictSame(network.take(), [])
  from.call('the next life')
  from.frames.endTurn()
  from.frames.passSoon()
  t.equal(network.take().length, 1)
})

t.test(
  'what gathers while the connection goes never leaves, and nothing new is taken until it is back',
  async (t) => {
    const network = newNetwork()
    const from = startWorker(network, a)
    await settle()
    from.call('sent')
    from.frames.endTurn()
    from.call('gathering')
    from.frames.endTurn()
    from.happen('disconnect')
    await settle()
    from.call('away')
    await settle()
    t.strictSame(from.outcomes, ['unanswered', 'unanswered', 'moved'])
    network.take()
    from.frames.passSoon()
    t.strictSame(network.take(), [])
    from.happen('reconnect')
    await settle()
    t.match(network.take(), [{ subject: lostSubject }])
    from.call('back')
    from.frames.endTurn()
    from.frames.passSoon()
    t.equal(network.take().length, 1)
  },
)

t.test('a worker that stops sends nothing that it had gathered', async (t) => {
  const network = newNetwork()
  const from = startWorker(network, a)
  from.call('sent')
  from.frames.endTurn()
  from.call('gathering')
  from.frames.endTurn()
  from.close()
  await settle()
  t.strictSame(from.outcomes, ['unavailable', 'unavailable'])
  network.take()
  from.frames.passSoon()
  t.strictSame(network.take(), [])
})

t.test('while a cluster is upgraded, nodes that write for both versions hear each other', async (t) => {
  const network = newNetwork()
  let written = 13
  const echo: Served = async (_, message) => message
  const older = startWorker(network, b, echo, () => 13)
  const newer = startWorker(network, a, echo, () => written)
  for (const name of ['before', 'after']) {
    newer.call(name)
    older.call(name, a)
    for (let turn = 0; turn < 3; turn++) {
      for (const { frames } of [older, newer]) {
        frames.endTurn()
        frames.passSoon()
      }
      for (const message of network.take()) network.deliver(message)
      await settle()
    }
    written = 14
  }
  t.strictSame(newer.outcomes, [['before'], ['after']])
  t.strictSame(older.outcomes, [['before'], ['after']])
})
