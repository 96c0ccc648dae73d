import type { Memory } from '../../kernel/ports.ts'
import { foldCase } from '../../shared/fold-case.ts'
import type { AccountId } from '../../shared/ids.ts'
import { type Cents, toCents } from '../../shared/money.ts'
import type { CouponValidation, FindPlan, ListCoupons, ListPlans, ValidateCoupon } from './catalog-queries.ts'
import type { Coupon } from './coupon.ts'
import { discountOf } from './discount.ts'
import type { Plan } from './plan.ts'
import { couponRefusal, couponStatusAt, redemptionsOf } from './redemption.ts'

/** The account's plan with the sequence that it was read at; a removed plan is not found. */
export const findPlan = ({ accountId, planId }: FindPlan, memory: Memory) => {
  const kept = memory.find('plan', planId)
  const isThere = kept?.state.accountId === accountId && !kept.state.isRemoved
  return { value: isThere ? kept.state : null, sequence: kept?.sequence ?? 0 }
}

/** Label filter for plans and coupons: removed ones appear in no list. */
export const isKept =
  ({ active }: { readonly active: boolean | null }) =>
  (label: string): boolean =>
    active === null ? label !== 'removed' : label === (active ? 'active' : 'inactive')

/** A filter by id or part of the name; null without a search, so that no state is loaded. */
export const planMatches = ({ search }: ListPlans): ((plan: Plan) => boolean) | null =>
  search === null ? null : ({ id, name }) => id === search || says(name, search)

/** A filter by status now, id, code or name; null when every coupon fits, so that no state is loaded. */
export const couponMatches = (
  { statuses, search }: ListCoupons,
  nowMs: number,
): ((coupon: Coupon) => boolean) | null => {
  if (statuses.length === 0 && search === null) return null
  return (coupon) => {
    if (statuses.length > 0 && !statuses.includes(couponStatusAt(coupon, nowMs))) return false
    const { id, code, name } = coupon
    return search === null || id === search || says(code, search) || (name !== null && says(name, search))
  }
}

const says = (text: string, search: string): boolean => foldCase(text).includes(foldCase(search))

/** Whether the coupon could be redeemed now, why not, and what it would take off (decisions, section 23). */
export const validateCoupon = (query: ValidateCoupon, memory: Memory, nowMs: number): CouponValidation => {
  const { accountId, code, planId, customerId } = query
  const lookup = lookupIn(memory, accountId)
  const [coupon] = lookup('coupon', code)
  const plan = planId === null ? null : findPlan({ type: 'FindPlan', accountId, planId }, memory).value
  const amountCents = query.amountCents ?? plan?.amountCents ?? null
  const redemptionsByCustomer =
    coupon === undefined || customerId === null ? 0 : redemptionsOf(coupon.id, customerId, lookup)
  // A plan that does not exist is eligible for nothing: no subscription could have it.
  const isForNothing = planId !== null && plan === null
  const asked = coupon && isForNothing ? { ...coupon, planIds: [] } : coupon
  const refusal = couponRefusal(asked, { planId, amountCents, redemptionsByCustomer, nowMs })
  const discountCents =
    coupon === undefined || refusal !== null ? toCents(0) : discountIn(coupon, amountCents)
  return {
    coupon: coupon ?? null,
    refusal,
    amountCents,
    discountCents: amountCents === null ? null : discountCents,
    nowMs,
  }
}

const discountIn = (coupon: Coupon, amountCents: Cents | null): Cents | null =>
  amountCents === null ? null : discountOf(amountCents, coupon)

const lookupIn =
  (memory: Memory, accountId: AccountId): Parameters<typeof redemptionsOf>[2] =>
  (kind, key) =>
    memory.lookup(kind, accountId, key).map(({ state }) => state)
