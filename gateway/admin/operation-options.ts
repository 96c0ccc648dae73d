import type { Commit, Directory } from '../../engine/directory/directory.ts'
import type { Handler } from '../../engine/kernel/handler.ts'
import type { Entropy, Environment } from '../../engine/shared/ids.ts'
import type { EndpointUrl } from '../webhooks/address.ts'
import type { Accounts } from './accounts.ts'

/** The dependencies of operations. */
export type OperationsOptions = {
  readonly directory: Directory
  readonly commit: Commit
  readonly accounts: Pick<Accounts, 'open'>
  readonly router: Handler
  readonly realNow: () => number
  readonly entropy: Entropy
  readonly randomBytes: (count: number) => Buffer
  readonly masterKey: Buffer
  readonly readEndpointUrl: (text: string, environment: Environment) => Promise<EndpointUrl>
}
