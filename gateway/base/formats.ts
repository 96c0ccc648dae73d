import { brands } from '../../engine/ledger/card-rates.ts'
import { isAccessKey } from '../../engine/shared/access-key.ts'
import { readZip } from '../../engine/shared/address.ts'
import { readDecimal } from '../../engine/shared/asset.ts'
import { readDate, readDuration, readInstant } from '../../engine/shared/calendar.ts'
import { readDocument, readPhone } from '../../engine/shared/documents.ts'
import { readPixKey } from '../../engine/shared/pix-key.ts'
import { readInternationalEmail } from './emails.ts'
import { readNetwork } from './networks.ts'

/** The formats that schemas of strings may name, with their checks. Every language has a phrase for each of them. */
export const formats = {
  text: (value: string) => !/[\u0000-\u001f\u007f-\u009f]/.test(value),
  'multiline-text': (value: string) => !/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(value),
  'cpf-cnpj': (value: string) => readDocument(value) !== null,
  'access-key': isAccessKey,
  'e-mail': (value: string) => readInternationalEmail(value) !== null,
  phone: (value: string) => readPhone(value) !== null,
  cep: (value: string) => readZip(value) !== null,
  date: (value: string) => readDate(value) !== null,
  'date-time': (value: string) => readInstant(value) !== null,
  'date-or-date-time': (value: string) => readDate(value) !== null || readInstant(value) !== null,
  duration: (value: string) => readDuration(value) !== null,
  'card-brand': (value: string) => brands.some((brand) => brand === value.toUpperCase()),
  'field-key': (value: string) => /^[A-Za-z][A-Za-z0-9_]*$/.test(value),
  'coupon-code': (value: string) => /^[A-Za-z0-9_-]+$/.test(value.trim()),
  last4: (value: string) => /^\d{4}$/.test(value),
  'one-time-code': (value: string) => /^\d{6}$/.test(value),
  bin: (value: string) => /^(\d{6}|\d{8})$/.test(value),
  'bank-code': (value: string) => /^\d{3}$/.test(value),
  ispb: (value: string) => /^\d{8}$/.test(value),
  'payment-system-code': (value: string) => /^[A-Z0-9]{4}$/.test(value),
  'bank-branch': (value: string) => /^\d{1,5}(-[\dX])?$/.test(value),
  'statement-descriptor': (value: string) => /^[A-Z0-9.*\- ]{5,22}$/.test(value),
  color: (value: string) => /^#[0-9a-f]{6}$/i.test(value.trim()),
  'https-url': (value: string) => readHttpsUrl(value) !== null,
  // Marks that turn the direction of writing can make a name read as another.
  'shown-name': (value: string) => !/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(value),
  'noted-object': (value: string) => /^(txn|cus)_[0-9A-Z]{26}$/.test(value),
  'ticket-object': (value: string) => /^(txn|trf|dlv|wdr)_[0-9A-Z]{26}$/.test(value),
  'crypto-amount': (value: string) => (readDecimal(value) ?? 0) > 0,
  'pix-key': (value: string) => readPixKey(value) !== null,
  network: (value: string) => readNetwork(value) !== null,
  'bank-account': (value: string) => /^\d{1,13}(-[\dX])?$/.test(value),
} as const satisfies Readonly<Record<string, (value: string) => boolean>>
export type Format = keyof typeof formats

/** An address over TLS, without user and password, as browsers write it; null for anything else. */
export const readHttpsUrl = (text: string): string | null => {
  const url = URL.parse(text.trim())
  return url?.protocol === 'https:' && url.username === '' && url.password === '' ? url.href : null
}
