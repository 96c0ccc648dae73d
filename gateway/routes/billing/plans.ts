import type { PlanId } from '../../../engine/shared/ids.ts'
import { commandRoute, queryRoute } from '../../api/route.ts'
import { notFound } from '../../problems/problem.ts'
import { plan } from '../../resources/billing/plan.ts'
import { listOfRows, wholeListView } from '../../resources/list.ts'
import { removalOf, removalView } from '../../resources/removal.ts'
import { catalogFilters, catalogParameters, manageScope, readScope } from '../catalog.ts'
import { forExisting, forNew } from '../command-target.ts'
import { readWholeList, unpaginated } from '../paging.ts'
import { customCounts, planBody, planChangesBody, readPlan, readPlanChanges } from './plan-input.ts'

export const createPlanRoute = commandRoute({
  ...manageScope,
  verb: 'POST',
  path: '/v1/plans',
  operationId: 'createPlan',
  summary: 'Create a plan',
  description:
    'What subscriptions agree to: an amount for each cycle, and how it may be paid. A charge has a limit by its method: `amount` and `setupFee` together are at most 9999999999 where `methods` has BOLETO.',
  status: 201,
  refusals: [422],
  body: planBody,
  rules: customCounts,
  answer: plan.schema,
  read: readPlan,
  command: (input, request) => ({ type: 'CreatePlan', ...forNew('planId', request), ...input }),
  view: ({ state }) => ({ location: `/v1/plans/${state.id}`, body: plan.view(state) }),
})

export const listPlansRoute = queryRoute({
  ...readScope,
  path: '/v1/plans',
  operationId: 'listPlans',
  summary: 'List plans',
  description: unpaginated,
  parameters: catalogParameters('ids and names', {}),
  answer: listOfRows(plan.schema),
  read: (query) => readWholeList(query, catalogFilters(query)),
  query: (input, { accountId }) => ({ type: 'ListPlans', accountId, ...input }) as const,
  view: (listed, input) => ({ body: wholeListView(listed, input, plan.view) }),
})

export const getPlanRoute = queryRoute({
  ...readScope,
  path: '/v1/plans/:id',
  operationId: 'getPlan',
  summary: 'Get one plan',
  description:
    'Shows the terms for new subscriptions; existing subscriptions keep the terms that they agreed to.',
  refusals: [404],
  answer: plan.schema,
  query: (_, { accountId, id }) => ({ type: 'FindPlan', accountId, planId: id as PlanId }) as const,
  view: (found) => (found === null ? notFound('plan') : { body: plan.view(found) }),
})

export const editPlanRoute = commandRoute({
  ...manageScope,
  verb: 'PATCH',
  path: '/v1/plans/:id',
  operationId: 'updatePlan',
  summary: 'Change a plan',
  description:
    'Fields that are left out stay as they are; `metadata` is replaced as a whole. Subscriptions keep the terms that they agreed to: the change is for those that are created, or moved to the plan, afterwards. `interval` and `intervalCount` change only while the plan never had a subscription (409 `PLAN_IN_USE`). To or from CUSTOM, send both.',
  refusals: [404, 409, 422],
  body: planChangesBody,
  answer: plan.schema,
  read: readPlanChanges,
  command: (changes, request) => ({ type: 'EditPlan', ...forExisting('planId', request), changes }),
  view: ({ state }) => ({ body: plan.view(state) }),
})

export const removePlanRoute = commandRoute({
  ...manageScope,
  verb: 'DELETE',
  path: '/v1/plans/:id',
  operationId: 'deletePlan',
  summary: 'Remove a plan',
  description:
    'A plan that ever had a subscription is only deactivated (`deleted` is false): it takes no new subscriptions, and those that it has go on.',
  refusals: [404],
  answer: removalOf('PlanRemoval', 'plan'),
  command: (_, request) => ({ type: 'RemovePlan', ...forExisting('planId', request) }),
  view: ({ state }) => ({ body: removalView('plan', state) }),
})
