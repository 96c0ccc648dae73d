import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { SeedTransaction } from '../../engine/commands.ts'
import type { MedId } from '../../engine/ids.ts'
import { toCents } from '../../engine/money.ts'
import type { Journal } from '../../engine/ports.ts'
import type { Currency, Method } from '../../engine/transaction/transaction.ts'
import type { DataDirectory } from '../../persistence/data-directory.ts'
import { entryLayout } from '../../persistence/entry-layout.ts'
import { openJournal } from '../../persistence/journal.ts'
import { newSegments } from '../../persistence/segments.ts'
import { openShardHost } from '../../persistence/shard-host.ts'
import { openStore } from '../../persistence/store.ts'
import { type EventStream, inProcessStream, type StreamMessage } from '../../persistence/stream.ts'
import { verifyDataDirectory } from '../../persistence/verify.ts'
import { aCharge, account, aPayment, companyId, institution, key, seeded } from '../engine/world.ts'

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
    openJournal: open,
    onProviderCall: () => undefined,
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
const by = { accountId: account, by: key } as const
const opening = { ...by, type: 'OpenAccount', profile } as const

const aSeed = (method: Method, currency: Currency): SeedTransaction => {
  const { terms: _, customerId: __, ...charge } = aCharge()
  return {
    ...charge,
    type: 'SeedTransaction',
    method,
    currency,
    status: 'CHARGEBACK',
    installments: 1,
    createdAtMs: null,
  }
}

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

t.test('verify knows what is blocked, what went back, and what is not in this ledger', async (t) => {
  const path = folder(t)
  const host = openHost(path)
  await host.tell(opening)
  const contested = async (): Promise<MedId> => {
    const charge = aCharge()
    const { transactionId } = charge
    await host.tell(charge)
    await host.tell(aPayment(transactionId))
    const med = { ...by, type: 'OpenMed', transactionId, amountCents: null, reason: null } as const
    const reply = await host.tell(med)
    return (reply.accepted ? reply.partId : null) as MedId
  }
  await contested()
  const partId = await contested()
  const closing = { ...by, type: 'CloseMed', partId, result: 'ACCEPTED', returnedCents: toCents(5) } as const
  t.match(await host.tell(closing), { accepted: true })
  t.match(await host.tell(aSeed('CREDIT_CARD', 'BRL')), { accepted: true })
  t.match(await host.tell(aSeed('CRYPTO', 'USDT')), { accepted: true })
  await host.close()
  t.strictSame((await verify(path)).problems, [])
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
  const again = { type: 'Changed', kind: 'transaction', accountId: account, ordinal: 0, sequence: 1 } as const
  const added = newSegments()
  added.add({ ...again, label: 'API PAID', dueAtMs: null })
  await store.write({ sequence: store.sequence(), accounts, segments: added.take() })
  await store.close()
  t.strictSame((await verify(path)).problems, [
    `shard 0: ${account}: stored state differs from the journal`,
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
