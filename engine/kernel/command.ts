import type { AuditAsker } from '../shared/audit.ts'
import type { AccountId } from '../shared/ids.ts'
import type { Initiator } from '../shared/initiator.ts'
import type { Traceparent } from '../shared/traceparent.ts'

/** The merchant's key for an effect. The same key with another fingerprint is refused. */
export type Idempotency = { readonly key: string; readonly fingerprint: string }

export type Request<Type extends string> = {
  readonly type: Type
  readonly accountId: AccountId
  readonly by: Initiator
  readonly idempotency?: Idempotency
  /** The trace that the command and its consequences belong to. */
  readonly traceparent?: Traceparent | undefined
  /** Only decides: refusals are returned as usual, and facts are not stored. */
  readonly isPreview?: boolean
  /** Who acts and how, for the audit log; absent from commands that it does not record. */
  readonly audit?: AuditAsker | undefined
}
