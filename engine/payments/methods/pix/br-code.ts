import { assert } from '../../../shared/assert.ts'
import type { Cents } from '../../../shared/money.ts'
import { crc16 } from './crc16.ts'

export type DynamicBrCode = {
  /** Host and path (without a scheme) where the payer's app fetches the charge: at most 77 characters. */
  readonly location: string
  readonly amountCents: Cents
  readonly merchantName: string
  readonly merchantCity: string
}

/**
 * The copy-and-paste text of one charge (EMV QRCPS-MPM as profiled by the BR Code manual; decisions, section 10). The
 * amount is only for people who read the text: the payer's app takes it from the location.
 */
export const dynamicBrCode = (code: DynamicBrCode): string => {
  assert(isLocation(code.location), 'a location has no scheme and at most 77 characters')
  const name = fold(code.merchantName, 25) || 'Recebedor'
  const city = fold(code.merchantCity, 15) || 'BRASIL'
  const account = field('26', gui + field('25', code.location))
  const merchant = `${categoryAndCurrency}${field('54', reais(code.amountCents))}5802BR${field('59', name)}${field('60', city)}`
  const text = `000201${singleUse}${account}${merchant}${noTxid}6304`
  return text + crc16(text)
}

const singleUse = '010212'
const categoryAndCurrency = '520400005303986'
const gui = '0014br.gov.bcb.pix'
/** Field 62 with the mark for none: the payer's app finds the txid at the location. */
const noTxid = '62070503***'

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
  const plain = /^[ -~]*$/.test(text)
    ? text
    : text
        .replace(/[–—]/g, '-')
        .normalize('NFKD')
        .replace(/[^ -~]/g, '')
  return plain.trim().slice(0, max).trimEnd()
}

const isLocation = (text: string): boolean =>
  text.length <= 77 && /^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*(:\d{1,5})?\/[!-~]+$/.test(text)
