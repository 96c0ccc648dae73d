import type { Decider } from '../../kernel/decider.ts'
import type { Draft } from '../../kernel/draft.ts'
import { factOf } from '../../kernel/fact.ts'
import type { Rejection } from '../../kernel/registry.ts'
import { differing } from '../../shared/differing.ts'
import type { CouponId } from '../../shared/ids.ts'
import { unlessRemoved } from '../../shared/unless-removed.ts'
import type { CreateCoupon, EditCoupon, RemoveCoupon } from './catalog-commands.ts'
import type { Coupon, CouponChanges } from './coupon.ts'
import { planOf } from './decide-plan.ts'

/** Creates a coupon; refuses a code that is taken, dates in the wrong order and plans that do not exist. */
export const createCoupon: Decider<CreateCoupon> = (draft, { couponId: id, coupon }) => {
  const refusal = codeRefusal(id, coupon, draft) ?? datesRefusal(coupon) ?? plansRefusal(coupon, draft)
  if (refusal !== null) return refusal
  const accountId = draft.account().id
  draft.add({ type: 'CouponCreated', coupon: { accountId, ...coupon }, ...factOf(draft, 'coupon', id) })
  return null
}

/** Changes a coupon for future subscriptions; existing ones keep the discount that they were given. */
export const editCoupon: Decider<EditCoupon> = (draft, command) => {
  const coupon = unlessRemoved(draft.find('coupon', command.couponId))
  if (coupon === undefined) return absent
  const { id, redemptionsCount } = coupon
  const changes: CouponChanges = differing(coupon, command.changes)
  const field = redemptionsCount > 0 ? frozenField(changes) : null
  if (field !== null) return { reason: 'COUPON_IN_USE', field }
  const refusal =
    codeRefusal(id, changes, draft) ??
    datesRefusal({ ...coupon, ...changes }) ??
    limitRefusal(coupon, changes) ??
    plansRefusal(changes, draft)
  if (refusal !== null) return refusal
  if (Object.keys(changes).length > 0)
    draft.add({ actor: 'coupon', type: 'CouponChanged', id, atMs: draft.context.nowMs, changes })
  return null
}

/** Removes a coupon that was never redeemed, and deactivates one that was. */
export const removeCoupon: Decider<RemoveCoupon> = (draft, { couponId }) => {
  const coupon = unlessRemoved(draft.find('coupon', couponId))
  if (coupon === undefined) return absent
  const { id, isUsed, active } = coupon
  const fact = factOf(draft, 'coupon', id)
  if (!isUsed) draft.add({ type: 'CouponRemoved', ...fact })
  else if (active) draft.add({ type: 'CouponChanged', changes: { active: false }, ...fact })
  return null
}

/** The first changed field that redemptions rely on, by its public name; null when none is. */
const frozenField = (changes: CouponChanges): string | null => {
  if ('code' in changes) return 'code'
  if ('percentBps' in changes && changes.percentBps !== null) return 'percentBps'
  if ('amountOffCents' in changes) return 'amountOff'
  if ('duration' in changes) return 'duration'
  return 'cycles' in changes ? 'durationCycles' : null
}

const datesRefusal = ({
  startsAtMs,
  expiresAtMs,
}: Pick<Coupon, 'startsAtMs' | 'expiresAtMs'>): Rejection | null =>
  startsAtMs !== null && expiresAtMs !== null && startsAtMs >= expiresAtMs
    ? { reason: 'COUPON_ENDS_BEFORE_IT_STARTS' }
    : null

const limitRefusal = ({ redemptionsCount }: Coupon, { maxRedemptions }: CouponChanges): Rejection | null =>
  maxRedemptions != null && maxRedemptions < redemptionsCount
    ? { reason: 'MAX_REDEMPTIONS_BELOW_COUNT', redemptionsCount }
    : null

const plansRefusal = ({ planIds }: CouponChanges, draft: Draft): Rejection | null => {
  const unknown = planIds?.findIndex((id) => planOf(draft, id) === undefined) ?? -1
  return unknown === -1 ? null : { reason: 'REFERENCE_NOT_FOUND', field: `planIds[${unknown}]` }
}

const codeRefusal = (id: CouponId, { code }: CouponChanges, { lookup }: Draft): Rejection | null => {
  const other = code === undefined ? undefined : lookup('coupon', code).find((coupon) => coupon.id !== id)
  return other === undefined ? null : { reason: 'DUPLICATE', field: 'code', existingId: other.id }
}

const absent = { reason: 'NOT_FOUND', resource: 'coupon' } as const
