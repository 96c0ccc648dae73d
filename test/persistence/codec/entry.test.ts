import fc from 'fast-check'
import t from 'tap'
import type { Entry } from '../../../engine/kernel/entry.ts'
import type { AnyFact } from '../../../engine/kernel/registry.ts'
import type { Traceparent } from '../../../engine/shared/traceparent.ts'
import type { DeliveryFact } from '../../../engine/webhooks/delivery.ts'
import { batchSize, packBatch, unpackFromBatch } from '../../../persistence/codec/codec.ts'
import { entryLayout } from '../../../persistence/codec/entry.ts'
import { everyKind } from './every-kind.ts'
import { plain } from './recorded.ts'

type DeliveryScheduled = Extract<DeliveryFact, { type: 'DeliveryScheduled' }>

const again = (entry: Entry): Entry => unpackFromBatch(entryLayout, packBatch(entryLayout, [entry]), 0)

t.test('every kind of fact comes back from its bytes as it was', async (t) => {
  const entries = await everyKind()
  const batch = packBatch(entryLayout, entries)
  t.equal(batchSize(batch), entries.length)
  entries.forEach((entry, n) => {
    t.strictSame(plain(unpackFromBatch(entryLayout, batch, n)), plain(entry))
  })
})

t.test('every fact comes back whatever numbers, texts and answers it holds', async (t) => {
  const events = (await everyKind()).flatMap(({ events }) => events)
  const onePerType = [...new Map(events.map((event) => [`${event.actor}: ${event.type}`, event])).values()]
  const [{ accountId }] = (await everyKind()) as [Entry]
  const numbers = fc.oneof(
    fc.integer(),
    fc.integer({ min: -(2 ** 50), max: 2 ** 50 }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  )
  const leaves = fc.record({
    number: numbers.map((number) => (Object.is(number, -0) ? 0 : number)),
    text: fc.string({ unit: 'binary' }),
    bool: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.infiniteStream(leaves), (stream) => {
      const filled = onePerType.map((event) => fill(event, () => stream.next().value))
      const entry = { accountId, atMs: 1, events: filled }
      t.strictSame(plain(again(entry)), plain(entry))
    }),
    { numRuns: 50 },
  )
})

type Leaves = { readonly number: number; readonly text: string; readonly bool: boolean }

/** The same value with other numbers, texts and answers; words of an enumeration stay, and so do bytes. */
const fill = <Value>(value: Value, next: () => Leaves): Value => {
  if (typeof value === 'number') return next().number as Value
  if (typeof value === 'boolean') return next().bool as Value
  if (typeof value === 'string') return (isWord(value) ? value : next().text) as Value
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value
  if (Array.isArray(value)) return value.map((item) => fill(item, next)) as Value
  const members = Object.entries(value).map(([name, member]) => [
    name,
    name === 'type' || name === 'actor' || name === 'traceparent' ? member : fill(member, next),
  ])
  return Object.fromEntries(members)
}

const isWord = (text: string): boolean =>
  /^[A-Z_]+$|^(available|receivable|blocked|fees|payer|recipients|paidOut|suspense|taxesWithheld|feeDifference|pt|en)$/.test(
    text,
  )

t.test('a trace is 26 bytes of what is part of one, and nothing of what is not', async (t) => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' as Traceparent
  const sizeOf = (entry: Entry) => packBatch(entryLayout, [entry]).length
  const entries = await everyKind()
  const isScheduled = (event: AnyFact) => event.type === 'DeliveryScheduled'
  for (const entry of [entries.find(({ idempotency }) => idempotency)!, entries[0]!]) {
    t.equal(sizeOf({ ...entry, traceparent }), sizeOf(entry) + 26)
    t.strictSame(plain(again({ ...entry, traceparent })), plain({ ...entry, traceparent }))
    t.notOk('traceparent' in again(entry))
  }
  const scheduling = entries.find(({ events }) => events.some(isScheduled))!
  const event = scheduling.events.find(isScheduled) as DeliveryScheduled
  const traced = { ...event, delivery: { ...event.delivery, traceparent } }
  const entry = { ...scheduling, events: [event] }
  t.equal(sizeOf({ ...entry, events: [traced] }), sizeOf(entry) + 26)
  t.strictSame(plain(again({ ...entry, events: [traced] })), plain({ ...entry, events: [traced] }))
})

t.test('bytes that are of another version, cut short or changed are refused', async (t) => {
  const batch = packBatch(entryLayout, (await everyKind()).slice(0, 1))
  const ofVersion = (version: number): Buffer => Buffer.concat([Buffer.from([version]), batch.subarray(1)])
  t.throws(
    () => unpackFromBatch(entryLayout, ofVersion(1), 0),
    /^stored bytes have version 1, .*: begin with a new data directory$/,
  )
  t.throws(
    () => unpackFromBatch(entryLayout, ofVersion(99), 0),
    /^stored bytes have version 99; .*: start a newer version of the service$/,
  )
  t.throws(() => unpackFromBatch(entryLayout, batch.subarray(0, -1), 0))
  const longer = Buffer.from(batch)
  longer.writeUInt32LE(longer.readUInt32LE(9) + 1, 9)
  t.throws(() => unpackFromBatch(entryLayout, longer, 0))
})
