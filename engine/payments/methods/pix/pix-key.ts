import { readDocument, readEmail } from '../../../shared/documents.ts'

export type PixKeyType = 'CPF' | 'CNPJ' | 'PHONE' | 'EMAIL' | 'EVP'

/**
 * The type of a PIX key in canonical form (DICT API 1.8, keys; CNPJ with letters as in API Pix 2.9); null if it is not
 * one as written. Eleven digits can only be a CPF: telephone numbers start with `+`.
 */
export const pixKeyType = (key: string): PixKeyType | null => {
  if (/^\+[1-9]\d{2,15}$/.test(key)) return 'PHONE'
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(key)) return 'EVP'
  if (key.includes('@')) return isCanonicalEmail(key) ? 'EMAIL' : null
  const document = readDocument(key)
  return document?.document === key ? document.documentType : null
}

const isCanonicalEmail = (key: string): boolean =>
  key.length <= 77 && key === key.toLowerCase() && readEmail(key) === key
