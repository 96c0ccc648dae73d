import { createHmac } from 'node:crypto'
import type { Environment } from '../../engine/shared/ids.ts'
import type { Traceparent } from '../../engine/shared/traceparent.ts'

/** The headers of an attempt (payments-api, Events, Delivery): each name followed by its value, as undici takes them. */
export const webhookHeaders = (
  { secret, body, eventType, deliveryId, environment, traceparent }: Sent,
  unixSeconds: number,
): string[] => [
  'Content-Type',
  'application/json',
  'User-Agent',
  'Service-Webhooks/1.0',
  'Service-Signature',
  sign({ secret, body }, unixSeconds),
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

/**
 * The `Service-Signature` header: `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">` (payments-api, Events). Every attempt
 * is signed anew with its own time, because receivers refuse one that is more than five minutes old.
 */
export const sign = ({ secret, body }: Pick<Sent, 'secret' | 'body'>, unixSeconds: number): string => {
  const hmac = createHmac('sha256', secret).update(`${unixSeconds}.`).update(body).digest('hex')
  return `t=${unixSeconds},v1=${hmac}`
}

/** The secret of a new endpoint: `whsec_` and 256 random bits in base64url. */
export const newWebhookSecret = (randomBytes: (size: number) => Buffer): string =>
  `whsec_${randomBytes(32).toString('base64url')}`

/** What an attempt sends, with what its headers say. */
export type Sent = {
  readonly secret: string
  /** The exact bytes that are sent. */
  readonly body: Uint8Array
  readonly eventType: string
  readonly deliveryId: string
  readonly environment: Environment
  /** Sent as the `traceparent` header: the trace of the request that caused the event. */
  readonly traceparent?: Traceparent | undefined
}
