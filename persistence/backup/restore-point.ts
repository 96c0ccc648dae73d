import type { AnyFact } from '../../engine/kernel/registry.ts'
import { isoInstant } from '../../engine/shared/calendar.ts'
import type { AccountId, ConnectionId, EndpointId } from '../../engine/shared/ids.ts'
import { unpackFromBatch } from '../codec/codec.ts'
import { entryLayout } from '../codec/entry.ts'
import type { StoredBackup } from './chain.ts'
import type { BackupStretch } from './log-source.ts'
import { BackupRefusal } from './refusal.ts'

/** How far to restore: to the end of the backups, to a moment of real time, or some shards to an entry and the others to their end. */
export type RestorePoint =
  | { readonly kind: 'END' }
  | { readonly kind: 'TIME'; readonly atMs: number }
  | { readonly kind: 'SEQUENCES'; readonly entries: ReadonlyMap<number, number> }

/** Where a shard is cut, and the accounts and endpoints in its entries before, which the directory must know. */
export type ShardCut = {
  readonly entries: number
  /** The accounts that are open, with the revision of the profile that they hold. */
  readonly revisions: ReadonlyMap<AccountId, number>
  /** Endpoints that deliveries go to. */
  readonly endpoints: ReadonlySet<EndpointId>
  /** The connections that accounts know, with the revision that they have. */
  readonly connections: ReadonlyMap<ConnectionId, number>
}

/** Throws `BackupRefusal` when a point lies beyond what the backups hold. */
export const requireReachable = (chain: readonly StoredBackup[], until: RestorePoint): void => {
  const { path, about } = chain.at(-1)!
  switch (until.kind) {
    case 'END':
      return
    case 'TIME':
      if (until.atMs > Date.parse(about.pointAt))
        throw new BackupRefusal(
          `the backups end at ${about.pointAt}, with ${path}: what came from then until ${isoInstant(until.atMs)} is not in them`,
        )
      return
    case 'SEQUENCES':
      for (const [shard, entries] of until.entries) {
        const end = about.ends.shards[shard]
        if (end === undefined)
          throw new BackupRefusal(
            `there is no shard ${shard}: the backups have shards 0 to ${about.ends.shards.length - 1}`,
          )
        if (entries > end.entries)
          throw new BackupRefusal(
            `shard ${shard} ends at entry ${end.entries} in the backups, before ${entries}`,
          )
      }
  }
}

/**
 * Where to cut a shard; null to keep all of it. A moment of time cuts it before the first entry with a later time.
 * Entries behind that one may have earlier times, where a clock was set back or the owner changed.
 */
export const cutShard = async (
  until: RestorePoint,
  shard: number,
  stretches: readonly BackupStretch[],
  onProgress: (done: number, of: number) => Promise<void>,
): Promise<ShardCut | null> => {
  const sequence = until.kind === 'SEQUENCES' ? until.entries.get(shard) : Number.POSITIVE_INFINITY
  if (until.kind === 'END' || sequence === undefined) return null
  const atMs = until.kind === 'TIME' ? until.atMs : Number.POSITIVE_INFINITY
  const revisions = new Map<AccountId, number>()
  const endpoints = new Set<EndpointId>()
  const connections = new Map<ConnectionId, number>()
  const cutAt = (entries: number): ShardCut => ({ entries, revisions, endpoints, connections })
  const takeIn = (event: AnyFact): void => {
    if (event.actor === 'account' && (event.type === 'AccountOpened' || event.type === 'ProfileChanged'))
      revisions.set(event.id, event.profile.revision)
    if (event.actor === 'account' && event.type === 'RailConnected')
      connections.set(event.connection.connectionId, event.connection.revision)
    if (event.actor === 'account' && event.type === 'RailChanged')
      connections.set(event.connectionId, event.revision)
    if (event.actor === 'delivery' && event.type === 'DeliveryScheduled')
      endpoints.add(event.delivery.endpointId)
  }
  const end = stretches.at(-1)!.end.entries
  for (const { source, after, end: stretchEnd } of stretches) {
    for (const { first, last, bytes } of source.batchesAfter(after)) {
      for (let entry = first; entry <= last; entry++) {
        if (entry > sequence) return cutAt(entry - 1)
        const { atMs: decidedMs, events } = unpackFromBatch(entryLayout, bytes, entry - first)
        if (decidedMs > atMs) return cutAt(entry - 1)
        events.forEach(takeIn)
      }
      await onProgress(last, end)
      if (last >= stretchEnd.entries) break
    }
  }
  return cutAt(end)
}
