import t from 'tap'
import { batchSize, packBatch, unpackFromBatch } from '../../persistence/codec.ts'
import { entryLayout, eventLayouts } from '../../persistence/entry-layout.ts'
import { everyKind } from './every-kind.ts'
import { plain } from './recorded.ts'

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
