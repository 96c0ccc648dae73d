import { assert, unreachable } from '../assert.ts'
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
    default:
      return unreachable(event)
  }
}

export const newDirectory = (): Directory => ({ companies: new Map(), keys: new Map(), endpoints: new Map() })

const written = <Id, Entry extends { readonly id: Id }>(
  directory: Directory,
  register: ReadonlyMap<Id, Entry>,
  entry: Entry,
): Directory => {
  ;(register as Map<Id, Entry>).set(entry.id, entry)
  return directory
}
