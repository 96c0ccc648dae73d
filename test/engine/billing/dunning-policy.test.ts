import t from 'tap'
import { defaultPolicy, policyFor } from '../../../engine/billing/catalog/dunning.ts'
import type { PlanId } from '../../../engine/shared/ids.ts'
import { dunning } from '../../../gateway/resources/billing/dunning.ts'
import { opened, ours, type World } from '../world.ts'
import { aPlan, aPlanRemoval, aPolicy, aPolicySet } from './catalog.ts'

const removal = (forPlan: PlanId) => ({ type: 'RemoveDunningPolicy', ...ours, forPlan }) as const
const policies = (world: World) => world.account().dunning

t.test('without a policy of its own a company has the default', async (t) => {
  const world = await opened()
  t.strictSame(policyFor(policies(world), 'pln_1' as PlanId), defaultPolicy)
  t.strictSame(dunning.view(policies(world)), {
    object: 'dunning',
    default: {
      object: 'dunning_policy',
      scope: 'COMPANY',
      planId: null,
      enabled: true,
      retryDays: [1, 3, 5, 7],
      finalAction: 'SUSPEND',
      retryHour: 9,
      updatedAt: null,
    },
    plans: [],
  })
})

t.test('a policy replaces the one before it; that of a plan goes before that of the company', async (t) => {
  const world = await opened()
  const plan = aPlan()
  await world.execute(plan)
  const strict = { ...aPolicy, retryDays: [], enabled: false }
  await world.execute(aPolicySet(null))
  t.match(policyFor(policies(world), plan.planId), aPolicy)
  world.pass(1000)
  await world.execute(aPolicySet(plan.planId, strict))
  t.match(policyFor(policies(world), plan.planId), strict)
  t.match(policyFor(policies(world), 'pln_other' as PlanId), aPolicy)
  t.match(dunning.view(policies(world)), {
    default: { scope: 'COMPANY', retryDays: [2, 4], updatedAt: '2026-11-20T12:00:00.000Z' },
    plans: [{ scope: 'PLAN', planId: plan.planId, retryDays: [], updatedAt: '2026-11-20T12:00:01.000Z' }],
  })
  await world.execute(aPolicySet(plan.planId))
  t.match(policyFor(policies(world), plan.planId), aPolicy)
  t.match(await world.execute(removal(plan.planId)), { accepted: true })
  t.strictSame(policies(world).plans, {})
})

t.test('a plan that is not there has no policy', async (t) => {
  const world = await opened()
  const plan = aPlan()
  await world.execute(plan)
  const notFound = { rejection: { reason: 'NOT_FOUND', resource: 'dunning_policy' } }
  t.match(await world.execute(removal(plan.planId)), notFound, 'nor has one that was given none')
  t.match(await world.execute(removal('constructor' as PlanId)), notFound)
  await world.execute(aPlanRemoval(plan.planId))
  for (const forPlan of [plan.planId, 'pln_x' as PlanId])
    t.match(await world.execute(aPolicySet(forPlan)), {
      rejection: { reason: 'REFERENCE_NOT_FOUND', field: 'planId' },
    })
})

t.test('a cleared Sandbox forgets its policies', async (t) => {
  const world = await opened()
  await world.execute(aPolicySet(null))
  await world.execute({ type: 'ClearSandbox', ...ours })
  t.strictSame(policies(world), { company: null, plans: {} })
})
