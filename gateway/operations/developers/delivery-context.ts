// The operations for developers: API keys, webhook endpoints, and their deliveries, which can be sent again.
import type { Command } from '../../../engine/kernel/registry.ts'
import type { Reply } from '../../../engine/kernel/reply.ts'
import type { AccountId } from '../../../engine/shared/ids.ts'
import { byOperator, type Initiator } from '../../../engine/shared/initiator.ts'
import type { ListDeliveries } from '../../../engine/webhooks/queries.ts'
import { bounds } from '../../base/bounds.ts'
import type { Asker } from '../../identity/asked.ts'
import { refuse } from '../../problems/refusal.ts'
import { accountOfEndpoint } from '../../webhooks/endpoints.ts'
import type { Input } from '../input.ts'
import type { OperationsOptions } from '../operation-options.ts'
import { endpointsOf } from './webhook-operations.ts'

/** The dependencies of operations on deliveries. */
export type DeliveryContext = Pick<
  OperationsOptions,
  'directory' | 'router' | 'realNow' | 'entropy' | 'personal'
>

/** Executes a command; refuses if its shard does. */
export const accepted = async (
  { router }: DeliveryContext,
  command: Command,
): Promise<Extract<Reply, { accepted: true }>> => {
  const reply = await router.execute(command)
  return reply.accepted ? reply : refuse(`refused: ${reply.rejection.reason}`)
}

/** The accounts that have or had endpoints, narrowed to a company and environment if the input names them. */
export const accountsOf = ({ directory }: DeliveryContext, input: Input): readonly AccountId[] => [
  ...new Set(endpointsOf(directory, input).map(accountOfEndpoint)),
]

/** The initiator of the commands that an operation sends for its asker. */
export const initiatorOf = ({ kind, personId }: Asker): Initiator =>
  kind === 'PERSON' ? { kind, id: personId } : byOperator

/** Lists all deliveries of an account, newest first. */
export const ofAccount = (accountId: AccountId): ListDeliveries => ({
  type: 'ListDeliveries',
  accountId,
  endpointId: null,
  statuses: [],
  page: 1,
  pageSize: bounds.pageSizeMax,
  asOf: null,
  from: null,
  to: null,
})
