import Type, { type Static } from 'typebox'
import { type Controls, nightStarts } from '../../../engine/approval-and-limits/controls.ts'
import { type ChangeId, newId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { commandRoute, queryRoute, type RequestContext } from '../../api/route.ts'
import { bounds } from '../../base/bounds.ts'
import { unavailable } from '../../problems/problem.ts'
import { booleanOf } from '../../resources/fields.ts'
import { listOfRows, listView } from '../../resources/list.ts'
import {
  approvalPolicy,
  approvalPolicyView,
  controlChange,
  moneyOutLimits,
  moneyOutLimitsView,
} from '../../resources/money-out/approval-and-limits.ts'
import { amount, choice, orNull, wholeNumber } from '../../schema/schema.ts'
import { othersWho, standingOfAsker } from '../others-who.ts'
import { pagingParameters, readPaging } from '../paging.ts'

const ofCompany = { tag: 'Company', product: null } as const
const reads = { ...ofCompany, verb: 'GET', permission: 'balance.read', isForPeople: true } as const
const sets = { ...ofCompany, permission: 'limits.manage', factor: 'OPERATION' } as const

const upTo = (description: string) => amount(bounds.moneyOutCentsMax, description, { min: 0 })

/** Bounds of a single transfer came later than the others: a client that leaves them out changes nothing. */
const singleAmount = (description: string) => Type.Optional(orNull(upTo(description)))

const policyBody = Type.Object({
  enabled: booleanOf('False: one person alone moves money.'),
  thresholdAmount: upTo('Above it, others approve.'),
  personDailyAmount: upTo('Above this sum by one person in a day, others approve.'),
  newBeneficiaryAmount: upTo('Above it, others approve what a payee gets for the first time.'),
  required: wholeNumber(1, 3, 'How many others approve.'),
  expiresAfterHours: wholeNumber(1, 720, 'After so many hours without approval it is cancelled.'),
})

const limitsBody = Type.Object({
  pixDayAmount: upTo('By PIX in a day.'),
  pixNightAmount: upTo('By PIX in a night.'),
  nightStartsAt: { ...choice(...nightStarts), description: 'When the night begins; it ends at 06:00.' },
  tedDayAmount: upTo('By TED in a day.'),
  cryptoDayAmount: upTo('In stablecoins in a day.'),
  newBeneficiaryDayAmount: upTo('To all payees in their first 24 hours together, in any 24 hours.'),
  pixTransferAmount: singleAmount('In a single PIX; null for no bound. What is left out stays.'),
  tedTransferAmount: singleAmount('In a single TED; null for no bound. What is left out stays.'),
})

const howItCounts =
  'A decrease takes effect at once. An increase takes effect 24 hours after another person who may manage limits has approved it, if there is one; until then it is among `pending`.'

export const getApprovalPolicyRoute = queryRoute({
  ...reads,
  path: '/v1/company/approval-policy',
  operationId: 'getApprovalPolicy',
  summary: 'Get the approval policy',
  description: 'When other people approve that money leaves, in this environment.',
  answer: approvalPolicy.schema,
  query: (_, { accountId }) => ({ type: 'FindAccount', accountId }) as const,
  view: (found) => (found === null ? unavailable : { body: approvalPolicyView(found.account) }),
})

export const setApprovalPolicyRoute = commandRoute({
  ...sets,
  verb: 'PUT',
  path: '/v1/company/approval-policy',
  operationId: 'setApprovalPolicy',
  summary: 'Set the approval policy',
  description: howItCounts,
  refusals: [409],
  body: policyBody,
  answer: approvalPolicy.schema,
  read: (body: Static<typeof policyBody>) => ({
    enabled: body.enabled,
    thresholdCents: centsOf(body.thresholdAmount),
    personDailyCents: centsOf(body.personDailyAmount),
    newBeneficiaryCents: centsOf(body.newBeneficiaryAmount),
    required: body.required,
    expiresAfterHours: body.expiresAfterHours,
  }),
  command: (wanted: Partial<Controls>, request) => setting(wanted, request),
  view: ({ state }) => ({ body: approvalPolicyView(state) }),
})

export const getLimitsRoute = queryRoute({
  ...reads,
  path: '/v1/company/limits',
  operationId: 'getLimits',
  summary: 'Get the limits',
  description: 'What may leave at most in this environment, and how much of it is used.',
  answer: moneyOutLimits.schema,
  query: (_, { accountId }) => ({ type: 'FindAccount', accountId }) as const,
  view: (found) => (found === null ? unavailable : { body: moneyOutLimitsView(found.account, found.nowMs) }),
})

export const setLimitsRoute = commandRoute({
  ...sets,
  verb: 'PUT',
  path: '/v1/company/limits',
  operationId: 'setLimits',
  summary: 'Set the limits',
  description: howItCounts,
  refusals: [409],
  body: limitsBody,
  answer: moneyOutLimits.schema,
  read: (body: Static<typeof limitsBody>) => ({
    pixDayCents: centsOf(body.pixDayAmount),
    pixNightCents: centsOf(body.pixNightAmount),
    nightStartsAt: body.nightStartsAt,
    tedDayCents: centsOf(body.tedDayAmount),
    cryptoDayCents: centsOf(body.cryptoDayAmount),
    newBeneficiaryDayCents: centsOf(body.newBeneficiaryDayAmount),
    ...(body.pixTransferAmount !== undefined && { pixTransferCents: centsOrNull(body.pixTransferAmount) }),
    ...(body.tedTransferAmount !== undefined && { tedTransferCents: centsOrNull(body.tedTransferAmount) }),
  }),
  command: (wanted: Partial<Controls>, request) => setting(wanted, request),
  view: ({ state, nowMs }) => ({ body: moneyOutLimitsView(state, nowMs) }),
})

export const listControlChangesRoute = queryRoute({
  ...reads,
  path: '/v1/company/changes',
  operationId: 'listControlChanges',
  summary: 'List changes of policy and limits',
  description: 'Increases of limits and relaxed approval policies, newest first, with what became of them.',
  parameters: pagingParameters({}),
  answer: listOfRows(controlChange.schema),
  read: (query) => readPaging(query, {}),
  query: (input, { accountId }) => ({ type: 'ListControlChanges', accountId, ...input }) as const,
  view: (listed, input) => ({ body: listView(listed, input, controlChange.view) }),
})

export const approveControlChangeRoute = commandRoute({
  ...sets,
  verb: 'POST',
  path: '/v1/company/changes/:id/approve',
  operationId: 'approveControlChange',
  summary: 'Approve a change of policy or limits',
  description: 'It counts 24 hours later. Nobody approves their own change.',
  refusals: [404, 409],
  answer: controlChange.schema,
  command: (_, request) => deciding(true, request),
  view: ({ state }) => ({ body: controlChange.view(state) }),
})

export const rejectControlChangeRoute = commandRoute({
  ...sets,
  verb: 'POST',
  path: '/v1/company/changes/:id/reject',
  operationId: 'rejectControlChange',
  summary: 'Reject a change of policy or limits',
  description: 'As long as it does not count yet, by any person who may manage limits.',
  refusals: [404, 409],
  answer: controlChange.schema,
  command: (_, request) => deciding(false, request),
  view: ({ state }) => ({ body: controlChange.view(state) }),
})

const centsOf = (digits: string | number) => toCents(Number(digits))

const centsOrNull = (digits: string | number | null) => (digits === null ? null : centsOf(digits))

const setting = (wanted: Partial<Controls>, request: RequestContext) =>
  ({
    type: 'SetControls',
    accountId: request.accountId,
    by: request.by,
    wanted,
    idOfChange: newId('chg', request.atMs, request.entropy),
    hasApprover: othersWho('limits.manage', request) > 0,
  }) as const

const deciding = (isApproved: boolean, request: RequestContext) => {
  const { accountId, by, id } = request
  const standing = standingOfAsker('limits.manage', request)
  return {
    type: 'DecideControlChange',
    accountId,
    by,
    changeId: id as ChangeId,
    isApproved,
    standing,
  } as const
}
