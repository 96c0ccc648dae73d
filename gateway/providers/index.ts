// Banks, PSPs and acquirers behind one port (`port.ts`): the driver calls them, their notices come in through
// `inbound.ts`, and here they are connected.
import type { Institution, ProviderOffer } from '../../engine/kernel/context.ts'
import { assert, unreachable } from '../../engine/shared/assert.ts'
import { type Environment, environmentOf } from '../../engine/shared/ids.ts'
import type { Rail } from '../../engine/shared/rail.ts'
import { timeout } from '../base/delay.ts'
import { type ConnectedProvider, connect, type Providers, type ProvidersByRail } from './connected.ts'
import { openProviderHttp } from './http/http.ts'
import { modules } from './modules.ts'
import type { ProviderModule } from './port.ts'
import { sandboxAcquirer } from './sandbox-acquirer/adapter.ts'
import { sandboxBank } from './sandbox-bank/adapter.ts'
import { sandboxChain } from './sandbox-chain/adapter.ts'
import { sandboxDirectory } from './sandbox-directory/adapter.ts'
import { sandboxPsp } from './sandbox-psp/adapter.ts'

/** Maps connected providers to their rails. Throws if two of them share a rail. */
export const byRail = (...connected: readonly ConnectedProvider[]): ProvidersByRail => {
  const providers: Partial<Record<Rail, ConnectedProvider>> = {}
  for (const provider of connected)
    for (const rail of provider.module.rails) {
      assert(providers[rail] === undefined, `one provider is connected for ${rail}`)
      providers[rail] = provider
    }
  return providers
}

/** Connects modules that need no settings, each under its own name, for all accounts of an environment. */
export const connectedForAll = (
  environment: Environment,
  ...modules: readonly ProviderModule[]
): readonly ConnectedProvider[] =>
  modules.map((module) =>
    connect(
      module,
      { id: module.name, environment, settings: {} },
      { realNow: Date.now, timeout, openHttp: openProviderHttp, onFault: rethrow },
    ),
  )

const rethrow = (error: unknown): never => {
  throw error
}

/**
 * The providers that all accounts of an environment have, one line each. In Production there are none: a live charge goes by a connection
 * of its account, and is never answered by the Sandbox.
 */
export const providers: Providers = {
  SANDBOX: byRail(
    ...connectedForAll('SANDBOX', sandboxPsp, sandboxAcquirer, sandboxBank, sandboxChain, sandboxDirectory),
  ),
  PRODUCTION: byRail(),
}

/** The names of the providers that all accounts have, as the engine knows them. */
export const namesOf = ({ SANDBOX, PRODUCTION }: Providers): Institution['providers'] => ({
  SANDBOX: namesByRail(SANDBOX),
  PRODUCTION: namesByRail(PRODUCTION),
})

/** Whether a connected provider has what only some have. One that is missing may turn out to: its calls wait for it. */
export const offersOf =
  (connected: Providers): Institution['offers'] =>
  (accountId, rail, offer) => {
    const { module } = connected[environmentOf(accountId)][rail] ?? {}
    return module === undefined || doesOffer(module, offer)
  }

/** Whether a provider has what only some have. */
export const doesOffer = (
  { repeat, capabilities }: Pick<ProviderModule, 'repeat' | 'capabilities'>,
  offer: ProviderOffer,
): boolean => {
  switch (offer) {
    case 'CAPTURE':
      return repeat.CAPTURE !== undefined && repeat.VOID !== undefined
    case 'CONVERT':
      return repeat.QUOTE !== undefined && repeat.CONVERT !== undefined
    case 'REFUND':
    case 'SEND':
      return repeat[offer] !== undefined
    case 'PIX':
    case 'TED':
      return capabilities.payOutBy?.includes(offer) === true
    case 'LOOKUP_KEY':
    case 'DEFEND_MED':
    case 'CONTEST_MED':
      return repeat[offer] !== undefined
    // No bank that is known takes any.
    case 'MED_FILES':
      return false
    case 'PIX_AUTOMATIC':
      return repeat.MANDATE_CREATE !== undefined && repeat.SCHEDULE !== undefined
    default:
      return unreachable(offer)
  }
}

/** The newest prices of the connected chain providers. */
export const pricesOf = (
  connected: Providers,
): Pick<Institution['crypto'], 'midRateMicros' | 'networkFeeUnits'> => ({
  midRateMicros: (environment, asset) =>
    connected[environment].CRYPTO?.instance.prices?.midRateMicros(asset) ?? null,
  networkFeeUnits: (environment, network) =>
    connected[environment].CRYPTO?.instance.prices?.networkFeeUnits(network) ?? null,
})

const namesByRail = (providers: ProvidersByRail): Institution['providers'][Environment] =>
  Object.fromEntries(Object.entries(providers).map(([rail, { module }]) => [rail, module.name]))

/** Every connected provider, once. */
export const everyProvider = ({ SANDBOX, PRODUCTION }: Providers): ReadonlySet<ConnectedProvider> =>
  new Set([...Object.values(SANDBOX), ...Object.values(PRODUCTION)])

/** The display name of each provider, by its name: also of those that no account is connected to yet. */
export const providerLabels: Readonly<Record<string, string>> = Object.fromEntries(
  [...[...everyProvider(providers)].map(({ module }) => module), ...Object.values(modules)].map(
    ({ name, label }) => [name, label],
  ),
)

/** The `providerId` values that lists can be filtered by. */
export const providerNames: readonly string[] = Object.keys(providerLabels)
