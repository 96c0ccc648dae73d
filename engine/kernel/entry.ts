import type { AccountId } from '../shared/ids.ts'
import type { Traceparent } from '../shared/traceparent.ts'
import type { Idempotency } from './command.ts'
import type { AnyFact } from './registry.ts'

/**
 * One command's facts: all on disk, or none. The idempotency record is part of the entry, so an effect and the
 * merchant's key for it cannot come apart.
 */
export type Entry = {
  readonly accountId: AccountId
  /** Real time of the decision. */
  readonly atMs: number
  readonly events: readonly AnyFact[]
  readonly idempotency?: Idempotency
  /** The trace of the command. */
  readonly traceparent?: Traceparent
}
