import type { HttpResponse } from '../wire/transport.ts'

/** What a page may do besides loading the service's own files, by directive of its `Content-Security-Policy`. */
export type PageSources = Readonly<Partial<Record<Directive, string>>>

type Directive =
  | 'style-src'
  | 'img-src'
  | 'frame-src'
  | 'form-action'
  | 'require-trusted-types-for'
  | 'trusted-types'
  | 'report-uri'

/**
 * Answers with files of this service, under a policy: nothing is loaded from elsewhere, only our script files run, requests go
 * only to this service, and no other page can frame it.
 */
export const answerWith = (sources: PageSources = {}) => {
  const policy = Object.entries({ ...ownSources, ...sources })
    .map((directive) => directive.join(' '))
    .join('; ')
  return (type: string, body: string | Buffer, caching: string): HttpResponse => ({
    status: 200,
    headers: {
      'Content-Type': type,
      'Cache-Control': caching,
      'Referrer-Policy': 'no-referrer',
      'Content-Security-Policy': policy,
    },
    body,
  })
}

const ownSources = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
}
