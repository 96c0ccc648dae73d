import type { Draft } from '../kernel/draft.ts'
import { type AskedMoneyOut, kindOfMoneyOut } from './asked.ts'
import { firstPaidKey } from './keys.ts'
import type { LimitedPayment } from './limits.ts'
import { moneyOutMethodOf } from './methods/index.ts'
import { payeeKeyOf } from './payees/payee.ts'

/** A request as approval policy and limits see it now, at this worth. */
export const limitedPaymentOf = (
  draft: Draft,
  asked: AskedMoneyOut,
  worthCents = asked.worthCents,
): LimitedPayment => {
  const { method, createdBy } = asked
  const key = payeeKeyOf(asked.payee)
  const wasPaid = draft.lookup(kindOfMoneyOut(asked), firstPaidKey(key)).length > 0
  return {
    method,
    worthCents,
    createdBy,
    payee: { key, wasPaid, ...moneyOutMethodOf(asked).trustIn(draft, asked) },
  }
}
