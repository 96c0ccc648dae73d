import { hash } from 'node:crypto'
import type { EndpointSignature } from '../../engine/companies/endpoint.ts'
import type { Environment } from '../../engine/shared/ids.ts'
import { newRecentMap } from '../../engine/shared/recent-map.ts'
import type { Traceparent } from '../../engine/shared/traceparent.ts'
import { bounds } from '../base/bounds.ts'
import type { OwnHeader } from '../base/seal.ts'

/** The headers of an attempt (payments-api, Events, Delivery): each name followed by its value. */
export const webhookHeaders = (sent: Sent, unixSeconds: number): string[] => [
  ...steadyHeaders(sent),
  ...signedHeaders(sent, unixSeconds),
  ...(sent.headers ?? []).flatMap(({ name, value }) => [name, value]),
]

/** The headers that sign an attempt: ours, followed by those of Standard Webhooks where the endpoint wants them. */
export const signedHeaders = (sent: Sent, unixSeconds: number): string[] => [
  'Service-Signature',
  sign(sent, unixSeconds),
  ...(sent.signature === 'standard-webhooks'
    ? [
        'webhook-id',
        sent.eventId,
        'webhook-timestamp',
        String(unixSeconds),
        'webhook-signature',
        signStandard(sent, unixSeconds),
      ]
    : []),
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
 * The `webhook-signature` header of Standard Webhooks 1.0: `v1,<base64 HMAC-SHA256 of "<event id>.<t>.<body>">`, followed by a space and
 * the signature of the former secret. The key is the bytes after `whsec_`, in base64; older secrets are in base64url.
 */
export const signStandard = (
  { secret, formerSecret = null, body, eventId }: Pick<Sent, 'secret' | 'formerSecret' | 'body' | 'eventId'>,
  unixSeconds: number,
): string =>
  (formerSecret === null ? [secret] : [secret, formerSecret])
    .map((one) => `v1,${hmacOf(one, `${eventId}.${unixSeconds}.`, body, 'base64')}`)
    .join(' ')

/**
 * HMAC-SHA256 (RFC 2104, section 2): in hex, with the text of the secret as key, or in base64, with the bytes that it encodes. `createHmac`
 * makes an OpenSSL object each time; under load that object and its collection take longer than both digests. So do digests as buffers: the
 * inner one is a binary string.
 */
const hmacOf = (
  secret: string,
  before: string,
  body: Uint8Array,
  encoding: 'hex' | 'base64' = 'hex',
): string => {
  const { inner, outer } = padded(secret, encoding)
  const end = blockBytes + before.length + body.length
  if (message.length < end) message = Buffer.allocUnsafeSlow(2 * end)
  message.set(inner)
  message.write(before, blockBytes, 'latin1')
  message.set(body, blockBytes + before.length)
  outer.write(hash('sha256', message.subarray(0, end), 'binary'), blockBytes, 'binary')
  return hash('sha256', outer, encoding)
}

/** The input of the inner hash, overwritten by each signature. */
let message = Buffer.allocUnsafeSlow(16 * 1024)

type Padded = {
  readonly inner: Uint8Array
  /** With room for the inner digest. */
  readonly outer: Buffer
}

/** The padded blocks of a secret, cached because an endpoint signs many times with the same one. */
const padded = (secret: string, encoding: 'hex' | 'base64'): Padded => {
  const name = encoding === 'hex' ? secret : `decoded ${secret}`
  const known = paddedSecrets.get(name)
  if (known !== undefined) return known
  const key = encoding === 'hex' ? Buffer.from(secret) : Buffer.from(secret.replace(prefix, ''), 'base64')
  const bytes = key.length > blockBytes ? hash('sha256', key, 'buffer') : key
  const blocks = {
    inner: Buffer.alloc(blockBytes, 0x36),
    outer: Buffer.alloc(blockBytes + digestBytes, 0x5c),
  }
  bytes.forEach((byte, n) => {
    blocks.inner[n]! ^= byte
    blocks.outer[n]! ^= byte
  })
  paddedSecrets.set(name, blocks)
  return blocks
}

const paddedSecrets = newRecentMap<Padded>(bounds.webhookReceiversMax)

/** The block of SHA-256. */
const blockBytes = 64
const digestBytes = 32

/** The secret of a new endpoint: `whsec_` and 256 random bits in base64, as libraries for Standard Webhooks read it. */
export const newWebhookSecret = (randomBytes: (size: number) => Buffer): string =>
  `whsec_${randomBytes(32).toString('base64')}`

const prefix = /^whsec_/

/** The content of an attempt, and the values of its headers. */
export type Sent = {
  readonly secret: string
  /** The former secret, while it signs as well. */
  readonly formerSecret?: string | null
  /** The exact bytes that are sent. */
  readonly body: Uint8Array
  readonly eventId: string
  readonly eventType: string
  readonly deliveryId: string
  readonly environment: Environment
  /** Sent as the `traceparent` header: the trace of the request that caused the event. */
  readonly traceparent?: Traceparent | undefined
  /** Without it as the specification says. */
  readonly signature?: EndpointSignature
  /** Headers of the receiver's own. */
  readonly headers?: readonly OwnHeader[]
}
