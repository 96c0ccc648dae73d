import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'lmdb'
import { WrongLastSequence } from '../../../persistence/cluster/followed-stream.ts'
import type { LogStream } from '../../../persistence/cluster/log-stream.ts'
import { type Member, unpackRecord } from '../../../persistence/cluster/record.ts'
import { openReplica, type Replica } from '../../../persistence/cluster/replica.ts'
import {
  openReplicaShelves,
  openReplicaStore,
  type ReplicaStore,
} from '../../../persistence/cluster/replica-store.ts'
import { packBatch, unpackFromBatch } from '../../../persistence/codec/codec.ts'
import { text } from '../../../persistence/codec/layout.ts'

/** A log that several replicas share, whose faults the test orders, and a clock that it moves. */
export const newSharedLog = (leaseMs = 2000) => {
  const root = mkdtempSync(join(tmpdir(), 'payments-replica-'))
  let records: Buffer[] = []
  /** How many of the oldest records are dropped. */
  let dropped = 0
  const last = (): number => dropped + records.length
  const at = (sequence: number): Buffer | undefined => records[sequence - 1 - dropped]
  let nowMs = 0
  const waits: { readonly atMs: number; readonly end: () => void }[] = []
  const followers = new Set<() => void>()
  const members = new Map<string, Peer>()

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => void waits.push({ atMs: nowMs + ms, end: resolve }))

  const trim = (until: number): void => {
    records = records.slice(Math.max(0, until - dropped))
    dropped = Math.max(dropped, until)
  }

  let writing = 0

  /** By process: what it has known in the replicas that it has had. */
  const knownEpochs = new Map<string, { epoch: number }>()

  /** Until nothing happens any more: the disk answers from a thread of its own. */
  const quiet = async (): Promise<void> => {
    for (let turns = 0; turns < 10; turns = writing > 0 ? 0 : turns + 1) await turn()
  }

  const endWaits = (untilMs = nowMs): void => {
    for (const wait of waits.splice(0)) {
      if (wait.atMs <= untilMs) wait.end()
      else waits.push(wait)
    }
  }

  /** Until followers, which gather for an eighth of a lease, have written what they were told. No time passes. */
  const settle = async (): Promise<void> => {
    await quiet()
    endWaits(nowMs + leaseMs / 8)
    await quiet()
  }

  const counted = (store: ReplicaStore): ReplicaStore => ({
    ...store,
    write: async (...written) => {
      writing += 1
      await store.write(...written).finally(() => {
        writing -= 1
      })
    },
  })

  const streamOf = (peer: Peer): LogStream => ({
    append: async (bytes, expected) => {
      await turn()
      if (peer.isCut) throw new Error('timeout')
      if (last() !== expected) throw new WrongLastSequence(last())
      if (peer.appends !== 'are lost') records.push(Buffer.from(bytes))
      for (const tell of followers) tell()
      if (peer.appends !== 'work') throw new Error('timeout')
    },
    read: async (sequence) => {
      await turn()
      if (peer.isCut) throw new Error('timeout')
      return at(sequence) ?? null
    },
    ends: async () => {
      await turn()
      if (peer.isCut) throw new Error('timeout')
      return { first: dropped + 1, last: last() }
    },
    beginAt: async (sequence) => {
      await turn()
      if (peer.isCut) throw new Error('timeout')
      trim(sequence - 1)
    },
    follow: (after, take) => {
      let next = after() + 1
      const tell = (): void => {
        if (peer.isCut || peer.isSlow) return
        for (next = Math.max(next, dropped + 1); next <= last(); next++)
          take({ sequence: next, bytes: at(next)! }, last() - next)
      }
      followers.add(tell)
      setImmediate(tell)
      return { stop: () => void followers.delete(tell), restart: () => undefined }
    },
  })

  const join_ = (node: string, incarnation = '1', rank: number | null = members.size): Peer => {
    const self: Member = { node, incarnation }
    const told: string[] = []
    const store = counted(openReplicaStore(join(root, node)))
    const hole = store.dropFromHole()
    const peer: Peer = {
      self,
      told,
      dropped: hole,
      store,
      isCut: false,
      isSlow: false,
      isSilent: false,
      appends: 'work',
      published: 0,
      streamed: 0,
      replica: null as unknown as Replica,
      entries: () =>
        [...store.batches.from(1, store.batches.last())].map(({ bytes }) =>
          unpackFromBatch(text(), bytes, 0),
        ),
      write: (entry) => {
        const { entries } = peer.replica.position()
        const written = peer.replica.write(entries + 1, packBatch(text(), [entry]), 1)
        written.catch(() => undefined)
        return written
      },
      stop: async () => {
        members.delete(node)
        peer.isCut = true
        const closed = peer.replica.close()
        await pass(1000)
        await closed
      },
    }
    members.set(node, peer)
    const known = knownEpochs.get(`${node} ${incarnation}`) ?? { epoch: 0 }
    knownEpochs.set(`${node} ${incarnation}`, known)
    peer.replica = openReplica({
      self,
      store,
      stream: streamOf(peer),
      leaseMs,
      monotonicNow: () => nowMs,
      pause,
      progress: () => ({ published: peer.published, streamed: peer.streamed }),
      isFit: (member) => {
        const other = members.get(member.node)
        return other !== undefined && !other.isSilent && other.self.incarnation === member.incarnation
      },
      resumedAt: () => 0,
      rank: () => rank,
      known,
      positions: async () =>
        [...members.values()]
          .filter((other) => other !== peer && !other.isSilent)
          .map((other) => other.replica.position().applied),
      on: {
        entries: (last) => told.push(`entries ${last}`),
        owner: ({ epoch, reason }) => told.push(`owner of ${epoch} by ${reason}`),
        lost: (reason) => told.push(`lost: ${reason}`),
        broken: (error) => told.push(`broken: ${(error as Error).message}`),
        forked: (reason) => told.push(`forked: ${reason}`),
        trouble: (message) => told.push(`trouble: ${message}`),
      },
    })
    return peer
  }

  /** Lets time pass, a tenth of a lease at a time, with a tick of every replica in each. */
  const pass = async (ms: number): Promise<void> => {
    for (const end = nowMs + ms; nowMs < end; ) {
      nowMs = Math.min(end, nowMs + leaseMs / 10)
      endWaits()
      for (const { replica, isSilent } of members.values()) if (!isSilent) replica.tick()
      await settle()
    }
  }

  return {
    join: join_,
    pass,
    settle,
    leaseMs,
    length: last,
    /** Drops the records up to this one; where there are fewer, the next one is behind it. */
    trim,
    /** The servers lose all that they have. */
    loseAll: () => {
      records = []
      dropped = 0
    },
    /** A node that runs no more has nothing on its disk. */
    loseDisk: (node: string) => rmSync(join(root, node), { recursive: true }),
    /** The disk of a node that runs no more loses a record, as if it had never been written. */
    loseOnDisk: async (node: string, sequence: number) => {
      const disk = open({ path: join(root, node), encoding: 'binary', overlappingSync: false, cache: false })
      const { batches, records: heads } = openReplicaShelves(disk)
      const { record } = unpackRecord(at(sequence)!)
      await Promise.all([heads.remove(sequence), batches.remove(record.first)])
      await disk.close()
    },
    /** The servers lose the newest records. */
    lose: (count: number) => {
      records = records.slice(0, records.length - count)
    },
    /** Puts records behind the last. */
    put: (more: readonly Buffer[]) => void records.push(...more),
    replace: (sequence: number, bytes: Buffer) => {
      records[sequence - 1 - dropped] = bytes
    },
    record: (sequence: number) => at(sequence)!,
    heal: async (peer: Peer) => {
      peer.isCut = false
      peer.isSlow = false
      peer.isSilent = false
      peer.appends = 'work'
      for (const tell of followers) tell()
      await settle()
    },
    owners: () =>
      [...members.values()].filter(({ replica }) => replica.mayServe()).map(({ self }) => self.node),
    close: async () => {
      for (const peer of [...members.values()]) await peer.stop()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

export type Peer = {
  readonly self: Member
  /** What its replica has said, in order. */
  readonly told: string[]
  /** The record from which on its disk was not whole when it started; null where it was. */
  readonly dropped: number | null
  readonly store: ReplicaStore
  /** Its messages reach nobody, and none reaches it. */
  isCut: boolean
  /** The log does not reach it. */
  isSlow: boolean
  /** Its process stands still: no heartbeats, no ticks. */
  isSilent: boolean
  appends: 'work' | 'are lost' | 'are not acknowledged'
  /** Up to which entry it has planned, and published, every event. */
  published: number
  streamed: number
  replica: Replica
  /** The batches on its disk. */
  readonly entries: () => readonly string[]
  readonly write: (text: string) => Promise<void>
  readonly stop: () => Promise<void>
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
