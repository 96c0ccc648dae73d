import type { KeyId } from '../../engine/shared/ids.ts'

/** The newest requests of each key, kept in memory by the thread that answered them: for people who look for what their program did. */
export type KeyLog = {
  readonly note: (request: KeyRequest) => void
  /** The newest of a key, in no order. */
  readonly of: (keyId: KeyId) => readonly KeyRequest[]
}

/** An answered request: no secrets, no bodies, no query. When it came is in its id. */
export type KeyRequest = {
  readonly requestId: string
  readonly keyId: string | null
  readonly verb: string
  /** The route's pattern; null for a path that is none. */
  readonly route: string | null
  readonly path: string
  readonly status: number
  readonly code: string | null
  readonly durationMs: number
}

/** Keeps so many requests of each key; none where it is 0. A request costs a look-up and a write, and its line is not copied. */
export const openKeyLog = (entriesMax: number): KeyLog => {
  const rings = new Map<string, Ring>()
  return {
    note: (request) => {
      const { keyId } = request
      if (keyId === null || entriesMax === 0) return
      let ring = rings.get(keyId)
      if (ring === undefined) {
        ring = { requests: [], next: 0 }
        rings.set(keyId, ring)
      }
      ring.requests[ring.next] = request
      ring.next = (ring.next + 1) % entriesMax
    },
    of: (keyId) => rings.get(keyId)?.requests ?? [],
  }
}

type Ring = { readonly requests: KeyRequest[]; next: number }
