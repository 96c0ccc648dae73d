import type { Static } from 'typebox'
import type { Account } from '../../../engine/ledger/account.ts'
import { withdrawableOf } from '../../../engine/ledger/withdrawable.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { amountOf, instant, listOf, nonNegativeAmountOf, objectName, textOf } from '../fields.ts'

/** What a company has (dashboard, section 2.7). */
export const balance = namedObject('Balance', 'What the company has, in reais and in each other currency.', {
  object: objectName('balance'),
  available: amountOf(
    'What is there. Negative after chargebacks and refunds of money that had left already.',
  ),
  withdrawable: nonNegativeAmountOf(
    'What of it can be sent: shares of recipients that are on their way cannot.',
  ),
  blocked: amountOf('Set aside: transfers on their way, refunds, chargebacks and MEDs that are open.'),
  receivable: amountOf('What is expected to settle.'),
  recipients: amountOf('What recipients of splits are owed together; negative when they owe more.'),
  scheduledOut: nonNegativeAmountOf('What transfers will take that wait for approval or for their day.'),
  currencies: listOf(
    namedObject('CurrencyBalance', 'What is there of a currency.', {
      currency: textOf('Which.'),
      available: amountOf('What is there.'),
      blocked: amountOf('What is set aside.'),
    }),
    'Each currency.',
  ),
  asOf: described(instant, 'When, by the environment’s clock.'),
})

/** An account's balance at that time. */
export const balanceView = (account: Account, nowMs: number): Static<typeof balance> => {
  const { available, blocked, receivable, recipients } = account.balances
  return {
    object: 'balance',
    available: String(available),
    withdrawable: String(withdrawableOf(account)),
    blocked: String(blocked),
    receivable: String(receivable),
    recipients: String(recipients),
    scheduledOut: String(account.moneyOut?.plannedCents ?? 0n),
    currencies: Object.entries({ BRL: account.balances, ...account.assets }).map(([currency, has]) => ({
      currency,
      available: String(has.available),
      blocked: String(has.blocked),
    })),
    asOf: isoInstant(nowMs),
  }
}
