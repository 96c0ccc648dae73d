import type { AccountFactOf } from '../../../ledger/account.ts'
import type { AccountPart } from '../../../ledger/account-part.ts'
import type { RateMicros } from '../../../shared/asset.ts'
import type { Asset } from '../../../shared/method.ts'

declare module '../../../ledger/account.ts' {
  interface AccountParts {
    /** Prices set in the Sandbox, in place of the market's. Missing while there are none. */
    readonly forcedRates?: Readonly<Partial<Record<Asset, RateMicros>>>
  }
  interface AccountPartFacts {
    readonly crypto: RateForced
  }
}

type RateForced = AccountFactOf<'RateForced'> & { readonly asset: Asset; readonly rateMicros: RateMicros }

/** Prices set in the Sandbox. A reset forgets them. */
export const cryptoAccountPart: AccountPart<'crypto'> = {
  opened: {},
  cleared: ({ forcedRates }) => (forcedRates === undefined ? {} : { forcedRates: {} }),
  evolve: {
    RateForced: (account, { asset, rateMicros }) => ({
      ...account,
      forcedRates: { ...account.forcedRates, [asset]: rateMicros },
    }),
  },
}
