import type { Subscription } from '@nats-io/transport-node'
import { ownersSubject } from './names.ts'
import { type OpenMember, ownedBy } from './open-member.ts'
import type { Member } from './record.ts'

/**
 * What a worker says of the shards that it owns: their numbers, epochs, and loads in entries a second. The load is null while it is not known,
 * and absent in what earlier builds say.
 */
type OwnedShards = Member & {
  readonly owned: readonly (readonly [shard: number, epoch: number, load?: number | null])[]
}

/** Says which shards this worker owns, with each heartbeat and when it gets one: nodes without a copy have no other way to know. */
export const sayOwned = (member: OpenMember): void => {
  const { connection, cluster, self, replicas, loads } = member
  const owned = ownedBy(member).map((shard) => {
    const meter = loads.get(shard)
    const load = meter?.isWhole() ? Math.round(meter.load() * 10) / 10 : null
    return [shard, replicas.get(shard)!.position().epoch, load] as const
  })
  if (owned.length === 0) return
  const said: OwnedShards = { ...self, owned }
  connection.publish(ownersSubject(cluster), JSON.stringify(said))
}

/**
 * Hears the owners of all shards; of two owners of one, the one with the higher epoch counts. An owner here that hears of a later one looks at
 * the log at once: while its shard rests it would not for long, and where the servers lose their records meanwhile, it would put its own in
 * the place of newer ones.
 */
export const hearOwners = ({
  connection,
  cluster,
  heardOwners,
  replicas,
  monotonicNow,
}: OpenMember): Subscription =>
  connection.subscribe(ownersSubject(cluster), {
    callback: (error, message) => {
      if (error !== null) return
      const { owned, ...owner } = message.json<OwnedShards>()
      for (const [shard, epoch, load = null] of owned) {
        if (epoch < (heardOwners.get(shard)?.epoch ?? 0)) continue
        heardOwners.set(shard, { owner, epoch, load, atMs: monotonicNow() })
        const replica = replicas.get(shard)
        if (replica?.role() === 'OWNER' && epoch > replica.position().epoch) replica.refollow()
      }
    },
  })

/** The owner of a shard by this node's log of it or by what owners say, whichever is newer; null where none is known. */
export const knownOwner = ({ replicas, fetched, heardOwners }: OpenMember, shard: number): Member | null => {
  const own = replicas.get(shard)?.position()
  const heard = heardOwners.get(shard)
  if (heard !== undefined && heard.epoch > (own?.epoch ?? 0)) return heard.owner
  return own?.owner ?? fetched.get(shard)?.owner ?? null
}
