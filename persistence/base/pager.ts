/**
 * A budget of memory for what a snapshot has on disk, and for what is made from it: what was not used for longest leaves first, found
 * as by a clock's hand that passes over everything and takes what was not used since it came by last.
 */
export type Pager = {
  /** Bytes in memory. */
  held: number
  readonly bytesMax: number
  readonly members: Pageable[]
  hand: number
  /** How often something was read from the disk. */
  reads: number
  /** Reads a stored value, which is valid until the next is read. Throws when it is missing. */
  readonly read: (key: number) => Uint8Array
  /** The values read last as they lie on the disk; null for one that was read only once. */
  readonly late: Map<number, Uint8Array | null>
  /** The blocks of rows that were read last. */
  readonly lateBlocks: Map<number, Uint8Array>
  /** What was made from stored segments, kept beside them. */
  readonly beside: Beside
  /** Below this many bytes a new search would find no more than the last one. */
  searchAt: number
}

/** Something that can leave memory and be read or made again. */
export type Pageable = {
  isUsed: boolean
  /** Its bytes in memory. */
  held: number
  isMember: boolean
  /** Leaves memory, if it may. Returns whether it did. */
  readonly leave: () => boolean
}

/** Values that can be made again: one that is damaged or could not be written is missing. */
export type Beside = {
  /** A value in memory of its own; null where there is none. */
  readonly find: (key: number) => Uint8Array | null
  readonly put: (key: number, bytes: Uint8Array) => void
}

const nothingBeside: Beside = { find: () => null, put: () => undefined }

/** A pager with nothing in memory. */
export const newPager = (bytesMax: number, read: Pager['read'], beside: Beside = nothingBeside): Pager => ({
  held: 0,
  bytesMax,
  members: [],
  hand: 0,
  reads: 0,
  read,
  late: new Map(),
  lateBlocks: new Map(),
  beside,
  searchAt: bytesMax,
})

/** Counts more or fewer bytes of a member, and makes room where there are too many. */
export const hold = (pager: Pager, member: Pageable, bytes: number): void => {
  if (!member.isMember) pager.members.push(member)
  member.isMember = true
  member.isUsed = true
  member.held += bytes
  pager.held += bytes
  if (pager.held > pager.searchAt) makeRoom(pager)
}

/** Lets what was not used for longest leave, in two rounds of the hand at most. A little at a time: requests wait meanwhile. */
const makeRoom = (pager: Pager): void => {
  const { members, bytesMax } = pager
  const enough = bytesMax * (127 / 128)
  // Other members may be counted while one leaves.
  pager.searchAt = Number.POSITIVE_INFINITY
  for (let looked = 2 * members.length; looked > 0 && pager.held > enough; looked--) {
    if (pager.hand >= members.length) pager.hand = 0
    const member = members[pager.hand]
    if (member === undefined) break
    if (member.isUsed) {
      member.isUsed = false
      pager.hand += 1
    } else if (member.leave()) {
      forget(pager, member)
      members[pager.hand] = members.at(-1)!
      members.pop()
    } else pager.hand += 1
  }
  // Where too little may leave, the next search waits for more.
  pager.searchAt = pager.held > enough ? (pager.held * 17) / 16 : bytesMax
}

const forget = (pager: Pager, member: Pageable): void => {
  pager.held -= member.held
  member.held = 0
  member.isMember = false
}

/** Takes members out that are gone for good. */
export const releaseMembers = (pager: Pager, gone: ReadonlySet<Pageable>): void => {
  for (let n = pager.members.length - 1; n >= 0; n--) {
    const member = pager.members[n]!
    if (!gone.has(member)) continue
    forget(pager, member)
    pager.members[n] = pager.members.at(-1)!
    pager.members.pop()
  }
}

/** Something made from what is stored, kept while there is room. */
export type Derived<Value> = Pageable & { value: Value | null }

/** Nothing yet. */
export const newDerived = <Value>(onLeave: () => void = () => undefined): Derived<Value> => {
  const kept: Derived<Value> = {
    value: null,
    isUsed: false,
    held: 0,
    isMember: false,
    leave: () => {
      kept.value = null
      onLeave()
      return true
    },
  }
  return kept
}

/** What is kept, made by `make` where it is not; null where that has nothing to make. */
export const derivedOr = <Value>(
  pager: Pager,
  kept: Derived<Value>,
  make: () => Value | null,
  bytesOf: (value: Value) => number,
): Value | null => {
  kept.isUsed = true
  if (kept.value !== null) return kept.value
  const value = make()
  if (value === null) return null
  kept.value = value
  hold(pager, kept, bytesOf(value))
  return value
}

/** Discards what is kept, because what it was made from has changed. */
export const discard = (pager: Pager, kept: Derived<unknown>): void => {
  if (kept.value === null) return
  kept.value = null
  pager.held -= kept.held
  kept.held = 0
}
