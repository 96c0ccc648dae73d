import {
  type Directory,
  type DirectoryEvent,
  type Endpoint,
  hears,
} from '../../engine/directory/directory.ts'
import { type AccountId, accountIdOf } from '../../engine/shared/ids.ts'

/** The endpoints of each account, from a worker's copy of the directory. */
export type Endpoints = {
  /** Those that want to hear of an event of this type (null: of any), made at `atMs`: an endpoint hears nothing from before its time. */
  readonly subscribersOf: (accountId: AccountId, type: string | null, atMs: number) => readonly Endpoint[]
  /** One that attempts are made to: not while it is disabled, and not once it is deleted. */
  readonly find: (id: Endpoint['id']) => Endpoint | undefined
  /** The accounts that have any. */
  readonly accountIds: () => readonly AccountId[]
  readonly apply: (event: DirectoryEvent) => void
}

export const newEndpoints = (directory: Directory): Endpoints => {
  /** By account the ids of its endpoints, in the order in which they were created; deleted ones are left out. */
  const idsByAccount = new Map<AccountId, readonly Endpoint['id'][]>()
  const put = (endpoint: Endpoint): void => {
    const accountId = accountOfEndpoint(endpoint)
    const others = (idsByAccount.get(accountId) ?? []).filter((id) => id !== endpoint.id)
    idsByAccount.set(accountId, endpoint.deletedAtMs === null ? [...others, endpoint.id] : others)
  }
  for (const endpoint of directory.endpoints.values()) put(endpoint)
  const endpointAt = (id: Endpoint['id']): Endpoint => directory.endpoints.get(id)!
  return {
    subscribersOf: (accountId, type, atMs) => {
      const ids = idsByAccount.get(accountId)
      if (ids === undefined) return none
      return ids.map(endpointAt).filter((endpoint) => {
        const { eventTypes } = endpoint
        return (
          hears(endpoint, atMs) && (type === null || eventTypes.length === 0 || eventTypes.includes(type))
        )
      })
    },
    find: (id) => {
      const endpoint = directory.endpoints.get(id)
      return endpoint === undefined || endpoint.hearsFromMs === null ? undefined : endpoint
    },
    accountIds: () => [...idsByAccount.keys()],
    apply: (event) => {
      if (event.type === 'EndpointCreated') put(endpointAt(event.endpoint.id))
      if (event.type === 'EndpointDeleted') put(endpointAt(event.id))
    },
  }
}

export const accountOfEndpoint = ({ companyId, environment }: Endpoint): AccountId =>
  accountIdOf(companyId, environment)

const none: readonly Endpoint[] = []
