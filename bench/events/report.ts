/** The deliveries that the receiver got since its last report. */
export type Report = {
  readonly deliveries: number
  /** Requests for a delivery that had arrived before. */
  readonly repeats: number
  /** From an event's `createdAt` to its first arrival. */
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** When the first and the last of them arrived, in epoch milliseconds. */
  readonly firstAtMs: number
  readonly lastAtMs: number
  /** A few of the requests, to check their signatures. */
  readonly samples: readonly Sample[]
}

export type Sample = { readonly path: string; readonly signature: string; readonly body: string }
