import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { assert } from '../../engine/shared/assert.ts'
import { json } from '../codec/layout.ts'
import { watchDiskSpace } from '../disk/disk-space.ts'
import { takePlace } from '../disk/set-aside.ts'
import { identityAt, writeIdentity } from './identity.ts'
import { flushedUpTo, openJournal, type StoredJournal } from './journal.ts'

/** Facts in the order in which they were decided, each on disk before it counts. */
export type FactLog<Fact> = {
  /**
   * Returns all facts known now. Each later one, from any node, is passed to `onFact` when it is on disk and `onFact`
   * is done with the previous one.
   */
  readonly follow: (onFact: (fact: Fact) => Promise<void>) => readonly Fact[]
  /**
   * Appends a fact and resolves when `onFact` is done with it, too, on every living node. No other fact comes between the decision and
   * its append, so `decide` may be called more than once. Null appends nothing; an error thrown by `decide` rejects the promise.
   */
  readonly append: Append<Fact>
  /**
   * Replaces the facts one for one, so that nothing of their former content stays on disk; does nothing if none
   * changes. Followers are not notified. Null where other nodes hold the facts, too.
   */
  readonly rewrite: ((change: (facts: readonly Fact[]) => readonly Fact[]) => Promise<void>) | null
  readonly close: () => Promise<void>
}

export type Append<Fact> = (decide: () => Fact | null) => Promise<void>

/** A log outside a cluster: a journal in the data directory. */
export const openFactLog = <Fact>(path: string): FactLog<Fact> => {
  const openAt = (at: string): StoredJournal<Fact> =>
    openJournal<Fact>(at, json(), { commits: 0, entries: 0, bytes: 0 })
  let journal = openAt(path)
  let listener: (fact: Fact) => Promise<void> = async () => undefined
  const space = watchDiskSpace(path)
  const append: Append<Fact> = async (decide) => {
    const fact = decide()
    if (fact === null) return
    // Checked first, because a journal takes nothing more after a failed write.
    space.look()
    const trouble = space.trouble()
    if (trouble !== null) throw trouble
    await flushedUpTo(journal, journal.append(fact))
    await listener(fact)
  }
  const all = (): readonly Fact[] => [...journal.replay(0)].map(({ record }) => record)

  const writeAt = async (next: string, facts: readonly Fact[]): Promise<void> => {
    rmSync(next, { recursive: true, force: true })
    mkdirSync(next, { mode: 0o700 })
    writeIdentity(next, identityAt(path))
    const written = openAt(next)
    try {
      for (const fact of facts) written.append(fact)
      await flushedUpTo(written, facts.length)
    } finally {
      await written.close()
    }
  }

  const rewrite: NonNullable<FactLog<Fact>['rewrite']> = async (change) => {
    const facts = all()
    const changed = change(facts)
    assert(changed.length === facts.length, 'a log that is written anew keeps its numbers')
    const isSame = (fact: Fact, n: number): boolean =>
      fact === facts[n] || JSON.stringify(fact) === JSON.stringify(facts[n])
    if (changed.every(isSame)) return
    const next = join(path, 'next')
    await writeAt(next, changed)
    await journal.close()
    try {
      takePlace(next, path)
    } finally {
      journal = openAt(path)
    }
  }

  const inTurn = takingTurns()
  return {
    follow: (onFact) => {
      listener = onFact
      return all()
    },
    append: (decide) => inTurn(() => append(decide)),
    rewrite: (change) => inTurn(() => rewrite(change)),
    close: () => journal.close(),
  }
}

/** Runs work one by one: each begins when the one before has ended, in success or failure. */
export const takingTurns = (): (<Done>(work: () => Promise<Done>) => Promise<Done>) => {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work)
    last = mine.catch(() => undefined)
    return mine
  }
}

/** An `append` whose calls run one after the other. */
export const oneAfterTheOther = <Fact>(append: Append<Fact>): Append<Fact> => {
  const inTurn = takingTurns()
  return (decide) => inTurn(() => append(decide))
}

/** Runs one at a time. Callers during a run share the next one, which begins after each of them has asked. */
export const sharedRuns = (run: () => Promise<void>): (() => Promise<void>) => {
  let last: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null
  return () => {
    if (next !== null) return next
    next = last.then(() => {
      next = null
      return run()
    })
    last = next.catch(() => undefined)
    return next
  }
}
