import { controlsOf, type MoneyOutLimits } from '../approval-and-limits/controls.ts'
import type { Account } from '../ledger/account.ts'
import { addDays, type CalendarDate, dateIn, endOfDay, instantOf, timeIn } from '../shared/calendar.ts'
import type { PersonId } from '../shared/ids.ts'
import { type Cents, toCents } from '../shared/money.ts'
import type { AskedMoneyOut, MoneyOutMethod } from './asked.ts'
import { recentAt, recentEndsAtMs } from './recent-out.ts'
import { type DaySumName, type MoneyOutCount, newPayees } from './sums.ts'

/** Money on its way out, as approval policy and limits see it at a moment (dashboard, section 2.4). */
export type LimitedPayment = Pick<AskedMoneyOut, 'method' | 'worthCents' | 'createdBy'> & {
  readonly payee: PayeeStanding
}

/** The facts about a payee that decide how much it can get. */
export type PayeeStanding = {
  /** The same for payments to the same payee. */
  readonly key: string
  readonly wasPaid: boolean
  /** The end of the first day of a registered payee; null for any other, which always counts as new. */
  readonly coolsOffUntilMs: number | null
  /** Whether the payee is the company itself, or trusted. */
  readonly ignoresNight: boolean
}

/** Why limits refuse. */
export type LimitRefusal =
  | {
      readonly reason: 'LIMIT_EXCEEDED'
      readonly limit: LimitField
      readonly remainingCents: Cents
      /** Null for a bound of single payments. */
      readonly resetsAtMs: number | null
    }
  | {
      readonly reason: 'BENEFICIARY_COOLING_OFF'
      readonly availableAtMs: number | null
      readonly limitCents: Cents
    }

type LimitField = Exclude<keyof MoneyOutLimits, 'nightStartsAt'>

/** A limit that applies to a payment, and how much of it is used. */
export type LimitRoom = {
  readonly limit: LimitField
  readonly limitCents: Cents
  readonly usedCents: Cents
  readonly resetsAtMs: number | null
  /** The count of a payment of this worth; null for a bound of single payments, which has no sum. */
  readonly count: ((cents: Cents) => MoneyOutCount) | null
}

type Controlled = Pick<Account, 'controls' | 'profile' | 'moneyOut'>

/** The limits that apply to a payment at a time. */
export const roomsFor = (account: Controlled, out: LimitedPayment, atMs: number): readonly LimitRoom[] => {
  const rooms = [...singleRooms(account, out.method), dayRoom(account, out.method, atMs)]
  const night = nightOf(account, atMs)
  if (out.method === 'PIX' && night !== null && !out.payee.ignoresNight) rooms.push(nightRoom(account, night))
  if (isCoolingOff(out.payee, atMs)) rooms.push(newPayeesRoom(account, atMs))
  return rooms
}

/** Why a payment exceeds a limit at that time; null if it fits. */
export const limitRefusal = (account: Controlled, out: LimitedPayment, atMs: number): LimitRefusal | null => {
  const full = roomsFor(account, out, atMs).find((room) => out.worthCents > remainingOf(room))
  if (full === undefined) return null
  const { limit, limitCents, resetsAtMs } = full
  return limit === 'newBeneficiaryDayCents'
    ? { reason: 'BENEFICIARY_COOLING_OFF', availableAtMs: out.payee.coolsOffUntilMs, limitCents }
    : { reason: 'LIMIT_EXCEEDED', limit, remainingCents: remainingOf(full), resetsAtMs }
}

/** The smallest rest of the sums that apply. */
export const leastRemaining = (account: Controlled, out: LimitedPayment, atMs: number): Cents =>
  toCents(
    Math.min(
      ...roomsFor(account, out, atMs)
        .filter(({ count }) => count !== null)
        .map(remainingOf),
    ),
  )

/** The counts of a payment from the moment its money is reserved. */
export const limitCounts = (
  account: Controlled,
  out: LimitedPayment,
  atMs: number,
): readonly MoneyOutCount[] =>
  roomsFor(account, out, atMs).flatMap(({ count }) => (count === null ? [] : [count(out.worthCents)]))

/** Why a new payment needs approval by the policy. */
const policyReasons = ['AMOUNT', 'PERSON_DAY', 'NEW_BENEFICIARY'] as const

/**
 * Why a payment needs approval: by the policy, or because the person who scheduled it may no longer send money.
 */
export const approvalReasons = [...policyReasons, 'CREATOR_REMOVED'] as const
export type ApprovalReason = (typeof approvalReasons)[number]

/** How many of `othersCount` other people have to approve a payment, and why. */
export const approvalsFor = (
  account: Controlled,
  { worthCents, createdBy, payee }: LimitedPayment,
  othersCount: number,
  atMs: number,
): { readonly required: number; readonly reasons: readonly ApprovalReason[] } => {
  const policy = controlsOf(account)
  if (!policy.enabled) return { required: 0, reasons: [] }
  const today = dateIn(account.profile.timeZone, atMs)
  const isPast: Readonly<Record<(typeof policyReasons)[number], boolean>> = {
    AMOUNT: worthCents > policy.thresholdCents,
    PERSON_DAY: sumOn(account, personSum(createdBy), today) + worthCents > policy.personDailyCents,
    NEW_BENEFICIARY: !payee.wasPaid && worthCents > policy.newBeneficiaryCents,
  }
  const reasons = policyReasons.filter((reason) => isPast[reason])
  return { required: reasons.length === 0 ? 0 : Math.min(policy.required, othersCount), reasons }
}

/** The counts of a payment for its creator, from when no approval is missing. */
export const personCounts = (
  { profile }: Controlled,
  { createdBy, worthCents }: LimitedPayment,
  atMs: number,
): readonly MoneyOutCount[] => [
  { sum: personSum(createdBy), date: dateIn(profile.timeZone, atMs), cents: worthCents },
]

/** How much of each limit is used. */
export const limitUsage = (
  account: Controlled,
  atMs: number,
): Readonly<Record<'pixDayCents' | 'pixNightCents' | 'tedDayCents' | 'cryptoDayCents', Cents>> => {
  const night = nightOf(account, atMs)
  return {
    pixDayCents: dayRoom(account, 'PIX', atMs).usedCents,
    pixNightCents: night === null ? toCents(0) : nightRoom(account, night).usedCents,
    tedDayCents: dayRoom(account, 'TED', atMs).usedCents,
    cryptoDayCents: dayRoom(account, 'CRYPTO', atMs).usedCents,
  }
}

/** Whether a payee is new at a time. */
export const isCoolingOff = ({ coolsOffUntilMs }: PayeeStanding, atMs: number): boolean =>
  coolsOffUntilMs === null || atMs < coolsOffUntilMs

const remainingOf = ({ limitCents, usedCents }: LimitRoom): Cents =>
  toCents(Math.max(0, limitCents - usedCents))

const dayLimits = { PIX: 'pixDayCents', TED: 'tedDayCents', CRYPTO: 'cryptoDayCents' } as const

const dayRoom = (account: Controlled, method: MoneyOutMethod, atMs: number): LimitRoom =>
  roomOn(account, dayLimits[method], method, atMs)

const transferLimits = { PIX: 'pixTransferCents', TED: 'tedTransferCents', CRYPTO: null } as const

const singleRooms = (account: Controlled, method: MoneyOutMethod): LimitRoom[] => {
  const limit = transferLimits[method]
  const limitCents = limit === null ? null : controlsOf(account)[limit]
  return limit === null || limitCents === null
    ? []
    : [{ limit, limitCents, usedCents: toCents(0), resetsAtMs: null, count: null }]
}

const newPayeesRoom = (account: Controlled, atMs: number): LimitRoom => {
  const recent = account.moneyOut?.recent ?? []
  return {
    limit: 'newBeneficiaryDayCents',
    limitCents: controlsOf(account).newBeneficiaryDayCents,
    usedCents: toCents(recentAt(recent, atMs).reduce((sum, { cents }) => sum + cents, 0)),
    resetsAtMs: recentEndsAtMs(recent, atMs),
    count: (cents) => ({ sum: newPayees, atMs, cents }),
  }
}

const roomOn = (
  account: Controlled,
  limit: (typeof dayLimits)[MoneyOutMethod],
  sum: DaySumName,
  atMs: number,
): LimitRoom => {
  const { timeZone } = account.profile
  const date = dateIn(timeZone, atMs)
  return {
    limit,
    limitCents: controlsOf(account)[limit],
    usedCents: sumOn(account, sum, date),
    resetsAtMs: endOfDay(timeZone, date),
    count: (cents) => ({ sum, date, cents }),
  }
}

const nightEndsMs = 6 * 3_600_000

/** The current night, named by the day on which it began; null by day. */
const nightOf = (account: Controlled, atMs: number): CalendarDate | null => {
  const { timeZone } = account.profile
  const today = dateIn(timeZone, atMs)
  const timeMs = timeIn(timeZone, atMs)
  if (timeMs < nightEndsMs) return addDays(today, -1)
  const startsMs = Number(controlsOf(account).nightStartsAt.slice(0, 2)) * 3_600_000
  return timeMs < startsMs ? null : today
}

const nightRoom = (account: Controlled, night: CalendarDate): LimitRoom => ({
  limit: 'pixNightCents',
  limitCents: controlsOf(account).pixNightCents,
  usedCents: sumOn(account, nightSum, night),
  resetsAtMs: instantOf(account.profile.timeZone, addDays(night, 1), nightEndsMs),
  count: (cents) => ({ sum: nightSum, date: night, cents }),
})

const nightSum = 'PIX at night'

const personSum = (createdBy: PersonId | null): DaySumName => `person ${createdBy}`

const sumOn = ({ moneyOut }: Controlled, sum: DaySumName, date: CalendarDate): Cents => {
  const counted = moneyOut?.sums[sum]
  return counted?.date === date ? counted.cents : toCents(0)
}
