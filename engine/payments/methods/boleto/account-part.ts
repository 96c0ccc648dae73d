import type { AccountFactOf } from '../../../ledger/account.ts'
import type { AccountPart } from '../../../ledger/account-part.ts'

declare module '../../../ledger/account.ts' {
  interface AccountParts {
    /** How many boletos were issued: the last number used. */
    readonly boletosIssued: number
  }
  interface AccountPartFacts {
    readonly boleto: BoletoNumbered
  }
}

type BoletoNumbered = AccountFactOf<'BoletoNumbered'> & { readonly number: number }

/** Counts boletos per account. A number is never reused, not even after a Sandbox reset. */
export const boletoAccountPart: AccountPart<'boleto'> = {
  opened: { boletosIssued: 0 },
  cleared: () => ({}),
  evolve: {
    BoletoNumbered: (account, { number }) => ({ ...account, boletosIssued: number }),
  },
}
