import type { Directory, DirectoryEvent, Endpoint } from '../engine/directory/directory.ts'
import { type AccountId, accountIdOf } from '../engine/ids.ts'

/** The endpoints of each account, from a worker's copy of the directory. */
export type Endpoints = {
  /** Those that want to hear of an event of this type (null: of any), made at `atMs`: an endpoint hears nothing from before its time. */
  readonly listening: (accountId: AccountId, type: string | null, atMs: number) => readonly Endpoint[]
  readonly find: (id: Endpoint['id']) => Endpoint | undefined
  /** The accounts that have any. */
  readonly accountIds: () => readonly AccountId[]
  readonly apply: (event: DirectoryEvent) => void
}

export const newEndpoints = (directory: Directory): Endpoints => {
  const byAccount = new Map<AccountId, Endpoint[]>()
  const put = (endpoint: Endpoint): void => {
    const accountId = accountIdOf(endpoint.companyId, endpoint.environment)
    byAccount.set(accountId, [...(byAccount.get(accountId) ?? []), endpoint])
  }
  for (const endpoint of directory.endpoints.values()) put(endpoint)
  return {
    listening: (accountId, type, atMs) => {
      const endpoints = byAccount.get(accountId)
      if (endpoints === undefined) return none
      return endpoints.filter(
        ({ eventTypes, createdAtMs }) =>
          createdAtMs <= atMs && (type === null || eventTypes.length === 0 || eventTypes.includes(type)),
      )
    },
    find: (id) => directory.endpoints.get(id),
    accountIds: () => [...byAccount.keys()],
    apply: (event) => {
      if (event.type === 'EndpointCreated') put(event.endpoint)
    },
  }
}

const none: readonly Endpoint[] = []
