import type { DraftPublicEvent, PublicEvent, Publishes } from '../kernel/event-types.ts'
import type { ActorState, AnyFact } from '../kernel/registry.ts'
import type { FlushedEntry, Step } from '../kernel/step.ts'
import { accountEvents } from '../ledger/publishes.ts'
import { kinds } from '../registry.ts'
import { assert } from '../shared/assert.ts'
import { eventIdAt } from '../shared/ids.ts'

/** The public events of a journal entry, in the order of publication (decisions, sections 9 and 27). */
export const publicEventsOf = (entry: FlushedEntry, shard: number): readonly PublicEvent[] => {
  const { atMs, sequence, steps } = entry
  const events: PublicEvent[] = []
  for (let place = 0; place < steps.length; place++) {
    const published = publishedBy(steps[place]!)
    for (let n = 0; n < published.length; n++)
      events.push({ id: eventIdAt(atMs, shard, sequence, place * eventsOfOneFactMax + n), ...published[n]! })
  }
  return events
}

const eventsOfOneFactMax = 4

const publishedBy = ({ event, after }: Step): readonly DraftPublicEvent[] => {
  const publishes = event.actor === 'account' ? accountEvents : kinds[event.actor].publishes
  const events =
    (publishes as Publishes<ActorState, AnyFact> | undefined)?.[event.type]?.(event as never, after) ?? none
  assert(events.length <= eventsOfOneFactMax, 'the events of a fact have ids of their own')
  return events
}

const none: readonly never[] = []
