import { domainToASCII, domainToUnicode } from 'node:url'
import { readEmail } from '../../engine/shared/documents.ts'

/**
 * An e-mail address in normal form, as the engine reads it, an international domain as A-labels (RFC 5890, 2.3.2.1): mail servers take no
 * other, and browsers change what is typed into them. Null when it is not one.
 */
export const readInternationalEmail = (text: string): string | null => readEmail(withAsciiDomain(text))

/** The same text, with the domain of an e-mail address as A-labels if it is international; for comparing with what is kept. */
export const withAsciiDomain = (text: string): string => {
  const at = text.lastIndexOf('@')
  const domain = text.slice(at + 1).trim()
  // The conversion is one of URLs, which may have a port or a path behind the name.
  if (at < 0 || isAscii.test(domain) || !isName.test(domain)) return text
  return `${text.slice(0, at)}@${domainToASCII(domain)}`
}

/** An e-mail address as people write it: an international domain in its own letters. */
export const shownEmail = (email: string): string => {
  const at = email.lastIndexOf('@')
  // Nearly all addresses have none, and every answer with a customer passes here.
  if (!email.includes('xn--', at)) return email
  return `${email.slice(0, at)}@${domainToUnicode(email.slice(at + 1))}`
}

/** The same, or null. */
export const shownEmailOrNull = (email: string | null): string | null =>
  email === null ? null : shownEmail(email)

const isAscii = /^[ -~]*$/
const isName = /^[\p{L}\p{M}\p{N}.。-]+$/u
