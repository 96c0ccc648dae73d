/** The headers that the wire adds to an answer, as lines and by name. */
export type AddedHeaders = {
  /** Each line begins with its line break. */
  readonly lines: string
  readonly fields: Readonly<Record<string, string>>
}

/** Finds the headers to add to an answer with these headers. */
export type StandingHeaders = (headers: Readonly<Record<string, string>>) => AddedHeaders

/**
 * The headers that the wire adds to every answer, so that no code that makes answers can forget them. Browsers
 * keep to the stated type (`nosniff`, Fetch standard); with `secure`, they come back over HTTPS alone (RFC 6797);
 * an answer that does not say how long it may be kept is not stored; and documents that could run scripts, other
 * than our own pages, run none. Every combination is prepared once: an answer costs two look-ups and a
 * concatenation.
 */
export const standingHeaders = ({ secure }: { readonly secure: boolean }): StandingHeaders => {
  const always = {
    'X-Content-Type-Options': 'nosniff',
    ...(secure && { 'Strict-Transport-Security': 'max-age=31536000' }),
  }
  const bothOf = (fields: AddedHeaders['fields']) => ({
    kept: prepared(fields),
    unkept: prepared({ ...fields, ...noStore }),
  })
  const usual = bothOf(always)
  const ofTypes = new Map(
    Object.entries(policies).map(([type, policy]) => [
      type,
      bothOf({ ...always, 'Content-Security-Policy': policy }),
    ]),
  )
  return (headers) => {
    const hasPolicy = headers['Content-Security-Policy'] !== undefined
    const added = (hasPolicy ? undefined : ofTypes.get(headers['Content-Type'] ?? '')) ?? usual
    return headers['Cache-Control'] === undefined ? added.unkept : added.kept
  }
}

const noStore = { 'Cache-Control': 'no-store' }

/** Policies by content type. PDF viewers are part of the browser, and some of them show nothing in a sandbox. */
const policies = {
  'image/svg+xml': "default-src 'none'; sandbox",
  'application/pdf': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}

const prepared = (fields: AddedHeaders['fields']): AddedHeaders => ({
  lines: Object.entries(fields)
    .map(([name, value]) => `\r\n${name}: ${value}`)
    .join(''),
  fields,
})
