export type DocumentType = 'CPF' | 'CNPJ'

/** A Brazilian taxpayer's number, without punctuation and in capitals. */
export type TaxDocument = { readonly document: string; readonly documentType: DocumentType }

/** Caches the result for the last text: a request's fields are checked first, and then read. */
function once<Value>(read: (text: string) => Value): (text: string) => Value {
  let lastText: string | null = null
  let last: Value
  return (text) => {
    if (text !== lastText) {
      last = read(text)
      lastText = text
    }
    return last
  }
}

/**
 * A CPF or CNPJ as people write it; null when it is neither or a check digit is wrong. A CNPJ may have letters in its
 * first twelve places (IN RFB 2.229/2024; decisions, section 8), so only punctuation is stripped.
 */
export const readDocument = once((text: string): TaxDocument | null => {
  const bare = bareDocument(text)
  if (/^\d{11}$/.test(bare)) return isSound(bare, cpfWeights) ? { document: bare, documentType: 'CPF' } : null
  // Checked before upper-casing, which turns some foreign letters into plain ones.
  if (!/^[0-9A-Za-z]{12}\d{2}$/.test(bare)) return null
  const document = bare.toUpperCase()
  return isSound(document, cnpjWeights) ? { document, documentType: 'CNPJ' } : null
})

/** A document without punctuation, as stored. It may still be invalid. */
export const bareDocument = (text: string): string => withoutSeparators(text).replace(/[./⁄∕]/g, '')

/** The masked form of a bare document, `***.456.789-**` for a CPF; of a CNPJ the middle of the root stays. */
export const maskedDocument = (document: string): string =>
  document.length === 11
    ? `***.${document.slice(3, 6)}.${document.slice(6, 9)}-**`
    : `**.${document.slice(2, 5)}.${document.slice(5, 8)}/****-**`

/** Whether a text has as many letters and digits as a CPF or a CNPJ, so that only its check digits can be wrong. */
export const hasDocumentForm = (text: string): boolean =>
  /^(\d{11}|[0-9A-Za-z]{12}\d{2})$/.test(bareDocument(text))

/** Removes spaces and hyphens of every kind, which word processors and telephones write, and invisible characters. */
export const withoutSeparators = (text: string): string => text.replace(/[\s\p{Z}\p{Cf}\p{Pd}−]/gu, '')

/**
 * A telephone number as digits, 10 to 13 of them with area code, with or without Brazil's country code; null when it is not one.
 * One of another country (ITU-T E.164) keeps its `+`, without which it would be read as a Brazilian number.
 */
export const readPhone = once((text: string): string | null => {
  const bare = withoutSeparators(text).replace(/[()./]/g, '')
  const digits = bare.replace(/^\+/, '')
  const isInternational = bare !== digits
  if (isInternational && !digits.startsWith('55')) return /^[1-9]\d{7,14}$/.test(digits) ? bare : null
  const number = digits.replace(trunkZero, '$1')
  return (isInternational ? /^\d{12,13}$/ : /^\d{10,13}$/).test(number) ? number : null
})

/** The zero of calls to another area. Area codes have none, so that 0800 keeps its own. */
const trunkZero = /^(55)?0(?=[1-9]{2}\d{8,9}$)/

/**
 * An e-mail address with its domain in lower case (RFC 5321, 4.1.2; no quoted names, address literals or bare hosts);
 * null when it is not one.
 */
export const readEmail = once((text: string): string | null => {
  const email = text.trim()
  const at = email.lastIndexOf('@')
  const name = email.slice(0, Math.max(at, 0))
  const domain = email.slice(at + 1).toLowerCase()
  if (email.length > 254 || name.length > 64 || !emailName.test(name) || !hostName.test(domain)) return null
  return `${name}@${domain}`
})

const emailName = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
const hostName = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/

/** Weights count up from 2, from the right, and repeat after this many. */
const cpfWeights = 10
const cnpjWeights = 8

/** Repeated digits have valid check digits but are never issued. */
const isSound = (document: string, weights: number): boolean => {
  const length = document.length - 2
  const hasDigit = (at: number): boolean => document.charCodeAt(at) - 48 === checkDigit(document, at, weights)
  return hasDigit(length) && hasDigit(length + 1) && !/^(.)\1*$/.test(document)
}

/** Modulo 11 over the first characters. A letter counts as its ASCII code minus 48, as digits do. */
const checkDigit = (document: string, length: number, weights: number): number => {
  let sum = 0
  for (let i = 0; i < length; i++) {
    sum += (document.charCodeAt(i) - 48) * (2 + ((length - 1 - i) % weights))
  }
  const remainder = sum % 11
  return remainder < 2 ? 0 : 11 - remainder
}
