import { knownConnection } from '../../engine/connections/rail-connection.ts'
import type { ConnectionTerms } from '../../engine/connections/terms.ts'
import type { Account } from '../../engine/ledger/account.ts'
import type { ThirdBook } from '../../engine/reconciliation/statement.ts'
import type { CalendarDate } from '../../engine/shared/calendar.ts'
import type { ConnectionId } from '../../engine/shared/ids.ts'
import { type Cents, toCents } from '../../engine/shared/money.ts'
import type { PixReceived } from '../providers/port.ts'
import { feesByTerms } from './third-book.ts'

/** What an account has of the fees of a connection. */
export type FeesKnown = {
  readonly terms: ConnectionTerms | null
  /** The sum of what was booked for days other than the one that is looked at. */
  readonly otherDaysCents: number
}

/** What a bank took on a day, and what it takes for that by its terms; null where either is not known. */
export type DayFees = { readonly takenCents: number; readonly termsCents: number }

/** Reads what an account has of the fees of a connection. */
export const feesKnownOf = (
  account: Partial<Pick<Account, 'rails' | 'feeDifferences'>>,
  connectionId: ConnectionId,
  day: CalendarDate,
): FeesKnown => {
  const days = Object.entries<number>(account.feeDifferences?.[connectionId] ?? {})
  return {
    terms: knownConnection(account, connectionId)?.terms ?? null,
    otherDaysCents: days.reduce((sum, [date, cents]) => sum + (date === day ? 0 : cents), 0),
  }
}

/**
 * What a bank itself says that it took: in its statement, else payment by payment in its list. A file that a person gave says nothing here: it could be
 * written by anyone, and would move money.
 */
export const feesOfDay = (
  third: ThirdBook | undefined,
  listed: readonly PixReceived[],
  { terms }: FeesKnown,
): DayFees | null => {
  if (third?.source === 'BANK')
    return third.termsCents === null ? null : { takenCents: third.tariffCents, termsCents: third.termsCents }
  const termsCents = terms?.PIX === undefined ? null : feesByTerms({ PIX: terms.PIX }, listed, [])
  if (termsCents === null || listed.length === 0) return null
  let takenCents = 0
  for (const { tariffCents } of listed) {
    if (tariffCents === undefined) return null
    takenCents += tariffCents
  }
  return { takenCents, termsCents }
}

/**
 * What is booked of a difference. Where a bank took less than its terms say, that gives back what was booked of other days, and no more: else terms
 * that promise too much would make balance of nothing.
 */
export const bookableFees = ({ takenCents, termsCents }: DayFees, { otherDaysCents }: FeesKnown): Cents =>
  toCents(Math.max(takenCents - termsCents, Math.min(0, -otherDaysCents)))
