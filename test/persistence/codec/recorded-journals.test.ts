import t from 'tap'
import type { Entry } from '../../../engine/kernel/entry.ts'
import { batchSize, unpackFromBatch } from '../../../persistence/codec/codec.ts'
import { entryLayout } from '../../../persistence/codec/entry.ts'
import { factLayouts } from '../../../persistence/codec/facts/index.ts'
import { everyRecorded, plain, type Recorded, statesOf } from './recorded.ts'

const entriesOf = ({ batch }: Recorded): readonly Entry[] => {
  const bytes = Buffer.from(batch, 'base64')
  return Array.from({ length: batchSize(bytes) }, (_, place) => unpackFromBatch(entryLayout, bytes, place))
}

for (const [name, recorded] of everyRecorded()) {
  t.test(`${name}: stored bytes mean what they meant when they were written`, async (t) => {
    const entries = entriesOf(recorded)
    t.equal(entries.length, recorded.entries.length)
    // Facts and states may have members by now that they did not have then, but no other values.
    t.hasStrict(plain(entries), recorded.entries)
    const states = statesOf(entries)
    t.strictSame(Object.keys(states).sort(), Object.keys(recorded.states).sort())
    for (const [id, state] of Object.entries(recorded.states)) t.hasStrict(states[id], state, id)
  })
}

t.test('every fact has recorded bytes', async (t) => {
  const events = everyRecorded().flatMap(([, recorded]) =>
    entriesOf(recorded).flatMap(({ events }) => events),
  )
  const recorded = new Set(events.map(({ actor, type }) => `${actor}: ${type}`))
  const facts = Object.entries(factLayouts).flatMap(([actor, [, layouts]]) =>
    Object.keys(layouts).map((type) => `${actor}: ${type}`),
  )
  t.strictSame(
    facts.filter((fact) => !recorded.has(fact)),
    [],
    'node dist/test/persistence/codec/record-journal.js records what is missing',
  )
  t.ok(events.some(({ type }) => type === 'TimerParked'))
})
