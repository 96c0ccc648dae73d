import type { ShardState } from '../../persistence/shard/shard-host.ts'

/** What a shard's state means for a request that is sent to this node now. Another node may own a shard and serve it. */
export type Reach =
  | Exclude<ShardState, 'FOLLOWING' | 'ELSEWHERE'>
  | 'STARTING'
  | 'OWNERLESS'
  | 'CUT_OFF'
  | 'READ_ONLY'

/** Whether this node serves requests for each shard: written by the worker that hosts it, read by all. */
export type Readiness = {
  readonly set: (shard: number, reach: Reach) => void
  /** Why this node cannot serve requests for some shards at present, those that write or reads alone; empty if it can for all. */
  readonly reasons: (forWrites: boolean) => readonly string[]
}

/** Memory for the states of `shards` shards, which all threads share. */
export const newReadinessMemory = (shards: number): SharedArrayBuffer => new SharedArrayBuffer(shards)

/** Opens the shared memory in a thread. */
export const openReadiness = (memory: SharedArrayBuffer): Readiness => {
  const codes = new Uint8Array(memory)
  return {
    set: (shard, reach) => void Atomics.store(codes, shard, reaches.indexOf(reach)),
    reasons: (forWrites) => {
      const shards = new Map<Exclude<Reach, 'SERVING'>, number[]>()
      for (let shard = 0; shard < codes.length; shard++) {
        const reach = reaches[Atomics.load(codes, shard)]!
        if (reach !== 'SERVING' && (forWrites || reach !== 'READ_ONLY'))
          shards.set(reach, [...(shards.get(reach) ?? []), shard])
      }
      return [...shards].map(([reach, numbers]) => textOf(reach, numbers, codes.length))
    },
  }
}

const texts = {
  STARTING: 'not opened yet',
  JOINING: 'being fetched from another node, and the log shows how far it is',
  READING: 'reading its journal, and the log shows how far it is',
  RECOVERING: 'being opened again after a failure',
  DAMAGED: 'stopped, because what is stored is damaged',
  UNCONFIRMED:
    'owned by this node, which the cluster has not confirmed lately: NATS does not store its records',
  OWNERLESS: 'owned by no node that is heard',
  CUT_OFF: 'not reached, because NATS does not answer this node',
  READ_ONLY: 'read only, because the disk is full',
} as const satisfies Readonly<Record<Exclude<Reach, 'SERVING'>, string>>

/** A state is stored as its index in this list. */
const reaches: readonly Reach[] = [...(Object.keys(texts) as (keyof typeof texts)[]), 'SERVING']

const textOf = (reach: Exclude<Reach, 'SERVING'>, shards: readonly number[], of: number): string => {
  const named = shards.slice(0, namedMax).join(', ')
  const more = shards.length > namedMax ? ` and ${shards.length - namedMax} more` : ''
  const which = shards.length === of ? 'every shard' : `shard${shards.length > 1 ? 's' : ''} ${named}${more}`
  return `${which}: ${texts[reach]}`
}

const namedMax = 8
