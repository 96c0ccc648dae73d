import t from 'tap'
import type { Entry } from '../../engine/kernel/entry.ts'
import { batchSize, unpackFromBatch } from '../../persistence/codec.ts'
import { entryLayout, entryLayoutOf, eventLayouts } from '../../persistence/entry-layout.ts'
import type { Layout } from '../../persistence/layout.ts'
import { eventTypes } from './event-types.ts'
import { asNamedNow, everyRecorded, plain, type Recorded, statesOf, withWhatCameLater } from './recorded.ts'

const entriesOf = ({ batch }: Recorded, layout: Layout<Entry> = entryLayout): readonly Entry[] => {
  const bytes = Buffer.from(batch, 'base64')
  return Array.from({ length: batchSize(bytes) }, (_, place) => unpackFromBatch(layout, bytes, place))
}

for (const [name, recorded] of everyRecorded()) {
  t.test(
    `${name}: bytes that were once written mean what they meant then, and make the same states`,
    async (t) => {
      const entries = entriesOf(recorded)
      t.strictSame(plain(entries), recorded.entries.map(withWhatCameLater))
      const states = statesOf(entries)
      t.strictSame(Object.keys(states).sort(), Object.keys(recorded.states).sort())
      // A state may have more than it had, but not other values.
      for (const [id, state] of Object.entries(recorded.states))
        t.hasStrict(states[id], asNamedNow(state), id)
    },
  )
}

t.test('every fact, and every layout in which one was ever written, has recorded bytes', async (t) => {
  const read = new Set<number>()
  const layout = entryLayoutOf(
    eventLayouts.map((kind, place) => ({
      ...kind,
      read: () => {
        read.add(place)
        return kind.read()
      },
    })),
  )
  for (const [, recorded] of everyRecorded()) entriesOf(recorded, layout)
  const types = new Set<string>(eventLayouts.map(({ type }) => type))
  t.strictSame(
    eventTypes.filter((type) => !types.has(type)),
    [],
    'every fact has a layout',
  )
  const without = eventLayouts.flatMap(({ type }, place) => (read.has(place) ? [] : [`${place}: ${type}`]))
  t.strictSame(without, [], 'node dist/test/persistence/record-journal.js records what is missing')
})
