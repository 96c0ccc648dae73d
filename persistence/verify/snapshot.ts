import { join } from 'node:path'
import { isStored } from '../base/column-code.ts'
import { fittingValue } from '../disk/checked-value.ts'
import { rangesOf } from '../disk/data-file/ranges.ts'
import { hasEnvironment } from '../disk/environment.ts'
import { openSource, type Source, whyNot } from '../home/source.ts'
import {
  emptyStore,
  type ReadShelf,
  type ShelfName,
  type Store,
  shelfNames,
  storeOnRead,
} from '../snapshot/store.ts'

/** A shard's snapshot, as far as it can be read. */
export type ReadSnapshot = {
  readonly path: string
  /** The snapshot's damages, as ends of sentences about it. */
  readonly damages: readonly string[]
  /** Incomplete when the snapshot is damaged. */
  readonly store: Store
}

/**
 * Reads a shard's snapshot as of one commit, which `use` may read as long as it works. A missing snapshot counts as empty: it
 * can be made again.
 */
export const readSnapshot = async <Value>(
  shardPath: string,
  use: (snapshot: ReadSnapshot) => Promise<Value>,
): Promise<Value> => {
  const path = join(shardPath, 'state')
  const empty = emptyStore()
  if (!hasEnvironment(path)) return use({ path, damages: [], store: empty })
  let source: Source
  try {
    source = openSource(path)
  } catch (error) {
    return use({ path, damages: [whyNot(error)], store: empty })
  }
  try {
    const structure = source.damages()
    return await source.viewWhile(() => {
      const damages = [...structure, ...damagedValues(source)].map((damage) => `is damaged: ${damage}`)
      return use({ path, damages, store: storeOnRead((name) => shelfOf(source, name)) })
    })
  } finally {
    source.close()
  }
}

const shelfOf = <Key extends string | number>(source: Source, name: ShelfName): ReadShelf<Key> => {
  const shelf = source.shelf(name)
  const checked = (key: string | number, value: Buffer | undefined): Buffer | undefined =>
    value && (fitting(name, key, value) ?? undefined)
  return {
    get: (key) => checked(key, shelf.get(key)),
    all: function* () {
      for (const { key, value } of shelf.entries()) {
        const bytes = key === null ? undefined : checked(key, value)
        if (bytes !== undefined) yield [key as Key, bytes] as const
      }
    },
  }
}

/** A value without its checksum, if it fits; the values of segments are read with theirs. */
const fitting = (name: ShelfName, key: string | number, value: Buffer): Buffer | null => {
  if (name !== 'values') return fittingValue(key, value)
  return typeof key === 'number' && isStored(value, key) ? value : null
}

/** Values that are not what was stored, by their databases and keys. */
const damagedValues = (source: Source): readonly string[] => {
  const names = [...source.shelf().entries()].map(({ key }) => key)
  if (names.length > 0 && names.join() !== shelfNames.join())
    return ['its databases are not those of a snapshot']
  return shelfNames.flatMap((name) => {
    const numbers: number[] = []
    const others: string[] = []
    for (const { key, value } of source.shelf(name).entries()) {
      if (key !== null && fitting(name, key, value) !== null) continue
      if (typeof key === 'number' && Number.isSafeInteger(key)) numbers.push(key)
      else others.push(`its ${name} are damaged at ${key ?? 'a key'}`)
    }
    const ranges = rangesOf(numbers).map(([first, last]) =>
      first === last ? `${first}` : `${first} to ${last}`,
    )
    return [...others, ...ranges.map((range) => `its ${name} are damaged at ${range}`)]
  })
}
