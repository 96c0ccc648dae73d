import type { Draft } from '../../kernel/draft.ts'
import { type LedgerAccount, transfer } from '../../ledger/postings.ts'
import type { Cents } from '../../shared/money.ts'

/** Moves money to or from the ledger account `suspense`. */
export const moveSuspended = (
  draft: Draft,
  objectId: string,
  from: LedgerAccount,
  to: LedgerAccount,
  cents: Cents,
): void =>
  draft.add({
    actor: 'account',
    type: 'FundsMoved',
    id: draft.account().id,
    atMs: draft.context.nowMs,
    objectId,
    currency: 'BRL',
    postings: transfer(from, to, cents),
  })
