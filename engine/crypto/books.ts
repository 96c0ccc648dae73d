import type { Draft } from '../kernel/draft.ts'
import { factOf } from '../kernel/fact.ts'
import type { LedgerAccount } from '../ledger/postings.ts'
import type { Currency } from '../shared/method.ts'
import { toCents } from '../shared/money.ts'

/** Books movements between ledger accounts in one currency for an object. Movements of zero are left out. */
export const moveFunds = (
  draft: Draft,
  objectId: string,
  currency: Currency,
  moved: Readonly<Partial<Record<LedgerAccount, number>>>,
): void => {
  const postings = (Object.entries(moved) as [LedgerAccount, number][])
    .filter(([, cents]) => cents !== 0)
    .map(([account, cents]) => ({ account, cents: toCents(cents) }))
  if (postings.length === 0) return
  const { id } = draft.account()
  draft.add({ type: 'FundsMoved', objectId, currency, postings, ...factOf(draft, 'account', id) })
}
