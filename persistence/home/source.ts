import { join } from 'node:path'
import { bounds } from '../base/bounds.ts'
import { DamagedPage } from '../disk/data-file/pages.ts'
import {
  type OnDamage,
  openFileReader,
  type ReaderEntry,
  type ReaderShelf,
} from '../disk/data-file/reader.ts'
import { damagesOf } from '../disk/data-file.ts'
import { type Hold, holdNewest } from './hold.ts'

/** An LMDB environment that is read and never written. */
export type Source = {
  readonly path: string
  /** Moves on to the newest commit and reads a little of it, and again if a service overwrites some of it meanwhile. */
  readonly glance: <Value>(read: () => Value) => Value
  /** The same for reading that takes longer: the service keeps the pages of that commit. */
  readonly view: <Value>(read: () => Value) => Value
  /**
   * The same for reading that takes turns: the service's file grows by what it writes meanwhile. Throws when the service has closed
   * the environment before the end.
   */
  readonly viewWhile: <Value>(read: () => Promise<Value>) => Promise<Value>
  /** A database, to be read within a view. */
  readonly shelf: (name?: string) => ReaderShelf
  /** The damages of the environment's structure, in words. */
  readonly damages: (onPage?: (done: number, of: number) => void) => readonly string[]
  readonly close: () => void
}

/**
 * Opens an environment without LMDB, which only the process that writes it may use, if there is one (see `openEnvironment`). Throws
 * `DamagedPage` when the file does not begin as an environment.
 */
export const openSource = (path: string, onDamage: OnDamage = 'SKIP'): Source => {
  const file = join(path, 'data.mdb')
  const reader = openFileReader(file, onDamage)

  /** What reading came to, and whether the pages were there all the time. */
  const attempt = <Value>(held: Hold | null, read: () => Value) => {
    const outcome = outcomeOf(() => {
      reader.refresh()
      return read()
    })
    const isHeld = held?.release() ?? false
    return { outcome, isSound: isHeld || reader.isCurrent() }
  }

  const view = <Value>(read: () => Value): Value => {
    for (let tries = 0; tries < bounds.viewTriesMax; tries++) {
      const { outcome, isSound } = attempt(holdNewest(path), read)
      if (isSound) return outcome()
    }
    throw new Error('it changes all the time, and the process that changes it keeps no pages')
  }

  return {
    path,
    glance: (read) => {
      const { outcome, isSound } = attempt(null, read)
      return isSound ? outcome() : view(read)
    },
    view,
    viewWhile: async (read) => {
      const held = holdNewest(path)
      const work = async () => {
        reader.refresh()
        return read()
      }
      const [outcome] = await Promise.allSettled([work()])
      if (!held.release() && !reader.isCurrent())
        throw new Error(`${path} was closed while it was read: try again`)
      if (outcome.status === 'rejected') throw outcome.reason
      return outcome.value
    },
    shelf: reader.shelf,
    damages: (onPage) => view(() => damagesOf(file, onPage)),
    close: reader.close,
  }
}

/** What work comes to: its value, or the error that it ends with. */
const outcomeOf = <Value>(work: () => Value): (() => Value) => {
  try {
    const value = work()
    return () => value
  } catch (error) {
    return () => {
      throw error
    }
  }
}

/** The entries from one number to another, in slices, with nothing held between them. Other keys are included. */
export const slicesOf = function* (
  { view }: Source,
  shelf: ReaderShelf,
  first: number,
  last: number,
): Generator<readonly ReaderEntry[]> {
  for (let next = first; next <= last; ) {
    const slice = view(() => {
      const entries: ReaderEntry[] = []
      let bytes = 0
      for (const entry of shelf.entries(next)) {
        if ((sequenceIn(entry) ?? 0) > last || bytes > bounds.backupSliceBytes) break
        entries.push(entry)
        bytes += entry.value.length
      }
      return entries
    })
    if (slice.length === 0) return
    yield slice
    next = slice.reduce((greatest, entry) => Math.max(greatest, sequenceIn(entry) ?? 0), next) + 1
  }
}

/** The key of an entry; null if it is no number, or there is no entry. */
export const sequenceIn = (entry: ReaderEntry | undefined): number | null =>
  typeof entry?.key === 'number' && Number.isSafeInteger(entry.key) ? entry.key : null

/** Why an environment cannot be opened. */
export const whyNot = (error: unknown): string =>
  error instanceof DamagedPage
    ? `is damaged: ${error.message}`
    : `cannot be read: ${(error as Error).message}`
