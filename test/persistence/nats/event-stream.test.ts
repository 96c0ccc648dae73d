import { jetstreamManager } from '@nats-io/jetstream'
import { connect, errors } from '@nats-io/transport-node'
import t, { type Test } from 'tap'
import { accountIdOf, type CompanyId, eventIdAt } from '../../../engine/shared/ids.ts'
import { bounds } from '../../../persistence/base/bounds.ts'
import { connectNats } from '../../../persistence/nats/connection.ts'
import { type JetStreamEvents, openEventStream } from '../../../persistence/nats/event-stream.ts'
import { eventStreamName, requireEventStream } from '../../../persistence/nats/stream-config.ts'
import type { StreamLog } from '../../../persistence/nats/troubles.ts'
import type { EventStream, StreamMessage } from '../../../persistence/stream/stream.ts'
import { type NatsServers, startNatsServers } from '../../nats/servers.ts'
import { natsSettings } from '../../nats/settings.ts'
import { withManager } from '../../nats/stream.ts'

const company = 'cmp_01KX0000000000000000000000' as CompanyId
const account = accountIdOf(company, 'SANDBOX')
const kept = { replicas: 1, maxAgeMs: 0, maxBytes: -1 }

const anEvent = (n: number, accountId = account): StreamMessage => ({
  id: eventIdAt(0, 0, n, 0),
  type: 'payment.approved',
  accountId,
  objectId: 'txn_1',
  atMs: 1_800_000_000_000 + n,
  body: new TextEncoder().encode(`{"n":${n}}`),
})

/** As the outbox does: until the stream has taken everything. */
const publishAll = async (stream: EventStream, events: readonly StreamMessage[]): Promise<void> => {
  for (let pending = events; pending.length > 0; ) {
    const results = await Promise.allSettled(pending.map(stream.publish))
    pending = pending.filter((_, n) => results[n]!.status === 'rejected')
    if (pending.length > 0) await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

let servers: NatsServers
const opened: JetStreamEvents[] = []

t.before(async () => {
  servers = await startNatsServers(1)
})
t.teardown(async () => {
  await Promise.all(opened.map((stream) => stream.close()))
  await servers.stop()
})

/** A stream of its own for each test. */
const openJetStream = async (t: Test, troubles: string[] = []): Promise<JetStreamEvents> => {
  await deleteStream()
  const stream = openEventStream(
    (signal, onRefused) => connectNats(natsSettings(servers.url), 'test', signal, onRefused),
    kept,
    heardBy(troubles),
  )
  t.teardown(() => stream.close())
  return stream
}

const holdsWhenOpen = async (stream: EventStream, event: StreamMessage): Promise<boolean> => {
  for (;;) {
    try {
      return await stream.holds!(event)
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
}

const heardBy = (troubles: string[]): StreamLog => ({
  warn: (message) => troubles.push(`WARN ${message}`),
  error: (message) => troubles.push(`ERROR ${message}`),
})

const deleteStream = async (): Promise<void> => {
  const connection = await connect({ servers: servers.url })
  await (await jetstreamManager(connection)).streams.delete(eventStreamName).catch(() => undefined)
  await connection.close()
}

t.test('what is published is on the stream, whole and in order', async (t) => {
  const stream = await openJetStream(t)
  const events = Array.from({ length: 100 }, (_, n) => anEvent(n))
  await publishAll(stream, events)
  const { messages } = await withManager(
    servers.url,
    async ({ streams }) => (await streams.info(eventStreamName)).state,
  )
  t.equal(messages, 100)
  await withManager(servers.url, async ({ streams }) => {
    for (const [n, { id, type, objectId, atMs, body }] of events.entries()) {
      const { subject, header, data } = (await streams.getMessage(eventStreamName, { seq: n + 1 }))!
      const found = [header.get('Nats-Msg-Id'), header.get('Pay-Object'), header.get('Pay-At')]
      t.strictSame(found, [id, objectId, String(atMs)])
      t.equal(subject, `pay.events.sandbox.${company}.${type}`)
      t.strictSame(new Uint8Array(data), body)
    }
  })
})

t.test('a repeat is dropped by the stream', async (t) => {
  const stream = await openJetStream(t)
  await publishAll(stream, [anEvent(1)])
  await publishAll(stream, [anEvent(1)])
  await publishAll(stream, [anEvent(2)])
  t.strictSame(await storedIds(2), [anEvent(1).id, anEvent(2).id])
})

const storedIds = async (count: number): Promise<readonly string[]> =>
  (await storedBatches(count)).map(([id]) => id)

/** What the stream has: the event of each message, and the batch that it came in. */
const storedBatches = (count: number): Promise<readonly (readonly [event: string, batch: string])[]> =>
  withManager(servers.url, async ({ streams }) => {
    const stored: [string, string][] = []
    for (let seq = 1; seq <= count; seq++) {
      const { header } = (await streams.getMessage(eventStreamName, { seq }))!
      stored.push([header.get('Nats-Msg-Id'), header.get('Nats-Batch-Id')])
    }
    t.equal((await streams.info(eventStreamName)).state.messages, count)
    return stored
  })

t.test('what is published together is stored as one batch, but not with a repeat among it', async (t) => {
  const stream = await openJetStream(t)
  await publishAll(stream, [anEvent(1), anEvent(2)])
  await publishAll(stream, [anEvent(2), anEvent(3), anEvent(4)])
  const [first, second, ...alone] = await storedBatches(4)
  t.strictSame(
    [first, second, ...alone].map((stored) => stored![0]),
    [1, 2, 3, 4].map((n) => anEvent(n).id),
  )
  t.not(first![1], '')
  t.equal(first![1], second![1])
  t.strictSame(
    alone.map(([, batch]) => batch),
    ['', ''],
  )
})

t.test('more events than fit into a batch are stored, in order', async (t) => {
  const stream = await openJetStream(t)
  const events = Array.from({ length: bounds.eventsTogetherMax + 1 }, (_, n) => anEvent(n))
  await publishAll(stream, events)
  const stored = await storedBatches(events.length)
  t.strictSame(
    stored.map(([id]) => id),
    events.map(({ id }) => id),
  )
})

t.test('a stream that was made without batches gets each event for itself', async (t) => {
  const former = await openJetStream(t)
  await publishAll(former, [anEvent(1)])
  await former.close()
  await withManager(servers.url, async (manager) => {
    const { config } = await manager.streams.info(eventStreamName)
    await manager.streams.delete(eventStreamName)
    await manager.streams.add({ ...config, allow_atomic: false })
  })
  const stream = openEventStream(
    (signal, onRefused) => connectNats(natsSettings(servers.url), 'test', signal, onRefused),
    kept,
    heardBy([]),
  )
  t.teardown(() => stream.close())
  await publishAll(stream, [anEvent(1), anEvent(2)])
  t.strictSame(await storedBatches(2), [
    [anEvent(1).id, ''],
    [anEvent(2).id, ''],
  ])
})

t.test('a stream that is configured otherwise is named and left as it is', async (t) => {
  await deleteStream()
  const connection = await connect({ servers: servers.url })
  t.teardown(() => connection.close())
  const manager = await jetstreamManager(connection)
  await requireEventStream(connection, kept)
  await t.rejects(requireEventStream(connection, { ...kept, maxAgeMs: 86_400_000 }), /has max_age 0/)
  const { config } = await manager.streams.info(eventStreamName)
  t.equal(config.max_age, 0)
})

t.test('while NATS is away publishing fails at once, and goes on when it is back', async (t) => {
  const stream = await openJetStream(t)
  await publishAll(stream, [anEvent(1)])
  await servers.kill(0, 'SIGKILL')
  await t.rejects(stream.publish(anEvent(2)))
  await servers.start(0)
  await servers.ready()
  await publishAll(stream, [anEvent(2)])
  t.strictSame(await storedIds(2), [anEvent(1).id, anEvent(2).id])
})

t.test('a stream that has lost what it had acknowledged says so, and takes it again', async (t) => {
  const stream = await openJetStream(t)
  const told: number[] = []
  let hear = (): void => undefined
  stream.onRecreated!((sinceMs) => {
    told.push(sinceMs)
    hear()
  })
  const toldAgain = new Promise<void>((resolve) => {
    hear = () => told.length === 2 && resolve()
  })
  await publishAll(stream, [anEvent(1)])
  await servers.keepDisks()
  await publishAll(stream, [anEvent(2), anEvent(3)])
  t.equal(told.length, 1)
  t.ok((await stream.holds!(anEvent(2))) && (await stream.holds!(anEvent(3))))
  const beforeMs = Date.now()
  await servers.losePower()
  await toldAgain
  t.ok(told[1]! >= beforeMs)
  t.ok(await stream.holds!(anEvent(1)))
  t.notOk(await stream.holds!(anEvent(3)))
  await publishAll(stream, [anEvent(2), anEvent(3), anEvent(4)])
  t.strictSame(
    await storedIds(4),
    [1, 2, 3, 4].map((n) => anEvent(n).id),
  )
})

t.test('a clock that goes on, or a slow answer, makes no other stream of it', async (t) => {
  const stream = await openJetStream(t)
  const told: number[] = []
  stream.onRecreated!((sinceMs) => told.push(sinceMs))
  await publishAll(stream, [anEvent(1)])
  const now = Date.now
  t.teardown(() => {
    Date.now = now
  })
  Date.now = () => now() + 1000
  await servers.kill(0, 'SIGKILL')
  await servers.start(0)
  await servers.ready()
  await publishAll(stream, [anEvent(2)])
  t.equal(told.length, 1)
})

t.test('a server that hangs does not hold up the end', async (t) => {
  const stream = await openJetStream(t)
  await publishAll(stream, [anEvent(1)])
  await servers.kill(0, 'SIGSTOP')
  await stream.close()
  t.equal(stream.state(), 'AWAY')
  await servers.kill(0, 'SIGCONT')
})

t.test('a stream that was deleted is made again, at the look after the one that missed it', async (t) => {
  const troubles: string[] = []
  const stream = await openJetStream(t, troubles)
  await publishAll(stream, [anEvent(1)])
  await deleteStream()
  await t.rejects(stream.publish(anEvent(2)))
  await publishAll(stream, [anEvent(2)])
  t.strictSame(troubles.slice(0, 1), ['WARN the event stream cannot be used: stream PAY_EVENTS is missing'])
  const { messages } = await withManager(
    servers.url,
    async (manager) => (await manager.streams.info(eventStreamName)).state,
  )
  t.equal(messages, 1)
})

t.test('a stream that has let an old event go has not lost it', async (t) => {
  const stream = await openJetStream(t)
  const old = { ...anEvent(1), atMs: Date.now() - 100_000 }
  const recent = { ...anEvent(2), atMs: Date.now() + 3_600_000 }
  t.notOk(await holdsWhenOpen(stream, old), 'a stream that has had nothing')
  await publishAll(stream, [old, recent])
  t.ok(await stream.holds!(old))
  await withManager(servers.url, (manager) => manager.streams.purge(eventStreamName, { seq: 3 }))
  t.notOk(await stream.holds!(old), 'one that is empty does not tell')
  const other = { ...anEvent(3), type: 'payment.created' } as const
  await publishAll(stream, [other])
  t.ok(await stream.holds!(old))
  t.notOk(await stream.holds!(recent), 'of the same type, and later than what the stream begins with')
})

t.test('a trouble is told once; as an error where somebody has to mend it', async (t) => {
  const troubles: string[] = []
  const nobody = new Error('nobody there')
  const wrong = new Error('wrong password', { cause: new errors.AuthorizationError('no') })
  const stream = openEventStream(
    (signal, onRefused) => {
      for (const reason of [nobody, nobody, wrong, nobody]) onRefused(reason)
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    },
    kept,
    heardBy(troubles),
  )
  t.equal(stream.state(), 'AWAY')
  await stream.close()
  t.strictSame(troubles, [
    'WARN NATS cannot be used: nobody there',
    'ERROR NATS cannot be used: wrong password',
    'WARN NATS cannot be used: nobody there',
  ])
})
