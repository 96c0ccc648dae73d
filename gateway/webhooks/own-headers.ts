import { bounds } from '../base/bounds.ts'
import type { OwnHeader } from '../base/seal.ts'

/** Whether a receiver may have a header of this name of its own (RFC 9110, section 5.1): none that we send, that frames, or that is of the connection. */
export const isOwnName = (name: string): boolean => token.test(name) && !reserved.test(name)

/** Whether it may have this value (RFC 9110, section 5.5): visible ASCII with spaces inside. A line break would begin another header. */
export const isOwnValue = (value: string): boolean =>
  value.length <= bounds.ownHeaderCharsMax && fieldValue.test(value)

/**
 * A text in which the values of these headers are illegible, also where only the password in them is shown, or where the text ends within
 * one.
 */
export const withoutValues = (text: string, headers: readonly OwnHeader[]): string => {
  let masked = text
  for (const secret of headers.flatMap(secretsOf)) {
    masked = masked.replaceAll(secret, mask)
    for (let length = Math.min(secret.length - 1, masked.length); length >= secretCharsMin; length--)
      if (masked.endsWith(secret.slice(0, length))) masked = masked.slice(0, -length) + mask
  }
  return masked
}

/** The value as a whole, as it stands in JSON, and what follows the scheme in credentials (RFC 9110, section 11.4). Longer ones first. */
const secretsOf = ({ value }: OwnHeader): readonly string[] =>
  [JSON.stringify(value).slice(1, -1), value, value.slice(value.indexOf(' ') + 1)].filter(
    ({ length }) => length >= secretCharsMin,
  )

/** Shorter ones are in many texts by chance, and are no secrets. */
const secretCharsMin = 4
const mask = '***'

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/
const fieldValue = /^[!-~](?:[ -~]*[!-~])?$/
const reserved =
  /^(?:service-.*|webhook-.*|content-.*|proxy-.*|host|user-agent|accept-encoding|traceparent|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|http2-settings)$/i
