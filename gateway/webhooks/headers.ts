import { hash } from 'node:crypto'
import type { Environment } from '../../engine/shared/ids.ts'
import { newRecentMap } from '../../engine/shared/recent-map.ts'
import type { Traceparent } from '../../engine/shared/traceparent.ts'
import { limits } from '../base/limits.ts'

/** The headers of an attempt (payments-api, Events, Delivery): each name followed by its value. */
export const webhookHeaders = (
  { secret, formerSecret = null, body, ...steady }: Sent,
  unixSeconds: number,
): string[] => [
  ...steadyHeaders(steady),
  'Service-Signature',
  sign({ secret, formerSecret, body }, unixSeconds),
]

/** The headers that are the same in every attempt of a delivery. */
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
 * HMAC-SHA256 (RFC 2104, section 2) in hex. `createHmac` makes an OpenSSL object each time; under load that object
 * and its collection take longer than both digests. So do digests as buffers: the inner one is a binary string.
 */
const hmacOf = (secret: string, time: string, body: Uint8Array): string => {
  const { inner, outer } = padded(secret)
  const end = blockBytes + time.length + body.length
  if (message.length < end) message = Buffer.allocUnsafeSlow(2 * end)
  message.set(inner)
  message.write(time, blockBytes, 'latin1')
  message.set(body, blockBytes + time.length)
  outer.write(hash('sha256', message.subarray(0, end), 'binary'), blockBytes, 'binary')
  return hash('sha256', outer)
}

/** The input of the inner hash, overwritten by each signature. */
let message = Buffer.allocUnsafeSlow(16 * 1024)

type Padded = {
  readonly inner: Uint8Array
  /** With room for the inner digest. */
  readonly outer: Buffer
}

/** The padded blocks of a secret, cached because an endpoint signs many times with the same one. */
const padded = (secret: string): Padded => {
  const known = paddedSecrets.get(secret)
  if (known !== undefined) return known
  const text = Buffer.from(secret)
  const bytes = text.length > blockBytes ? hash('sha256', text, 'buffer') : text
  const blocks = {
    inner: Buffer.alloc(blockBytes, 0x36),
    outer: Buffer.alloc(blockBytes + digestBytes, 0x5c),
  }
  bytes.forEach((byte, n) => {
    blocks.inner[n]! ^= byte
    blocks.outer[n]! ^= byte
  })
  paddedSecrets.set(secret, blocks)
  return blocks
}

const paddedSecrets = newRecentMap<Padded>(limits.webhookReceiversMax)

/** The block of SHA-256. */
const blockBytes = 64
const digestBytes = 32

/** The secret of a new endpoint: `whsec_` and 256 random bits in base64url. */
export const newWebhookSecret = (randomBytes: (size: number) => Buffer): string =>
  `whsec_${randomBytes(32).toString('base64url')}`

/** The content of an attempt, and the values of its headers. */
export type Sent = {
  readonly secret: string
  /** The former secret, while it signs as well. */
  readonly formerSecret?: string | null
  /** The exact bytes that are sent. */
  readonly body: Uint8Array
  readonly eventType: string
  readonly deliveryId: string
  readonly environment: Environment
  /** Sent as the `traceparent` header: the trace of the request that caused the event. */
  readonly traceparent?: Traceparent | undefined
}
