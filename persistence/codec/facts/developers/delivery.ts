import type { DeliveryId } from '../../../../engine/shared/ids.ts'
import {
  type AttemptOutcome,
  type DeliveryFact,
  forgottenBody,
} from '../../../../engine/webhooks/delivery.ts'
import {
  blob,
  enumeration,
  nullable,
  number,
  optional,
  personal,
  record,
  repeatedText,
  since,
  text,
} from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'
import { accountId, traceparent } from '../shared.ts'

const id = repeatedText<DeliveryId>()

const delivery = record<Extract<DeliveryFact, { type: 'DeliveryScheduled' }>['delivery']>({
  accountId,
  eventId: text(),
  eventType: text(),
  objectId: text(),
  endpointId: text(),
  resendOf: nullable(text()),
  body: personal(blob, forgottenBody),
  traceparent: optional(traceparent),
  firstAttemptAtMs: optional(number()),
})

const outcome = record<AttemptOutcome>({
  url: text(),
  startedAtMs: number(),
  latencyMs: number(),
  statusCode: nullable(number()),
  error: nullable(
    enumeration({ TIMEOUT: 1, CONNECTION: 2, TLS: 3, DNS: 4, REDIRECT: 5, BLOCKED_ADDRESS: 6 }),
  ),
  responseSnippet: personal(text(), ''),
  signature: since(10, optional(text()), undefined),
})

export const deliveryFacts = {
  DeliveryScheduled: [1, { id, atMs: number(), delivery }],
  AttemptRecorded: [
    2,
    {
      id,
      outcome,
      status: enumeration({ PENDING: 1, RETRYING: 2, SUCCEEDED: 3, EXHAUSTED: 4, CANCELLED: 5 }),
      nextAttemptAtMs: nullable(number()),
    },
  ],
  DeliveryCancelled: [3, { id }],
  AttemptBroughtForward: [4, { id, nextAttemptAtMs: number() }],
} satisfies FactLayouts<'delivery'>
