import type { Commit, DirectoryEvent } from '../../engine/directory/directory.ts'
import { json } from '../codec/layout.ts'
import { watchDiskSpace } from '../disk-space.ts'
import { flushedUpTo, openJournal } from './journal.ts'

/**
 * The facts about companies, keys and endpoints, in order: on this node's disk, and in a cluster the same on every
 * node.
 */
export type DirectoryLog = {
  /**
   * Returns all facts known now. Each later one, from any node, is passed to `onFact` when it is on disk and `onFact`
   * is done with the previous one.
   */
  readonly follow: (onFact: OnFact) => readonly DirectoryEvent[]
  /** Resolves when `onFact` is done with the fact, too, on every living node. */
  readonly append: Commit
  readonly close: () => Promise<void>
}

export type OnFact = (fact: DirectoryEvent) => Promise<void>

/** The directory's log outside a cluster: a journal in the data directory. */
export const openDirectoryLog = (path: string): DirectoryLog => {
  const journal = openJournal<DirectoryEvent>(path, json(), { commits: 0, entries: 0, bytes: 0 })
  let listener: OnFact = async () => undefined
  const space = watchDiskSpace(path)
  const append: Commit = async (decide) => {
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
export const oneAfterTheOther = (append: Commit): Commit => {
  let last: Promise<unknown> = Promise.resolve()
  return (decide) => {
    const mine = last.then(() => append(decide))
    last = mine.catch(() => undefined)
    return mine
  }
}
