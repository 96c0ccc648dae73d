import type { Test } from 'tap'
import { WrongLastSequence } from '../../../persistence/cluster/followed-stream.ts'
import type { LogStream } from '../../../persistence/cluster/log-stream.ts'

/** An empty stream, and what can happen to it: the model of one, or a real one. */
export type StreamBench = {
  readonly stream: LogStream
  readonly pause: (ms: number) => Promise<void>
  /** From now on the servers do nothing for so long. */
  readonly standStill: (ms: number) => Promise<void>
  /** What the servers would have after a loss of power. */
  readonly keepDisks: () => Promise<void>
  /** The servers lose power, and are back when it resolves. */
  readonly losePower: () => Promise<void>
}

type StreamPromise = {
  readonly title: string
  readonly check: (t: Test, bench: StreamBench) => Promise<void>
}

/** What replicas rely on. The model keeps these promises, and so does a server: neither may know more than the other. */
export const streamPromises: readonly StreamPromise[] = [
  {
    title:
      'a record stands right behind the one that was expected, or nowhere, and a refusal says where the stream ends',
    check: async (t, { stream }) => {
      await stream.append(bytes('one'), 0)
      await stream.append(bytes('two'), 1)
      for (const expected of [0, 1, 3, 9])
        await t.rejects(stream.append(bytes('late'), expected), new WrongLastSequence(2))
      t.strictSame(await textsOf(stream, 3), ['one', 'two', null])
    },
  },
  {
    title: 'one of several records for one place is stored',
    check: async (t, { stream }) => {
      const race = await Promise.allSettled(['a', 'b', 'c'].map((text) => stream.append(bytes(text), 0)))
      t.equal(race.filter(({ status }) => status === 'fulfilled').length, 1)
      for (const outcome of race) if (outcome.status === 'rejected') t.match(outcome.reason, { last: 1 })
      const [winner, nothing] = await textsOf(stream, 2)
      t.equal(race[['a', 'b', 'c'].indexOf(winner!)]?.status, 'fulfilled')
      t.equal(nothing, null)
    },
  },
  {
    title: 'a record may be sent behind one that is not acknowledged yet',
    check: async (t, { stream }) => {
      await Promise.all(['one', 'two', 'three'].map((text, n) => stream.append(bytes(text), n)))
      t.strictSame(await textsOf(stream, 3), ['one', 'two', 'three'])
    },
  },
  {
    title: 'a record that is sent again is refused, and reads as it was sent',
    check: async (t, { stream }) => {
      const sent = Buffer.from(Array.from({ length: 256 }, (_, n) => n))
      await stream.append(sent, 0)
      await t.rejects(stream.append(sent, 0), new WrongLastSequence(1))
      t.ok((await stream.read(1))?.equals(sent))
    },
  },
  {
    title:
      'a consumer hands out what is behind a sequence, in order, and what comes later, and says how much it has left',
    check: async (t, { stream, pause }) => {
      for (const [n, text] of ['one', 'two', 'three'].entries()) await stream.append(bytes(text), n)
      const taken: string[] = []
      const following = stream.follow(
        () => 1,
        ({ sequence, bytes }, behind) => taken.push(`${sequence} ${bytes} ${behind}`),
      )
      while (taken.length < 2) await pause(20)
      await stream.append(bytes('four'), 3)
      while (taken.length < 3) await pause(20)
      following.stop()
      await stream.append(bytes('five'), 4)
      await pause(300)
      t.strictSame(taken, ['2 two 1', '3 three 0', '4 four 0'], 'and nothing when it is stopped')
    },
  },
  {
    title: 'a consumer that is started again begins behind what its follower has by then',
    check: async (t, { stream, pause }) => {
      for (const [n, text] of ['one', 'two', 'three'].entries()) await stream.append(bytes(text), n)
      const taken: number[] = []
      let applied = 0
      const following = stream.follow(
        () => applied,
        ({ sequence }) => taken.push(sequence),
      )
      while (taken.length < 3) await pause(20)
      applied = 1
      following.restart()
      while (taken.length < 5) await pause(20)
      following.stop()
      t.strictSame(taken, [1, 2, 3, 2, 3])
    },
  },
  {
    title: 'a stream says where it begins and ends, and is begun later without what is before',
    check: async (t, { stream, pause }) => {
      t.strictSame(await stream.ends(), { first: 1, last: 0 })
      for (const [n, text] of ['one', 'two', 'three'].entries()) await stream.append(bytes(text), n)
      t.strictSame(await stream.ends(), { first: 1, last: 3 })
      await stream.beginAt(3)
      await stream.beginAt(2)
      t.strictSame(await stream.ends(), { first: 3, last: 3 })
      t.strictSame(await textsOf(stream, 4), [null, null, 'three', null])
      await stream.append(bytes('four'), 3)
      const taken: string[] = []
      const following = stream.follow(
        () => 0,
        ({ sequence, bytes }) => taken.push(`${sequence} ${bytes}`),
      )
      while (taken.length < 2) await pause(20)
      following.stop()
      t.strictSame(taken, ['3 three', '4 four'], 'a consumer begins there')
    },
  },
  {
    title: 'a stream that begins behind its end is empty, and goes on there',
    check: async (t, { stream }) => {
      await stream.append(bytes('one'), 0)
      await stream.beginAt(5)
      t.strictSame(await stream.ends(), { first: 5, last: 4 })
      await t.rejects(stream.append(bytes('late'), 1), new WrongLastSequence(4))
      await stream.append(bytes('five'), 4)
      t.strictSame(await stream.ends(), { first: 5, last: 5 })
      t.strictSame(await textsOf(stream, 5), [null, null, null, null, 'five'])
    },
  },
  {
    title: 'a record whose acknowledgement does not come may be stored later, and once if it is sent again',
    check: async (t, { stream, standStill, pause }) => {
      await stream.append(bytes('one'), 0)
      await standStill(1500)
      const outcome = await stream.append(bytes('two'), 1).then(
        () => null,
        (error: unknown) => error,
      )
      t.ok(outcome instanceof Error && !(outcome instanceof WrongLastSequence), 'nothing is known')
      await appendSurely(stream, 'two', 1, pause)
      await pause(500)
      t.strictSame(await textsOf(stream, 3), ['one', 'two', null])
      await stream.append(bytes('three'), 2)
    },
  },
  {
    title: 'who appends while the servers do nothing learns nothing, and nobody is refused for it later',
    check: async (t, { stream, standStill, pause }) => {
      await standStill(1200)
      const race = await Promise.allSettled(['a', 'b'].map((text) => stream.append(bytes(text), 0)))
      t.ok(race.every(({ status }) => status === 'rejected'))
      await pause(1500)
      const [first, second] = await textsOf(stream, 2)
      t.ok(first === null || first === 'a' || first === 'b')
      t.equal(second, null, 'at most one is stored')
      await appendSurely(stream, 'c', first === null ? 0 : 1, pause)
    },
  },
  {
    title: 'servers that lose power may end before what they acknowledged, and get it back byte for byte',
    check: async (t, { stream, keepDisks, losePower, pause }) => {
      await stream.append(bytes('one'), 0)
      await stream.append(bytes('two'), 1)
      await keepDisks()
      await stream.append(bytes('three'), 2)
      await stream.append(bytes('four'), 3)
      await losePower()
      t.equal(await refusedAt(stream, 4, pause), 2)
      t.strictSame(await textsOf(stream, 4), ['one', 'two', null, null])
      await stream.append(bytes('three'), 2)
      await stream.append(bytes('four'), 3)
      await stream.append(bytes('five'), 4)
      const taken: string[] = []
      const following = stream.follow(
        () => 1,
        ({ sequence, bytes }) => taken.push(`${sequence} ${bytes}`),
      )
      while (taken.length < 4) await pause(20)
      following.stop()
      t.strictSame(taken, ['2 two', '3 three', '4 four', '5 five'])
    },
  },
  {
    title: 'servers that lose power may have again what they dropped',
    check: async (t, { stream, keepDisks, losePower, pause }) => {
      for (const [n, text] of ['one', 'two', 'three'].entries()) await stream.append(bytes(text), n)
      await keepDisks()
      await stream.append(bytes('four'), 3)
      await stream.beginAt(4)
      await losePower()
      t.equal(await refusedAt(stream, 4, pause), 3)
      t.strictSame(await stream.ends(), { first: 1, last: 3 })
      await stream.append(bytes('four'), 3)
      t.strictSame(await textsOf(stream, 4), ['one', 'two', 'three', 'four'])
    },
  },
]

const bytes = (text: string): Buffer => Buffer.from(text)

const textsOf = async (stream: LogStream, count: number): Promise<(string | null)[]> => {
  const texts: (string | null)[] = []
  for (let sequence = 1; sequence <= count; sequence++)
    texts.push((await stream.read(sequence))?.toString() ?? null)
  return texts
}

/** As an owner does: until the record is there. */
const appendSurely = async (
  stream: LogStream,
  text: string,
  expected: number,
  pause: StreamBench['pause'],
): Promise<void> => {
  for (;;) {
    try {
      return await stream.append(bytes(text), expected)
    } catch (error) {
      const found = await stream.read(expected + 1).catch(() => null)
      if (found?.toString() === text) return
      if (error instanceof WrongLastSequence && found !== null) throw error
      await pause(150)
    }
  }
}

/** Where the stream ends, as a refusal says. */
const refusedAt = async (
  stream: LogStream,
  expected: number,
  pause: StreamBench['pause'],
): Promise<number> => {
  for (;;) {
    try {
      await stream.append(bytes('late'), expected)
    } catch (error) {
      if (error instanceof WrongLastSequence) return error.last
    }
    await pause(150)
  }
}
