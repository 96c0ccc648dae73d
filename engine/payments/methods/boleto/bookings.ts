import type { Account, AccountFact } from '../../../ledger/account.ts'
import { accountFact, type Bookings, bookAtOnce } from '../../transaction/booking.ts'
import type { BoletoFact } from './facts.ts'

/** The account's bookings for boleto facts: payments, and the next number. */
export const boletoBookings: Bookings<BoletoFact> = {
  BoletoIssued: ({ atMs }, _, account) => [boletoNumbered(atMs, account)],
  BoletoCleared: bookAtOnce,
}

/** Takes the account's next number. */
export const boletoNumbered = (atMs: number, account: Account): AccountFact => ({
  type: 'BoletoNumbered',
  number: account.boletosIssued + 1,
  ...accountFact({ atMs }, account),
})
