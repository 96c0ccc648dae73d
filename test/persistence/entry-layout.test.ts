import t from 'tap'
import type { Entry } from '../../engine/kernel/entry.ts'
import type { Event } from '../../engine/kernel/registry.ts'
import type { Traceparent } from '../../engine/shared/traceparent.ts'
import type { DeliveryEvent } from '../../engine/webhooks/delivery.ts'
import { batchSize, packBatch, unpackFromBatch } from '../../persistence/codec.ts'
import { entryLayout, eventLayouts } from '../../persistence/entry-layout.ts'
import { everyKind } from './every-kind.ts'
import { plain } from './recorded.ts'

type DeliveryScheduled = Extract<DeliveryEvent, { type: 'DeliveryScheduled' }>

t.test('every kind of fact comes back from its bytes as it was', async (t) => {
  const entries = await everyKind()
  const found = new Set(entries.flatMap(({ events }) => events.map(({ type }) => type)))
  t.strictSame(
    eventLayouts.map(({ type }) => type).filter((type) => !found.has(type)),
    [],
    'the sample has them all',
  )
  const batch = packBatch(entryLayout, entries)
  t.equal(batchSize(batch), entries.length)
  entries.forEach((entry, n) => {
    t.strictSame(plain(unpackFromBatch(entryLayout, batch, n)), plain(entry))
  })
})

t.test('a trace is 26 bytes of what is part of one, and nothing of what is not', async (t) => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' as Traceparent
  const sizeOf = (entry: Entry) => packBatch(entryLayout, [entry]).length
  const again = (entry: Entry) => unpackFromBatch(entryLayout, packBatch(entryLayout, [entry]), 0)
  const entries = await everyKind()
  const isScheduled = (event: Event) => event.type === 'DeliveryScheduled'
  for (const entry of [entries.find(({ idempotency }) => idempotency)!, entries[0]!]) {
    t.equal(sizeOf({ ...entry, traceparent }), sizeOf(entry) + 26)
    t.strictSame(plain(again({ ...entry, traceparent })), plain({ ...entry, traceparent }))
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
  const newer = Buffer.from(batch)
  newer[0] = 2
  t.throws(() => unpackFromBatch(entryLayout, newer, 0), /version 2/)
  t.throws(() => unpackFromBatch(entryLayout, batch.subarray(0, -1), 0))
  const longer = Buffer.from(batch)
  longer.writeUInt32LE(longer.readUInt32LE(9) + 1, 9)
  t.throws(() => unpackFromBatch(entryLayout, longer, 0))
})
