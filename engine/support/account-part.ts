import type { AccountFactOf } from '../ledger/account.ts'
import type { AccountPart } from '../ledger/account-part.ts'

declare module '../ledger/account.ts' {
  interface AccountParts {
    /** How many tickets were opened: the last number used. Missing in accounts that were stored before there were tickets. */
    readonly ticketsOpened?: number
  }
  interface AccountPartFacts {
    readonly support: TicketNumbered
  }
}

type TicketNumbered = AccountFactOf<'TicketNumbered'> & { readonly number: number }

/** Counts tickets per account. A number is never reused, not even after a Sandbox reset. */
export const supportAccountPart: AccountPart<'support'> = {
  opened: {},
  cleared: () => ({}),
  evolve: {
    TicketNumbered: (account, { number }) => ({ ...account, ticketsOpened: number }),
  },
}
