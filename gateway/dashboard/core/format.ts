import { type AmountReading, readAmount } from '../../typed/read-amount.ts'
import type { Schemas } from './api.ts'
import { language, t } from './language.ts'
import { newStore } from './store.ts'

/** The company's zone, in which all dates are written; that of Brasília until the company is known. */
export const zone = newStore('America/Sao_Paulo')

const cache = new Map<string, unknown>()

const cached = <Format>(key: string, make: () => Format): Format => {
  const full = `${language()} ${zone.get()} ${key}`
  const found = cache.get(full) ?? make()
  cache.set(full, found)
  return found as Format
}

/** A sum of money in the parts that the page sets apart. */
export type MoneyParts = {
  readonly sign: '−' | ''
  readonly symbol: string
  readonly whole: string
  /** With its separator. */
  readonly decimals: string
}

/** Digits after the point by currency; amounts arrive in the smallest unit. */
export const decimalsOf = (currency: string): number => (currency === 'BRL' ? 2 : 6)

/** Splits an amount in the currency's smallest unit, as digits; exact for amounts of any size. */
export const moneyParts = (amount: string, currency = 'BRL'): MoneyParts => {
  const units = BigInt(amount)
  const digits = decimalsOf(currency)
  const base = 10n ** BigInt(digits)
  const positive = units < 0n ? -units : units
  const decimals = (positive % base).toString().padStart(digits, '0')
  const shown = digits === 2 ? decimals : decimals.replace(/0{1,4}$/, '')
  const point = language() === 'en' ? '.' : ','
  return {
    sign: units < 0n ? '−' : '',
    symbol: currency === 'BRL' ? 'R$' : currency,
    whole: cached('integer', () => new Intl.NumberFormat(language())).format(positive / base),
    decimals: point + shown,
  }
}

/** An amount as one text, for titles and messages. */
export const money = (amount: string, currency = 'BRL'): string => {
  const { sign, symbol, whole, decimals } = moneyParts(amount, currency)
  return `${sign}${symbol}\u00a0${whole}${decimals}`
}

/** Reads what a person typed as an amount of a currency. */
export const amountTyped = (text: string, currency = 'BRL'): AmountReading =>
  readAmount(text, currency, decimalsOf(currency), language())

/** An amount as a person types it, for a field that already has a value. */
export const amountText = (units: string, currency = 'BRL'): string => {
  const { whole, decimals } = moneyParts(units, currency)
  return whole + decimals
}

/** A count. */
export const count = (value: number): string =>
  cached('count', () => new Intl.NumberFormat(language())).format(value)

/** Basis points as a percentage. */
export const percent = (bps: number, digits = 2): string =>
  cached(
    `percent ${digits}`,
    () =>
      new Intl.NumberFormat(language(), {
        style: 'percent',
        minimumFractionDigits: 0,
        maximumFractionDigits: digits,
      }),
  ).format(bps / 10_000)

/** Basis points as a person types a percentage, without its sign. */
export const percentText = (bps: number): string => String(bps / 100).replace('.', ',')

const dateFormats = {
  day: { day: '2-digit', month: 'short', year: 'numeric' },
  short: { day: '2-digit', month: 'short' },
  time: { hour: '2-digit', minute: '2-digit' },
  hour: { hour: '2-digit', hourCycle: 'h23' },
  moment: { day: '2-digit', month: 'short', hour: '2-digit', minute: '2-digit' },
  exact: {
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  },
  clock: {
    weekday: 'short',
    day: '2-digit',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  },
  weekday: { weekday: 'long', day: 'numeric', month: 'long' },
  month: { month: 'long', year: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

export type DateStyle = keyof typeof dateFormats

/** An instant in the company's zone. */
export const moment = (at: string | number, style: DateStyle = 'moment'): string =>
  dateText(new Date(at), style, zone.get())

/** A date without the points and prepositions that short forms have in Portuguese. */
const dateText = (date: Date, style: DateStyle, timeZone: string): string =>
  cached(
    `${style} ${timeZone}`,
    () => new Intl.DateTimeFormat(language(), { ...dateFormats[style], timeZone }),
  )
    .format(date)
    .replace(/\.(?=\s|,|$)/g, '')
    .replace(/ de (?=[a-z]{3}\b)| de (?=\d{4})/g, style === 'weekday' || style === 'month' ? '$&' : ' ')

/** A calendar day, which has no zone. A text that is not a date, as addresses may hold, is returned unchanged. */
export const day = (date: string, style: DateStyle = 'day'): string => {
  const noon = new Date(`${date}T12:00:00Z`)
  return Number.isNaN(noon.getTime()) ? date : dateText(noon, style, 'UTC')
}

/** The day of an instant in the company's zone, as the API writes days; `shift` days later. */
export const isoDay = (at: number, shift = 0): string =>
  cached('iso', () => new Intl.DateTimeFormat('en-CA', { timeZone: zone.get() })).format(
    new Date(at + shift * 86_400_000),
  )

/** The days that a list is narrowed to, in words; either end may be empty. */
export const daysText = (from: string, to: string): string => {
  if (from === '' && to === '') return t.filters.allDays
  if (from === '') return t.filters.daysUntil(day(to))
  if (to === '') return t.filters.daysSince(day(from))
  if (from === to) return t.filters.oneDay(day(from))
  return t.filters.daysBetween(day(from, from.slice(0, 4) === to.slice(0, 4) ? 'short' : 'day'), day(to))
}

/** Every day from one to another, both included. */
export const daysFrom = (from: string, to: string): readonly string[] => {
  const noon = Date.parse(`${from}T12:00:00Z`)
  const many = Math.round((Date.parse(`${to}T12:00:00Z`) - noon) / 86_400_000) + 1
  return Array.from({ length: many }, (_, n) => new Date(noon + n * 86_400_000).toISOString().slice(0, 10))
}

/** The instant of a wall-clock time in the company's zone, such as "2026-11-26T09:30". */
export const instantOf = (local: string): number => {
  const wanted = Date.parse(`${local}Z`)
  // The zone's offset at the wanted time, which the first guess may miss by a change of summer time.
  let at = wanted
  for (let n = 0; n < 2; n++) at -= Date.parse(`${wallClock(at)}Z`) - wanted
  return at
}

const wallClock = (at: number): string =>
  cached(
    'wall',
    () => new Intl.DateTimeFormat('sv', { timeZone: zone.get(), dateStyle: 'short', timeStyle: 'medium' }),
  )
    .format(at)
    .replace(' ', 'T')

/** How far an instant is from now, in words. */
export const distance = (at: string, nowMs: number): string => {
  const seconds = (Date.parse(at) - nowMs) / 1000
  const steps = [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
    ['second', 1],
  ] as const
  const [unit, size] = steps.find(([, size]) => Math.abs(seconds) >= size) ?? steps[3]
  return cached('relative', () => new Intl.RelativeTimeFormat(language(), { numeric: 'auto' })).format(
    Math.trunc(seconds / size),
    unit,
  )
}

/** The end of an id, which is what differs. */
export const shortId = (id: string): string => `${id.slice(0, 4)}…${id.slice(-6)}`

/** A CPF or CNPJ with its punctuation; masked numbers and other texts unchanged. */
export const documentNumber = (digits: string | null): string => {
  if (digits === null) return ''
  if (/\W/.test(digits)) return digits
  if (digits.length === 11) return digits.replace(/^(.{3})(.{3})(.{3})(.{2})$/, '$1.$2.$3-$4')
  if (digits.length === 14) return digits.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, '$1.$2.$3/$4-$5')
  return digits
}

/** A telephone number as Brazilians write it; any other text as it is. */
export const phone = (number: string): string =>
  number.replace(/^\+?55(\d{2})(\d{4,5})(\d{4})$/, '($1) $2-$3')

/** The typeable line of a boleto in its groups. */
export const digitableLine = (line: string): string =>
  line.replace(/^(\d{5})(\d{5})(\d{5})(\d{6})(\d{5})(\d{6})(\d)(\d{14})$/, '$1.$2 $3.$4 $5.$6 $7 $8')

/** The share of a party of a split: a percentage, an amount, or the rest. */
export const shareText = ({
  percentBps,
  fixedAmount,
}: Pick<Schemas['SplitItem'], 'percentBps' | 'fixedAmount'>): string =>
  percentBps === null ? (fixedAmount === null ? t.split.rest : money(fixedAmount)) : percent(percentBps)
