import { askPositions } from './handover.ts'
import type { StreamEnds } from './log-stream.ts'
import { holdersOf, type OpenMember } from './open-member.ts'
import type { Replica } from './replica.ts'
import { type LogCopies, lastUnneeded, type TrimRule } from './trim-rule.ts'

/** Looks from time to time whether the log of a shard can be shortened: its owner at the servers, and every node on its disk. */
export type LogTrimmer = { readonly tick: (shard: number, replica: Replica) => void }

/** Starts without knowing when records came: what is there is as new as this process. */
export const openLogTrimmer = (member: OpenMember): LogTrimmer => {
  const states = new Map<number, Trimming>()
  return {
    tick: (shard, replica) => {
      const state = states.get(shard) ?? { marks: [], lookedAt: Number.NEGATIVE_INFINITY, isLooking: false }
      states.set(shard, state)
      const nowMs = member.monotonicNow()
      mark(state, replica.position().applied, member.logKept.ms, nowMs)
      if (!isDue(state, replica, member.logKept, nowMs)) return
      state.lookedAt = nowMs
      state.isLooking = true
      trim(member, shard, replica, state)
        .catch((error: unknown) => member.log.warn({ shard, err: error }, 'a log is not shortened for now'))
        .finally(() => {
          state.isLooking = false
        })
    },
  }
}

type Trimming = {
  /** What was the newest record when. */
  readonly marks: { readonly atMs: number; readonly applied: number }[]
  lookedAt: number
  isLooking: boolean
}

const mark = ({ marks }: Trimming, applied: number, keptMs: number, atMs: number): void => {
  if (atMs - (marks.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY) < keptMs / marksMax) return
  marks.push({ atMs, applied })
  // The first that is old enough stays.
  while (marks.length > 1 && atMs - marks[1]!.atMs >= keptMs) marks.shift()
}

/** How exactly it is known which records are old enough. */
const marksMax = 60

/** Shortening is work for the servers: it waits for a tenth of what is kept. */
const stepOf = (records: number): number => Math.max(1, Math.floor(records / 10))

const isDue = (
  { lookedAt, isLooking }: Trimming,
  replica: Replica,
  { records, lookMs }: TrimRule,
  nowMs: number,
): boolean =>
  !isLooking &&
  nowMs - lookedAt >= lookMs &&
  replica.position().applied - replica.base() >= records + stepOf(records)

const trim = async (member: OpenMember, shard: number, replica: Replica, state: Trimming): Promise<void> => {
  const { log, logKept } = member
  const ends = await replica.ends()
  let { first } = ends
  if (replica.mayServe() && member.writtenVersion() >= trimmedSince) {
    const last = lastUnneeded(await copiesOf(member, shard, replica, state, ends), logKept)
    if (last + 1 - first >= stepOf(logKept.records)) {
      await replica.beginAt(last + 1)
      log.info(
        { shard, first: last + 1, dropped: last + 1 - first },
        'the servers have dropped old records of a log',
      )
      first = last + 1
    }
  }
  // What the servers have is on this disk as well: they may lose it.
  await replica.dropUpTo(first - 1)
}

/** The version from which on nodes join a log that does not begin with its first record. */
export const trimmedSince = 14

const copiesOf = async (
  member: OpenMember,
  shard: number,
  replica: Replica,
  { marks }: Trimming,
  { last }: StreamEnds,
): Promise<LogCopies> => {
  const positions = new Map(
    // The records of a replica that has stopped are not those of the log.
    (await askPositions(member, shard)).map(({ node, applied, copies }) => [
      node,
      copies === false ? null : applied,
    ]),
  )
  const holders = holdersOf(member, shard)
  const living = member.membership
    .nodes()
    .filter(({ node }) => node !== member.self.node && (holders?.includes(node) ?? true))
  const [oldest] = marks
  const isOld = oldest !== undefined && member.monotonicNow() - oldest.atMs >= member.logKept.ms
  return {
    applied: Math.min(replica.position().applied, last),
    oldEnough: isOld ? oldest.applied : 0,
    others: living.map(({ node }) => positions.get(node) ?? null),
  }
}
