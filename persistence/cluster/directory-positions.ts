/** How far the nodes of a cluster have applied its directory, as they report several times a second. */
export type DirectoryPositions = ReturnType<typeof openDirectoryPositions>

export type DirectoryPositionsOptions = {
  /** Monotonic milliseconds; only differences matter. */
  readonly monotonicNow: () => number
  readonly beatMs: number
  /** `everyNodeHas` does not wait for a node that was silent for this long. */
  readonly deadMs: number
  /** Nor does it wait longer than this for a node that is heard and still lacks a record. */
  readonly waitMs: number
  readonly onLate: (nodes: readonly string[]) => void
}

/** Starts with no nodes: they appear when they are heard first, which is before they own anything. */
export const openDirectoryPositions = (options: DirectoryPositionsOptions) => {
  const { monotonicNow, beatMs, deadMs, waitMs, onLate } = options
  const peers = new Map<string, { readonly applied: number; heardAt: number }>()
  let waiters: readonly Waiter[] = []
  let lookedAt = monotonicNow()

  /** The connection is back: nothing could be heard before. */
  const resumed = (): void => {
    for (const peer of peers.values()) peer.heardAt = monotonicNow()
  }

  const lacking = (sequence: number): readonly string[] =>
    [...peers]
      .filter(([, { applied, heardAt }]) => applied < sequence && monotonicNow() - heardAt < deadMs)
      .map(([node]) => node)

  /** Releases waiters whose nodes are up to date, silent or late. */
  const look = (): void => {
    // This process was suspended for a while, so that all other nodes only seem dead.
    if (monotonicNow() - lookedAt > restAfterBeats * beatMs) resumed()
    lookedAt = monotonicNow()
    waiters = waiters.filter(({ sequence, since, resolve }) => {
      const nodes = lacking(sequence)
      const isLate = monotonicNow() - since >= waitMs
      if (nodes.length > 0 && !isLate) return true
      if (nodes.length > 0) onLate(nodes)
      resolve()
      return false
    })
  }

  return {
    /** Another node has applied every record up to this one; null when it ends. */
    hear: (node: string, applied: number | null): void => {
      if (applied === null) peers.delete(node)
      else peers.set(node, { applied, heardAt: monotonicNow() })
      look()
    },
    /** Resolves when every node that is heard has applied this record, at the latest after `waitMs`. */
    everyNodeHas: (sequence: number): Promise<void> =>
      new Promise((resolve) => {
        waiters = [...waiters, { sequence, since: monotonicNow(), resolve }]
        look()
      }),
    resumed,
    /** Call it every `beatMs`. */
    tick: look,
  }
}

type Waiter = { readonly sequence: number; readonly since: number; readonly resolve: () => void }

/** A tick this late was delayed by this process, not by the others. */
const restAfterBeats = 4
