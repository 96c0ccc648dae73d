import type { Directory, DirectoryFact } from '../../engine/companies/directory.ts'
import { type Endpoint, receives, subscribesTo } from '../../engine/companies/endpoint.ts'
import { type AccountId, accountIdOf } from '../../engine/shared/ids.ts'
import type { EndpointSecrets } from '../base/seal.ts'

/** The endpoints of each account, from a worker's copy of the directory. */
export type Endpoints = {
  /**
   * The ids of the endpoints subscribed to an event type (null: to any) of this entry of the account's shard. An endpoint gets nothing from before it was
   * enabled.
   */
  readonly subscribersOf: (
    accountId: AccountId,
    type: string | null,
    sequence: number,
  ) => readonly Endpoint['id'][]
  /** Whether there are subscribers: called for each entry and event. */
  readonly hasSubscribers: (accountId: AccountId, type: string | null, sequence: number) => boolean
  /** The endpoint, if attempts are made to it: undefined while it is disabled, and once it is deleted. */
  readonly find: (id: Endpoint['id']) => Endpoint | undefined
  /** The accounts that have endpoints. */
  readonly accountIds: () => readonly AccountId[]
  readonly apply: (event: DirectoryFact) => void
}

/** Indexes the directory's endpoints by account; `apply` keeps the index current. */
export const newEndpoints = (directory: Directory): Endpoints => {
  /** The ids of each account's endpoints in order of creation, without deleted ones. */
  const idsByAccount = new Map<AccountId, readonly Endpoint['id'][]>()
  const put = (endpoint: Endpoint): void => {
    const accountId = accountOfEndpoint(endpoint)
    const others = (idsByAccount.get(accountId) ?? []).filter((id) => id !== endpoint.id)
    idsByAccount.set(accountId, endpoint.deletedAtMs === null ? [...others, endpoint.id] : others)
  }
  for (const endpoint of directory.endpoints.values()) put(endpoint)
  const endpointAt = (id: Endpoint['id']): Endpoint => directory.endpoints.get(id)!
  const isSubscribed = (id: Endpoint['id'], type: string | null, sequence: number): boolean => {
    const endpoint = endpointAt(id)
    return receives(endpoint, sequence) && (type === null || subscribesTo(endpoint, type))
  }
  const idsOf = (accountId: AccountId): readonly Endpoint['id'][] => idsByAccount.get(accountId) ?? none
  return {
    subscribersOf: (accountId, type, sequence) =>
      idsOf(accountId).filter((id) => isSubscribed(id, type, sequence)),
    hasSubscribers: (accountId, type, sequence) =>
      idsOf(accountId).some((id) => isSubscribed(id, type, sequence)),
    find: (id) => {
      const endpoint = directory.endpoints.get(id)
      return endpoint === undefined || endpoint.hearsAfter === null ? undefined : endpoint
    },
    accountIds: () => [...idsByAccount.keys()],
    apply: (event) => {
      if (event.type === 'EndpointCreated') put(endpointAt(event.endpoint.id))
      if (event.type === 'EndpointDeleted') put(endpointAt(event.id))
    },
  }
}

/** The account that an endpoint belongs to. */
export const accountOfEndpoint = ({ companyId, environment }: Endpoint): AccountId =>
  accountIdOf(companyId, environment)

/** The secret before the present one, while it signs as well; null otherwise. */
export const formerSecretOf = (
  { id, formerSecret }: Endpoint,
  nowMs: number,
  secretOf: EndpointSecrets,
): string | null =>
  formerSecret !== null && formerSecret.untilMs > nowMs ? secretOf(formerSecret, id) : null

const none: readonly never[] = []
