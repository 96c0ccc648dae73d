import { withAsciiDomain } from '../base/emails.ts'

/** The text of a search as the engine compares it: an e-mail address has its domain in the form in which it is kept. Null for none. */
export const searchTextOf = (q: string | undefined): string | null =>
  q === undefined ? null : withAsciiDomain(q.trim())
