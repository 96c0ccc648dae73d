import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { evolveSessions, factsOf, newSessions } from '../../engine/people/evolve.ts'
import type { SessionFact } from '../../engine/people/session.ts'
import { Damaged } from '../disk/damage.ts'
import { watchDiskSpace } from '../disk/disk-space.ts'
import { makeLockRoom } from '../disk/lock-file.ts'
import { type FactLog, openFactLog, takingTurns } from './fact-log.ts'

/** Facts about signing in; those that belong together are one record. */
export type SessionLog = Omit<FactLog<readonly SessionFact[]>, 'rewrite'> & {
  /** Resolves when this node has what any node had recorded. */
  readonly catchUp: () => Promise<void>
  /** Drops ended facts, here and on every thread: they are useless after two days, and would pile up for ever. */
  readonly prune: (nowMs: number) => Promise<void>
  /** When this node last heard from the log, in milliseconds of the real clock; infinite outside a cluster. */
  readonly heardAtMs: () => number
}

/**
 * The log outside a cluster: a journal that is rewritten at every start with room for it, and at each `prune`. A damaged one is
 * dropped: all people have to sign in again, and nothing else is lost.
 */
export const openSessionLog = async (
  path: string,
  nowMs: number,
  onDropped: (error: Error) => void,
): Promise<SessionLog> => {
  let isThere = hasSessionLog(path)
  const kept = await read(path, nowMs).catch((error: unknown): readonly SessionFact[] => {
    if (!(error instanceof Damaged)) throw error
    isThere = false
    onDropped(error)
    return []
  })
  // On a full disk the record stays as it is, with what has ended in it: reads go on.
  const full = watchDiskSpace(dirname(path)).trouble()
  if (full === null) await write(path, kept)
  else if (!isThere) throw full
  let log = openFactLog<readonly SessionFact[]>(path)
  let listener: (facts: readonly SessionFact[]) => Promise<void> = async () => undefined
  const sessions = kept.reduce(evolveSessions, newSessions())
  const onFacts = async (facts: readonly SessionFact[]): Promise<void> => {
    facts.reduce(evolveSessions, sessions)
    await listener(facts)
  }

  /** Appends and compactions take turns. */
  const inTurn = takingTurns()
  const rewrite = async (): Promise<void> => {
    await log.close()
    await write(path, factsOf(sessions))
    log = openFactLog(path)
    log.follow(onFacts)
  }

  return {
    follow: (onFact) => {
      listener = onFact
      log.follow(onFacts)
      return [kept]
    },
    append: (decide) => inTurn(() => log.append(decide)),
    catchUp: async () => undefined,
    prune: (nowMs) =>
      inTurn(async () => {
        await log.append(() => [prunedAt(nowMs)])
        await rewrite()
      }),
    heardAtMs: () => Number.POSITIVE_INFINITY,
    close: () => inTurn(() => log.close()),
  }
}

const write = async (path: string, facts: readonly SessionFact[]): Promise<void> => {
  const next = nextOf(path)
  rmSync(next, { recursive: true, force: true })
  mkdirSync(next, { mode: 0o700 })
  makeLockRoom(next)
  const log = openFactLog<readonly SessionFact[]>(next)
  if (facts.length > 0) await log.append(() => facts)
  await log.close()
  rmSync(path, { recursive: true, force: true })
  renameSync(next, path)
}

/** The facts of the journal that have not ended at `nowMs`. */
const read = async (path: string, nowMs: number): Promise<readonly SessionFact[]> => {
  // The process ended between the removal of the old journal and the renaming of the new one.
  if (!existsSync(path) && existsSync(nextOf(path))) renameSync(nextOf(path), path)
  if (!existsSync(path)) return []
  const log = openFactLog<readonly SessionFact[]>(path)
  try {
    const facts = [...log.follow(async () => undefined).flat(), prunedAt(nowMs)]
    return factsOf(facts.reduce(evolveSessions, newSessions()))
  } finally {
    await log.close()
  }
}

/** Whether there is a record, or the next one of a process that ended before it had its name. */
export const hasSessionLog = (path: string): boolean => existsSync(path) || existsSync(nextOf(path))

const nextOf = (path: string): string => `${path}-next`

/** The fact that drops whatever has ended at this time. */
export const prunedAt = (atMs: number): SessionFact => ({ type: 'SessionsPruned', atMs })
