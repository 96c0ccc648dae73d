import { type Cents, toCents } from '../../../engine/shared/money.ts'

/** The text of an amount as API Pix writes it: `12.34`. */
export const valorOf = (cents: Cents): string => {
  const digits = String(cents).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Centavos of an amount as banks write it, text or number; null where it is no exact amount. */
export const readValor = (value: unknown): Cents | null => {
  const text = typeof value === 'number' && value >= 0 && value < 1e10 ? String(value) : value
  if (typeof text !== 'string') return null
  const [, whole, fraction = ''] = /^(\d{1,10})(?:\.(\d{1,2}))?$/.exec(text) ?? []
  return whole === undefined ? null : toCents(Number(whole) * 100 + Number(fraction.padEnd(2, '0')))
}
