import type { Commit, Directory } from '../../engine/directory/directory.ts'
import type { Entropy, Environment } from '../../engine/shared/ids.ts'
import type { Accounts } from '../accounts.ts'
import type { Shards } from '../router.ts'
import type { EndpointUrl } from '../webhooks/address.ts'
import { companyOperations } from './company-operations.ts'
import { deliveryOperations } from './delivery-operations.ts'
import type { Operations } from './input.ts'
import { keyOperations } from './key-operations.ts'
import { sandboxOperations } from './sandbox-operations.ts'
import { webhookOperations } from './webhook-operations.ts'

/** What operations stand on. */
export type OperationsOptions = {
  readonly directory: Directory
  readonly commit: Commit
  readonly accounts: Pick<Accounts, 'open'>
  readonly router: Shards
  readonly realNow: () => number
  readonly entropy: Entropy
  readonly randomBytes: (count: number) => Buffer
  readonly masterKey: Buffer
  readonly readEndpointUrl: (text: string, environment: Environment) => Promise<EndpointUrl>
}

/** What an operator can do: companies, keys, endpoints and their deliveries, Sandboxes. The command line calls these. */
export const openOperations = (options: OperationsOptions): Operations => ({
  ...companyOperations(options),
  ...keyOperations(options),
  ...webhookOperations(options),
  ...deliveryOperations(options),
  ...sandboxOperations(options),
})
