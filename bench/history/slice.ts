import type { AccountId } from '../../engine/shared/ids.ts'

/** What one process seeds: of each of these accounts the rows in [from, to). */
export type SliceOfShard = {
  readonly path: string
  readonly shards: number
  readonly shard: number
  readonly accounts: readonly { readonly accountId: AccountId; readonly index: number }[]
  /** How many rows an account has in the end. */
  readonly rowsEach: number
  readonly from: number
  readonly to: number
  readonly seed: number
  readonly endMs: number
  /** How many transactions of each method to note. */
  readonly samples: number
  /** The file for what it took. */
  readonly resultFile: string
}

/** A transaction by everything that it can be looked up by. */
export type Sample = {
  readonly method: 'PIX' | 'CREDIT_CARD'
  readonly id: string
  readonly externalId: string
  /** The end-to-end id of a PIX, the NSU of a card payment. */
  readonly key: string
}

export type Seeded = {
  readonly cpuUs: number
  /** The most memory that the process had. */
  readonly peakBytes: number
  readonly samples: readonly Sample[]
}
