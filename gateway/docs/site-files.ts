import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { answerWith } from '../api/own-page.ts'
import type { OriginOf } from '../api/public-origin.ts'
import type { HttpRequest, HttpResponse } from '../wire/transport.ts'
import { docsFolder } from './library.ts'

/**
 * Serves what programs ask of any site: its icon, `/robots.txt` (RFC 9309), which shows them the documentation and nothing else, and
 * `/.well-known/security.txt` (RFC 9116) where the operator has set a contact.
 */
export const openSiteFiles = ({
  originOf,
  securityContacts,
  realNow,
}: {
  readonly originOf: OriginOf
  /** URIs by which those who find a weakness reach the operator; none if it is not set. */
  readonly securityContacts: readonly string[]
  readonly realNow: () => number
}): ((request: Pick<HttpRequest, 'path' | 'headers'>) => HttpResponse | null) => {
  const icons = new Map(Object.entries(iconTypes).map(([name, type]) => [`/${name}`, icon(name, type)]))
  return ({ path, headers }) => {
    if (path === '/robots.txt') return answer(text, robots, forADay)
    if (path === '/.well-known/security.txt' && securityContacts.length > 0)
      return answer(text, securityTxt(securityContacts, originOf(headers), realNow()), 'no-cache')
    return icons.get(path) ?? null
  }
}

const answer = answerWith()
const text = 'text/plain; charset=utf-8'
const forADay = 'public, max-age=86400'

const iconTypes = {
  'favicon.svg': 'image/svg+xml',
  'favicon.ico': 'image/x-icon',
  'apple-touch-icon.png': 'image/png',
} as const

const icon = (name: string, type: string): HttpResponse =>
  answer(type, readFileSync(join(docsFolder, 'site', name)), forADay)

const robots = `User-agent: *
Allow: /docs
Allow: /llms.txt
Allow: /llms-full.txt
Allow: /openapi.json
Disallow: /
`

/** It says until when it holds, which RFC 9116 wants within a year (section 2.5.5): 180 days from the day on which it is read. */
const securityTxt = (contacts: readonly string[], origin: string, nowMs: number): string => {
  const expires = new Date(Math.floor(nowMs / dayMs + 180) * dayMs).toISOString().replace('.000', '')
  return [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${expires}`,
    'Preferred-Languages: pt, en',
    // Only over HTTPS is it known to be this file (section 2.5.2).
    ...(origin.startsWith('https:') ? [`Canonical: ${origin}/.well-known/security.txt`] : []),
    '',
  ].join('\n')
}

const dayMs = 86_400_000
