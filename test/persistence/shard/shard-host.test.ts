import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open as openLmdb } from 'lmdb'
import t, { type Test } from 'tap'
import type { ProviderCallRequest } from '../../../engine/kernel/calls.ts'
import type { Journal } from '../../../engine/kernel/ports.ts'
import { HistoryUnavailable, ShardMoved, ShardUnavailable } from '../../../engine/kernel/unavailable.ts'
import type { AccountNow } from '../../../engine/ledger/queries.ts'
import { bounds as engineBounds } from '../../../engine/shared/bounds.ts'
import type { Entropy } from '../../../engine/shared/ids.ts'
import { byOperator } from '../../../engine/shared/initiator.ts'
import type { Delivery } from '../../../engine/webhooks/delivery.ts'
import { recordOf } from '../../../gateway/providers/driver.ts'
import { bounds } from '../../../persistence/base/bounds.ts'
import { checksumBytes, checksumOf } from '../../../persistence/base/checksum.ts'
import type { Replica } from '../../../persistence/cluster/replica.ts'
import { startPosition } from '../../../persistence/cluster/replica-store.ts'
import { ownLog, type ShardLog, type ShardLogEvents } from '../../../persistence/cluster/shard-log.ts'
import { pack, unpack } from '../../../persistence/codec/codec.ts'
import { entryLayout } from '../../../persistence/codec/entry.ts'
import type { DataDirectory } from '../../../persistence/home/data-directory.ts'
import { openBatches } from '../../../persistence/journal/batches.ts'
import {
  journalOn,
  type NewBatch,
  openJournal,
  type StoredJournal,
} from '../../../persistence/journal/journal.ts'
import { openMemory } from '../../../persistence/shard/memory.ts'
import type { ShardHostOptions } from '../../../persistence/shard/running-shard.ts'
import { openShardHost } from '../../../persistence/shard/shard-host.ts'
import { openStore } from '../../../persistence/snapshot/store.ts'
import {
  doneAt,
  type EventStream,
  StreamAway,
  type StreamMessage,
} from '../../../persistence/stream/stream.ts'
import { verifyDataDirectory } from '../../../persistence/verify/verify.ts'
import { aPlan } from '../../engine/billing/catalog.ts'
import { aSubscription, byPix } from '../../engine/billing/subscription/subscribing.ts'
import { aChargeback, aYes } from '../../engine/payments/card/commands.ts'
import { anOutcome } from '../../engine/webhooks/outcome.ts'
import {
  aCardPayment,
  aCharge,
  account,
  aList,
  aPayment,
  companyId,
  institution,
  key,
  newTransactionId,
  newWorld,
  opening,
  seeded,
} from '../../engine/world.ts'
import { noWebhooks } from '../no-webhooks.ts'
import { quietHost } from '../quiet-host.ts'

const folder = (t: Test): string => {
  const path = mkdtempSync(join(tmpdir(), 'shard-'))
  t.teardown(() => rmSync(path, { recursive: true, force: true }))
  return path
}

const openHost = (
  path: string,
  stream: EventStream = noWebhooks,
  now = () => Date.UTC(2026, 10, 20, 12),
  open = (path: string): StoredJournal =>
    openJournal(path, entryLayout, { commits: 0, entries: 0, bytes: 0 }),
  onProviderCall: (request: ProviderCallRequest) => void = () => undefined,
  unsavedChangesMax: number = bounds.unsavedChangesMax,
  openLog = (path: string, _events: ShardLogEvents): ShardLog => ownLog(open(join(path, 'journal'))),
  entropy: Entropy = seeded(7),
  onLead: (isLeading: () => boolean) => void = () => undefined,
  told: string[] = [],
  publication?: ShardHostOptions['publication'],
) =>
  openShardHost({
    number: 0,
    path,
    realNow: now,
    entropy,
    institution,
    stream,
    hasSubscribers: () => true,
    render: (event) => ({ body: new TextEncoder().encode(event.type), objectId: event.id }),
    openLog,
    onProviderCall,
    unsavedChangesMax,
    onLead,
    onDue: () => undefined,
    onTrouble: (message) => told.push(message),
    ...(publication !== undefined && { publication }),
  })

const verify = async (path: string) => {
  const data = { shards: 1, shardPath: () => path } as unknown as DataDirectory
  const { digests: _, ...report } = await verifyDataDirectory(data)
  return report
}

t.test('a shard that is opened again knows what it knew, from snapshot and journal', async (t) => {
  const path = folder(t)
  const first = openHost(path)
  await first.execute(opening)
  const command = aCharge({ idempotency: { key: 'k', fingerprint: 'f' } })
  await first.execute(command)
  await first.close()
  const second = openHost(path)
  const paid = await second.execute(aPayment(command.transactionId))
  t.match(paid, { accepted: true, state: { status: 'APPROVED' } })
  const replay = await second.execute(aCharge({ idempotency: { key: 'k', fingerprint: 'f' } }))
  t.match(replay, { accepted: true, replayed: true, state: { id: command.transactionId, status: 'PENDING' } })
  await second.close()
  t.strictSame(await verify(path), { shards: 1, entries: 3, transactions: 1, problems: [] })
})

t.test('an entry that is decided here is heard of once, when it is on disk', async (t) => {
  const path = folder(t)
  const heard: number[] = []
  let breaks = false
  const host = () =>
    openShardHost({
      ...quietHost(path),
      openLog: (path) => {
        const journal = openJournal(join(path, 'journal'), entryLayout, { commits: 0, entries: 0, bytes: 0 })
        const append: Journal['append'] = (entry) => {
          if (breaks) throw new Error('the disk is gone')
          return journal.append(entry)
        }
        return ownLog({ ...journal, append })
      },
      onFlushed: ({ sequence }) => heard.push(sequence),
    })
  const first = host()
  await first.execute(opening)
  await first.execute(aCharge({ idempotency: { key: 'k', fingerprint: 'f' } }))
  t.strictSame(heard, [1, 2])
  await first.execute(aCharge({ idempotency: { key: 'k', fingerprint: 'f' } }))
  t.strictSame(heard, [1, 2], 'a repeat is not heard of')
  breaks = true
  await t.rejects(first.execute(aCharge()))
  breaks = false
  while (first.state() !== 'SERVING') await new Promise((resolve) => setTimeout(resolve, 5))
  await first.execute(aCharge())
  t.strictSame(heard, [1, 2, 3], 'nor what a recovery replays')
  await first.close()
  const second = host()
  await second.execute(aCharge())
  t.strictSame(heard, [1, 2, 3, 4], 'nor what a start replays')
  await second.close()
})

t.test(
  'timers survive a restart: what became due in between has happened when it is asked for',
  async (t) => {
    const path = folder(t)
    const command = aCharge()
    const first = openHost(path)
    await first.execute(opening)
    await first.execute(command)
    await first.close()
    const second = openHost(path, noWebhooks, () => Date.UTC(2026, 10, 20, 14))
    const found = await second.query({
      type: 'FindTransaction',
      accountId: account,
      transactionId: command.transactionId,
      family: null,
    })
    t.equal(found?.transaction.status, 'EXPIRED')
    await second.close()
  },
)

t.test('events that the stream did not take are published after a restart, under the same ids', async (t) => {
  const path = folder(t)
  const heard: StreamMessage[] = []
  let refused = 0
  const deaf: EventStream = {
    publish: async () => {
      refused++
      throw new Error('nobody home')
    },
  }
  const first = openHost(path, deaf)
  await first.execute(opening)
  const command = aCharge()
  await first.execute(command)
  while (refused === 0) await new Promise((resolve) => setImmediate(resolve))
  // Not closed: as after a kill, the snapshot was never written. LMDB lets the same process read it.
  const stream: EventStream = { publish: async (message) => void heard.push(message) }
  const second = openHost(path, stream)
  await second.query({ type: 'FindAccount', accountId: account })
  while (heard.length < 2) await new Promise((resolve) => setImmediate(resolve))
  t.strictSame(
    heard.map(({ type }) => type),
    ['payment.created', 'payment.pending'],
  )
  const third: StreamMessage[] = []
  const again: EventStream = { publish: async (message) => void third.push(message) }
  const other = openHost(path, again)
  while (third.length < 2) await new Promise((resolve) => setImmediate(resolve))
  t.strictSame(
    third.map(({ id }) => id),
    heard.map(({ id }) => id),
    'a repeat can be recognised',
  )
  await other.close()
  await second.close()
  await first.close()
})

t.test(
  'a journal that is far ahead of the snapshot is read to its end before a new snapshot is taken',
  async (t) => {
    const path = folder(t)
    const world = newWorld()
    await world.open()
    await world.accepted(aCharge({ idempotency: { key: 'k', fingerprint: 'f' } }))
    const [opened, charged] = [...world.journal.replay(0)].map(({ record }) => record)
    const journal = openJournal(join(path, 'journal'), entryLayout, { commits: 0, entries: 0, bytes: 0 })
    journal.append(opened!)
    // Each is a charge and a key.
    const count = 510
    for (let n = 0; n < count; n++) {
      const id = newTransactionId()
      const events = charged!.events.map((event) => ({ ...event, id })) as never
      journal.append({ ...charged!, events, idempotency: { key: id, fingerprint: 'f' } })
    }
    await journal.close()
    const host = openHost(path, undefined, undefined, undefined, undefined, 1_000)
    await host.close()
    const store = openStore(join(path, 'state'), () => 0)
    t.equal(store.sequence(), count + 1)
    await store.close()
    t.strictSame(await verify(path), { shards: 1, entries: count + 1, transactions: count, problems: [] })
  },
)

t.test(
  'while the stream is away, events wait in the journal, and come in order when it is back',
  async (t) => {
    const path = folder(t)
    const heard: StreamMessage[] = []
    let isAway = true
    const stream: EventStream = {
      publish: async (message) => {
        if (isAway) throw new Error('nobody home')
        heard.push(message)
      },
    }
    const first = openHost(path, stream)
    await first.execute(opening)
    // More than an outbox keeps at hand.
    const count = bounds.outboxEventsMax + 100
    const charges = Array.from({ length: count }, () => aCharge())
    await Promise.all(charges.map(first.execute))
    await first.execute(aPayment(charges[0]!.transactionId))
    await first.close()
    const store = openStore(join(path, 'state'), () => 0)
    t.equal(store.sequence(), count + 2, 'a snapshot does not wait for the stream')
    t.strictSame(store.progress, doneAt(1), 'which the account alone was told of')
    await store.close()

    const second = openHost(path, stream)
    isAway = false
    await second.execute(aPayment(charges[1]!.transactionId))
    while (heard.length < 2 * count + 8) await new Promise((resolve) => setImmediate(resolve))
    await second.close()
    const ids = heard.map(({ id }) => id)
    t.strictSame(ids, [...new Set(ids)].sort(), 'each once, in order')
    t.strictSame(
      heard.slice(-8).map(({ type }) => type),
      [...paidEvents, ...paidEvents],
    )
  },
)

t.test('webhooks do not wait for a stream that is away, also behind a restart', async (t) => {
  const path = folder(t)
  const planned: string[] = []
  const streamed: string[] = []
  let isAway = true
  const toPlanner: EventStream = { publish: async ({ id }) => void planned.push(id) }
  const toStream: EventStream = {
    publish: async ({ id }) => {
      if (isAway) throw new StreamAway('nobody home')
      streamed.push(id)
    },
  }
  const publication = { stream: toStream, hasSubscribers: () => true }
  const plain = [
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ] as const
  const open = () => openHost(path, toPlanner, ...plain, publication)
  const first = open()
  await first.execute(opening)
  for (let n = 0; n < 3; n++) await first.execute(aCharge())
  while (planned.length < 6) await new Promise((resolve) => setImmediate(resolve))
  t.equal(first.outboxLag(), 3)
  await first.close()
  const store = openStore(join(path, 'state'), () => 0)
  t.strictSame(store.progress, { published: 4, streamed: 1 })
  await store.close()

  const second = open()
  await second.execute(aCharge())
  while (planned.length < 8) await new Promise((resolve) => setImmediate(resolve))
  t.strictSame(streamed, [])
  isAway = false
  while (streamed.length < 8) await new Promise((resolve) => setTimeout(resolve, 1))
  t.strictSame(streamed, planned, 'each once, in order')
  while (second.outboxLag() > 0) await new Promise((resolve) => setImmediate(resolve))
  t.strictSame(second.progress(), doneAt(5))
  await second.close()
})

t.test('behind a version that planned from the stream, what is recent is planned again', async (t) => {
  const path = folder(t)
  const planned: string[] = []
  const streamed: string[] = []
  const toPlanner: EventStream = { publish: async ({ id }) => void planned.push(id) }
  const toStream: EventStream = { publish: async ({ id }) => void streamed.push(id) }
  const publication = { stream: toStream, hasSubscribers: () => true }
  let now = Date.UTC(2026, 10, 20, 12)
  const plain = [undefined, undefined, undefined, undefined, undefined, undefined, undefined] as const
  const open = () => openHost(path, toPlanner, () => now, ...plain, publication)
  const first = open()
  await first.execute(opening)
  await first.execute(aCharge())
  now += 2 * bounds.publishedAgainMs
  await first.execute(aCharge())
  while (first.outboxLag() > 0) await new Promise((resolve) => setImmediate(resolve))
  await first.close()
  await changeSnapshot(path, (position) => ({ ...position, streamed: undefined }))
  const before = planned.splice(0)
  streamed.length = 0

  const second = open()
  await second.execute(aCharge())
  while (second.outboxLag() > 0) await new Promise((resolve) => setImmediate(resolve))
  t.strictSame(planned.slice(0, 2), before.slice(2), 'which may have waited in the stream')
  t.equal(planned.length, 4)
  t.strictSame(streamed, planned.slice(2), 'the stream has it')
  await second.close()
})

const paidEvents = ['pix.received', 'payment.approved', 'settlement.processing', 'settlement.completed']

t.test('a snapshot of another version is made again, and nothing is told a second time', async (t) => {
  const path = folder(t)
  const first = openHost(path)
  await first.execute(opening)
  const kept = aCharge()
  await first.execute(kept)
  await first.close()
  await changeSnapshot(path, (position) => ({ ...position, description: 'of another version' }))
  const heard: StreamMessage[] = []
  const stream: EventStream = { publish: async (message) => void heard.push(message) }
  const second = openHost(path, stream)
  const question = { type: 'FindTransaction', accountId: account, family: null } as const
  const found = await second.query({ ...question, transactionId: kept.transactionId })
  t.equal(found?.transaction.status, 'PENDING')
  await second.execute(aCharge())
  while (heard.length < 2) await new Promise((resolve) => setImmediate(resolve))
  await second.close()
  t.strictSame(
    heard.map(({ type }) => type),
    ['payment.created', 'payment.pending'],
    'only of the new one',
  )
  t.strictSame((await verify(path)).problems, [])
  const store = openStore(join(path, 'state'), () => 0)
  t.equal(store.sequence(), 3)
  await store.close()
})

const changeSnapshot = async (path: string, change: (position: object) => object): Promise<void> => {
  const root = openLmdb<Buffer, string>({ path: join(path, 'state'), encoding: 'binary', maxDbs: 8 })
  const meta = root.openDB<Buffer, string>({ name: 'meta', encoding: 'binary' })
  const stored = unpack(meta.get('position')!.subarray(checksumBytes)) as object
  const changed = pack(change(stored))
  await meta.put('position', Buffer.concat([checksumOf('position', changed), changed]))
  await root.close()
}

t.test('verify finds a state that the journal does not explain', async (t) => {
  const path = folder(t)
  const host = openHost(path)
  await host.execute(opening)
  const command = aCharge({ externalId: 'order-1' })
  await host.execute(command)
  await host.close()
  const store = openStore(join(path, 'state'), () => 0)
  const accounts = [...store.accounts()].map(
    ([id, kept]) => [id, { ...kept, state: { ...kept.state, clockOffsetMs: 1 } }] as const,
  )
  const journal = openJournal(join(path, 'journal'), entryLayout, { commits: 0, entries: 0, bytes: 0 })
  const memory = openMemory(store, journal)
  const { state } = memory.find('transaction', command.transactionId)!
  const details = { ...state.details, externalId: 'order-2' }
  memory.keep(
    'transaction',
    state.id,
    { state: { ...state, status: 'APPROVED', details }, sequence: 1 },
    null,
  )
  const [sequence, seal] = [store.sequence(), store.seal()]
  await store.write({ ...memory.takeSnapshot(sequence), accounts }, doneAt(sequence), seal)
  await journal.close()
  await store.close()
  t.strictSame((await verify(path)).problems, [
    `shard 0: ${account}: stored state differs from the journal`,
    `shard 0: ${command.transactionId}: stored columns differ from the journal: dueAtMs, lastChange, group`,
    `shard 0: ${account}: stored columns differ from the journal: transaction changes`,
    `shard 0: ${account}: stored columns differ from the journal: transaction labels`,
    `shard 0: ${command.transactionId}: stored state differs from the journal`,
    `shard 0: ${command.transactionId}: not found by what it is looked up by`,
  ])
})

t.test(
  'a journal that cannot write acknowledges nothing, and the shard comes back when it can',
  async (t) => {
    const path = folder(t)
    let isFull = false
    const openFlaky = (path: string): StoredJournal => {
      const journal = openJournal(path, entryLayout, { commits: 0, entries: 0, bytes: 0 })
      if (!isFull)
        return {
          ...journal,
          whenFlushed: (sequence, to) => (isFull ? to.reject(full) : journal.whenFlushed(sequence, to)),
        }
      void journal.close()
      throw new Error('no space left on device')
    }
    const full = new Error('no space left on device')
    const host = openHost(path, noWebhooks, undefined, openFlaky)
    await host.execute(opening)
    const kept = aCharge()
    await host.execute(kept)
    isFull = true
    await t.rejects(host.execute(aCharge()), 'the outcome is unknown')
    await t.rejects(host.execute(aCharge()), 'while it recovers')
    await t.rejects(host.query({ type: 'FindAccount', accountId: account }), 'reads too')
    t.not(host.state(), 'SERVING')
    isFull = false
    while (host.state() !== 'SERVING') await new Promise((resolve) => setTimeout(resolve, 20))
    const question = {
      type: 'FindTransaction',
      accountId: account,
      transactionId: kept.transactionId,
      family: null,
    } as const
    t.equal((await host.query(question))?.transaction.status, 'PENDING', 'what was acknowledged is there')
    t.match(await host.execute(aCharge()), { accepted: true })
    await host.close()
    t.strictSame((await verify(path)).problems, [])
  },
)

t.test('whoever waits for a provider when the shard stops is told to try again', async (t) => {
  const path = folder(t)
  let isFull = false
  const openFlaky = (path: string): StoredJournal => {
    const journal = openJournal(path, entryLayout, { commits: 0, entries: 0, bytes: 0 })
    return {
      ...journal,
      whenFlushed: (sequence, to) => (isFull ? to.reject(full) : journal.whenFlushed(sequence, to)),
    }
  }
  const full = new Error('no space left on device')
  const host = openHost(path, noWebhooks, undefined, openFlaky)
  await host.execute(opening)
  const waiting = host.execute(aCardPayment()).catch((error) => error)
  const closing = host.execute(aCardPayment()).catch((error) => error)
  isFull = true
  await t.rejects(host.execute(aCharge()))
  isFull = false
  t.ok((await waiting) instanceof ShardUnavailable)
  t.ok((await closing) instanceof ShardUnavailable)
  while (host.state() !== 'SERVING') await new Promise((resolve) => setTimeout(resolve, 20))
  const last = host.execute(aCardPayment()).catch((error) => error)
  await host.close()
  t.ok((await last) instanceof ShardUnavailable, 'when it is closed, too')
})

t.test('a shard that starts from its snapshot knows open calls and chargebacks', async (t) => {
  const path = folder(t)
  let now = Date.UTC(2026, 10, 20, 12)
  const asked: ProviderCallRequest[] = []
  const openAt = () =>
    openHost(
      path,
      undefined,
      () => now,
      undefined,
      (request) => asked.push(request),
    )
  const answerLast = (host: ReturnType<typeof openHost>) => {
    return host.execute(recordOf(asked.at(-1)!, aYes))
  }
  const first = openAt()
  await first.execute(opening)
  const paying = aCardPayment()
  void first.execute(paying).catch(() => undefined)
  while (asked.length === 0) await new Promise((resolve) => setImmediate(resolve))
  await first.close()
  const second = openAt()
  t.equal(asked.length, 2)
  t.strictSame(asked[1]!.reference, asked[0]!.reference)
  t.match(await answerLast(second), { accepted: true, state: { status: 'APPROVED' } })
  const disputed = await second.execute(aChargeback(paying.transactionId))
  t.match(disputed, { accepted: true, state: { status: 'CHARGEBACK' } })
  await second.close()
  const third = openAt()
  t.equal(asked.length, 2, 'it is answered')
  now += 30 * 86_400_000
  third.tick()
  t.equal(third.state(), 'SERVING')
  const found = await third.query({
    type: 'FindTransaction',
    accountId: account,
    transactionId: paying.transactionId,
    family: null,
  })
  t.match(found?.transaction.reversals.chargebacks, [{ status: 'LOST', lostReason: 'NO_DEFENSE' }])
  await third.close()
  t.strictSame((await verify(path)).problems, [])
})

/** A subscription has to be billed by a host that cannot do it, by an error of ours. */
const dueAndFailing = async (t: Test) => {
  const path = folder(t)
  const ours = { isBroken: false }
  const random = seeded(7)
  const entropy = (): number => {
    if (ours.isBroken) throw new TypeError('no such field')
    return random()
  }
  let nowMs = Date.UTC(2026, 10, 20, 12)
  const host = openHost(path, undefined, () => nowMs, undefined, undefined, undefined, undefined, entropy)
  await host.execute(opening)
  const plan = aPlan({ methods: ['PIX'], trialDays: 7 })
  await host.execute(plan)
  t.match(await host.execute(aSubscription(plan.planId, byPix)), { accepted: true })
  ours.isBroken = true
  nowMs = Date.UTC(2026, 10, 28, 12)
  host.tick()
  t.not(host.state(), 'SERVING', 'it recovers')
  ours.isBroken = false
  return { path, host, ours }
}

const served = async (host: ReturnType<typeof openHost>): Promise<void> => {
  while (host.timerBacklog() === 'NO') await new Promise((resolve) => setTimeout(resolve, 5))
}

t.test('due work that cannot be decided is parked when it fails again, and others go on', async (t) => {
  const { path, host, ours } = await dueAndFailing(t)
  await served(host)
  ours.isBroken = true
  while (host.timerBacklog() !== 'NO') host.tick()
  t.equal(host.state(), 'SERVING', 'it is due no more')
  ours.isBroken = false
  t.match(await host.execute(aCharge()), { accepted: true })
  await host.close()
  const { problems } = await verify(path)
  t.match(problems, [/BillSubscription was due, and could not be done/])
})

t.test('due work that can be decided after a recovery is done', async (t) => {
  const { path, host } = await dueAndFailing(t)
  await served(host)
  while (host.timerBacklog() !== 'NO') host.tick()
  await host.close()
  t.strictSame((await verify(path)).problems, [])
})

/**
 * A log that other nodes have, too, as far as a host sees: the test says when it owns the shard, whether it may serve, and
 * how many batches find a quorum. One that finds none waits until the log is closed.
 */
const sharedLog = () => {
  const said = {
    isSure: true,
    rests: false,
    woken: 0,
    published: 0,
    batchesTaken: Number.POSITIVE_INFINITY,
    events: null as unknown as ShardLogEvents,
  }
  const openLog = (path: string, events: ShardLogEvents): ShardLog => {
    said.events = events
    const db = openLmdb<Buffer, number>({
      path: join(path, 'journal'),
      encoding: 'binary',
      overlappingSync: false,
    })
    let giveUp: (reason: Error) => void
    const givenUp = new Promise<never>((_, reject) => {
      giveUp = reject
    })
    givenUp.catch(() => undefined)
    const batches = openBatches(path, db)
    const write = (some: readonly NewBatch[]): Promise<unknown> =>
      said.batchesTaken-- > 0
        ? Promise.all(some.map(({ first, count, bytes }) => batches.put(first, count, bytes)))
        : givenUp
    const journal = journalOn(
      { batches, batchBytesMax: Number.POSITIVE_INFINITY, write, close: () => db.close() },
      entryLayout,
      { commits: 0, entries: 0, bytes: 0 },
    )
    const replica: Partial<Replica> = {
      position: () => ({ ...startPosition, published: said.published }),
      mayServe: () => said.isSure,
      isResting: () => said.rests,
      wake: async () => {
        said.woken++
        said.rests = false
      },
    }
    const close = (): Promise<void> => {
      giveUp(new Error('the log is closed'))
      return journal.close()
    }
    return { journal, replica: replica as Replica, check: async () => 0, close }
  }
  const open = (
    path: string,
    stream?: EventStream,
    now?: () => number,
    unsavedChangesMax?: number,
    onLead?: (isLeading: () => boolean) => void,
  ) => openHost(path, stream, now, undefined, undefined, unsavedChangesMax, openLog, undefined, onLead)
  return { said, open }
}

t.test(
  'time in facts never runs backwards, whatever the clock of this process or of the next one',
  async (t) => {
    const path = folder(t)
    const startMs = Date.parse('2026-11-02T12:00:00Z')
    let nowMs = startMs
    const told: string[] = []
    const u = undefined
    const open = () => openHost(path, u, () => nowMs, u, u, u, u, u, u, told)
    const behind = (seconds: number): string =>
      `shard 0: the clock is ${seconds} s behind the newest entry, so time stands still here until it has caught up`
    const first = open()
    await first.execute(opening)
    nowMs -= 1_500
    await first.execute(aCharge())
    t.strictSame(told.splice(0), [], 'a small step back is none to tell')
    nowMs -= 3_600_000
    await first.execute(aCharge())
    nowMs += 3_599_000
    await first.execute(aCharge())
    t.strictSame(told.splice(0), [behind(3602)])
    await first.close()
    nowMs = startMs - 7_200_000
    const second = open()
    await second.execute(aCharge())
    nowMs = startMs + 1
    await second.execute(aCharge())
    nowMs = startMs - 4_000
    await second.execute(aCharge())
    t.strictSame(told.splice(0), [behind(7200), behind(4)], 'again when it had caught up')
    await second.close()
    const journal = openJournal(join(path, 'journal'), entryLayout, { commits: 0, entries: 0, bytes: 0 })
    t.strictSame(
      [...journal.replay(0)].map(({ record }) => record.atMs - startMs),
      [0, 0, 0, 0, 0, 1, 1],
    )
    await journal.close()
  },
)

t.test('a shard that loses its quorum in the middle of a snapshot is opened anew', async (t) => {
  const { said, open } = sharedLog()
  const host = open(folder(t), undefined, undefined, 1)
  said.events.owner()
  said.batchesTaken = 1
  const opened = host.execute(opening)
  await new Promise((resolve) => setImmediate(resolve))
  // In the next batch: the snapshot that begins when the first one is taken is of both.
  const charged = host.execute(aCharge())
  await opened
  said.events.broken(new Error('no quorum'))
  t.ok(await charged.catch((error) => error instanceof ShardUnavailable))
  said.batchesTaken = Number.POSITIVE_INFINITY
  while (host.state() === 'RECOVERING') await new Promise((resolve) => setTimeout(resolve, 5))
  said.events.owner()
  t.match(await host.execute(aCharge()), { accepted: true })
  await host.close()
})

t.test('a shard that rests is woken by whoever needs it, and by what is due', async (t) => {
  const { said, open } = sharedLog()
  let nowMs = Date.parse('2026-11-02T12:00:00Z')
  const host = open(folder(t), undefined, () => nowMs)
  said.events.owner()
  await host.execute(opening)
  const reply = await host.execute(aCharge())
  said.rests = true
  t.ok(host.mayAnswer() && host.state() === 'SERVING')
  t.ok(reply.accepted)
  t.strictSame(host.tick(), [])
  t.equal(host.timerBacklog(), 'NO')
  t.equal(said.woken, 0, 'nothing is due')
  await host.query({ type: 'FindAccount', accountId: account })
  t.equal(said.woken, 1)
  said.rests = true
  await host.execute(aCharge())
  t.equal(said.woken, 2)
  said.rests = true
  nowMs += 366 * 24 * 3_600_000
  host.tick()
  t.equal(said.woken, 3, 'the charges expire')
  await host.close()
})

/** Charges that expire in an hour, more of them than one slice of an advance does. */
const manyCharges = (host: ReturnType<typeof openHost>) =>
  Promise.all(Array.from({ length: engineBounds.timersPerTurn + 1 }, () => host.execute(aCharge())))

const anAdvance = { type: 'AdvanceClock', accountId: account, by: key, step: { by: 'P1D' } } as const
const clockAsRead = (host: ReturnType<typeof openHost>) =>
  host.query({ type: 'FindAccount', accountId: account }) as Promise<AccountNow>

t.test('a clock that advances goes on in the next life of its shard, from snapshot or journal', async (t) => {
  for (const unsavedChangesMax of [1, bounds.unsavedChangesMax]) {
    const path = folder(t)
    const startMs = Date.UTC(2026, 10, 20, 12)
    const targetMs = startMs + 24 * 3_600_000
    const open = () => openHost(path, undefined, undefined, undefined, undefined, unsavedChangesMax)
    const first = open()
    await first.execute(opening)
    await manyCharges(first)
    const advance = first.execute(anAdvance)
    t.match(await clockAsRead(first), { account: { advance: { targetMs } } })
    await first.close()
    t.match(await advance, { accepted: true, state: { advance: { targetMs } } }, 'whoever waits hears so')
    const second = open()
    // A long journal is read in slices.
    while (second.state() !== 'SERVING') await new Promise((resolve) => setTimeout(resolve, 5))
    const { account: found, nowMs } = await clockAsRead(second)
    t.match(found, { advance: { nowMs, targetMs } })
    t.ok(nowMs > startMs, 'it has come as far as it had')
    t.match(await second.execute(anAdvance), { accepted: false, rejection: { reason: 'INVALID_STATE' } })
    while (second.timerBacklog() === 'NOW') second.tick()
    t.match(await clockAsRead(second), { nowMs: targetMs, account: { advance: null } })
    await second.close()
    t.strictSame((await verify(path)).problems, [])
  }
})

t.test('a clock goes on where its shard is owned, and its call hears that it does', async (t) => {
  const { said, open } = sharedLog()
  const path = folder(t)
  const host = open(path)
  said.events.owner()
  await host.execute(opening)
  await manyCharges(host)
  const advance = host.execute(anAdvance)
  const { account: before } = await clockAsRead(host)
  said.events.lost()
  t.match(await advance, { accepted: true, state: { advance: { targetMs: before.advance!.targetMs } } })
  host.tick()
  t.equal(host.timerBacklog(), 'NO', 'not here')
  said.events.owner()
  t.strictSame((await clockAsRead(host)).account.advance, before.advance)
  while (host.timerBacklog() === 'NOW') host.tick()
  t.match(await clockAsRead(host), { nowMs: before.advance!.targetMs, account: { advance: null } })
  await host.close()
  t.strictSame((await verify(path)).problems, [])
})

t.test('an owner that is not sure of it does nothing, and says that it may be asked again', async (t) => {
  const { said, open } = sharedLog()
  const host = open(folder(t))
  const question = { type: 'FindAccount', accountId: account } as const
  t.notOk(host.mayAnswer())
  said.events.owner()
  t.ok(host.mayAnswer())
  await host.execute(opening)
  said.isSure = false
  t.notOk(host.mayAnswer())
  t.ok(await hasMoved(host.execute(aCharge())))
  t.ok(await hasMoved(host.query(question)))
  said.isSure = true
  const charge = aCharge()
  const accepted = host.execute(charge)
  const { transactionId } = charge
  const asked = host.query({ type: 'FindTransaction', accountId: account, transactionId, family: null })
  const refused = host.execute({ ...aCharge(), accountId: `${companyId}/PRODUCTION` as never })
  said.isSure = false
  t.ok(await hasMoved(asked), 'also when that ends before what it read is on disk')
  t.ok(await hasMoved(refused))
  t.match(await accepted, { accepted: true }, 'what the log has taken is done')
  said.isSure = true
  t.equal((await host.query(question))?.account.id, account)
  await host.close()
})

t.test(
  'a delivery that was handed out and not attempted is handed out again where the shard is owned',
  async (t) => {
    const { said, open } = sharedLog()
    const path = folder(t)
    const host = open(path)
    said.events.owner()
    await host.execute(opening)
    await scheduleFor(host, '1', '2')
    const taken = host.tick()
    const [{ id }] = taken as [Delivery]
    t.equal(taken.length, 2)
    t.strictSame(host.tick(), [], 'once')

    said.isSure = false
    host.handOutAgain(id)
    t.strictSame(host.tick(), [], 'not while another node may own the shard')
    said.isSure = true
    t.strictSame(
      host.tick().map((one) => one.id),
      [id],
    )
    const attempts = [{ deliveryId: id, outcome: anOutcome() }]
    await host.execute({ type: 'RecordAttempts', accountId: account, by: byOperator, attempts })
    host.handOutAgain(id)
    t.strictSame(host.tick(), [], 'nothing more is due of it')

    said.events.lost()
    host.handOutAgain(taken[1]!.id)
    t.strictSame(host.tick(), [], 'its owner hands it out')
    said.events.owner()
    host.handOutAgain(taken[1]!.id)
    t.strictSame(
      host.tick().map((one) => one.id),
      [taken[1]!.id],
      'once, also where that is said before the first tick',
    )
    await host.close()
    host.handOutAgain(taken[1]!.id)
    t.strictSame(host.tick(), [], 'a shard that has ended hands out nothing')
  },
)

/** Schedules the delivery of an event to an endpoint of each number. */
const scheduleFor = (host: ReturnType<typeof openHost>, ...numbers: readonly string[]) => {
  const eventId = `evt_${numbers[0]!.padStart(26, '0')}`
  const endpointIds = numbers.map((number) => `whk_${number.padStart(26, '0')}`)
  const event = { eventId, eventType: 'payment.created', body: new Uint8Array(1) }
  const events = [{ ...event, objectId: newTransactionId(), endpointIds }] as never
  return host.execute({ type: 'ScheduleDeliveries', accountId: account, by: byOperator, events })
}

t.test(
  'a due delivery that cannot be read for now delays those before it no further than itself',
  async (t) => {
    const path = folder(t)
    const startMs = Date.UTC(2026, 10, 20, 12)
    const first = openHost(path)
    await first.execute(opening)
    for (const number of ['1', '2']) await scheduleFor(first, number)
    const last = 3
    await first.close()

    const away = { from: Number.POSITIVE_INFINITY }
    const requireThere = (sequence: number): void => {
      if (sequence >= away.from) throw new HistoryUnavailable('the archive is away')
    }
    const partly = (place: string): StoredJournal => {
      const journal = openJournal(place, entryLayout, { commits: 0, entries: 0, bytes: 0 })
      return {
        ...journal,
        at: (sequence) => {
          requireThere(sequence)
          return journal.at(sequence)
        },
        batchAt: (sequence) => {
          requireThere(sequence)
          return journal.batchAt(sequence)
        },
      }
    }
    const host = openHost(path, noWebhooks, () => startMs, partly)
    away.from = last
    const taken = host.tick()
    t.equal(taken.length, 1, 'what can be read is handed out')
    t.strictSame(host.tick(), [], 'the other one waits')
    away.from = Number.POSITIVE_INFINITY
    const [late] = host.tick()
    t.not(late?.id, taken[0]!.id)
    t.ok(late, 'and is handed out when it can be read')
    t.strictSame(host.tick(), [])
    await host.close()
  },
)

const hasMoved = (answer: Promise<unknown>): Promise<boolean> =>
  answer.then(
    () => false,
    (error) => error instanceof ShardMoved,
  )

t.test('a lead is told of when it begins, and lasts until the shard is lost, breaks or ends', async (t) => {
  const leads: (() => boolean)[] = []
  const lasts = () => leads.map((isLeading) => isLeading())
  const alone = openHost(
    folder(t),
    ...([undefined, undefined, undefined, undefined, undefined, undefined, undefined] as const),
    (isLeading) => leads.push(isLeading),
  )
  t.strictSame(lasts(), [true], 'where nobody else can own the shard, at once')
  await alone.close()
  t.strictSame(lasts(), [false])

  const { said, open } = sharedLog()
  const host = open(folder(t), undefined, undefined, undefined, (isLeading) => leads.push(isLeading))
  t.equal(leads.length, 1, 'a follower leads nothing')
  said.events.owner()
  await host.execute(opening)
  t.strictSame(lasts(), [false, true])
  said.events.lost()
  t.strictSame(lasts(), [false, false])
  said.events.owner()
  said.events.broken(new Error('no quorum'))
  await new Promise((resolve) => setImmediate(resolve))
  t.strictSame(lasts(), [false, false, false], 'whoever recovers leads again when it owns the shard')
  while (host.state() === 'RECOVERING') await new Promise((resolve) => setTimeout(resolve, 5))
  said.events.owner()
  t.strictSame(lasts(), [false, false, false, true])
  await host.close()
})

t.test('a list that is being made when the shard is lost may be asked for again', async (t) => {
  const { said, open } = sharedLog()
  const host = open(folder(t))
  said.events.owner()
  await host.execute(opening)
  for (let n = 0; n < 10; n++) await host.execute(aCharge({ description: `order ${n}` }))
  // Every look at the clock finds that the turn has taken its time.
  let ms = 0
  const clock = t.intercept(performance, 'now', { value: () => (ms += bounds.sliceMs) })
  const asked = host.query(aList({}))
  asked.catch(() => undefined)
  said.events.lost()
  t.ok(await hasMoved(asked))
  clock.restore()
  await host.close()
})

t.test('whoever gets a shard tells again what the stream has lost of it', async (t) => {
  const { said, open } = sharedLog()
  const heard: string[] = []
  const asked: string[] = []
  const nats = { isAway: false, isWhole: true }
  const stream: EventStream = {
    publish: async ({ id }) => void heard.push(id),
    holds: async ({ id }) => {
      asked.push(id)
      if (nats.isAway) throw new Error('nobody home')
      return nats.isWhole
    },
  }
  let now = Date.UTC(2026, 10, 20, 12)
  const host = open(folder(t), stream, () => now)
  const getAnew = async (): Promise<string[]> => {
    said.published = host.progress().published
    said.events.lost()
    heard.length = 0
    said.events.owner()
    await host.execute(aCharge())
    while (host.outboxLag() > 0) await new Promise((resolve) => setTimeout(resolve, 1))
    return [...heard]
  }
  said.events.owner()
  await host.execute(opening)
  for (let n = 0; n < 3; n++) await host.execute(aCharge())
  now += 2 * bounds.publishedAgainMs
  for (let n = 0; n < 3; n++) await host.execute(aCharge())
  while (host.outboxLag() > 0) await new Promise((resolve) => setTimeout(resolve, 1))
  const before = [...heard]
  t.equal((await getAnew()).length, 2, 'nothing is lost: only what is new is told')
  t.strictSame(asked, [before.at(-1)])
  nats.isWhole = false
  nats.isAway = true
  const again = getAnew()
  await new Promise((resolve) => setTimeout(resolve, 1))
  nats.isAway = false
  const told = await again
  t.strictSame(told.slice(0, 6), before.slice(-6), 'what is recent, under the same ids')
  t.equal(told.length, 6 + 2 + 2)
  await host.close()
})

t.test('whoever is given a shard tells what its owner has not told', async (t) => {
  const { said, open } = sharedLog()
  const heard: string[] = []
  const stream: EventStream = { publish: async ({ id }) => void heard.push(id) }
  const host = open(folder(t), stream)
  said.events.owner()
  await host.execute(opening)
  await host.execute(aCharge())
  while (host.outboxLag() > 0) await new Promise((resolve) => setImmediate(resolve))
  said.published = host.progress().published
  said.events.lost()
  heard.length = 0
  said.events.owner()
  t.equal(host.outboxLag(), 0)
  await host.execute(aCharge())
  while (host.outboxLag() > 0) await new Promise((resolve) => setImmediate(resolve))
  t.equal(heard.length, 2, 'of the new charge')
  await host.close()
})

t.test(
  'a shard that this node does not hold answers for nothing, is held, and is left without its files',
  async (t) => {
    const path = folder(t)
    const journal = join(path, 'journal')
    const emptied: boolean[] = []
    const host = openShardHost({
      ...quietHost(path),
      isHeld: () => false,
      emptyShard: async () => {
        emptied.push(existsSync(journal))
        rmSync(path, { recursive: true })
        mkdirSync(path)
      },
      onTrouble: (message) => t.fail(message),
    })
    t.equal(host.state(), 'ELSEWHERE')
    t.equal(host.mayAnswer(), false)
    t.strictSame(host.tick(), [])
    await t.rejects(host.execute(opening), /another node owns the shard/)
    await t.resolves(host.leave(), 'it has nothing')
    const held = async (): Promise<void> => {
      while (host.state() !== 'SERVING') {
        host.hold()
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    }
    await held()
    t.match(await host.execute(opening), { accepted: true })
    t.equal(host.end()?.end, 1)
    const leaving = host.leave()
    host.hold()
    t.equal(host.state(), 'ELSEWHERE', 'what is being removed is held when that is over')
    await leaving
    t.strictSame(emptied, [false, true], 'what an interrupted end had left is removed as well')
    t.notOk(existsSync(journal))
    await held()
    t.equal(host.end(), null)
    await host.close()
  },
)
