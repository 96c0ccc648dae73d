import type { Company } from '../../../engine/companies/company.ts'
import { methods } from '../../../engine/payments/methods/index.ts'
import { dateIn, endOfDay, startOfDay, timeIn } from '../../../engine/shared/calendar.ts'
import { statementTypeNames } from '../../../engine/statement/line.ts'
import type { StatementPage, ToldLine } from '../../../engine/statement/read.ts'

/** Whose statement it is, and in which zone its days are. */
type Holder = Pick<Company, 'document' | 'timeZone'>

/**
 * A statement as accounting software in Brazil imports it: OFX 1.0.2, SGML in Windows-1252, which old importers read as well as
 * new ones. Each element is closed and has a line of its own, for readers by line and readers of XML. It is written in pieces, a page of
 * lines each.
 */
export const statementOfx = (
  page: StatementPage,
  holder: Holder,
  { isFirst, isLast }: { readonly isFirst: boolean; readonly isLast: boolean },
): Buffer => {
  const lines = page.days.flatMap((day) => day.lines.flatMap((line) => ofxLine(line, holder)))
  return inWindows1252([
    ...(isFirst ? head(page, holder) : []),
    ...lines,
    ...(isLast ? foot(page, holder) : []),
  ])
}

const head = ({ from, to, nowMs }: StatementPage, { document, timeZone }: Holder): readonly string[] => {
  const header = [
    'OFXHEADER:100',
    'DATA:OFXSGML',
    'VERSION:102',
    'SECURITY:NONE',
    'ENCODING:USASCII',
    'CHARSET:1252',
    'COMPRESSION:NONE',
    'OLDFILEUID:NONE',
    'NEWFILEUID:NONE',
  ]
  return [
    ...header,
    '',
    '<OFX>',
    '<SIGNONMSGSRSV1>',
    '<SONRS>',
    ...done,
    element('DTSERVER', ofxTime(timeZone, nowMs)),
    '<LANGUAGE>POR</LANGUAGE>',
    '</SONRS>',
    '</SIGNONMSGSRSV1>',
    '<BANKMSGSRSV1>',
    '<STMTTRNRS>',
    '<TRNUID>0</TRNUID>',
    ...done,
    '<STMTRS>',
    '<CURDEF>BRL</CURDEF>',
    // This account is at no bank: software that imports the file asks which account it is.
    '<BANKACCTFROM>',
    '<BANKID>000</BANKID>',
    element('ACCTID', document),
    '<ACCTTYPE>CHECKING</ACCTTYPE>',
    '</BANKACCTFROM>',
    '<BANKTRANLIST>',
    element('DTSTART', ofxTime(timeZone, startOfDay(timeZone, from))),
    element('DTEND', ofxTime(timeZone, endsAtMs(to, timeZone, nowMs))),
  ]
}

const done = ['<STATUS>', '<CODE>0</CODE>', '<SEVERITY>INFO</SEVERITY>', '</STATUS>']

const foot = ({ to, closingBalance, nowMs }: StatementPage, { timeZone }: Holder): readonly string[] => [
  '</BANKTRANLIST>',
  '<LEDGERBAL>',
  element('BALAMT', inReais(closingBalance)),
  element('DTASOF', ofxTime(timeZone, endsAtMs(to, timeZone, nowMs))),
  '</LEDGERBAL>',
  '</STMTRS>',
  '</STMTTRNRS>',
  '</BANKMSGSRSV1>',
  '</OFX>',
]

/** The last second of the period, or now where it goes on: some importers take a later time for a forecast. */
const endsAtMs = (to: StatementPage['to'], zone: string, nowMs: number): number =>
  Math.min(endOfDay(zone, to) - 1000, nowMs)

/** A line. Its id names it for ever, so that a file that is imported twice adds nothing. */
const ofxLine = (line: ToldLine, { timeZone }: Holder): readonly string[] => {
  const { id, type, cents, createdAtMs, counterpart, endToEndId } = line
  const kind = cents > 0 ? 'CREDIT' : type === 'FEE' ? 'FEE' : 'DEBIT'
  return [
    '<STMTTRN>',
    element('TRNTYPE', kind),
    element('DTPOSTED', ofxTime(timeZone, createdAtMs)),
    element('TRNAMT', inReais(BigInt(cents))),
    element('FITID', id),
    ...(endToEndId === null ? [] : [element('REFNUM', textOf(endToEndId, 32))]),
    ...(counterpart === null ? [] : [element('NAME', textOf(counterpart, 32))]),
    element('MEMO', textOf(memoOf(line), 255)),
    '</STMTTRN>',
  ]
}

const memoOf = ({ type, method, counterpart, description }: ToldLine): string => {
  const paidBy = method === null ? null : method === 'TED' ? 'TED' : methods[method].names.pt
  return [statementTypeNames.pt[type], paidBy, counterpart, description]
    .filter((one) => one !== null)
    .join(' - ')
}

const element = (name: string, value: string): string => `<${name}>${value}</${name}>`

/** Centavos as reais with a point, whatever the size. */
const inReais = (cents: bigint): string => {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0')
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** One line of at most so many characters, with what SGML would read as markup escaped. */
const textOf = (text: string, charsMax: number): string =>
  [...text.replace(/\s+/g, ' ').replace(/\p{C}/gu, '').trim()]
    .slice(0, charsMax)
    .join('')
    .trimEnd()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')

/** An instant as OFX writes it: what clocks show, and how far they are from UTC. */
const ofxTime = (zone: string, atMs: number): string => {
  const [date, timeMs] = [dateIn(zone, atMs), timeIn(zone, atMs)]
  const shown = `${date}T${new Date(timeMs).toISOString().slice(11, 19)}`
  const hours = Math.round((Date.parse(`${shown}Z`) - atMs) / 900_000) / 4
  return `${shown.replace(/\D/g, '')}[${hours}:${zoneNames[hours] ?? 'GMT'}]`
}

/** What banks call the zones of Brazil. */
const zoneNames: Readonly<Record<number, string>> = { [-2]: 'FNT', [-3]: 'BRT', [-4]: 'AMT', [-5]: 'ACT' }

/** Lines in Windows-1252. What it lacks loses its accents, or becomes a question mark. */
const inWindows1252 = (lines: readonly string[]): Buffer => {
  const text = lines.map((line) => `${line}\r\n`).join('')
  const plain = text.normalize('NFC').replace(/[^\0-\u007f\u00a0-\u00ff]/gu, (letter) => {
    const bare = letter.normalize('NFD').replace(/\p{M}/gu, '')
    return /^[\0-\u007f]+$/.test(bare) ? bare : (dashes[letter] ?? '?')
  })
  return Buffer.from(plain, 'latin1')
}

const dashes: Readonly<Record<string, string>> = {
  '–': '-',
  '—': '-',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '…': '...',
}
