import t from 'tap'
import type { FlushedEntry } from '../../../engine/kernel/step.ts'
import { accountIdOf, type CompanyId } from '../../../engine/shared/ids.ts'
import { bounds } from '../../../persistence/base/bounds.ts'
import { type Outbox, openOutbox } from '../../../persistence/outbox/outbox.ts'
import type { EventStream, StreamMessage } from '../../../persistence/stream/stream.ts'

const account = accountIdOf('cmp_01KX0000000000000000000000' as CompanyId, 'SANDBOX')
const startMs = 1_800_000_000_000
const minuteMs = 60_000

/** Tells of one event: of a charge that has expired. */
const entryAt = (sequence: number, atMs: number): FlushedEntry =>
  ({
    sequence,
    accountId: account,
    atMs,
    steps: [
      { event: { actor: 'transaction', type: 'ChargeExpired', id: 'txn', atMs }, after: { method: 'PIX' } },
    ],
  }) as unknown as FlushedEntry

const silentAt = (sequence: number, atMs: number): FlushedEntry => ({
  sequence,
  accountId: account,
  atMs,
  steps: [],
})

type RelayOptions = {
  readonly after?: number
  /** What the stream answers where it is asked whether it has an event. */
  readonly holds?: EventStream['holds']
  /** Entries at the end that tell nothing. */
  readonly silent?: number
  readonly onError?: (error: unknown) => void
}

/** A journal with an entry a minute, and a stream that can be lost. */
const newRelay = (count: number, options: RelayOptions = {}) => {
  const { after = 0, holds, silent = 0, onError = (error) => t.fail(String(error)) } = options
  const entries = Array.from({ length: count + silent }, (_, n) =>
    n < count ? entryAt(n + 1, startMs + n * minuteMs) : silentAt(n + 1, startMs + count * minuteMs),
  )
  const heard: string[] = []
  let created: (atMs: number) => void = () => undefined
  const stream: EventStream = {
    publish: async ({ atMs }: StreamMessage) => {
      heard.push(`minute ${(atMs - startMs) / minuteMs}`)
    },
    ...(holds && { holds }),
    onRecreated: (listener) => {
      created = listener
      return () => {
        created = () => undefined
      }
    },
  }
  const outbox = openOutbox({
    shard: 0,
    stream,
    after,
    until: count + silent,
    readFrom: function* (after) {
      yield* entries.slice(after)
    },
    hasSubscribers: () => true,
    render: () => ({ body: new Uint8Array(), objectId: 'txn' }),
    pause: async () => undefined,
    onError,
  })
  return { outbox, heard, created: (atMs: number) => created(atMs) }
}

/** What is published from now until nothing is left. */
const publishedBy = async (outbox: Outbox, heard: string[], cause: () => void): Promise<string[]> => {
  const before = heard.length
  cause()
  await outbox.caughtUp()
  return heard.slice(before)
}

const atMinute = (n: number): number => startMs + n * minuteMs
const againMinutes = bounds.publishedAgainMs / minuteMs

t.test('a stream that was created anew gets what was published shortly before, in order', async (t) => {
  const { outbox, heard, created } = newRelay(100)
  const everything = await publishedBy(outbox, heard, () => created(atMinute(-1)))
  t.equal(everything.length, 100)
  const again = await publishedBy(outbox, heard, () => created(atMinute(95)))
  t.strictSame(
    again,
    Array.from({ length: 5 + againMinutes }, (_, n) => `minute ${95 - againMinutes + n}`),
  )
  t.equal(outbox.published(), 100)
})

t.test('at the start a stream is no news where something was published since it was created', async (t) => {
  const { outbox, heard, created } = newRelay(100, { after: 100 })
  t.strictSame(await publishedBy(outbox, heard, () => created(atMinute(50))), [])
})

t.test('a stream that was lost while the service was away gets what is recent', async (t) => {
  const { outbox, heard, created } = newRelay(100, { after: 98 })
  const again = await publishedBy(outbox, heard, () => created(atMinute(102)))
  t.equal(again[0], `minute ${102 - againMinutes}`)
  t.equal(again.at(-1), 'minute 99')
})

t.test('where the stream has lost the newest that was published, it gets what is recent', async (t) => {
  const asked: number[] = []
  const holds =
    (answer: boolean): EventStream['holds'] =>
    async ({ atMs }) => {
      asked.push((atMs - startMs) / minuteMs)
      return answer
    }
  for (const silent of [0, 1_000]) {
    const after = 100 + silent
    const whole = newRelay(100, { after, silent, holds: holds(true) })
    t.strictSame(await publishedBy(whole.outbox, whole.heard, () => whole.created(atMinute(-1))), [])
    const lost = newRelay(100, { after, silent, holds: holds(false) })
    const again = await publishedBy(lost.outbox, lost.heard, () => lost.created(atMinute(-1)))
    t.strictSame(
      again,
      Array.from({ length: againMinutes + 1 }, (_, n) => `minute ${99 - againMinutes + n}`),
    )
  }
  t.strictSame(asked, [99, 99, 99, 99])
})

t.test('while the stream does not say what it has nothing is published', async (t) => {
  let isAway = true
  const asked: number[] = []
  const holds: EventStream['holds'] = async ({ atMs }) => {
    asked.push(atMs)
    if (!isAway) return true
    isAway = asked.length < 3
    throw new Error('nobody home')
  }
  const errors: string[] = []
  const onError = (error: unknown) => void errors.push(String(error))
  const { outbox, heard, created } = newRelay(100, { after: 99, holds, onError })
  t.strictSame(await publishedBy(outbox, heard, () => created(atMinute(-1))), ['minute 99'])
  t.equal(asked.length, 4)
  t.strictSame(errors, ['Error: nobody home'], 'told once')
})

t.test('after a stop nothing is heard of the stream', async (t) => {
  const { outbox, heard, created } = newRelay(10, { after: 10 })
  outbox.stop()
  t.strictSame(await publishedBy(outbox, heard, () => created(atMinute(20))), [])
})

t.test('entries that tell nothing do not take the place of those that do', async (t) => {
  const { outbox, heard, created } = newRelay(0)
  created(atMinute(-1))
  const silent = bounds.outboxEventsMax + 10
  for (let sequence = 1; sequence <= silent; sequence++) outbox.offer(silentAt(sequence, startMs))
  outbox.offer(entryAt(silent + 1, startMs))
  await outbox.caughtUp()
  t.strictSame(heard, ['minute 0'], 'which the journal was not read again for')
  t.equal(outbox.lag(), 0)
})
