import { STATUS_CODES } from 'node:http'
import { assert } from '../../engine/shared/assert.ts'
import type { StandingHeaders } from './standing-headers.ts'
import type { HttpResponse } from './transport.ts'

/**
 * `200 OK` and the header lines, the standing ones last, without the last line break. Throws on names or values
 * that could end a line and so inject a header (RFC 9110, section 5.5), and on anything outside latin1.
 */
export const responseHead = (
  { status, headers }: Pick<HttpResponse, 'status' | 'headers'>,
  standing: StandingHeaders,
): string => {
  const statusLine = statusLines[status]
  assert(statusLine, `${status} is a status`)
  let head = statusLine
  let lines = 0
  for (const name in headers) {
    head += `\r\n${name}: ${headers[name]}`
    lines += 1
  }
  assert(lineEnds(head) === lines, 'the headers of an answer are text without line ends')
  return head + standing(headers).lines
}

/** The number of line breaks in a text; -1 if it has other control characters or is not latin1. */
const lineEnds = (text: string): number => {
  let returns = 0
  let feeds = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0x20 && code <= 0x7e) continue
    if (code === 0x0d) returns += 1
    else if (code === 0x0a) feeds += 1
    else if (code !== 0x09 && (code <= 0x7f || code > 0xff)) return -1
  }
  return returns === feeds ? feeds : -1
}

const statusLines: readonly (string | undefined)[] = Object.entries(STATUS_CODES).reduce<string[]>(
  (lines, [status, reason]) => {
    lines[Number(status)] = `${status} ${reason}`
    return lines
  },
  [],
)
