import { crc16 } from '../../../../engine/shared/crc16.ts'

/** Fields by id; templates (26 to 51, 62, 80 to 99) contain fields themselves. */
type BrCodeFields = { readonly [id: string]: string | Fields }
type Fields = { readonly [id: string]: string }

/** Composite: has the location of a recurrence (Pix Automático), alone or beside a key or location. */
type BrCodeKind = 'static' | 'dynamic' | 'composite'

type BrCodeRefusal =
  | 'TOO_LONG'
  | 'BROKEN_TLV'
  | 'WRONG_ORDER'
  | 'DUPLICATE_FIELD'
  | 'MISSING_FIELD'
  | 'INVALID_FIELD'
  | 'NOT_PIX'
  | 'KEY_AND_LOCATION'
  | 'NO_KEY_OR_LOCATION'
  | 'HOSTS_DIFFER'
  | 'CRC_MISMATCH'

type ParsedBrCode = { readonly ok: true; readonly kind: BrCodeKind; readonly fields: BrCodeFields } | Refused
type Refused = { readonly ok: false; readonly reason: BrCodeRefusal; readonly field: string | null }

/**
 * The fields of any BR Code, or why it is invalid: it reads what the service writes, as a payer's app does. The CRC is
 * checked last: it can be right over a broken structure. Field 00 is first and 63 last; others come in any order (EMV
 * QRCPS-MPM, 3.2), each once.
 */
export const parseBrCode = (payload: string): ParsedBrCode => {
  if (payload.length > 512) return refuse('TOO_LONG')
  const tlv = readTlv(payload)
  if (tlv === null) return refuse('BROKEN_TLV')
  if (tlv[0]?.[0] !== '00' || tlv.at(-1)?.[0] !== '63') return refuse('WRONG_ORDER')
  const fields: Record<string, string | Fields> = {}
  for (const [id, value] of tlv) {
    if (fields[id] !== undefined) return refuse('DUPLICATE_FIELD', id)
    const pattern = patterns[id]
    if (pattern !== undefined && !pattern.test(value)) return refuse('INVALID_FIELD', id)
    const read = isTemplate(id) ? readTemplate(id, value) : value
    if (isRefused(read)) return read
    fields[id] = read
  }
  const missing = mandatory.find((id) => fields[id] === undefined)
  if (missing !== undefined) return refuse('MISSING_FIELD', missing)
  const kind = kindOf(fields)
  if (isRefused(kind)) return kind
  if (crc16(payload.slice(0, -4)) !== payload.slice(-4).toUpperCase()) return refuse('CRC_MISMATCH', '63')
  return { ok: true, kind, fields }
}

const mandatory = ['00', '52', '53', '58', '59', '60', '62', '63']

const patterns: { readonly [id: string]: RegExp } = {
  '00': /^01$/,
  '01': /^1[12]$/,
  '52': /^\d{4}$/,
  '53': /^986$/,
  '54': /^(?=.{1,13}$)\d+(\.\d{0,2})?$/,
  '58': /^BR$/,
  '59': /^\P{Cc}{1,25}$/u,
  '60': /^\P{Cc}{1,15}$/u,
  '63': /^[0-9A-Fa-f]{4}$/,
}

/** Merchant accounts, additional data and unreserved templates. */
const isTemplate = (id: string): boolean => isAccount(id) || id === '62' || id >= '80'
const isAccount = (id: string): boolean => id >= '26' && id <= '51'

/** Splits a text of ids (2 digits), lengths (2 digits, in characters) and values; null when malformed. */
const readTlv = (text: string): readonly (readonly [id: string, value: string])[] | null => {
  const parts: [string, string][] = []
  for (let at = 0; at < text.length; ) {
    const head = text.slice(at, at + 4)
    const value = text.slice(at + 4, at + 4 + Number(head.slice(2)))
    if (!/^\d{4}$/.test(head) || value === '' || value.length !== Number(head.slice(2))) return null
    parts.push([head.slice(0, 2), value])
    at += 4 + value.length
  }
  return parts
}

const readTemplate = (id: string, text: string): Fields | Refused => {
  const tlv = readTlv(text)
  if (tlv === null) return refuse('BROKEN_TLV', id)
  const fields = Object.fromEntries(tlv)
  return Object.keys(fields).length === tlv.length ? fields : refuse('DUPLICATE_FIELD', id)
}

const kindOf = (fields: BrCodeFields): BrCodeKind | Refused => {
  const pix = Object.entries(fields).filter((entry): entry is [string, Fields] => isPix(entry[1]))
  const [account, secondAccount] = pix.filter(([id]) => isAccount(id))
  const [recurrence] = pix.filter(([id]) => id >= '80')
  if (account === undefined) return refuse('NOT_PIX')
  if (secondAccount !== undefined) return refuse('DUPLICATE_FIELD', secondAccount[0])
  const refused =
    checkAccount(...account) ??
    checkRecurrence(recurrence, account[1]) ??
    checkLabel(fields['62'] as Fields, account[1])
  if (refused !== null) return refused
  if (recurrence !== undefined) return 'composite'
  if (account[1]['25'] !== undefined) return 'dynamic'
  return account[1]['01'] === undefined ? refuse('NO_KEY_OR_LOCATION', account[0]) : 'static'
}

const isPix = (value: string | Fields): value is Fields =>
  typeof value !== 'string' && value['00']?.toLowerCase() === 'br.gov.bcb.pix'

const checkAccount = (
  id: string,
  { '01': key, '02': note, '03': cashOut, '25': location }: Fields,
): Refused | null => {
  if (location !== undefined) {
    if (key !== undefined) return refuse('KEY_AND_LOCATION', id)
    if (!isLocation(location)) return refuse('INVALID_FIELD', `${id}-25`)
  }
  if (key !== undefined && !/^\S{1,77}$/.test(key)) return refuse('INVALID_FIELD', `${id}-01`)
  if (note !== undefined && (key === undefined || note.length > 72))
    return refuse('INVALID_FIELD', `${id}-02`)
  if (cashOut !== undefined && (key === undefined || !/^[0-9A-Z]{8}$/.test(cashOut))) {
    return refuse('INVALID_FIELD', `${id}-03`)
  }
  return null
}

const checkRecurrence = (recurrence: [string, Fields] | undefined, account: Fields): Refused | null => {
  if (recurrence === undefined) return null
  const [id, { '25': location }] = recurrence
  if (location === undefined) return refuse('MISSING_FIELD', `${id}-25`)
  if (!isLocation(location)) return refuse('INVALID_FIELD', `${id}-25`)
  if (account['25'] !== undefined && hostOf(account['25']) !== hostOf(location))
    return refuse('HOSTS_DIFFER', id)
  return null
}

/** Next to a location the label is ignored, so only its length is checked. */
const checkLabel = ({ '05': label }: Fields, account: Fields): Refused | null => {
  if (label === undefined) return refuse('MISSING_FIELD', '62-05')
  const fits = account['25'] === undefined ? isReferenceLabel(label) : label.length <= 25
  return fits ? null : refuse('INVALID_FIELD', '62-05')
}

/** What field 62-05 of a static code may hold (BR Code manual): a txid of 1 to 25 letters and digits, or the mark for none. */
const isReferenceLabel = (text: string): boolean => /^(\*{3}|[A-Za-z0-9]{1,25})$/.test(text)

const isLocation = (text: string): boolean =>
  text.length <= 77 && /^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*(:\d{1,5})?\/[!-~]+$/.test(text)

const hostOf = (location: string): string => location.slice(0, location.indexOf('/')).toLowerCase()

const isRefused = (value: unknown): value is Refused =>
  typeof value === 'object' && value !== null && (value as Partial<Refused>).ok === false

const refuse = (reason: BrCodeRefusal, field: string | null = null): Refused => ({ ok: false, reason, field })
