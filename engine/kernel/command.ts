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
  /** Decides alone: what would be refused is, and else nothing is done. */
  readonly isPreview?: boolean
  /** Who the audit log names for it; absent where it records nothing. */
  readonly audit?: AuditAsker | undefined
}
