import type { Account } from '../../../engine/ledger/account.ts'
import type { Balances } from '../../../engine/ledger/postings.ts'
import { withdrawableOf } from '../../../engine/ledger/withdrawable.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { described } from '../../schema/named-schema.ts'
import { amountOf, instant, listOf, nonNegativeAmountOf, objectField, textOf } from '../fields.ts'
import { resource } from '../resource.ts'

const currencyBalance = resource<[string, Pick<Balances, 'available' | 'blocked'>]>(
  'CurrencyBalance',
  'What is there of a currency.',
).with({
  currency: [textOf('Which.'), ([currency]) => currency],
  available: [amountOf('What is there.'), ([_, { available }]) => String(available)],
  blocked: [amountOf('What is set aside.'), ([_, { blocked }]) => String(blocked)],
})

/** What a company has at an instant (dashboard, section 2.7). */
export const balance = resource<Account, [number]>(
  'Balance',
  'What the company has, in reais and in each other currency.',
).with({
  ...objectField('balance'),
  available: [
    amountOf('What is there. Negative after chargebacks and refunds of money that had left already.'),
    ({ balances }) => String(balances.available),
  ],
  withdrawable: [
    nonNegativeAmountOf('What of it can be sent: shares of recipients that are on their way cannot.'),
    (account) => String(withdrawableOf(account)),
  ],
  blocked: [
    amountOf('Set aside: transfers on their way, refunds, chargebacks and MEDs that are open.'),
    ({ balances }) => String(balances.blocked),
  ],
  receivable: [amountOf('What is expected to settle.'), ({ balances }) => String(balances.receivable)],
  recipients: [
    amountOf('What recipients of splits are owed together; negative when they owe more.'),
    ({ balances }) => String(balances.recipients),
  ],
  scheduledOut: [
    nonNegativeAmountOf('What transfers will take that wait for approval or for their day.'),
    ({ moneyOut }) => String(moneyOut?.plannedCents ?? 0n),
  ],
  currencies: [
    listOf(currencyBalance.schema, 'Each currency.'),
    ({ balances, assets }) => Object.entries({ BRL: balances, ...assets }).map(currencyBalance.view),
  ],
  asOf: [described(instant, 'When, by the environment’s clock.'), (_, nowMs) => isoInstant(nowMs)],
})
