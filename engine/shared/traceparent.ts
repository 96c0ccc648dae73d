declare const brand: unique symbol

/**
 * A position in a distributed trace: the `traceparent` of W3C Trace Context (section 3.2), version 00, as `00-<trace
 * id>-<parent id>-<flags>` in lower-case hexadecimal. The engine passes it on unread.
 */
export type Traceparent = string & { readonly [brand]: 'traceparent' }

/**
 * The traceparent in a text; null if there is none. A later version is read as far as version 00 goes, as the standard
 * requires.
 */
export const readTraceparent = (text: string): Traceparent | null => {
  const found = /^([0-9a-f]{2})-([0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2})(-.*)?$/.exec(text)
  if (found === null) return null
  const [, version, place, rest] = found as unknown as [string, string, string, string | undefined]
  if (version === 'ff' || (version === '00' && rest !== undefined)) return null
  return /^0{32}|-0{16}-/.test(place) ? null : (`00-${place}` as Traceparent)
}

/** The 32 digits shared by a whole trace. */
export const traceIdOf = (traceparent: Traceparent): string => traceparent.slice(3, 35)
