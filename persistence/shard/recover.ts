import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ShardLog } from '../cluster/shard-log.ts'
import { Damaged, requireUndamaged } from '../disk/damage.ts'
import { DamagedJournal } from '../journal/batches.ts'
import { openStore, type Store } from '../snapshot/store.ts'
import { openMemory, type StoredMemory } from './memory.ts'
import type { ShardHostOptions } from './running-shard.ts'

/** Opens a shard's snapshot, and removes it first if its file is damaged. */
export const openSnapshot = (options: ShardHostOptions): Store => {
  const path = join(options.path, 'state')
  try {
    requireUndamaged(path)
  } catch (error) {
    if (!(error instanceof Damaged)) throw error
    options.onDamaged?.()
    tellForgotten(options, error.message)
    rmSync(path, { recursive: true })
  }
  return openStore(path, options.entropy)
}

/**
 * Opens the memory on the snapshot. A snapshot that is damaged, or of another journal, is discarded: the memory is
 * then made from the journal alone. Throws `Damaged` when the snapshot is ahead of the journal and no other node
 * can have the missing entries.
 */
export const recoverMemory = (
  options: ShardHostOptions,
  { journal, replica }: ShardLog,
  store: Store,
): StoredMemory => {
  const { path } = journal.batches
  const sequence = store.sequence()
  if (sequence > journal.flushed() && replica === null)
    throw new Damaged(`${path} ends at entry ${journal.flushed()}, and its snapshot at ${sequence}`)
  const isOfJournal =
    sequence === 0 || (sequence <= journal.flushed() && journal.batches.sealAt(sequence) === store.seal())
  if (!isOfJournal) {
    tellForgotten(options, `the snapshot is not of ${path}`)
    store.discard()
  }
  const { hotStates } = options
  try {
    return openMemory(store, journal, { hotStates })
  } catch (error) {
    if (!(error instanceof Damaged) || error instanceof DamagedJournal) throw error
    options.onDamaged?.()
    tellForgotten(options, error.message)
    store.discard()
    return openMemory(store, journal, { hotStates })
  }
}

const tellForgotten = ({ number, onTrouble }: ShardHostOptions, reason: string): void =>
  onTrouble(`shard ${number}: ${reason}; the snapshot is made again from the journal`, null)
