import t from 'tap'
import type { ListPlans } from '../../../engine/billing/catalog/catalog-queries.ts'
import { intervalCountMax, intervals, type Plan } from '../../../engine/billing/catalog/plan.ts'
import { evolvePlan } from '../../../engine/billing/catalog/plan-kind.ts'
import { type AccountId, accountIdOf, type CompanyId, type PlanId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { plan } from '../../../gateway/resources/billing/plan.ts'
import { account, opened, type World } from '../world.ts'
import {
  aMonth,
  anEdit,
  aPlan,
  aPlanRemoval,
  aPolicySet,
  asks,
  happened,
  stateOf,
  wholeList,
} from './catalog.ts'

const found = (world: World, planId: PlanId, accountId: AccountId = account) =>
  asks(world, { type: 'FindPlan', accountId, planId })

const listed = async (world: World, change: Partial<ListPlans> = {}) => {
  const { rows, total } = await asks(world, { type: 'ListPlans', ...wholeList, ...change })
  return { names: rows.map(({ name }) => name), total }
}

const used = async (world: World): Promise<Plan> => {
  const plan = stateOf<Plan>(await world.execute(aPlan()))
  happened(world, { actor: 'plan', type: 'PlanUsed', id: plan.id, atMs: world.now() })
  return plan
}

t.test('a plan is created as it was sent, by the clock of the environment', async (t) => {
  const world = await opened()
  await world.advance('P1M')
  const command = aPlan({ setupFeeCents: toCents(990), maxCycles: 12 }, { metadata: { tier: 'gold' } })
  const made = stateOf<Plan>(await world.execute(command))
  t.strictSame(plan.view(made), {
    id: command.planId,
    object: 'plan',
    name: 'Pro',
    amount: '4900',
    currency: 'BRL',
    interval: 'MONTH',
    intervalCount: 1,
    trialDays: 0,
    setupFee: '990',
    maxCycles: 12,
    methods: ['PIX', 'CREDIT_CARD'],
    splitRuleId: null,
    active: true,
    metadata: { tier: 'gold' },
    createdAt: '2026-12-20T12:00:00.000Z',
    updatedAt: '2026-12-20T12:00:00.000Z',
  })
  t.strictSame(await found(world, made.id), made)
})

t.test('a cycle has as many intervals as make 36 months, or two years of days', async (t) => {
  const world = await opened()
  for (const interval of intervals) {
    const intervalCount = intervalCountMax[interval]
    t.equal(await world.refused(aPlan({ interval, intervalCount })), 'accepted', interval)
    const more = await world.execute(aPlan({ interval, intervalCount: intervalCount + 1 }))
    t.match(more, { rejection: { reason: 'INTERVAL_COUNT_OUT_OF_RANGE', countMax: intervalCount } })
  }
})

t.test('the first invoice can be charged by every method of the plan', async (t) => {
  const world = await opened()
  const boleto = { methods: ['PIX', 'BOLETO'], amountCents: toCents(9_999_999_000) } as const
  t.equal(await world.refused(aPlan({ ...boleto, setupFeeCents: toCents(999) })), 'accepted')
  t.match(await world.execute(aPlan({ ...boleto, setupFeeCents: toCents(1000) })), {
    rejection: { reason: 'FIRST_INVOICE_TOO_LARGE', limitCents: 9_999_999_999 },
  })
  const pix = stateOf<Plan>(await world.execute(aPlan({ amountCents: toCents(999_999_999_999) })))
  t.equal(await world.refused(anEdit(pix.id, { methods: ['BOLETO'] })), 'FIRST_INVOICE_TOO_LARGE')
  t.equal(await world.refused(anEdit(pix.id, { setupFeeCents: toCents(1) })), 'FIRST_INVOICE_TOO_LARGE')
})

t.test('a split rule that is not there is refused', async (t) => {
  const world = await opened()
  const splitRuleId = `spr_${'0'.repeat(26)}` as never
  const refusal = { rejection: { reason: 'REFERENCE_NOT_FOUND', field: 'splitRuleId' } }
  t.match(await world.execute(aPlan({ splitRuleId })), refusal)
  const plan = stateOf<Plan>(await world.execute(aPlan()))
  t.match(await world.execute(anEdit(plan.id, { splitRuleId })), refusal)
  t.equal(await world.refused(anEdit(plan.id, { splitRuleId: null })), 'accepted')
})

t.test('a change is of what is named, and of what is not so already', async (t) => {
  const world = await opened()
  const plan = stateOf<Plan>(await world.execute(aPlan()))
  world.pass(1000)
  const before = world.journal.appended()
  const changed = stateOf<Plan>(
    await world.execute(anEdit(plan.id, { amountCents: toCents(5900), interval: 'MONTH', maxCycles: 3 })),
  )
  t.strictSame(changed, { ...plan, amountCents: 5900, maxCycles: 3, updatedAtMs: plan.updatedAtMs + 1000 })
  t.strictSame(world.journal.at(before + 1).events, [
    {
      actor: 'plan',
      type: 'PlanChanged',
      id: plan.id,
      atMs: world.now(),
      changes: { amountCents: 5900, maxCycles: 3 },
    },
  ])
  const same = { ...aMonth, amountCents: toCents(5900), maxCycles: 3, active: true, metadata: {} }
  t.strictSame(stateOf<Plan>(await world.execute(anEdit(plan.id, same))), changed)
  t.equal(world.journal.appended(), before + 1, 'no change, no fact')
  t.match(stateOf<Plan>(await world.execute(anEdit(plan.id, { maxCycles: null, active: false }))), {
    maxCycles: null,
    active: false,
  })
})

t.test('the cycle changes only while no subscription ever had the plan', async (t) => {
  const world = await opened()
  const free = stateOf<Plan>(await world.execute(aPlan()))
  t.match(stateOf<Plan>(await world.execute(anEdit(free.id, { interval: 'YEAR' }))), { interval: 'YEAR' })
  const plan = await used(world)
  t.match(await world.execute(anEdit(plan.id, { interval: 'YEAR' })), {
    rejection: { reason: 'PLAN_IN_USE', field: 'interval' },
  })
  t.match(await world.execute(anEdit(plan.id, { intervalCount: 2 })), {
    rejection: { reason: 'PLAN_IN_USE', field: 'intervalCount' },
  })
  const rest = { interval: 'MONTH', intervalCount: 1, name: 'Pro 2', amountCents: toCents(1) } as const
  t.match(stateOf<Plan>(await world.execute(anEdit(plan.id, rest))), { name: 'Pro 2', isUsed: true })
})

t.test('a number of days is never taken for a number of months', async (t) => {
  const world = await opened()
  const days = stateOf<Plan>(await world.execute(aPlan({ interval: 'CUSTOM', intervalCount: 30 })))
  t.equal(await world.refused(anEdit(days.id, { interval: 'MONTH' })), 'INTERVAL_COUNT_REQUIRED')
  t.equal(
    await world.refused(anEdit(days.id, { interval: 'MONTH', intervalCount: 37 })),
    'INTERVAL_COUNT_OUT_OF_RANGE',
  )
  t.equal(await world.refused(anEdit(days.id, { intervalCount: 730 })), 'accepted')
  t.equal(await world.refused(anEdit(days.id, { interval: 'MONTH', intervalCount: 6 })), 'accepted')
  t.equal(await world.refused(anEdit(days.id, { interval: 'QUARTER' })), 'accepted', 'of intervals it stays')
  t.equal(await world.refused(anEdit(days.id, { interval: 'YEAR' })), 'INTERVAL_COUNT_OUT_OF_RANGE')
  t.equal(await world.refused(anEdit(days.id, { interval: 'CUSTOM' })), 'INTERVAL_COUNT_REQUIRED')
})

t.test('a plan that was never used is removed, and nobody finds it any more', async (t) => {
  const world = await opened()
  const plan = stateOf<Plan>(await world.execute(aPlan()))
  t.match(stateOf<Plan>(await world.execute(aPlanRemoval(plan.id))), { isRemoved: true, active: false })
  t.equal(await found(world, plan.id), null)
  t.strictSame(await listed(world), { names: [], total: 0 })
  const notFound = { rejection: { reason: 'NOT_FOUND', resource: 'plan' } }
  t.match(await world.execute(aPlanRemoval(plan.id)), notFound)
  t.match(await world.execute(anEdit(plan.id, { name: 'x' })), notFound)
})

t.test('a plan that was used is only deactivated, as often as it is removed', async (t) => {
  const world = await opened()
  const plan = await used(world)
  const deactivated = stateOf<Plan>(await world.execute(aPlanRemoval(plan.id)))
  t.match(deactivated, { isRemoved: false, active: false })
  const before = world.journal.appended()
  t.strictSame(stateOf<Plan>(await world.execute(aPlanRemoval(plan.id))), deactivated)
  t.equal(world.journal.appended(), before)
  t.match(await found(world, plan.id), { active: false })
  t.match(stateOf<Plan>(await world.execute(anEdit(plan.id, { active: true }))), { active: true })
})

t.test('a dunning policy goes with its plan', async (t) => {
  const world = await opened()
  const [plan, other] = [aPlan(), aPlan()]
  for (const command of [plan, other]) {
    await world.execute(command)
    await world.execute(aPolicySet(command.planId))
  }
  await world.execute(aPlanRemoval(plan.planId))
  t.strictSame(Object.keys(world.account().dunning.plans), [other.planId])
  happened(world, { actor: 'plan', type: 'PlanUsed', id: other.planId, atMs: world.now() })
  await world.execute(aPlanRemoval(other.planId))
  t.strictSame(Object.keys(world.account().dunning.plans), [other.planId], 'subscriptions go on under it')
})

t.test('plans are of one company and environment', async (t) => {
  const world = await opened()
  const accountId = accountIdOf('cmp_00000000000000000000000002' as CompanyId, 'SANDBOX')
  const by = aPlan().by
  await world.execute({ type: 'OpenAccount', accountId, by, profile: world.account().profile })
  const theirs = aPlan({}, { accountId })
  await world.execute(theirs)
  t.equal(await found(world, theirs.planId), null)
  t.match(await found(world, theirs.planId, accountId), { id: theirs.planId })
  t.equal(await world.refused(anEdit(theirs.planId, { name: 'mine' })), 'NOT_FOUND')
  t.equal(await world.refused(aPlanRemoval(theirs.planId)), 'NOT_FOUND')
  t.equal(await world.refused(anEdit('pln_x' as PlanId, {})), 'NOT_FOUND')
  t.strictSame(await listed(world), { names: [], total: 0 })
})

t.test('the list is newest first and whole, and can be narrowed', async (t) => {
  const world = await opened()
  for (const name of ['Básico', 'Pro', 'Pro anual']) {
    await world.execute(aPlan({ name }))
    await world.advance('P1D')
  }
  const plan = stateOf<Plan>(await world.execute(aPlan({ name: 'Antigo' })))
  await world.execute(anEdit(plan.id, { active: false }))
  const removed = stateOf<Plan>(await world.execute(aPlan({ name: 'Nunca' })))
  await world.execute(aPlanRemoval(removed.id))
  t.strictSame(await listed(world), { names: ['Antigo', 'Pro anual', 'Pro', 'Básico'], total: 4 })
  t.strictSame((await listed(world, { active: true })).names, ['Pro anual', 'Pro', 'Básico'])
  t.strictSame(await listed(world, { active: false }), { names: ['Antigo'], total: 1 })
  t.strictSame((await listed(world, { search: 'basico' })).names, ['Básico'])
  t.strictSame((await listed(world, { search: plan.id })).names, ['Antigo'])
  const on = (from: string, to: string) => listed(world, { from: from as never, to: to as never })
  t.strictSame((await on('2026-11-21', '2026-11-22')).names, ['Pro anual', 'Pro'])
})

t.test('facts about a plan that is not there are our mistake', async (t) => {
  const fact = { actor: 'plan', id: 'pln_1' as PlanId, atMs: 0 } as const
  const plan = { ...aMonth, accountId: account, metadata: {} }
  const created = evolvePlan(undefined, { ...fact, type: 'PlanCreated', plan })
  t.throws(() => evolvePlan(undefined, { ...fact, type: 'PlanUsed' }))
  t.throws(() => evolvePlan(created, { ...fact, type: 'PlanCreated', plan }))
  const removed = evolvePlan(created, { ...fact, type: 'PlanRemoved' })
  t.throws(() => evolvePlan(removed, { ...fact, type: 'PlanUsed' }))
  const usedPlan = evolvePlan(created, { ...fact, type: 'PlanUsed' })
  t.throws(() => evolvePlan(usedPlan, { ...fact, type: 'PlanRemoved' }))
})
