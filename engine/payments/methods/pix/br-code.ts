import { assert } from '../../../shared/assert.ts'
import { crc16 } from '../../../shared/crc16.ts'
import { type Alphabet, foldLetters } from '../../../shared/fold-letters.ts'
import type { Cents } from '../../../shared/money.ts'

export type DynamicBrCode = {
  /** Host and path (without a scheme) where the payer's app fetches the charge: at most 77 characters. */
  readonly location: string
  readonly amountCents: Cents
  readonly merchant: Merchant
}

/** The payee as payers read it. Each merchant needs one object of its own, because the cache is keyed by it. */
type Merchant = { readonly name: string; readonly city: string }

/**
 * The copy-and-paste text of one charge (EMV QRCPS-MPM as profiled by the BR Code manual; decisions, section 10). The
 * amount is only for people who read the text: the payer's app takes it from the location.
 */
export const dynamicBrCode = (code: DynamicBrCode): string => {
  assert(isLocation(code.location), 'a location has no scheme and at most 77 characters')
  const account = field('26', gui + field('25', code.location))
  const amount = field('54', reais(code.amountCents))
  const text = `000201${singleUse}${account}${categoryAndCurrency}${amount}${endFor(code.merchant)}`
  return text + crc16(text)
}

/** Whether a payer's app can read this text as the code of a charge of this amount. */
export const isDynamicBrCode = (text: string, amountCents: Cents): boolean => {
  const fields = fieldsIn(text)
  if (fields === null || fields.get('00') !== '01' || fields.get('58') !== 'BR') return false
  if (text.slice(-8, -4) !== '6304' || crc16(text.slice(0, -4)) !== text.slice(-4).toUpperCase()) return false
  const account = fieldsIn(fields.get('26') ?? '')
  if (account?.get('00')?.toLowerCase() !== 'br.gov.bcb.pix' || !account.has('25')) return false
  const amount = fields.get('54')
  return amount === undefined || Math.round(Number(amount) * 100) === amountCents
}

/** The fields of a text, by their ids; null where it is none. */
const fieldsIn = (text: string): ReadonlyMap<string, string> | null => {
  const fields = new Map<string, string>()
  for (let at = 0; at < text.length; ) {
    const head = /^(\d\d)(\d\d)$/.exec(text.slice(at, at + 4))
    if (head === null) return null
    const value = text.slice(at + 4, at + 4 + Number(head[2]))
    if (value.length < Number(head[2])) return null
    fields.set(head[1]!, value)
    at += 4 + value.length
  }
  return fields
}

const singleUse = '010212'
const categoryAndCurrency = '520400005303986'
const gui = '0014br.gov.bcb.pix'
/** Field 62 with the mark for none: the payer's app finds the txid at the location. */
const noTxid = '62070503***'

/** Everything behind the amount but the checksum itself. */
const endFor = (merchant: Merchant): string => {
  const known = ends.get(merchant)
  if (known !== undefined) return known
  const name = fold(merchant.name, 25) || 'Recebedor'
  const city = fold(merchant.city, 15) || 'BRASIL'
  const end = `5802BR${field('59', name)}${field('60', city)}${noTxid}6304`
  ends.set(merchant, end)
  return end
}

const ends = new WeakMap<Merchant, string>()

const field = (id: string, value: string): string =>
  `${id}${value.length < 10 ? '0' : ''}${value.length}${value}`

const reais = (cents: Cents): string => {
  assert(cents > 0 && cents <= 999_999_999_999, 'a BR Code carries 0.01 to 9999999999.99')
  const digits = String(cents).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/**
 * Reduces to plain ASCII before cutting: several payer apps reject accents, and the reduction can make a text longer.
 */
const fold = (text: string, max: number): string => {
  const plain = isAscii.test(text) ? text : narrow(foldLetters(text, ascii).replace(/ +/g, ' '))
  return plain.trim().slice(0, max).trimEnd()
}

const isAscii = /^[ -~]*$/
const ascii: Alphabet = { has: (character) => isAscii.test(character), unknown: '' }

/**
 * The same text with one byte per character in memory. `normalize` leaves two, and every response with the text
 * would get two as well, which doubles the time to write it.
 */
const narrow = (text: string): string =>
  String.fromCharCode(...Array.from(text, (char) => char.charCodeAt(0)))

/** Whether a code can carry this location. */
export const isLocation = (text: string): boolean => {
  const slash = text.indexOf('/')
  return (
    text.length <= 77 && slash > 0 && isHost(text.slice(0, slash)) && /^[!-~]+$/.test(text.slice(slash + 1))
  )
}

const isHost = (text: string): boolean => {
  // An institution has one host, and every charge names it.
  if (text === soundHost) return true
  if (!/^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*(:\d{1,5})?$/.test(text)) return false
  soundHost = text
  return true
}

let soundHost = ''
