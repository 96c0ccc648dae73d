import t from 'tap'
import type { ListCoupons, ValidateCoupon } from '../../../engine/billing/catalog/catalog-queries.ts'
import type { Coupon, CouponFact } from '../../../engine/billing/catalog/coupon.ts'
import { evolveCoupon } from '../../../engine/billing/catalog/coupon-kind.ts'
import {
  type CouponUse,
  couponRefusal,
  couponRefusals,
  couponStatusAt,
} from '../../../engine/billing/catalog/redemption.ts'
import type { CouponId, PlanId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { coupon, couponValidation } from '../../../gateway/resources/billing/coupon.ts'
import { account, opened, type World } from '../world.ts'
import {
  aCoupon,
  aCouponEdit,
  aCouponRemoval,
  aPlan,
  aPlanRemoval,
  aSubscriptionId,
  asks,
  happened,
  stateOf,
  wholeList,
} from './catalog.ts'

const redeemed = (world: World, id: CouponId): void =>
  happened(world, {
    actor: 'coupon',
    type: 'CouponRedeemed',
    id,
    atMs: world.now(),
    redeemedBy: aSubscriptionId,
  })

const quoteRefundShares = (world: World, id: CouponId): void =>
  happened(world, {
    actor: 'coupon',
    type: 'RedemptionReleased',
    id,
    atMs: world.now(),
    redeemedBy: aSubscriptionId,
  })

const created = async (world: World, change: Parameters<typeof aCoupon>[0] = {}): Promise<Coupon> =>
  stateOf<Coupon>(await world.execute(aCoupon(change)))

const couponIn = (world: World, id: CouponId): Coupon => world.memory.find('coupon', id)!.state

const listed = async (world: World, change: Partial<ListCoupons> = {}) => {
  const { rows } = await asks(world, { type: 'ListCoupons', ...wholeList, statuses: [], ...change })
  return rows.map(({ code }) => code)
}

const validated = async (world: World, change: Partial<ValidateCoupon>) =>
  couponValidation.view(
    await asks(world, {
      type: 'ValidateCoupon',
      accountId: account,
      code: 'WELCOME10',
      planId: null,
      customerId: null,
      amountCents: null,
      ...change,
    }),
  )

t.test('a coupon is created as it was sent', async (t) => {
  const world = await opened()
  const command = aCoupon({
    code: 'WELCOME10',
    name: 'Welcome',
    duration: 'REPEATING',
    cycles: 3,
    maxRedemptions: 100,
    minAmountCents: toCents(1000),
    metadata: { campaign: 'x' },
  })
  const made = stateOf<Coupon>(await world.execute(command))
  t.strictSame(coupon.view(made, world.now()), {
    id: command.couponId,
    object: 'coupon',
    code: 'WELCOME10',
    name: 'Welcome',
    discountType: 'PERCENT',
    percentBps: 1000,
    amountOff: null,
    duration: 'REPEATING',
    durationCycles: 3,
    maxRedemptions: 100,
    maxRedemptionsPerCustomer: 1,
    startsAt: null,
    expiresAt: null,
    planIds: null,
    minAmount: '1000',
    active: true,
    redemptionsCount: 0,
    status: 'ACTIVE',
    metadata: { campaign: 'x' },
    createdAt: '2026-11-20T12:00:00.000Z',
    updatedAt: '2026-11-20T12:00:00.000Z',
  })
  const fixed = await created(world, { percentBps: null, amountOffCents: toCents(500), duration: 'ONCE' })
  t.match(coupon.view(fixed, world.now()), {
    discountType: 'FIXED',
    percentBps: null,
    amountOff: '500',
    durationCycles: null,
  })
})

t.test('a code is of one coupon at a time', async (t) => {
  const world = await opened()
  const first = await created(world, { code: 'ONE' })
  const refusal = { rejection: { reason: 'DUPLICATE', field: 'code', existingId: first.id } }
  t.match(await world.execute(aCoupon({ code: 'ONE' })), refusal)
  const second = await created(world, { code: 'TWO' })
  t.match(await world.execute(aCouponEdit(second.id, { code: 'ONE' })), refusal)
  t.match(stateOf<Coupon>(await world.execute(aCouponEdit(first.id, { code: 'UNO' }))), { code: 'UNO' })
  t.match(stateOf<Coupon>(await world.execute(aCouponEdit(second.id, { code: 'ONE' }))), { code: 'ONE' })
  t.equal(await world.refused(aCoupon({ code: 'TWO' })), 'accepted', 'a code that was given up is free')
  await world.execute(aCouponRemoval(second.id))
  t.equal(await world.refused(aCoupon({ code: 'ONE' })), 'accepted', 'and so is that of a removed one')
  redeemed(world, first.id)
  await world.execute(aCouponRemoval(first.id))
  t.equal(await world.refused(aCoupon({ code: 'UNO' })), 'DUPLICATE', 'a deactivated one is still there')
})

t.test('two coupons of one code at once: one is made', async (t) => {
  const world = await opened()
  const replies = [aCoupon({ code: 'SAME' }), aCoupon({ code: 'SAME' })].map((command) =>
    world.shard.execute(command),
  )
  await world.settle()
  t.strictSame(
    (await Promise.all(replies)).map(({ accepted }) => accepted),
    [true, false],
  )
})

t.test('the plans of a coupon are there, and it ends after it starts', async (t) => {
  const world = await opened()
  const [plan, removed] = [aPlan(), aPlan()]
  await world.execute(plan)
  await world.execute(removed)
  await world.execute(aPlanRemoval(removed.planId))
  t.match(await world.execute(aCoupon({ planIds: [plan.planId, removed.planId] })), {
    rejection: { reason: 'REFERENCE_NOT_FOUND', field: 'planIds[1]' },
  })
  const coupon = await created(world, { planIds: [plan.planId] })
  t.match(await world.execute(aCouponEdit(coupon.id, { planIds: ['pln_x' as PlanId] })), {
    rejection: { reason: 'REFERENCE_NOT_FOUND', field: 'planIds[0]' },
  })
  await world.execute(aPlanRemoval(plan.planId))
  const again = { planIds: [plan.planId], name: 'x' }
  t.equal(await world.refused(aCouponEdit(coupon.id, again)), 'accepted', 'what it has is not asked again')

  const late = { startsAtMs: 2000, expiresAtMs: 2000 }
  t.equal(await world.refused(aCoupon(late)), 'COUPON_ENDS_BEFORE_IT_STARTS')
  const dated = await created(world, { startsAtMs: 1000, expiresAtMs: 2000 })
  t.equal(
    await world.refused(aCouponEdit(dated.id, { startsAtMs: 2000 })),
    'COUPON_ENDS_BEFORE_IT_STARTS',
    'whichever of the two is changed',
  )
  t.equal(await world.refused(aCouponEdit(dated.id, { startsAtMs: 2000, expiresAtMs: null })), 'accepted')
})

t.test('what was promised changes only while nobody holds it', async (t) => {
  const world = await opened()
  const coupon = await created(world, { code: 'PROMISE' })
  const changes = [
    ['code', { code: 'OTHER' }],
    ['percentBps', { percentBps: 500 }],
    ['amountOff', { percentBps: null, amountOffCents: toCents(5) }],
    ['duration', { duration: 'FOREVER', cycles: null }],
    ['duration', { duration: 'REPEATING', cycles: 2 }],
  ] as const
  redeemed(world, coupon.id)
  for (const [field, change] of changes) {
    const refusal = { rejection: { reason: 'COUPON_IN_USE', field } }
    t.match(await world.execute(aCouponEdit(coupon.id, change)), refusal)
  }
  const rest = {
    code: 'PROMISE',
    percentBps: 1000,
    amountOffCents: null,
    duration: 'ONCE',
    cycles: 1,
  } as const
  t.match(stateOf<Coupon>(await world.execute(aCouponEdit(coupon.id, { ...rest, name: 'n' }))), { name: 'n' })
  const repeating = await created(world, { duration: 'REPEATING', cycles: 2 })
  redeemed(world, repeating.id)
  t.match(await world.execute(aCouponEdit(repeating.id, { cycles: 3 })), {
    rejection: { reason: 'COUPON_IN_USE', field: 'durationCycles' },
  })
  quoteRefundShares(world, coupon.id)
  for (const [, change] of changes) t.equal(await world.refused(aCouponEdit(coupon.id, change)), 'accepted')
})

t.test('a limit is never less than what was redeemed', async (t) => {
  const world = await opened()
  const coupon = await created(world)
  redeemed(world, coupon.id)
  redeemed(world, coupon.id)
  t.match(await world.execute(aCouponEdit(coupon.id, { maxRedemptions: 1 })), {
    rejection: { reason: 'MAX_REDEMPTIONS_BELOW_COUNT', redemptionsCount: 2 },
  })
  const full = stateOf<Coupon>(await world.execute(aCouponEdit(coupon.id, { maxRedemptions: 2 })))
  t.equal(couponStatusAt(full, world.now()), 'EXHAUSTED')
  const raised = stateOf<Coupon>(await world.execute(aCouponEdit(coupon.id, { maxRedemptions: 3 })))
  t.equal(couponStatusAt(raised, world.now()), 'ACTIVE')
  const unlimited = stateOf<Coupon>(await world.execute(aCouponEdit(coupon.id, { maxRedemptions: null })))
  t.equal(unlimited.maxRedemptions, null)
})

t.test('a coupon that nobody ever redeemed is removed, another one deactivated', async (t) => {
  const world = await opened()
  const unused = await created(world, { code: 'UNUSED' })
  t.match(stateOf<Coupon>(await world.execute(aCouponRemoval(unused.id))), { isRemoved: true })
  t.match(await world.execute(aCouponRemoval(unused.id)), {
    rejection: { reason: 'NOT_FOUND', resource: 'coupon' },
  })
  t.equal(await world.refused(aCouponEdit(unused.id, { name: 'x' })), 'NOT_FOUND')
  const coupon = await created(world)
  redeemed(world, coupon.id)
  quoteRefundShares(world, coupon.id)
  const off = stateOf<Coupon>(await world.execute(aCouponRemoval(coupon.id)))
  t.match(off, { isRemoved: false, active: false }, 'a subscription still names it')
  t.strictSame(stateOf<Coupon>(await world.execute(aCouponRemoval(coupon.id))), off)
  t.match(stateOf<Coupon>(await world.execute(aCouponEdit(coupon.id, { active: true }))), { active: true })
})

t.test('the status follows from the coupon and the time', async (t) => {
  const world = await opened()
  const base = await created(world, { startsAtMs: 100, expiresAtMs: 200, maxRedemptions: 1 })
  const full = { ...base, redemptionsCount: 1 }
  const cases = [
    [base, 99, 'SCHEDULED'],
    [base, 100, 'ACTIVE'],
    [base, 199, 'ACTIVE'],
    [base, 200, 'EXPIRED'],
    [full, 99, 'SCHEDULED'],
    [full, 100, 'EXHAUSTED'],
    [full, 200, 'EXPIRED'],
    [{ ...full, active: false }, 200, 'INACTIVE'],
  ] as const
  for (const [coupon, nowMs, status] of cases) t.equal(couponStatusAt(coupon, nowMs), status)
})

t.test(
  'of many at once only as many redeem it as it allows, and what is given back is free again',
  async (t) => {
    const fact = { actor: 'coupon', id: 'cpn_1' as CouponId, atMs: 0 } as const
    const { coupon: terms } = aCoupon({ maxRedemptions: 3, maxRedemptionsPerCustomer: null })
    const redemption: CouponFact = { ...fact, type: 'CouponRedeemed', redeemedBy: aSubscriptionId }
    const use = { planId: null, amountCents: null, redemptionsByCustomer: 0, nowMs: 0 }
    let coupon = evolveCoupon(undefined, {
      ...fact,
      type: 'CouponCreated',
      coupon: { ...terms, accountId: account },
    })
    const outcomes = Array.from({ length: 10 }, () => {
      const refusal = couponRefusal(coupon, use)
      if (refusal === null) coupon = evolveCoupon(coupon, redemption)
      return refusal
    })
    t.strictSame(outcomes, [null, null, null, ...Array<string>(7).fill('EXHAUSTED')])
    t.equal(coupon.redemptionsCount, 3)
    t.throws(() => evolveCoupon(coupon, redemption), 'nor does a fact say otherwise')
    const free = evolveCoupon(coupon, { ...redemption, type: 'RedemptionReleased' })
    t.match(free, { redemptionsCount: 2, isUsed: true })
    t.equal(couponRefusal(free, use), null)
    t.throws(() =>
      evolveCoupon({ ...free, redemptionsCount: 0 }, { ...redemption, type: 'RedemptionReleased' }),
    )
    t.throws(() => evolveCoupon(undefined, redemption))
    t.throws(() => evolveCoupon(free, { ...fact, type: 'CouponRemoved' }))
  },
)

t.test('of several reasons the first one is told, in the order of the contract', async (t) => {
  const world = await opened()
  const good = await created(world, { maxRedemptions: 5, minAmountCents: toCents(1000) })
  const use: CouponUse = {
    planId: 'pln_1' as PlanId,
    amountCents: toCents(1000),
    redemptionsByCustomer: 0,
    nowMs: 500,
  }
  t.equal(couponRefusal(good, use), null)
  // Each one adds a reason that comes before those that hold already.
  let coupon: Coupon | undefined = good
  let asked = use
  const refuse = (change: Partial<Coupon>, more: Partial<CouponUse> = {}) => {
    coupon = { ...coupon!, ...change }
    asked = { ...asked, ...more }
    return couponRefusal(coupon, asked)
  }
  t.strictSame(
    [
      refuse({}, { amountCents: toCents(999) }),
      refuse({}, { redemptionsByCustomer: 1 }),
      refuse({ planIds: ['pln_2' as PlanId] }),
      refuse({ redemptionsCount: 5 }),
      refuse({ expiresAtMs: 500 }),
      refuse({ startsAtMs: 501 }),
      refuse({ active: false }),
      couponRefusal(undefined, asked),
    ],
    [...couponRefusals].reverse(),
  )
  const unknown = { planId: null, amountCents: null, redemptionsByCustomer: 0, nowMs: 0 }
  const narrow = { ...good, planIds: ['pln_2' as PlanId] }
  t.equal(couponRefusal(narrow, unknown), null, 'what is not known is no reason')
  t.equal(
    couponRefusal({ ...good, maxRedemptionsPerCustomer: null }, { ...use, redemptionsByCustomer: 9 }),
    null,
  )
})

t.test('a coupon is validated against what is asked', async (t) => {
  const world = await opened()
  const plan = aPlan()
  await world.execute(plan)
  t.strictSame(await validated(world, {}), {
    object: 'coupon_validation',
    valid: false,
    reason: 'NOT_FOUND',
    coupon: null,
    amount: null,
    discountAmount: null,
    finalAmount: null,
  })
  const { planId } = plan
  t.match(await validated(world, { planId }), { amount: '4900', discountAmount: '0', finalAmount: '4900' })
  const coupon = await created(world, { code: 'WELCOME10', minAmountCents: toCents(2000) })
  t.match(await validated(world, {}), { valid: true, reason: null, coupon: { id: coupon.id }, amount: null })
  t.match(await validated(world, { planId }), {
    valid: true,
    amount: '4900',
    discountAmount: '490',
    finalAmount: '4410',
  })
  t.match(await validated(world, { planId, amountCents: toCents(2005) }), {
    amount: '2005',
    discountAmount: '201',
    finalAmount: '1804',
  })
  t.match(await validated(world, { amountCents: toCents(1999) }), {
    valid: false,
    reason: 'BELOW_MINIMUM',
    coupon: { id: coupon.id },
    discountAmount: '0',
    finalAmount: '1999',
  })
  t.match(await validated(world, { planId: 'pln_x' as PlanId }), {
    reason: 'PLAN_NOT_ELIGIBLE',
    amount: null,
  })
  await world.execute(aCouponEdit(coupon.id, { active: false }))
  t.match(await validated(world, {}), { reason: 'INACTIVE', coupon: { status: 'INACTIVE' } })
})

t.test('the list is newest first, and can be narrowed by what is so now', async (t) => {
  const world = await opened()
  const nowMs = world.now()
  await created(world, { code: 'PLAIN', name: 'São João' })
  world.pass(1)
  await created(world, { code: 'SOON', startsAtMs: nowMs + 3_600_000 })
  world.pass(1)
  const gone = await created(world, { code: 'GONE' })
  await world.execute(aCouponRemoval(gone.id))
  const off = await created(world, { code: 'OFF' })
  await world.execute(aCouponEdit(off.id, { active: false }))
  t.strictSame(await listed(world), ['OFF', 'SOON', 'PLAIN'])
  t.strictSame(await listed(world, { active: true }), ['SOON', 'PLAIN'])
  t.strictSame(await listed(world, { statuses: ['SCHEDULED', 'INACTIVE'] }), ['OFF', 'SOON'])
  t.strictSame(await listed(world, { search: 'joao' }), ['PLAIN'])
  t.strictSame(await listed(world, { search: 'lai' }), ['PLAIN'])
  t.strictSame(await listed(world, { search: off.id, active: false }), ['OFF'])
  await world.advance('PT2H')
  t.strictSame(await listed(world, { statuses: ['ACTIVE'] }), ['SOON', 'PLAIN'], 'the clock started it')
  t.equal(couponIn(world, off.id).active, false)
})
