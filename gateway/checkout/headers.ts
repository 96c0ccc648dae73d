import { reportPath } from '../api/violation-report.ts'
import type { HttpResponse } from '../wire/transport.ts'

/** Who may frame a page, and which other host it may frame. */
export type PageFraming = {
  /** The host where cards are typed; null where the page has no such frame. */
  readonly tokenizer: string | null
  /** Origins of the merchant's pages that may show this one. */
  readonly embedOrigins: readonly string[]
}

/**
 * A page under the policy of pages where payers pay (checkout, section 2): only our own files, forms only to us, and scripts that can
 * make no markup. Its address is known to no other page: `same-origin` sends it nowhere else, and leaves browsers the origin that forms show.
 */
export const pageResponse = (
  status: number,
  body: string,
  { tokenizer, embedOrigins }: PageFraming = alone,
): HttpResponse => ({
  status,
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': pagePolicy(tokenizer, embedOrigins),
    ...securing,
    ...(embedOrigins.length === 0 && { 'Cross-Origin-Opener-Policy': 'same-origin' }),
  },
  body,
})

export const alone: PageFraming = { tokenizer: null, embedOrigins: [] }

/** The policy of pages; the report of `payments checkout attest` names it as well. */
export const pagePolicy = (tokenizer: string | null, embedOrigins: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    `frame-src ${tokenizer ?? "'none'"}`,
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${embedOrigins.length === 0 ? "'none'" : embedOrigins.join(' ')}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    `report-uri ${reportPath}`,
  ].join('; ')

/** The policy of the frame where a card is typed: shown only by our pages, and by those that may show them. */
export const framePolicy = (ancestors: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${ancestors.join(' ')}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

export const securing = {
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex, nofollow',
  'Permissions-Policy': 'payment=(), camera=(), microphone=(), geolocation=()',
} as const

/** The payer's next page: a form is answered with an address, so that reloading sends nothing again. */
export const seeOther = (path: string): HttpResponse => ({
  status: 303,
  headers: { Location: path, 'Cache-Control': 'no-store', ...securing },
  body: null,
})

/** A document for a payer to keep. */
export const pdfResponse = (bytes: Buffer, fileName: string): HttpResponse => ({
  status: 200,
  headers: {
    'Content-Type': 'application/pdf',
    'Cache-Control': 'no-store',
    'Content-Disposition': `inline; filename="${fileName}"`,
  },
  body: bytes,
})
