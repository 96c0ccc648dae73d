import { withoutSeparators } from './documents.ts'

/** A postal address in Brazil. */
export type PostalAddress = {
  readonly street: string
  /** `S/N` if the building has none. */
  readonly number: string
  readonly complement: string | null
  readonly district: string
  readonly city: string
  /** Two letters. */
  readonly state: State
  /** The CEP: eight digits. */
  readonly zip: string
}

/** Reads a CEP, punctuated or not, as the eight digits that are stored; null if it is not one. */
export const readZip = (text: string): string | null => {
  const digits = withoutSeparators(text).replaceAll('.', '')
  return /^[0-9]{8}$/.test(digits) ? digits : null
}

/** The 26 states and the Federal District (IBGE). */
export const states = [
  'AC',
  'AL',
  'AM',
  'AP',
  'BA',
  'CE',
  'DF',
  'ES',
  'GO',
  'MA',
  'MG',
  'MS',
  'MT',
  'PA',
  'PB',
  'PE',
  'PI',
  'PR',
  'RJ',
  'RN',
  'RO',
  'RR',
  'RS',
  'SC',
  'SE',
  'SP',
  'TO',
] as const
export type State = (typeof states)[number]
