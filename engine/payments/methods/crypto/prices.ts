import type { Context } from '../../../kernel/context.ts'
import type { Account } from '../../../ledger/account.ts'
import type { Network, RateMicros } from '../../../shared/asset.ts'
import { type Environment, environmentOf } from '../../../shared/ids.ts'
import type { Asset } from '../../../shared/method.ts'
import type { Cents } from '../../../shared/money.ts'

declare module '../../../kernel/context.ts' {
  interface Institution {
    readonly crypto: CryptoTariff
  }
}

/** What the institution and its chain provider ask for stablecoins (dashboard, sections 3.1 and 3.2). */
export type CryptoTariff = {
  /** How much less than its amount approves a charge. */
  readonly toleranceBps: number
  /** How many confirmations make a transfer final. */
  readonly confirmations: Readonly<Record<Network, number>>
  /** The newest mid price, between buying and selling; null while there is none. */
  readonly midRateMicros: (environment: Environment, asset: Asset) => RateMicros | null
  /** What sending on a network costs, in millionths of the asset; null while nothing can be sent. */
  readonly networkFeeUnits: (environment: Environment, network: Network) => Cents | null
}

/** The mid price of an asset: set in the Sandbox, or else the market's. Null while there is none. */
export const midRateOf = (
  { id, forcedRates }: Pick<Account, 'id' | 'forcedRates'>,
  asset: Asset,
  { institution: { crypto } }: Pick<Context, 'institution'>,
): RateMicros | null => forcedRates?.[asset] ?? crypto.midRateMicros(environmentOf(id), asset)
