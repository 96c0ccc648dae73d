import type { Cents } from './money.ts'
import type { TransactionStatus } from './transaction/transaction.ts'

/** What a decider answers: facts, or a named refusal. */
export type Decision<Event> =
  | { readonly accepted: true; readonly events: readonly Event[] }
  | { readonly accepted: false; readonly rejection: Rejection }

/** Why the business says no. The gateway gives each of these one status and code. */
export type Rejection =
  | { readonly reason: 'ACCOUNT_ABSENT' }
  | { readonly reason: 'NOT_FOUND'; readonly resource: string }
  | {
      readonly reason: 'INVALID_STATE'
      readonly currentStatus: string
      readonly allowedStatuses: readonly TransactionStatus[]
    }
  | { readonly reason: 'IDEMPOTENCY_KEY_REUSED' }
  | { readonly reason: 'AMOUNT_MISMATCH'; readonly payableCents: Cents }
  | { readonly reason: 'PAYMENT_REFUSED_BY_SCENARIO' }
  | { readonly reason: 'DUE_DATE_IN_THE_PAST' }
  | { readonly reason: 'DUE_DATE_TOO_FAR' }
  | { readonly reason: 'CLOCK_CANNOT_GO_BACK' }
  | { readonly reason: 'CLOCK_STEP_TOO_LONG' }
  | { readonly reason: 'SANDBOX_ONLY' }
  | { readonly reason: 'DELIVERY_UNFINISHED' }

export const accept = <Event>(...events: readonly Event[]): Decision<Event> => ({ accepted: true, events })

export const reject = <Event>(rejection: Rejection): Decision<Event> => ({ accepted: false, rejection })
