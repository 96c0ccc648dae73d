import type { EventType } from '../../engine/kernel/event-types.ts'
import type { Handler } from '../../engine/kernel/handler.ts'
import { type AccountId, type EventId, entrySequenceOf } from '../../engine/shared/ids.ts'
import { byOperator } from '../../engine/shared/initiator.ts'
import type { Traceparent } from '../../engine/shared/traceparent.ts'
import type { EventToDeliver } from '../../engine/webhooks/commands.ts'
import { bounds } from '../base/bounds.ts'
import type { Endpoints } from './endpoints.ts'
import { newGather } from './gather.ts'

/** A public event, as the stream hands it out. */
export type PublishedEvent = {
  readonly id: EventId
  readonly type: EventType
  readonly accountId: AccountId
  readonly objectId: string
  readonly body: Uint8Array
  readonly traceparent?: Traceparent | undefined
}

/**
 * Opens the planner of one worker: it schedules a delivery of each event to each endpoint that subscribes, and
 * resolves once they are on disk. One command covers the events of an account and a trace in one turn.
 */
export const openPlanner = (options: {
  readonly endpoints: Pick<Endpoints, 'subscribersOf'>
  readonly perform: Handler['perform']
  /** Calls back at the end of the turn. */
  readonly later: (callback: () => void) => void
}): ((event: PublishedEvent) => Promise<void>) => {
  const { endpoints, perform, later } = options
  const schedule = newGather<EventToDeliver>({
    max: bounds.eventsPlannedTogetherMax,
    later,
    send: (accountId, events, traceparent, to) =>
      perform(
        {
          type: 'ScheduleDeliveries',
          accountId,
          by: byOperator,
          events,
          ...(traceparent !== '' && { traceparent: traceparent as Traceparent }),
        },
        to,
      ),
  })
  return ({ accountId, id, type, objectId, body, traceparent }) => {
    const endpointIds = endpoints.subscribersOf(accountId, type, entrySequenceOf(id))
    if (endpointIds.length === 0) return Promise.resolve()
    const event = { eventId: id, eventType: type, objectId, body, endpointIds }
    return new Promise((resolve, reject) => schedule(accountId, event, { resolve, reject }, traceparent))
  }
}
