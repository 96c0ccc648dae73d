import { readDocument, readEmail } from './documents.ts'

export const pixKeyTypes = ['CPF', 'CNPJ', 'EMAIL', 'PHONE', 'EVP'] as const
export type PixKeyType = (typeof pixKeyTypes)[number]

/** A PIX key as the central bank's directory writes it. */
export type AnyPixKey = { readonly keyType: PixKeyType; readonly pixKey: string }

/**
 * A PIX key as people write it; null when it is none. A telephone begins with its plus sign and country code (DICT API, key types):
 * without them it could be a CPF.
 */
export const readPixKey = (text: string): AnyPixKey | null => {
  const bare = text.trim()
  if (bare.includes('@')) {
    const email = readEmail(bare)
    return email === null || email.length > emailCharsMax
      ? null
      : { keyType: 'EMAIL', pixKey: email.toLowerCase() }
  }
  if (bare.startsWith('+')) {
    const pixKey = `+${bare.slice(1).replace(/[\s()./-]/g, '')}`
    return /^\+[1-9]\d{7,14}$/.test(pixKey) ? { keyType: 'PHONE', pixKey } : null
  }
  if (uuid.test(bare)) return { keyType: 'EVP', pixKey: bare.toLowerCase() }
  const document = readDocument(bare)
  return document && { keyType: document.documentType, pixKey: document.document }
}

const emailCharsMax = 77
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
