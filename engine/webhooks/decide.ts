import { contextId } from '../kernel/context.ts'
import type { Decider, Deciders } from '../kernel/decider.ts'
import type { Draft } from '../kernel/draft.ts'
import type { DeliveryId, EndpointId, EventId } from '../shared/ids.ts'
import type { Traceparent } from '../shared/traceparent.ts'
import type {
  AttemptNow,
  CancelDelivery,
  DeliveryCommand,
  EndedAttempt,
  RecordAttempts,
  ReplayEvents,
  ResendDelivery,
  ScheduleDeliveries,
} from './commands.ts'
import { type AttemptOutcome, type Delivery, isBodyForgotten, type NewDelivery } from './delivery.ts'
import { isFinished, openResendOf } from './resend.ts'
import { attemptsMax, retryDelaysMs } from './schedule.ts'

/**
 * Schedules one delivery per event and endpoint. Ids follow from event and endpoint, so a repeated event finds its deliveries and
 * adds none.
 */
const scheduleDeliveries: Decider<ScheduleDeliveries> = (draft, command) => {
  const { accountId, traceparent } = command
  for (const event of command.events)
    for (const endpointId of event.endpointIds) {
      const id = deliveryIdOf(event.eventId, endpointId)
      if (draft.find('delivery', id) === undefined)
        schedule(draft, id, {
          endpointId,
          resendOf: null,
          ...contentOf({ accountId, ...event, traceparent }),
        })
    }
  return null
}

/**
 * Records the outcomes of attempts: delivered, retried later or exhausted. The caller may repeat it when unsure, since an
 * attempt is identified by its start. An attempt under way when the delivery was cancelled still counts if the receiver
 * accepted it.
 */
const recordAttempts: Decider<RecordAttempts> = (draft, { attempts }) => {
  for (const attempt of attempts) recordAttempt(draft, attempt)
  return null
}

const recordAttempt = (draft: Draft, { deliveryId: id, outcome }: EndedAttempt): void => {
  const delivery = draft.find('delivery', id)
  if (delivery === undefined) return
  const { attempts, status } = delivery
  const isRecorded = attempts.some(({ startedAtMs }) => startedAtMs === outcome.startedAtMs)
  if (isRecorded || status === 'SUCCEEDED' || status === 'EXHAUSTED') return
  const next =
    status === 'CANCELLED' && !isSuccess(outcome) ? cancelled : nextStep(outcome, attempts.length + 1)
  draft.add({ actor: 'delivery', type: 'AttemptRecorded', id, outcome, ...next })
}

/** Ends a delivery whose endpoint was deleted or disabled. */
const cancelDelivery: Decider<CancelDelivery> = (draft, { deliveryId: id }) => {
  const delivery = draft.find('delivery', id)
  if (delivery !== undefined && !isFinished(delivery))
    draft.add({ actor: 'delivery', type: 'DeliveryCancelled', id })
  return null
}

/** Sends the same event and bytes again by hand. While that is open, further requests add none. */
const resendDelivery: Decider<ResendDelivery> = (draft, { accountId, deliveryId, firstAttemptAtMs }) => {
  const delivery = draft.find('delivery', deliveryId)
  if (delivery === undefined || delivery.accountId !== accountId)
    return { reason: 'NOT_FOUND', resource: 'delivery' }
  if (!isFinished(delivery)) return { reason: 'DELIVERY_UNFINISHED' }
  if (isBodyForgotten(delivery)) return { reason: 'DELIVERY_FORGOTTEN' }
  const { id: resendOf, endpointId, objectId } = delivery
  if (openResendOf(delivery, draft.lookup('delivery', objectId)) === undefined)
    schedule(draft, contextId(draft.context, 'dlv'), {
      endpointId,
      resendOf,
      ...contentOf({ ...delivery, firstAttemptAtMs }),
    })
  return null
}

/**
 * Makes the next attempt due now. One that is due already may be under way, and stays as it is: however often a person asks, no attempt
 * is made beside another.
 */
const attemptNow: Decider<AttemptNow> = (draft, { accountId, deliveryId: id }) => {
  const delivery = draft.find('delivery', id)
  if (delivery === undefined || delivery.accountId !== accountId)
    return { reason: 'NOT_FOUND', resource: 'delivery' }
  if (isFinished(delivery)) return { reason: 'DELIVERY_FINISHED' }
  const nextAttemptAtMs = draft.context.atMs
  if (delivery.nextAttemptAtMs! > nextAttemptAtMs)
    draft.add({ actor: 'delivery', type: 'AttemptBroughtForward', id, nextAttemptAtMs })
  return null
}

/**
 * Delivers each event again by hand: with the bytes sent before if there were any, otherwise as rendered now. An event
 * still on its way to the endpoint is skipped, and so is one whose bytes are forgotten.
 */
const replayEvents: Decider<ReplayEvents> = (draft, { accountId, endpointId, events }) => {
  for (const event of events) {
    const sent = draft.lookup('delivery', event.objectId).filter(({ eventId }) => eventId === event.eventId)
    const own = sent.filter((delivery) => delivery.endpointId === endpointId)
    if (!own.every(isFinished) || sent.some(isBodyForgotten)) continue
    const content = contentOf({ accountId, ...event, body: sent[0]?.body ?? event.body })
    const resendOf = own.at(-1)?.id ?? null
    schedule(draft, contextId(draft.context, 'dlv'), { endpointId, resendOf, ...content })
  }
  return null
}

/** Deciders for deliveries and their attempts. */
export const deliveryDeciders: Deciders<DeliveryCommand> = {
  ScheduleDeliveries: scheduleDeliveries,
  RecordAttempts: recordAttempts,
  CancelDelivery: cancelDelivery,
  ResendDelivery: resendDelivery,
  AttemptNow: attemptNow,
  ReplayEvents: replayEvents,
}

const schedule = (draft: Draft, id: DeliveryId, delivery: NewDelivery): void =>
  draft.add({ actor: 'delivery', type: 'DeliveryScheduled', id, atMs: draft.context.atMs, delivery })

type Content = Pick<NewDelivery, 'accountId' | 'eventId' | 'eventType' | 'objectId' | 'body'>

/** The members that all deliveries of an event share. */
const contentOf = ({
  accountId,
  eventId,
  eventType,
  objectId,
  body,
  traceparent,
  firstAttemptAtMs,
}: Content & {
  readonly traceparent?: Traceparent | undefined
  readonly firstAttemptAtMs?: number | undefined
}): Omit<NewDelivery, 'endpointId' | 'resendOf'> => ({
  accountId,
  eventId,
  eventType,
  objectId,
  body,
  ...(traceparent && { traceparent }),
  ...(firstAttemptAtMs !== undefined && { firstAttemptAtMs }),
})

/** Whether a delivery was made by hand: its id does not follow from event and endpoint. */
export const isByHand = ({
  id,
  eventId,
  endpointId,
}: Pick<Delivery, 'id' | 'eventId' | 'endpointId'>): boolean => id !== deliveryIdOf(eventId, endpointId)

type NextStep = Pick<Delivery, 'status' | 'nextAttemptAtMs'>

const cancelled: NextStep = { status: 'CANCELLED', nextAttemptAtMs: null }

const isSuccess = ({ statusCode, error }: AttemptOutcome): boolean =>
  error === null && statusCode !== null && statusCode >= 200 && statusCode < 300

const nextStep = (outcome: AttemptOutcome, number: number): NextStep => {
  if (isSuccess(outcome)) return { status: 'SUCCEEDED', nextAttemptAtMs: null }
  if (number >= attemptsMax) return { status: 'EXHAUSTED', nextAttemptAtMs: null }
  const endedAtMs = outcome.startedAtMs + outcome.latencyMs
  return { status: 'RETRYING', nextAttemptAtMs: Math.ceil(endedAtMs + retryDelaysMs[number - 1]!) }
}

/** The event's id with its last eight characters mixed with the endpoint's: as unique as the pair. */
const deliveryIdOf = (eventId: EventId, endpointId: EndpointId): DeliveryId =>
  `dlv_${eventId.slice(4, 14)}${fnv(eventId + endpointId, 0x811c9dc5)}${fnv(endpointId + eventId, 0x1b873593)}` as DeliveryId

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** 40 bits of a text as eight base32 characters (FNV-1a, run twice with different suffixes). */
const fnv = (text: string, seed: number): string => {
  let a = seed
  let b = ~seed
  for (let n = 0; n < text.length; n++) {
    a = Math.imul(a ^ text.charCodeAt(n), 0x01000193)
    b = Math.imul(b ^ text.charCodeAt(n), 0x85ebca6b)
    b ^= b >>> 13
  }
  let chars = ''
  for (let n = 0; n < 4; n++) {
    chars += crockford[(a >>> (n * 5 + 7)) & 31]! + crockford[(b >>> (n * 5 + 5)) & 31]!
  }
  return chars
}
