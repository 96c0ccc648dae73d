import type { AccountFact } from '../../../ledger/account.ts'
import type { AccountPart } from '../../../ledger/account-part.ts'

declare module '../../../ledger/account.ts' {
  interface AccountParts {
    /** How many boletos were issued: the last of its own numbers. */
    readonly boletosIssued: number
  }
  interface AccountPartFacts {
    readonly boleto: BoletoNumbered
  }
}

type BoletoNumbered = AccountFact<'BoletoNumbered'> & { readonly number: number }

/** Boletos are numbered for each account; a number is not given twice, not even in a Sandbox that was cleared. */
export const boletoPart: AccountPart<'boleto'> = {
  opened: { boletosIssued: 0 },
  cleared: () => ({}),
  evolve: {
    BoletoNumbered: (account, { number }) => ({ ...account, boletosIssued: number }),
  },
}
