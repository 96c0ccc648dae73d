import type { HttpRequest, HttpResponse } from '../wire/transport.ts'

/** The path that content security policies of pages name for what they refuse. */
export const reportPath = '/csp-report'

/** Takes a browser's report of what a page's policy refused; null for every other request. */
export const takeReport = (
  { verb, path, body }: HttpRequest,
  onViolation: (report: string) => void,
): HttpResponse | null => {
  if (verb !== 'POST' || path !== reportPath) return null
  onViolation(body.toString('utf8', 0, reportBytesMax))
  return { status: 204, headers: { 'Cache-Control': 'no-store' }, body: null }
}

/** Longer than a browser's report of one violation; the rest is cut off. */
const reportBytesMax = 2000
