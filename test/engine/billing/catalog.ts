import type { CreateCoupon, CreatePlan } from '../../../engine/billing/catalog/catalog-commands.ts'
import type { CouponChanges } from '../../../engine/billing/catalog/coupon.ts'
import type { DunningPolicy } from '../../../engine/billing/catalog/dunning.ts'
import type { PlanChanges, PlanTerms } from '../../../engine/billing/catalog/plan.ts'
import { applyEntry } from '../../../engine/engine.ts'
import type { Answers, AnyFact, Command, Query } from '../../../engine/kernel/registry.ts'
import type { Reply } from '../../../engine/kernel/reply.ts'
import type { CouponId, PlanId, SubscriptionId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { account, ours, type World } from '../world.ts'

export const aMonth: PlanTerms = {
  name: 'Pro',
  amountCents: toCents(4900),
  interval: 'MONTH',
  intervalCount: 1,
  trialDays: 0,
  setupFeeCents: toCents(0),
  maxCycles: null,
  methods: ['PIX', 'CREDIT_CARD'],
  splitRuleId: null,
}

let plans = 0
export const aPlan = (terms: Partial<PlanTerms> = {}, change: Partial<CreatePlan> = {}): CreatePlan => ({
  type: 'CreatePlan',
  ...ours,
  planId: `pln_${String(++plans).padStart(26, '0')}` as PlanId,
  terms: { ...aMonth, ...terms },
  metadata: {},
  ...change,
})

export const anEdit = (planId: PlanId, changes: PlanChanges): Command => ({
  type: 'EditPlan',
  ...ours,
  planId,
  changes,
})

export const aPlanRemoval = (planId: PlanId): Command => ({ type: 'RemovePlan', ...ours, planId })

let coupons = 0
export const aCoupon = (change: Partial<CreateCoupon['coupon']> = {}): CreateCoupon => ({
  type: 'CreateCoupon',
  ...ours,
  couponId: `cpn_${String(++coupons).padStart(26, '0')}` as CouponId,
  coupon: {
    code: `CODE-${coupons}`,
    name: null,
    percentBps: 1000,
    amountOffCents: null,
    duration: 'ONCE',
    cycles: 1,
    maxRedemptions: null,
    maxRedemptionsPerCustomer: 1,
    startsAtMs: null,
    expiresAtMs: null,
    planIds: null,
    minAmountCents: null,
    metadata: {},
    ...change,
  },
})

export const aCouponEdit = (couponId: CouponId, changes: CouponChanges): Command => ({
  type: 'EditCoupon',
  ...ours,
  couponId,
  changes,
})

export const aCouponRemoval = (couponId: CouponId): Command => ({ type: 'RemoveCoupon', ...ours, couponId })

export const aPolicy: DunningPolicy = {
  enabled: true,
  retryDays: [2, 4],
  finalAction: 'CANCEL',
  retryHour: 14,
}

export const aPolicySet = (forPlan: PlanId | null, policy: DunningPolicy = aPolicy): Command => ({
  type: 'SetDunningPolicy',
  ...ours,
  forPlan,
  policy,
})

export const aSubscriptionId = `sub_${'0'.repeat(26)}` as SubscriptionId

/** Facts that only subscriptions bring about, without one. */
export const happened = (world: World, ...events: readonly AnyFact[]): void => {
  const entry = { accountId: account, atMs: world.now(), events }
  applyEntry(world.memory, world.journal.append(entry), entry)
  world.journal.flush()
}

/** The state of an accepted reply. */
export const stateOf = <State>(reply: Reply): State => {
  if (!reply.accepted) throw new Error(`refused: ${reply.rejection.reason}`)
  return reply.state as State
}

export const asks = async <Asked extends Query>(
  world: World,
  query: Asked,
): Promise<Answers[Asked['type']]> => {
  const asked = world.shard.query(query)
  await world.settle()
  return asked
}

export const wholeList = {
  accountId: account,
  page: 1,
  pageSize: Number.MAX_SAFE_INTEGER,
  asOf: null,
  from: null,
  to: null,
  active: null,
  search: null,
} as const
