import type { Directory } from '../../engine/companies/directory.ts'
import type { Handler } from '../../engine/kernel/handler.ts'
import type { AccountId, Entropy, Environment, KeyId } from '../../engine/shared/ids.ts'
import type { CompanyPages } from '../api/route.ts'
import type { Asker, CommitBy } from '../identity/asked.ts'
import type { KeyRequest } from '../identity/key-log.ts'
import type { KeyUses } from '../identity/key-uses.ts'
import type { PersonalTexts } from '../identity/personal-texts.ts'
import type { EndpointUrl } from '../webhooks/address.ts'
import type { Accounts } from './accounts.ts'

/** The dependencies of operations. */
export type OperationsOptions = {
  readonly directory: Directory
  readonly commit: CommitBy
  /** Throws the refusal unless the request carries a second factor for this very operation; an operator needs none. */
  readonly confirm: (by: Asker) => Promise<void>
  readonly keyUses: Pick<KeyUses, 'current'>
  /** The newest requests of a key, the oldest first. */
  readonly keyLog: (keyId: KeyId) => Promise<readonly KeyRequest[]>
  readonly accounts: Pick<Accounts, 'open'>
  readonly router: Handler
  readonly realNow: () => number
  readonly entropy: Entropy
  readonly randomBytes: (count: number) => Buffer
  readonly masterKey: Buffer
  /** Seals and opens stored personal texts. */
  readonly personal: PersonalTexts
  /** The addresses of an account's pages. */
  readonly pagesOf: (accountId: AccountId) => CompanyPages
  readonly readEndpointUrl: (text: string, environment: Environment) => Promise<EndpointUrl>
}
