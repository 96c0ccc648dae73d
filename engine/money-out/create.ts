import type { Decider } from '../kernel/decider.ts'
import type { Draft } from '../kernel/draft.ts'
import { factOf } from '../kernel/fact.ts'
import type { Rejection } from '../kernel/registry.ts'
import { approvalTermsOf } from './approval.ts'
import { type AskedMoneyOut, kindOfMoneyOut } from './asked.ts'
import type { CreateTransfer, CreateWithdrawal } from './commands.ts'
import { duplicateRefusal } from './keys.ts'
import { limitRefusal, personCounts } from './limits.ts'
import { moneyOutMethodOf } from './methods/index.ts'
import { transferTerms } from './methods/transfer-terms.ts'
import { withdrawalTerms } from './methods/withdrawal-terms.ts'
import type { MoneyOutId } from './money-out.ts'
import { sendMoneyOut, whenItRuns } from './run.ts'
import { limitedPaymentOf } from './standing.ts'
import { bookMoneyOut } from './sums.ts'

/** Creates a transfer by PIX or TED. */
export const createTransfer: Decider<CreateTransfer> = (draft, command) =>
  create(draft, command.transferId, transferTerms(draft, command), command)

/** Creates a withdrawal of stablecoins. */
export const createWithdrawal: Decider<CreateWithdrawal> = (draft, command) =>
  create(draft, command.withdrawalId, withdrawalTerms(draft, command), command)

/**
 * Creates money out. It waits for approval or for its time, or else its money is reserved and the provider call
 * recorded in the same entry, so that two payments never spend the same money.
 */
const create = (
  draft: Draft,
  id: MoneyOutId,
  asked: AskedMoneyOut | { readonly refusal: Rejection },
  { allowDuplicate, othersCount }: Pick<CreateTransfer, 'allowDuplicate' | 'othersCount'>,
): Rejection | null => {
  if ('refusal' in asked) return asked.refusal
  const { nowMs, atMs } = draft.context
  const account = draft.account()
  const kind = kindOfMoneyOut(asked)
  const { fundsRefusal, follow } = moneyOutMethodOf(asked)
  const runsAtMs = whenItRuns(draft, asked, asked.scheduledFor)
  const limited = limitedPaymentOf(draft, asked)
  const refusal =
    limitRefusal(account, limited, runsAtMs) ?? (allowDuplicate ? null : duplicateRefusal(draft, asked))
  if (refusal !== null) return refusal
  const terms = approvalTermsOf(account, limited, { othersCount, nowMs, atMs, leavesAtMs: runsAtMs })
  const waits = terms.approvalsRequired > 0
  const runsNow = !waits && runsAtMs <= nowMs
  const shortage = runsNow ? fundsRefusal(draft, asked) : null
  if (shortage !== null) return shortage
  const counts = waits ? [] : personCounts(account, limited, nowMs)
  const created = { ...asked, ...terms }
  draft.add({ type: 'MoneyOutCreated', ...factOf(draft, kind, id), created, runsAtMs, counts })
  const out = draft.find(kind, id)!
  follow?.created?.(draft, out)
  if (runsNow) sendMoneyOut(draft, out, limited, false)
  else bookMoneyOut(draft, out, 'PLANNED', { counts })
  return null
}
