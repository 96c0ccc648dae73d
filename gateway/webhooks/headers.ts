import type { Environment } from '../../engine/shared/ids.ts'
import type { Traceparent } from '../../engine/shared/traceparent.ts'
import { sign } from './signature.ts'

/** The headers of an attempt (payments-api, Events, Delivery): each name followed by its value, as undici takes them. */
export const webhookHeaders = (
  { secret, body, eventType, deliveryId, environment, traceparent }: Signed,
  unixSeconds: number,
): string[] => [
  'Content-Type',
  'application/json',
  'User-Agent',
  'Service-Webhooks/1.0',
  'Service-Signature',
  sign({ secret, body, unixSeconds }),
  'Service-Event',
  eventType,
  'Service-Delivery',
  deliveryId,
  'Service-Environment',
  environment,
  // A body of 50 KB can unpack to 50 MB.
  'Accept-Encoding',
  'identity',
  ...(traceparent === undefined ? [] : ['traceparent', traceparent]),
]

type Signed = {
  readonly secret: string
  readonly body: Uint8Array
  readonly eventType: string
  readonly deliveryId: string
  readonly environment: Environment
  /** Sent as the `traceparent` header: the trace of the request that caused the event. */
  readonly traceparent?: Traceparent | undefined
}
