import { json } from '../codec/layout.ts'
import { watchDiskSpace } from '../disk-space.ts'
import { flushedUpTo, openJournal } from './journal.ts'

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
  readonly close: () => Promise<void>
}

export type Append<Fact> = (decide: () => Fact | null) => Promise<void>

/** A log outside a cluster: a journal in the data directory. */
export const openFactLog = <Fact>(path: string): FactLog<Fact> => {
  const journal = openJournal<Fact>(path, json(), { commits: 0, entries: 0, bytes: 0 })
  let listener: (fact: Fact) => Promise<void> = async () => undefined
  const space = watchDiskSpace(path)
  const append: Append<Fact> = async (decide) => {
    const fact = decide()
    if (fact === null) return
    // A journal that has failed once takes nothing more.
    space.look()
    const trouble = space.trouble()
    if (trouble !== null) throw trouble
    await flushedUpTo(journal, journal.append(fact))
    await listener(fact)
  }
  return {
    follow: (onFact) => {
      listener = onFact
      return [...journal.replay(0)].map(({ record }) => record)
    },
    append: oneAfterTheOther(append),
    close: journal.close,
  }
}

/** Runs appends one by one: each starts when the previous one has ended, in success or failure. */
export const oneAfterTheOther = <Fact>(append: Append<Fact>): Append<Fact> => {
  let last: Promise<unknown> = Promise.resolve()
  return (decide) => {
    const mine = last.then(() => append(decide))
    last = mine.catch(() => undefined)
    return mine
  }
}

/** Runs once at a time. Who asks while it runs shares the next run with all others: that one begins after each has asked. */
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
