import type { ProviderCallRequest } from '../../engine/kernel/calls.ts'
import type { ProviderAnswer } from '../../engine/payments/provider.ts'
import type { Environment } from '../../engine/shared/ids.ts'
import type { Rail } from '../../engine/shared/rail.ts'
import type { Notice, NoticeOutcome } from './notice.ts'

/**
 * A bank, PSP or acquirer. The engine says what to ask (see `driver.ts`) and hears the answer; what the provider says unasked
 * comes in as notices (see `inbound.ts`). Every provider passes the suite in `test/gateway/providers/contract.ts`.
 */
export type Provider = {
  /** What charges store and `providerId` shows: lower-case letters, digits and hyphens, for ever the same. */
  readonly name: string
  /** The same for people. */
  readonly label: string
  /** The rails that it is connected for wherever it is connected. */
  readonly rails: readonly Rail[]
  /**
   * Asks once, and resolves to `SILENT` rather than rejecting. What was asked with a reference before is not done again: the
   * answer is that of the first time. `REFUSED` says that nothing was done.
   */
  readonly request: (request: ProviderCallRequest) => Promise<ProviderAnswer>
  /**
   * Begins to hand on what it says unasked, until the function that it answers is called. It listens in every worker, and what it
   * hands on twice is taken once.
   */
  readonly listen?: (hear: (notice: Notice) => Promise<NoticeOutcome>) => () => void
}

/** The providers of an environment, each for its rails. */
export type ProvidersByRail = Readonly<Partial<Record<Rail, Provider>>>

/** Who is connected. A request of one environment never reaches a provider of the other. */
export type Providers = Readonly<Record<Environment, ProvidersByRail>>
