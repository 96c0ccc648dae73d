import { assert, unreachable } from '../assert.ts'
import type { CompanyId } from '../ids.ts'
import type { Directory, DirectoryEvent } from './directory.ts'

/**
 * What a fact makes of the directory. Its registers are written in place: a start replays every fact, and copying a
 * register for each would take quadratic time. Readers see them as read-only.
 */
export const evolveDirectory = (directory: Directory, event: DirectoryEvent): Directory => {
  switch (event.type) {
    case 'CompanyCreated':
      return written(directory, directory.companies, event.company)
    case 'KeyCreated':
      return written(directory, directory.keys, event.key)
    case 'KeyRevoked': {
      const key = directory.keys.get(event.id)
      assert(key !== undefined, 'a revoked key was created')
      return written(directory, directory.keys, { ...key, revokedAtMs: event.atMs })
    }
    case 'EndpointCreated':
      return written(directory, directory.endpoints, event.endpoint)
    case 'ClusterFormed':
      return directory
    case 'AccountsOpened':
      ;(directory.opened as Set<CompanyId>).add(event.companyId)
      return directory
    case 'ShardPinned':
      return pinned(directory, event.shard, event.node)
    default:
      return unreachable(event)
  }
}

export const newDirectory = (): Directory => ({
  companies: new Map(),
  keys: new Map(),
  endpoints: new Map(),
  opened: new Set(),
  pins: new Map(),
})

const written = <Id, Entry extends { readonly id: Id }>(
  directory: Directory,
  register: ReadonlyMap<Id, Entry>,
  entry: Entry,
): Directory => {
  ;(register as Map<Id, Entry>).set(entry.id, entry)
  return directory
}

const pinned = (directory: Directory, shard: number, node: string | null): Directory => {
  const pins = directory.pins as Map<number, string>
  if (node === null) pins.delete(shard)
  else pins.set(shard, node)
  return directory
}
