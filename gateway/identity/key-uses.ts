import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { KeyId } from '../../engine/shared/ids.ts'
import { bounds } from '../base/bounds.ts'
import type { KeySighting, Seen } from './key-usage.ts'

/**
 * When and from where each key was last used. Workers report on every read and every minute; each minute the
 * record is also written to a file and sent to the other nodes. So a crash loses a minute of it, and no request
 * waits for it.
 */
export type KeyUses = {
  /** Everything known at present, this node's workers included. */
  readonly current: () => Promise<ReadonlyMap<KeyId, KeySighting>>
  /** Stores another node's uses; returns this node's newest if the other node has just started. */
  readonly hear: (known: ToldKeyUses) => Promise<readonly KeyUse[]>
  /** Gathers and stores what is new. */
  readonly store: () => Promise<void>
  /** Stores what is new, and sends it to the other nodes. */
  readonly tick: () => Promise<void>
  /** Exchanges known uses with the other nodes. */
  readonly join: () => Promise<void>
}

export type KeyUse = readonly [keyId: KeyId, sighting: KeySighting]
export type ToldKeyUses = { readonly uses: readonly KeyUse[]; readonly wantsAll: boolean }

/** Opens the record in a file, which need not exist. A damaged one is dropped: nothing but these times is lost. */
export const openKeyUses = (options: {
  readonly file: string
  readonly gather: () => Promise<readonly (readonly KeyUse[])[]>
  /** Sends uses to every other node; resolves to their replies. */
  readonly report: (known: ToldKeyUses) => Promise<readonly (readonly KeyUse[])[]>
}): KeyUses => {
  const { file, report } = options
  const known = new Map<KeyId, KeySighting>(stored(file))
  /** Keys used here since the last report to the other nodes. */
  const untold = new Set<KeyId>()
  let isStored = true

  const remember = ([id, sighting]: KeyUse): boolean => {
    const before = known.get(id)
    const after = before === undefined ? sighting : latest(before, sighting)
    if (before?.used?.atMs === after.used?.atMs && before?.refused?.atMs === after.refused?.atMs) return false
    known.set(id, after)
    isStored = false
    return true
  }

  const gather = async (): Promise<void> => {
    for (const use of (await options.gather()).flat()) if (remember(use)) untold.add(use[0])
  }

  const store = async (): Promise<void> => {
    await gather()
    if (isStored) return
    writeFileSync(`${file}.new`, JSON.stringify([...known]), { mode: 0o600 })
    renameSync(`${file}.new`, file)
    isStored = true
  }

  return {
    current: async () => {
      await gather()
      return known
    },
    hear: async ({ uses, wantsAll }) => {
      uses.forEach(remember)
      if (!wantsAll) return []
      await gather()
      return newest(known)
    },
    store,
    tick: async () => {
      await store()
      if (untold.size === 0) return
      const uses = [...untold].slice(0, bounds.keyUsesAtOnce).map((id) => [id, known.get(id)!] as const)
      // Before the report, so that a key used again meanwhile is reported again.
      for (const [id] of uses) untold.delete(id)
      try {
        await report({ uses, wantsAll: false })
      } catch (error) {
        for (const [id] of uses) untold.add(id)
        throw error
      }
    },
    join: async () => {
      for (const use of (await report({ uses: newest(known), wantsAll: true })).flat()) remember(use)
    },
  }
}

const stored = (file: string): readonly KeyUse[] => {
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return Array.isArray(read) ? (read as readonly KeyUse[]) : []
  } catch {
    return []
  }
}

const latest = (a: KeySighting, b: KeySighting): KeySighting => ({
  used: later(a.used, b.used),
  refused: later(a.refused, b.refused),
})

const later = (a: Seen | null, b: Seen | null): Seen | null => ((a?.atMs ?? 0) >= (b?.atMs ?? 0) ? a : b)

/** As many as fit into a message between nodes; keys that were used long ago matter least. */
const newest = (known: ReadonlyMap<KeyId, KeySighting>): readonly KeyUse[] =>
  [...known].sort(([, a], [, b]) => (b.used?.atMs ?? 0) - (a.used?.atMs ?? 0)).slice(0, bounds.keyUsesAtOnce)
