import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry } from '../../engine/kernel/entry.ts'
import type { Journal } from '../../engine/kernel/ports.ts'
import { entryLayout } from '../codec/entry.ts'
import { journalOn } from '../journal/journal.ts'
import { openReplicaStore, wholeUpTo } from './replica-store.ts'

/** A replica's log on the disk of a stopped node, opened for reading only. */
export type StoredLog = {
  readonly journal: Journal
  /** Whether its records form an unbroken chain and end where the position says. */
  readonly problems: () => readonly string[]
}

/** Whether a shard's folder holds a replica. */
export const hasReplica = (path: string): boolean => existsSync(join(path, 'log'))

/** Opens the log of a stopped node for reading. */
export const openStoredLog = (path: string): StoredLog => {
  const store = openReplicaStore(join(path, 'log'))
  const journal = journalOn<Entry>(
    {
      batches: store.batches,
      valueBytesMax: 0,
      write: () => Promise.reject(new Error('a log that is only read')),
      close: store.close,
    },
    entryLayout,
    { commits: 0, entries: 0, bytes: 0 },
  )
  const problems = (): readonly string[] => {
    const end = store.position()
    const whole = wholeUpTo(store.read)
    if (whole.applied < end.applied)
      return [`record ${whole.applied + 1} of the log does not follow on the one before it`]
    return JSON.stringify(whole) === JSON.stringify(end) ? [] : ['the log does not end where it says']
  }
  return { journal, problems }
}
