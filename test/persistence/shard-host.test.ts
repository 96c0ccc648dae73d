import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'lmdb'
import t, { type Test } from 'tap'
import type { Journal } from '../../engine/ports.ts'
import type { OutsideRequest } from '../../engine/providers.ts'
import { ShardUnavailable } from '../../engine/unavailable.ts'
import { recordOf } from '../../gateway/providers/driver.ts'
import { pack, unpack } from '../../persistence/codec.ts'
import type { DataDirectory } from '../../persistence/data-directory.ts'
import { entryLayout } from '../../persistence/entry-layout.ts'
import { openJournal } from '../../persistence/journal.ts'
import { limits } from '../../persistence/limits.ts'
import { openMemory } from '../../persistence/memory.ts'
import { openShardHost } from '../../persistence/shard-host.ts'
import { ownLog } from '../../persistence/shard-log.ts'
import { openStore } from '../../persistence/store.ts'
import { type EventStream, inProcessStream, type StreamMessage } from '../../persistence/stream.ts'
import { verifyDataDirectory } from '../../persistence/verify.ts'
import { aChargeback, aYes } from '../engine/card/commands.ts'
import {
  aCardPayment,
  aCharge,
  account,
  aPayment,
  companyId,
  institution,
  key,
  newTransactionId,
  newWorld,
  seeded,
} from '../engine/world.ts'

const folder = (t: Test): string => {
  const path = mkdtempSync(join(tmpdir(), 'shard-'))
  t.teardown(() => rmSync(path, { recursive: true, force: true }))
  return path
}

const openHost = (
  path: string,
  stream: EventStream = inProcessStream(),
  now = () => Date.UTC(2026, 10, 20, 12),
  open = (path: string): Journal => openJournal(path, entryLayout, { commits: 0, entries: 0, bytes: 0 }),
  onProviderCall: (request: OutsideRequest) => void = () => undefined,
  unsavedChangesMax: number = limits.unsavedChangesMax,
) =>
  openShardHost({
    number: 0,
    path,
    realNow: now,
    entropy: seeded(7),
    institution,
    stream,
    isHeard: () => true,
    render: (event) => ({ body: new TextEncoder().encode(event.type), objectId: event.id }),
    openLog: (path) => ownLog(open(join(path, 'journal'))),
    onProviderCall,
    unsavedChangesMax,
    onDeliveries: () => undefined,
    onTrouble: () => undefined,
  })

const profile = {
  companyId,
  environment: 'SANDBOX',
  name: 'Loja',
  city: 'Recife',
  timeZone: 'America/Sao_Paulo',
} as const
const opening = { type: 'OpenAccount', accountId: account, by: key, profile } as const

const verify = (path: string) =>
  verifyDataDirectory({ shards: 1, shardPath: () => path } as unknown as DataDirectory)

t.test('a shard that is opened again knows what it knew, from snapshot and journal', async (t) => {
  const path = folder(t)
  const first = openHost(path)
  await first.tell(opening)
  const command = aCharge({ idempotency: { key: 'k', fingerprint: 'f' } })
  await first.tell(command)
  await first.close()
  const second = openHost(path)
  const paid = await second.tell(aPayment(command.transactionId))
  t.match(paid, { accepted: true, state: { status: 'APPROVED' } })
  const replay = await second.tell(aCharge({ idempotency: { key: 'k', fingerprint: 'f' } }))
  t.match(replay, { accepted: true, replayed: true, state: { id: command.transactionId, status: 'PENDING' } })
  await second.close()
  t.strictSame(await verify(path), { shards: 1, entries: 3, transactions: 1, problems: [] })
})

t.test(
  'timers survive a restart: what became due in between has happened when it is asked for',
  async (t) => {
    const path = folder(t)
    const command = aCharge()
    const first = openHost(path)
    await first.tell(opening)
    await first.tell(command)
    await first.close()
    const second = openHost(path, inProcessStream(), () => Date.UTC(2026, 10, 20, 14))
    const found = await second.ask({
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
    consume: () => undefined,
  }
  const first = openHost(path, deaf)
  await first.tell(opening)
  const command = aCharge()
  await first.tell(command)
  while (refused === 0) await new Promise((resolve) => setImmediate(resolve))
  // Not closed: as after a kill, the snapshot was never written. LMDB lets the same process read it.
  const stream = inProcessStream()
  stream.consume(async (message) => {
    heard.push(message)
  })
  const second = openHost(path, stream)
  await second.ask({ type: 'FindAccount', accountId: account })
  while (heard.length < 2) await new Promise((resolve) => setImmediate(resolve))
  t.strictSame(
    heard.map(({ type }) => type),
    ['payment.created', 'payment.pending'],
  )
  const third: StreamMessage[] = []
  const again = inProcessStream()
  again.consume(async (message) => {
    third.push(message)
  })
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
      consume: () => undefined,
    }
    const first = openHost(path, stream)
    await first.tell(opening)
    // More than an outbox keeps at hand.
    const count = limits.outboxEventsMax + 100
    const charges = Array.from({ length: count }, () => aCharge())
    await Promise.all(charges.map(first.tell))
    await first.tell(aPayment(charges[0]!.transactionId))
    await first.close()
    const store = openStore(join(path, 'state'), () => 0)
    t.equal(store.sequence(), count + 2, 'a snapshot does not wait for the stream')
    t.equal(store.told, 1, 'which the account alone was told of')
    await store.close()

    const second = openHost(path, stream)
    isAway = false
    await second.tell(aPayment(charges[1]!.transactionId))
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

const paidEvents = ['pix.received', 'payment.approved', 'settlement.processing', 'settlement.completed']

t.test('a snapshot of another version is made again, and nothing is told a second time', async (t) => {
  const path = folder(t)
  const first = openHost(path)
  await first.tell(opening)
  const kept = aCharge()
  await first.tell(kept)
  await first.close()
  await changeSnapshot(path, (position) => ({ ...position, description: 'of another version' }))
  const heard: StreamMessage[] = []
  const stream = inProcessStream()
  stream.consume(async (message) => {
    heard.push(message)
  })
  const second = openHost(path, stream)
  const question = { type: 'FindTransaction', accountId: account, family: null } as const
  const found = await second.ask({ ...question, transactionId: kept.transactionId })
  t.equal(found?.transaction.status, 'PENDING')
  await second.tell(aCharge())
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
  const root = open<Buffer, string>({ path: join(path, 'state'), encoding: 'binary', maxDbs: 8 })
  const meta = root.openDB<Buffer, string>({ name: 'meta', encoding: 'binary' })
  await meta.put('position', pack(change(unpack(meta.get('position')!) as object)))
  await root.close()
}

t.test('verify finds a state that the journal does not explain', async (t) => {
  const path = folder(t)
  const host = openHost(path)
  await host.tell(opening)
  const command = aCharge()
  await host.tell(command)
  await host.close()
  const store = openStore(join(path, 'state'), () => 0)
  const accounts = [...store.accounts()].map(
    ([id, kept]) => [id, { ...kept, state: { ...kept.state, clockOffsetMs: 1 } }] as const,
  )
  const journal = openJournal(join(path, 'journal'), entryLayout, { commits: 0, entries: 0, bytes: 0 })
  const memory = openMemory(store, journal)
  const { state } = memory.find('transaction', command.transactionId)!
  memory.keep('transaction', state.id, { state: { ...state, status: 'APPROVED' }, sequence: 1 })
  await store.write({ ...memory.takeCheckpoint(store.sequence()), accounts })
  await journal.close()
  await store.close()
  t.strictSame((await verify(path)).problems, [
    `shard 0: ${account}: stored state differs from the journal`,
    `shard 0: ${command.transactionId}: stored columns differ from the journal: dueAtMs, lastChange, group`,
    `shard 0: ${account}: stored columns differ from the journal: transaction changes`,
    `shard 0: ${command.transactionId}: stored state differs from the journal`,
  ])
})

t.test(
  'a journal that cannot write acknowledges nothing, and the shard comes back when it can',
  async (t) => {
    const path = folder(t)
    let isFull = false
    const openFlaky = (path: string): Journal => {
      const journal = openJournal(path, entryLayout, { commits: 0, entries: 0, bytes: 0 })
      if (!isFull) return { ...journal, settled: (sequence) => (isFull ? full() : journal.settled(sequence)) }
      void journal.close()
      throw new Error('no space left on device')
    }
    const full = async (): Promise<void> => {
      throw new Error('no space left on device')
    }
    const host = openHost(path, inProcessStream(), undefined, openFlaky)
    await host.tell(opening)
    const kept = aCharge()
    await host.tell(kept)
    isFull = true
    await t.rejects(host.tell(aCharge()), 'the outcome is unknown')
    await t.rejects(host.tell(aCharge()), 'while it recovers')
    await t.rejects(host.ask({ type: 'FindAccount', accountId: account }), 'reads too')
    t.notOk(host.isServing())
    isFull = false
    while (!host.isServing()) await new Promise((resolve) => setTimeout(resolve, 20))
    const question = {
      type: 'FindTransaction',
      accountId: account,
      transactionId: kept.transactionId,
      family: null,
    } as const
    t.equal((await host.ask(question))?.transaction.status, 'PENDING', 'what was acknowledged is there')
    t.match(await host.tell(aCharge()), { accepted: true })
    await host.close()
    t.strictSame((await verify(path)).problems, [])
  },
)

t.test('whoever waits for a provider when the shard stops is told to try again', async (t) => {
  const path = folder(t)
  let isFull = false
  const openFlaky = (path: string): Journal => {
    const journal = openJournal(path, entryLayout, { commits: 0, entries: 0, bytes: 0 })
    return { ...journal, settled: (sequence) => (isFull ? full() : journal.settled(sequence)) }
  }
  const full = async (): Promise<void> => {
    throw new Error('no space left on device')
  }
  const host = openHost(path, inProcessStream(), undefined, openFlaky)
  await host.tell(opening)
  const waiting = host.tell(aCardPayment()).catch((error) => error)
  const closing = host.tell(aCardPayment()).catch((error) => error)
  isFull = true
  await t.rejects(host.tell(aCharge()))
  isFull = false
  t.ok((await waiting) instanceof ShardUnavailable)
  t.ok((await closing) instanceof ShardUnavailable)
  while (!host.isServing()) await new Promise((resolve) => setTimeout(resolve, 20))
  const last = host.tell(aCardPayment()).catch((error) => error)
  await host.close()
  t.ok((await last) instanceof ShardUnavailable, 'when it is closed, too')
})

t.test('a shard that starts from its snapshot knows open calls and chargebacks', async (t) => {
  const path = folder(t)
  let now = Date.UTC(2026, 10, 20, 12)
  const asked: OutsideRequest[] = []
  const openAt = () =>
    openHost(
      path,
      undefined,
      () => now,
      undefined,
      (request) => asked.push(request),
    )
  const answerLast = (host: ReturnType<typeof openHost>) => {
    return host.tell(recordOf(asked.at(-1)!, aYes))
  }
  const first = openAt()
  await first.tell(opening)
  const paying = aCardPayment()
  void first.tell(paying).catch(() => undefined)
  while (asked.length === 0) await new Promise((resolve) => setImmediate(resolve))
  await first.close()
  const second = openAt()
  t.equal(asked.length, 2)
  t.strictSame(asked[1]!.reference, asked[0]!.reference)
  t.match(await answerLast(second), { accepted: true, state: { status: 'APPROVED' } })
  const disputed = await second.tell(aChargeback(paying.transactionId))
  t.match(disputed, { accepted: true, state: { status: 'CHARGEBACK' } })
  await second.close()
  const third = openAt()
  t.equal(asked.length, 2, 'it is answered')
  now += 30 * 86_400_000
  third.tick()
  t.ok(third.isServing())
  const found = await third.ask({
    type: 'FindTransaction',
    accountId: account,
    transactionId: paying.transactionId,
    family: null,
  })
  t.match(found?.transaction.reversals.chargebacks, [{ status: 'LOST', lostReason: 'NO_DEFENSE' }])
  await third.close()
  t.strictSame((await verify(path)).problems, [])
})
