import { type endOfDay, readDate, readInstant, type startOfDay } from '../../engine/shared/calendar.ts'
import type { CompanyId, Environment } from '../../engine/shared/ids.ts'
import type { Asker } from '../identity/asked.ts'
import { misread, missing, mistyped, refuseField, refuseInvalid } from '../problems/refusal.ts'

/** The input of an operation: members of a JSON object, or options of the command line, which are texts. */
export type Input = Readonly<Record<string, unknown>>

/** An operation by name. Rejects with `OperationRefusal` if the caller made a mistake. */
export type Operation = (input: Input, by: Asker) => Promise<object>
export type Operations = Readonly<Record<string, Operation>>

/** An operation that takes its dependencies as its first parameter. */
export type OperationOn<Context> = (context: Context, input: Input, by: Asker) => Promise<object>

/** The operations of a table that work with the same context. */
export const operationsOn = <Context>(
  context: Context,
  table: Readonly<Record<string, OperationOn<Context>>>,
): Operations =>
  Object.fromEntries(
    Object.entries(table).map(([name, operation]): [string, Operation] => [
      name,
      (input, by) => operation(context, input, by),
    ]),
  )

/** Wraps an operation so that it accepts only these members: a misspelt one must not be ignored. */
export const taking =
  <Context>(members: readonly string[], operation: OperationOn<Context>): OperationOn<Context> =>
  async (context, input, by) => {
    refuseOthers(input, members)
    return operation(context, input, by)
  }

/** Whether a thing belongs to the named company and environment. What the input leaves out matches all. */
export const isWithin = (
  input: Input,
  { companyId, environment }: { readonly companyId: CompanyId; readonly environment: Environment },
): boolean =>
  (isLeftOut(input.company) || input.company === companyId) &&
  (optionalEnvironmentOf(input) ?? environment) === environment

/** Throws if the input has members other than these. */
export const refuseOthers = (input: Input, members: readonly string[]): void => {
  const unknown = Object.keys(input).filter((name) => !members.includes(name))
  if (unknown.length > 0)
    refuseInvalid(`${unknown.join(', ')} is not known; known are ${members.join(', ') || 'no members'}`)
}

const isLeftOut = (value: unknown): value is undefined | null => value === undefined || value === null

/** A text, or null if it is left out. */
export const optionalTextOf = (input: Input, name: string): string | null => {
  const value = input[name]
  if (isLeftOut(value)) return null
  return typeof value === 'string' ? value : mistyped(name, (say) => say.wanted.string(''))
}

/** A text that must be there. */
export const readText = (input: Input, name: string): string => optionalTextOf(input, name) ?? missing(name)

/** One line of 1 to `max` characters, trimmed. */
export const lineOf = (value: unknown, name: string, max: number): string => {
  if (isLeftOut(value)) return missing(name)
  const line = typeof value === 'string' && !controls.test(value) ? value.trim() : ''
  const { length } = [...line]
  return length >= 1 && length <= max
    ? line
    : misread(name, (say) => say.wanted.formats.text(say.wanted.length(1, max)))
}

/** Reads a line like `lineOf`; null if it is left out or empty. */
export const optionalLineOf = (value: unknown, name: string, max: number): string | null =>
  isLeftOut(value) || (typeof value === 'string' && value.trim() === '') ? null : lineOf(value, name, max)

const controls = /\p{Cc}/u

/** A whole number from `min` to `max`, or its digits. */
export const numberOf = (value: unknown, name: string, min: number, max: number): number => {
  const number = typeof value === 'string' && /^[0-9]{1,15}$/.test(value) ? Number(value) : value
  if (typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max) return number
  return misread(name, (say) => say.wanted.wholeNumber(min, max))
}

/** The members of an object; the refusal lists which members it may have. */
export const objectOf = (value: unknown, name: string, members: readonly string[]): Input => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    refuseInvalid(`${name} must be an object with ${members.join(', ')}`)
  const unknown = Object.keys(value).filter((member) => !members.includes(member))
  if (unknown.length > 0) refuseInvalid(`${name} has ${members.join(', ')}, and no ${unknown.join(', ')}`)
  return value as Input
}

/** The environment, which must be named. */
export const requiredEnvironmentOf = (input: Input): Environment =>
  optionalEnvironmentOf(input) ?? refuseInvalid('environment is required: sandbox or production')

/** The environment, or null if it is left out. */
export const optionalEnvironmentOf = (input: Input): Environment | null => {
  const text = optionalTextOf(input, 'environment')?.toUpperCase()
  if (text === undefined || text === 'SANDBOX' || text === 'PRODUCTION') return text ?? null
  return refuseInvalid('environment must be sandbox or production')
}

/** One of a closed set of words, in any case. */
export const choiceOf = <Word extends string>(
  value: unknown,
  name: string,
  allowed: readonly Word[],
): Word => {
  const lowered = typeof value === 'string' ? value.trim().toLowerCase() : null
  return (
    allowed.find((other) => other.toLowerCase() === lowered) ??
    refuseField(name, 'INVALID_VALUE', (say) => say.operations.noneOf(name, String(value), allowed))
  )
}

/** Words of a closed set, as a list or separated by commas. Null if they are left out. */
export const choicesOf = <Word extends string>(
  input: Input,
  name: string,
  allowed: readonly Word[],
): readonly Word[] | null => {
  const parts = listOfInput(input, name)
  return parts === null ? null : [...new Set(parts.map((part) => choiceOf(part, name, allowed)))]
}

/** The members of a list, or of a text by its commas. Null if it is left out. */
export const listOfInput = (input: Input, name: string): readonly unknown[] | null => {
  const value = input[name]
  if (isLeftOut(value)) return null
  const parts = typeof value === 'string' ? (value === '' ? [] : value.split(',')) : value
  return Array.isArray(parts) ? parts : mistyped(name, (say) => say.wanted.list(null, null))
}

/** A duration in milliseconds, from seconds or a text with a unit: `90s`, `15m`, `24h`, `7d`. */
export const durationMsOf = (value: unknown, name: string, maxMs: number): number => {
  const [, count, unit] = /^([0-9]{1,9})([smhd]?)$/.exec(String(value).trim()) ?? []
  const ms = Number(count) * unitsMs[(unit || 's') as keyof typeof unitsMs]
  if (ms <= maxMs) return ms
  return refuseInvalid(`${name} must be a time as 90s, 15m, 24h or 7d, at most ${maxMs / unitsMs.d}d`)
}

const unitsMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** An instant (ISO 8601), or the start or end of a day in a time zone. */
export const instantMsOf = (
  value: unknown,
  name: string,
  timeZone: string,
  ofDay: typeof startOfDay | typeof endOfDay,
): number => {
  const text = typeof value === 'string' ? value.trim() : ''
  const date = readDate(text)
  const ms = date === null ? readInstant(text) : ofDay(timeZone, date)
  return ms ?? misread(name, (say) => say.wanted.formats['date-or-date-time'](''))
}

/** The time zone of the input, by default that of São Paulo. */
export const timeZoneOf = (input: Input): string =>
  zoneOf(optionalTextOf(input, 'timeZone') ?? optionalTextOf(input, 'timezone') ?? 'America/Sao_Paulo')

/** A time zone by its IANA name. */
export const zoneOf = (value: unknown): string => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: String(value) }).resolvedOptions().timeZone
  } catch {
    return refuseField('timeZone', 'INVALID_VALUE', (say) => say.operations.noZone(String(value)))
  }
}
