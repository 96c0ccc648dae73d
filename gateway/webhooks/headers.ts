import { hash } from 'node:crypto'
import type { Environment } from '../../engine/shared/ids.ts'
import type { Traceparent } from '../../engine/shared/traceparent.ts'

/** The headers of an attempt (payments-api, Events, Delivery): each name followed by its value. */
export const webhookHeaders = (
  { secret, formerSecret = null, body, ...steady }: Sent,
  unixSeconds: number,
): string[] => [
  ...steadyHeaders(steady),
  'Service-Signature',
  sign({ secret, formerSecret, body }, unixSeconds),
]

/** Those that are the same in every attempt of a delivery. */
export const steadyHeaders = ({
  eventType,
  deliveryId,
  environment,
  traceparent,
}: Pick<Sent, 'eventType' | 'deliveryId' | 'environment' | 'traceparent'>): string[] => [
  'Content-Type',
  'application/json',
  'User-Agent',
  'Service-Webhooks/1.0',
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
 * is signed anew with its own time, because receivers refuse one that is more than five minutes old. While a former secret signs as well,
 * its `v1` follows that of the new one.
 */
export const sign = (
  { secret, formerSecret = null, body }: Pick<Sent, 'secret' | 'formerSecret' | 'body'>,
  unixSeconds: number,
): string => {
  const header = `t=${unixSeconds},v1=${hmacOf(secret, `${unixSeconds}.`, body)}`
  return formerSecret === null ? header : `${header},v1=${hmacOf(formerSecret, `${unixSeconds}.`, body)}`
}

/**
 * HMAC-SHA256 (RFC 2104, section 2) in hex. `createHmac` makes an object of OpenSSL each time, which under load takes longer, with its collection,
 * than both digests.
 */
const hmacOf = (key: string, time: string, body: Uint8Array): string => {
  const inner = Buffer.allocUnsafe(blockBytes + time.length + body.length)
  const outer = Buffer.allocUnsafe(blockBytes + 32)
  padKey(key, inner, outer)
  inner.write(time, blockBytes, 'latin1')
  inner.set(body, blockBytes + time.length)
  outer.set(hash('sha256', inner, 'buffer'), blockBytes)
  return hash('sha256', outer)
}

const padKey = (key: string, inner: Buffer, outer: Buffer): void => {
  const text = Buffer.from(key)
  const bytes = text.length > blockBytes ? hash('sha256', text, 'buffer') : text
  for (let n = 0; n < blockBytes; n++) {
    const byte = n < bytes.length ? bytes[n]! : 0
    inner[n] = byte ^ 0x36
    outer[n] = byte ^ 0x5c
  }
}

/** The block of SHA-256. */
const blockBytes = 64

/** The secret of a new endpoint: `whsec_` and 256 random bits in base64url. */
export const newWebhookSecret = (randomBytes: (size: number) => Buffer): string =>
  `whsec_${randomBytes(32).toString('base64url')}`

/** What an attempt sends, with what its headers say. */
export type Sent = {
  readonly secret: string
  /** The one before, while it signs as well. */
  readonly formerSecret?: string | null
  /** The exact bytes that are sent. */
  readonly body: Uint8Array
  readonly eventType: string
  readonly deliveryId: string
  readonly environment: Environment
  /** Sent as the `traceparent` header: the trace of the request that caused the event. */
  readonly traceparent?: Traceparent | undefined
}
