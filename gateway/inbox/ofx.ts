import { type CalendarDate, dayMs, readDate, readInstant } from '../../engine/shared/calendar.ts'
import { type Cents, toCents } from '../../engine/shared/money.ts'

/** A statement in OFX, 1.x (SGML) or 2.x (XML): what all Brazilian banks export. */
export type OfxStatement = {
  /** As the bank writes them; null where it leaves them out. */
  readonly bankId: string | null
  readonly branchId: string | null
  readonly accountId: string
  readonly from: CalendarDate
  readonly to: CalendarDate
  readonly lines: readonly OfxLine[]
}

export type OfxLine = {
  readonly id: string
  /** As the bank writes it: the day of its own statement. */
  readonly date: CalendarDate
  /** Null where the bank writes the day alone, or the same time in every line. */
  readonly atMs: number | null
  /** Negative for what left. */
  readonly cents: Cents
  readonly text: string
}

/** Why a file cannot be read. It is read whole or not at all. */
export type OfxFlaw =
  | 'TOO_LONG'
  | 'NO_OFX'
  | 'DECLARATION'
  | 'ACCOUNT'
  | 'CURRENCY'
  | 'PERIOD'
  | 'LINE'
  | 'ID'

/** The longest file: a month of some thousand lines. */
export const ofxBytesMax = 1024 * 1024

/**
 * Reads a file (OFX 1.6 and 2.2, section 11.4). Only the elements that count are looked at, nothing in it is expanded or fetched, and one line
 * that makes no sense refuses the file: a statement with a hole proves nothing.
 */
export const readOfx = (bytes: Uint8Array): OfxStatement | OfxFlaw => {
  if (bytes.length > ofxBytesMax) return 'TOO_LONG'
  const text = decoded(bytes)
  const start = text.search(/<OFX>/i)
  if (start < 0) return 'NO_OFX'
  // Entities of a file's own could make it as large as they like.
  if (text.includes('<!')) return 'DECLARATION'

  const head = new Map<string, string[]>()
  const lines: OfxLine[] = []
  let line: Map<string, string> | null = null
  for (const [, slash, tag, content] of text.slice(start).matchAll(/<(\/?)([\w.]{1,40})>([^<]*)/g)) {
    const name = tag!.toUpperCase()
    if (name === 'STMTTRN') {
      if ((slash === '') !== (line === null)) return 'LINE'
      if (line === null) line = new Map()
      else {
        const read = lineOf(line)
        if (read === null) return 'LINE'
        lines.push(read)
        line = null
      }
    } else if (slash === '') {
      const value = plain(content!)
      if (line !== null) line.set(name, value)
      else head.set(name, [...(head.get(name) ?? []), value])
    }
  }
  if (line !== null) return 'LINE'
  return statementOf(head, lines)
}

const statementOf = (
  head: ReadonlyMap<string, readonly string[]>,
  lines: readonly OfxLine[],
): OfxStatement | OfxFlaw => {
  const [accountId, ...others] = head.get('ACCTID') ?? []
  if (accountId === undefined || accountId === '' || others.length > 0) return 'ACCOUNT'
  if ((head.get('CURDEF') ?? []).some((currency) => currency !== 'BRL')) return 'CURRENCY'
  const from = dayIn(head.get('DTSTART')?.[0])
  const to = dayIn(head.get('DTEND')?.[0])
  if (from === null || to === null || from > to) return 'PERIOD'
  if (new Set(lines.map(({ id }) => id)).size !== lines.length) return 'ID'
  return {
    bankId: head.get('BANKID')?.[0] || null,
    branchId: head.get('BRANCHID')?.[0] || null,
    accountId,
    from,
    to,
    lines: withRealTimes(lines),
  }
}

/** Headers say `1252` of files in UTF-8, so that the bytes decide: hardly a text of the one is one of the other by chance. */
const decoded = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const plain = (content: string): string =>
  content
    .replace(/&(amp|lt|gt|nbsp|quot|apos);/g, (_, name: keyof typeof entities) => entities[name])
    .replace(/\s+/g, ' ')
    .trim()
const entities = { amp: '&', lt: '<', gt: '>', nbsp: ' ', quot: '"', apos: "'" } as const

const lineOf = (fields: ReadonlyMap<string, string>): OfxLine | null => {
  const id = fields.get('FITID')
  const posted = fields.get('DTPOSTED')
  const date = dayIn(posted)
  const cents = centsIn(fields.get('TRNAMT'))
  if (!id || id.length > 255 || date === null || cents === null) return null
  const text = ['NAME', 'MEMO', 'REFNUM', 'CHECKNUM'].flatMap((name) => fields.get(name) || []).join(' ')
  return { id, date, atMs: instantIn(posted!), cents, text: text.slice(0, 500) }
}

const dayIn = (value: string | undefined): CalendarDate | null => {
  const digits = /^(\d{4})(\d{2})(\d{2})/.exec(value ?? '')
  return digits && readDate(`${digits[1]}-${digits[2]}-${digits[3]}`)
}

/** `YYYYMMDDHHMMSS.XXX[-3:BRT]`; without a zone it is that of Brasília. */
const instantIn = (value: string): number | null => {
  const parts = /^(\d{8})(\d{2})(\d{2})(\d{2})(?:\.\d{1,3})?(?:\[([+-]?\d{1,2})(?::\w*)?\])?$/.exec(value)
  if (parts === null) return null
  const [, day, hours, minutes, seconds, zone = '-3'] = parts
  const offset = Number(zone)
  const shift = `${offset < 0 ? '-' : '+'}${String(Math.abs(offset)).padStart(2, '0')}:00`
  return readInstant(
    `${day!.slice(0, 4)}-${day!.slice(4, 6)}-${day!.slice(6)}T${hours}:${minutes}:${seconds}${shift}`,
  )
}

/** Most banks write midnight or noon into each line, which is no time. */
const withRealTimes = (lines: readonly OfxLine[]): readonly OfxLine[] => {
  const times = new Set(lines.map(({ atMs }) => (atMs === null ? null : atMs % dayMs)))
  return times.size > 1 || lines.length === 1 ? lines : lines.map((line) => ({ ...line, atMs: null }))
}

/** With a point or a comma, and no more than zeros behind the centavos. */
const centsIn = (value: string | undefined): Cents | null => {
  const parts = /^([+-]?)(\d{1,12})(?:[.,](\d{1,2})0*)?$/.exec(value ?? '')
  if (parts === null) return null
  const [, sign, whole, fraction = ''] = parts
  const cents = Number(whole) * 100 + Number(fraction.padEnd(2, '0'))
  return toCents(sign === '-' ? 0 - cents : cents)
}
