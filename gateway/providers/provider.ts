import type { ProviderCallRequest } from '../../engine/kernel/calls.ts'
import type { KeyAnswer } from '../../engine/money-out/lookups/key-lookup.ts'
import type { TransferAnswer } from '../../engine/money-out/methods/bank-request.ts'
import type { ProviderAnswer } from '../../engine/payments/provider.ts'
import type { Network, RateMicros } from '../../engine/shared/asset.ts'
import type { Environment } from '../../engine/shared/ids.ts'
import type { Asset } from '../../engine/shared/method.ts'
import type { Cents } from '../../engine/shared/money.ts'
import type { Rail } from '../../engine/shared/rail.ts'
import type { Notice, NoticeOutcome } from './notice.ts'

/**
 * A bank, PSP or acquirer. The engine decides what to ask (see `driver.ts`) and gets the answer; what the provider reports
 * unasked comes in as notices (see `inbound.ts`). Every provider passes the suite in `test/gateway/providers/contract.ts`.
 */
export type Provider = {
  /** The name that charges store and `providerId` shows: lower-case letters, digits and hyphens. It never changes. */
  readonly name: string
  /** The name for people. */
  readonly label: string
  /** The rails that it serves wherever it is connected. */
  readonly rails: readonly Rail[]
  /**
   * Makes one call; resolves to `SILENT` instead of rejecting. A call whose reference was used before is not carried out again:
   * it gets the answer of the first time. `REFUSED` means that nothing was done.
   */
  readonly request: (request: ProviderCallRequest) => Promise<AnyAnswer>
  /** The newest prices of a chain provider, which may be asked for at any time. */
  readonly prices?: {
    /** In the middle between buying and selling; null while there is none. */
    readonly midRateMicros: (asset: Asset) => RateMicros | null
    /** The network's fee for sending, in millionths of the asset. */
    readonly networkFeeUnits: (network: Network) => Cents | null
  }
  /**
   * Starts to pass on notices, until the returned function is called. Every worker listens; a notice that arrives twice is
   * recorded once.
   */
  readonly listen?: (hear: (notice: Notice) => Promise<NoticeOutcome>) => () => void
}

/** What providers answer to calls: about payments, transfers and PIX keys. */
export type AnyAnswer = ProviderAnswer | TransferAnswer | KeyAnswer

/** The providers of one environment, by rail. */
export type ProvidersByRail = Readonly<Partial<Record<Rail, Provider>>>

/** The connected providers. A request of one environment never reaches a provider of the other. */
export type Providers = Readonly<Record<Environment, ProvidersByRail>>
