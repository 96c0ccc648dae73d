import t from 'tap'
import { factLayouts } from '../../../persistence/codec/facts/index.ts'
import { entriesOf, everyRecorded, plain, type Recorded, statesOf } from './recorded.ts'

/** Facts that are read as others today, by the names that their actors had. */
const olderFacts: Readonly<Record<string, object>> = {
  outgoingTransfer: factLayouts.transfer[2],
  cryptoWithdrawal: factLayouts.withdrawal[2],
}

/** What became of these facts is held by `older-money-out.test.ts`: here, that each is there, in its place. */
const asMeant = (entry: Recorded['entries'][number]): object => ({
  ...entry,
  events: entry.events.map((event) =>
    event.actor in olderFacts ? { id: event.id, atMs: event.atMs } : renamed(event),
  ),
})

/** Coupons were redeemed by subscriptions alone, before pages redeemed them too. */
const renamed = (event: Recorded['entries'][number]['events'][number]): object => {
  if (event.type !== 'CouponRedeemed' && event.type !== 'RedemptionReleased') return event
  const { subscriptionId: redeemedBy, ...others } = event as typeof event & {
    readonly subscriptionId?: string
  }
  return redeemedBy === undefined ? event : { ...others, redeemedBy }
}

for (const [name, recorded] of everyRecorded()) {
  t.test(`${name}: stored bytes mean what they meant when they were written`, async (t) => {
    const entries = entriesOf(recorded)
    t.equal(entries.length, recorded.entries.length)
    t.strictSame(
      entries.map(({ events }) => events.length),
      recorded.entries.map(({ events }) => events.length),
    )
    // Facts and states may have members by now that they did not have then, but no other values.
    t.hasStrict(plain(entries), recorded.entries.map(asMeant))
    const states = statesOf(entries)
    t.strictSame(Object.keys(states).sort(), Object.keys(recorded.states).sort())
    const older = new Set(
      recorded.entries.flatMap(({ events }) =>
        events.flatMap(({ actor, id }) => (actor in olderFacts ? [id] : [])),
      ),
    )
    for (const [id, state] of Object.entries(recorded.states))
      if (!older.has(id)) t.hasStrict(states[id], state, id)
  })
}

t.test('every fact has recorded bytes', async (t) => {
  const events = everyRecorded().flatMap(([, recorded]) =>
    entriesOf(recorded).flatMap(({ events }) => events),
  )
  const recorded = new Set(events.map(({ actor, type }) => `${actor}: ${type}`))
  // Kinds that share their layouts share their recordings.
  const kinds = Object.entries<readonly [tag: number, facts: object, older?: object]>(factLayouts)
  const isRecorded = (layouts: object, type: string): boolean =>
    kinds.some(([kind, [, own]]) => own === layouts && recorded.has(`${kind}: ${type}`))
  const missing = kinds.flatMap(([kind, [, layouts]]) =>
    Object.keys(layouts).flatMap((type) => (isRecorded(layouts, type) ? [] : [`${kind}: ${type}`])),
  )
  t.strictSame(missing, [], 'node dist/test/persistence/codec/record-journal.js records what is missing')
  t.ok(events.some(({ type }) => type === 'TimerParked'))
})

t.test('every fact that is not written any more has recorded bytes', async (t) => {
  const recorded = new Set(
    everyRecorded().flatMap(([, { entries }]) =>
      entries.flatMap(({ events }) => events.map(({ actor, type }) => `${actor}: ${type}`)),
    ),
  )
  const older = Object.entries(olderFacts).flatMap(([actor, facts]) =>
    Object.keys(facts).map((type) => `${actor}: ${type}`),
  )
  t.strictSame(
    older.filter((fact) => !recorded.has(fact)),
    [],
  )
})
