import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DamagedColumns } from '../base/columns.ts'
import type { ShardLog } from '../cluster/shard-log.ts'
import { Damaged, requireUndamaged } from '../disk/damage.ts'
import { DamagedJournal } from '../journal/batches.ts'
import { openStore, type Store } from '../snapshot/store.ts'
import { openMemory, type StoredMemory } from './memory.ts'
import type { ShardHostOptions } from './running-shard.ts'

/** Opens a shard's snapshot, and removes it first if its file is damaged, or if damage was found while it was read. */
export const openSnapshot = (options: ShardHostOptions, found: DamagedColumns | null): Store => {
  const path = join(options.path, 'state')
  try {
    if (found !== null) throw found
    requireUndamaged(path)
  } catch (error) {
    if (!isOfSnapshot(error)) throw error
    options.onDamaged?.()
    tellForgotten(options, error.message)
    rmSync(path, { recursive: true, force: true })
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
  const { hotStates, memoryBytes } = options
  try {
    return openMemory(store, journal, { hotStates, memoryBytes })
  } catch (error) {
    if (!isOfSnapshot(error)) throw error
    options.onDamaged?.()
    tellForgotten(options, error.message)
    store.discard()
    return openMemory(store, journal, { hotStates, memoryBytes })
  }
}

/** Whether an error means that the snapshot is damaged, which can be made again from the journal. */
const isOfSnapshot = (error: unknown): error is Error =>
  error instanceof DamagedColumns || (error instanceof Damaged && !(error instanceof DamagedJournal))

const tellForgotten = ({ number, onTrouble }: ShardHostOptions, reason: string): void =>
  onTrouble(`shard ${number}: ${reason}; the snapshot is made again from the journal`, null)
