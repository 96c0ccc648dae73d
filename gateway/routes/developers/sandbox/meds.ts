import Type from 'typebox'
import type { MedId } from '../../../../engine/shared/ids.ts'
import { toCents } from '../../../../engine/shared/money.ts'
import { commandRoute } from '../../../api/route.ts'
import { bounds } from '../../../base/bounds.ts'
import { med, medOf } from '../../../resources/payments/med.ts'
import { described } from '../../../schema/named-schema.ts'
import { amount, choice, idParameter, textUpTo } from '../../../schema/schema.ts'
import { forExisting } from '../../command-target.ts'
import { sandboxRoute } from './sandbox-route.ts'

export const openSandboxMedRoute = commandRoute({
  ...sandboxRoute,
  path: '/v1/sandbox/transactions/:id/med',
  operationId: 'openSandboxMed',
  summary: 'Open a MED',
  description: 'Contests a PIX as the payer’s bank would: the amount is blocked until the MED is decided.',
  refusals: [403, 404, 409, 422],
  body: Type.Object({
    amount: Type.Optional(amount(bounds.amountCentsMax, 'Default: all that was paid and not refunded.')),
    reason: Type.Optional(
      described(choice('FRAUD', 'OPERATIONAL_FAILURE'), 'Why the bank contests it. Default FRAUD.'),
    ),
    details: Type.Optional(textUpTo(bounds.reasonCharsMax, 'What the bank says.')),
    rootEndToEndId: Type.Optional(
      idParameter('The contested payment, where the money was followed from there to you (MED 2.0).'),
    ),
  }),
  answer: med.schema,
  read: ({ amount, reason, details, rootEndToEndId }) => ({
    amountCents: amount === undefined ? null : toCents(Number(amount)),
    reason: reason ?? null,
    details: details?.trim() ?? null,
    rootEndToEndId: rootEndToEndId?.trim() ?? null,
  }),
  command: (input, request) => ({ type: 'OpenMed', ...forExisting('transactionId', request), ...input }),
  view: ({ state, reversalId }) => ({ body: medOf(state, reversalId) }),
})

export const closeSandboxMedRoute = commandRoute({
  ...sandboxRoute,
  path: '/v1/sandbox/meds/:id/close',
  operationId: 'closeSandboxMed',
  summary: 'Close a MED',
  description:
    'Decides an open MED. ACCEPTED returns the blocked amount, or less; any other result releases it.',
  refusals: [403, 404, 409, 422],
  body: Type.Object({
    result: described(choice('ACCEPTED', 'REJECTED', 'CANCELLED'), 'What is decided.'),
    returnedAmount: Type.Optional(
      amount(bounds.amountCentsMax, 'What ACCEPTED returns. Default: all that is blocked.', { min: 0 }),
    ),
  }),
  answer: med.schema,
  read: ({ result, returnedAmount }) => ({
    result,
    returnedCents: returnedAmount === undefined ? null : toCents(Number(returnedAmount)),
  }),
  command: (input, { accountId, by, id }) => ({
    type: 'CloseMed',
    accountId,
    by,
    reversalId: id as MedId,
    ...input,
  }),
  view: ({ state, reversalId }) => ({ body: medOf(state, reversalId) }),
})

export const resolveSandboxMedContestRoute = commandRoute({
  ...sandboxRoute,
  path: '/v1/sandbox/meds/:id/contest/resolve',
  operationId: 'resolveSandboxMedContest',
  summary: 'Resolve the contest of a MED',
  description: 'Decides what was asked for after a MED. WON credits what it returned.',
  refusals: [403, 404, 409],
  body: Type.Object({ result: described(choice('WON', 'LOST'), 'What is decided.') }),
  answer: med.schema,
  read: ({ result }) => ({ result }),
  command: ({ result }, { accountId, by, id }) => ({
    type: 'ResolveMedContest',
    accountId,
    by,
    reversalId: id as MedId,
    result,
  }),
  view: ({ state, reversalId }) => ({ body: medOf(state, reversalId) }),
})
