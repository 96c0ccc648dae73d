import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { applyEntry } from '../../engine/engine.ts'
import type { Entry } from '../../engine/kernel/entry.ts'
import { bounds } from '../base/bounds.ts'
import { openMemory, type StoredMemory } from '../shard/memory.ts'
import { emptyStore, openStore, type Store } from '../snapshot/store.ts'
import type { ReadJournal } from './journal.ts'

/** What a replay keeps in memory. */
export type ReplayBounds = {
  /** Changes after which what was replayed goes to the disk. */
  readonly unsavedMax: number
  readonly memoryBytes: number
}

/** Some 100 MB with everything that a replay needs beside it. */
export const replayBounds: ReplayBounds = {
  unsavedMax: bounds.unsavedChangesMax,
  memoryBytes: bounds.verifyMemoryBytes,
}

/** A replay soon needs the states of its last entries again, and a comparison none: more of them cost time and memory. */
export const replayedStates = 1_000

/** Replays a journal from its first entry into a store, which has what does not fit into memory. */
export const replayInto = async (
  store: Store,
  journal: ReadJournal<Entry>,
  { unsavedMax, memoryBytes }: ReplayBounds,
  onEntry: (sequence: number, entry: Entry) => Promise<void> | undefined = () => undefined,
): Promise<StoredMemory> => {
  const memory = openMemory(store, journal, { hotStates: replayedStates, memoryBytes })
  for (const { sequence, record } of journal.replay(0)) {
    applyEntry(memory, sequence, record)
    const reported = onEntry(sequence, record)
    if (reported !== undefined) await reported
    if (memory.unsaved() < unsavedMax) continue
    await store.write(memory.takeSnapshot(sequence))
    const merge = memory.keysToMerge()
    if (merge !== null) await store.merge(merge, () => false)
  }
  return memory
}

/**
 * A store for a replay, in memory for a short journal, otherwise in a folder of its own below `TMPDIR`; `close` removes that. Hashes of a snapshot to
 * compare with have its seed.
 */
export const openScratchStore = (
  seed: number,
  entries: number,
  { unsavedMax }: ReplayBounds,
): { readonly store: Store; readonly close: () => Promise<void> } => {
  if (entries < unsavedMax) return { store: emptyStore(seed), close: async () => undefined }
  const path = mkdtempSync(join(tmpdir(), 'payments-verify-'))
  const store = openStore(path, () => seed)
  return {
    store,
    close: async () => {
      await store.close()
      rmSync(path, { recursive: true, force: true })
    },
  }
}
