import Type from 'typebox'
import { secondPersonOfSandbox } from '../../../../engine/approval-and-limits/approver.ts'
import { toCents } from '../../../../engine/shared/money.ts'
import { commandRoute } from '../../../api/route.ts'
import { bounds } from '../../../base/bounds.ts'
import { transferFailure, transferResource } from '../../../resources/money-out/transfer.ts'
import { described } from '../../../schema/named-schema.ts'
import { amount, choice } from '../../../schema/schema.ts'
import { forExisting } from '../../command-target.ts'
import { sandboxRoute } from './sandbox-route.ts'

export const approveSandboxTransferRoute = commandRoute({
  ...sandboxRoute,
  path: '/v1/sandbox/transfers/:id/approve',
  operationId: 'approveSandboxTransfer',
  summary: 'Approve a transfer',
  description: 'Approves it as a second person would, without one. Where two have to approve, call it twice.',
  refusals: [403, 404, 409, 422],
  answer: transferResource.schema,
  command: (_, request) => ({
    type: 'ApproveMoneyOut',
    ...forExisting('transferId', request),
    ...secondPersonOfSandbox,
  }),
  view: ({ state }, _, { personal }) => ({ body: transferResource.view(state, personal.open) }),
})

export const resolveSandboxTransferRoute = commandRoute({
  ...sandboxRoute,
  path: '/v1/sandbox/transfers/:id/resolve',
  operationId: 'resolveSandboxTransfer',
  summary: 'Decide a transfer',
  description: 'Decides a transfer that is PROCESSING, in the place of the bank.',
  refusals: [403, 404, 409],
  body: Type.Object({
    result: described(choice('COMPLETED', 'FAILED'), 'What is decided.'),
    failureReason: Type.Optional(described(transferFailure, 'Why it is FAILED. Default REFUSED_BY_BANK.')),
  }),
  answer: transferResource.schema,
  read: ({ result, failureReason }) =>
    result === 'COMPLETED' ? null : (failureReason ?? ('REFUSED_BY_BANK' as const)),
  command: (failureReason, request) => ({
    type: 'ResolveMoneyOut',
    ...forExisting('transferId', request),
    failureReason,
  }),
  view: ({ state }, _, { personal }) => ({ body: transferResource.view(state, personal.open) }),
})

export const returnSandboxTransferRoute = commandRoute({
  ...sandboxRoute,
  path: '/v1/sandbox/transfers/:id/return',
  operationId: 'returnSandboxTransfer',
  summary: 'Return a transfer',
  description:
    'Lets money of a COMPLETED transfer come back, as the payee’s bank sends it back: all that is left, or a part. It can be called several times.',
  refusals: [403, 404, 409, 422],
  body: Type.Object({
    amount: Type.Optional(amount(bounds.moneyOutCentsMax, 'What comes back. Default: all that is left.')),
  }),
  answer: transferResource.schema,
  read: ({ amount }) => (amount === undefined ? null : toCents(Number(amount))),
  command: (amountCents, request) => ({
    type: 'ReturnMoneyOut',
    ...forExisting('transferId', request),
    amountCents,
  }),
  view: ({ state }, _, { personal }) => ({ body: transferResource.view(state, personal.open) }),
})
