import { assert, unreachable } from '../shared/assert.ts'
import type { CompanyId } from '../shared/ids.ts'
import type { Directory, DirectoryEvent } from './directory.ts'

/**
 * Applies a fact to the directory. The registers are written in place: a start replays every fact, and copying a
 * register each time would be quadratic. Readers get them as read-only, and entries are never mutated.
 */
export const evolveDirectory = (directory: Directory, event: DirectoryEvent): Directory => {
  switch (event.type) {
    case 'CompanyCreated':
      put(directory.companies, event.company)
      return directory
    case 'CompanyChanged':
      change(directory.companies, event.id, ({ revision }) => ({
        ...event.changes,
        revision: revision + 1,
        updatedAtMs: event.atMs,
      }))
      return directory
    case 'CompanySuspended':
      change(directory.companies, event.id, () => ({ suspendedAtMs: event.atMs, updatedAtMs: event.atMs }))
      return directory
    case 'CompanyResumed':
      change(directory.companies, event.id, () => ({ suspendedAtMs: null, updatedAtMs: event.atMs }))
      return directory
    case 'AccountsOpened':
      ;(directory.opened as Map<CompanyId, number>).set(event.companyId, event.revision)
      return directory
    case 'KeyCreated':
      put(directory.keys, event.key)
      return directory
    case 'KeyRolled':
      change(directory.keys, event.id, () => ({ expiresAtMs: event.expiresAtMs, rolledTo: event.key.id }))
      put(directory.keys, event.key)
      return directory
    case 'KeyRevoked':
      change(directory.keys, event.id, () => ({ revokedAtMs: event.atMs }))
      return directory
    case 'EndpointCreated':
      put(directory.endpoints, event.endpoint)
      return directory
    case 'EndpointChanged':
      change(directory.endpoints, event.id, () => ({ ...event.changes, updatedAtMs: event.atMs }))
      return directory
    case 'EndpointDisabled':
      change(directory.endpoints, event.id, () => ({ hearsFromMs: null, updatedAtMs: event.atMs }))
      return directory
    case 'EndpointEnabled':
      change(directory.endpoints, event.id, () => ({ hearsFromMs: event.atMs, updatedAtMs: event.atMs }))
      return directory
    case 'EndpointDeleted':
      change(directory.endpoints, event.id, () => ({
        hearsFromMs: null,
        updatedAtMs: event.atMs,
        deletedAtMs: event.atMs,
      }))
      return directory
    case 'ClusterFormed':
      return directory
    case 'ShardPinned':
      return pinned(directory, event.shard, event.node)
    default:
      return unreachable(event)
  }
}

/** An empty directory. */
export const newDirectory = (): Directory => ({
  companies: new Map(),
  keys: new Map(),
  endpoints: new Map(),
  opened: new Map(),
  pins: new Map(),
})

type Entry = { readonly id: string }

const put = <Value extends Entry>(register: ReadonlyMap<Value['id'], Value>, entry: Value): void => {
  ;(register as Map<Value['id'], Value>).set(entry.id, entry)
}

const change = <Value extends Entry>(
  register: ReadonlyMap<Value['id'], Value>,
  id: Value['id'],
  changes: (entry: Value) => Partial<Value>,
): void => {
  const entry = register.get(id)
  assert(entry !== undefined, `${id} was created before it is changed`)
  put(register, { ...entry, ...changes(entry) })
}

const pinned = (directory: Directory, shard: number, node: string | null): Directory => {
  const pins = directory.pins as Map<number, string>
  if (node === null) pins.delete(shard)
  else pins.set(shard, node)
  return directory
}
