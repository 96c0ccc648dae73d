import { type AuditEntry, hashOfEntry } from './audit-entry.ts'
import type { ChainBreak } from './queries.ts'

/** Checks the entries of a chain, in whatever order they come. */
export type ChainCheck = {
  readonly add: (entry: AuditEntry) => void
  /** The first break of a chain that should have this many entries and end with this hash. */
  readonly end: (entries: number, headHash: string | null) => ChainBreak | null
}

/** A check that has seen no entry. */
export const newChainCheck = (): ChainCheck => {
  const links: (Link | undefined)[] = []
  return {
    add: (entry) => {
      const { id, number, hash, previousHash } = entry
      links[number] = { id, hash, previousHash, isChanged: hashOfEntry(entry) !== hash }
    },
    end: (entries, headHash) => {
      let before: string | null = null
      for (let number = 1; number <= Math.max(entries, links.length - 1); number++) {
        const link = links[number]
        if (link === undefined) return { number, id: null, reason: 'MISSING' }
        const { id, hash, previousHash, isChanged } = link
        if (isChanged) return { number, id, reason: 'CHANGED' }
        if (previousHash !== before) return { number, id, reason: 'UNLINKED' }
        before = hash
      }
      if (before === headHash && links.length - 1 <= entries) return null
      return { number: entries, id: links[entries]?.id ?? null, reason: 'UNLINKED' }
    },
  }
}

type Link = Pick<AuditEntry, 'id' | 'hash' | 'previousHash'> & { readonly isChanged: boolean }
