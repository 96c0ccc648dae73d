import { createHmac } from 'node:crypto'

/**
 * The `Service-Signature` header: `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">` (payments-api, Events). Every attempt
 * is signed anew with its own time, because receivers refuse one that is more than five minutes old.
 */
export const sign = ({ secret, body, unixSeconds }: Signed): string => {
  const hmac = createHmac('sha256', secret).update(`${unixSeconds}.`).update(body).digest('hex')
  return `t=${unixSeconds},v1=${hmac}`
}

/** The secret of a new endpoint: `whsec_` and 256 random bits in base64url. */
export const newWebhookSecret = (randomBytes: (size: number) => Buffer): string =>
  `whsec_${randomBytes(32).toString('base64url')}`

type Signed = {
  readonly secret: string
  /** The exact bytes that are sent. */
  readonly body: Uint8Array
  readonly unixSeconds: number
}
