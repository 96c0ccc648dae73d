// Banks, PSPs and acquirers behind one port (`provider.ts`): the driver calls them, their notices come in through
// `inbound.ts`, and here they are connected.
import type { Institution } from '../../engine/kernel/context.ts'
import { assert } from '../../engine/shared/assert.ts'
import type { Environment } from '../../engine/shared/ids.ts'
import type { Rail } from '../../engine/shared/rail.ts'
import type { Provider, Providers, ProvidersByRail } from './provider.ts'
import { sandboxAcquirer } from './sandbox-acquirer/adapter.ts'
import { sandboxBank } from './sandbox-bank/adapter.ts'
import { sandboxChain } from './sandbox-chain/adapter.ts'
import { sandboxDirectory } from './sandbox-directory/adapter.ts'
import { sandboxPsp } from './sandbox-psp/adapter.ts'

/** Maps providers to their rails. Throws if two of them share a rail. */
export const byRail = (...connected: readonly Provider[]): ProvidersByRail => {
  const providers: Partial<Record<Rail, Provider>> = {}
  for (const provider of connected)
    for (const rail of provider.rails) {
      assert(providers[rail] === undefined, `one provider is connected for ${rail}`)
      providers[rail] = provider
    }
  return providers
}

/** The connected providers, one line each. None is connected in Production yet, so requests on its rails are refused. */
export const providers: Providers = {
  SANDBOX: byRail(sandboxPsp, sandboxAcquirer, sandboxBank, sandboxChain, sandboxDirectory),
  PRODUCTION: byRail(),
}

/** The names of the connected providers, as the engine knows them. */
export const namesOf = ({ SANDBOX, PRODUCTION }: Providers): Institution['providers'] => ({
  SANDBOX: namesByRail(SANDBOX),
  PRODUCTION: namesByRail(PRODUCTION),
})

/** The newest prices of the connected chain providers. */
export const pricesOf = (
  connected: Providers,
): Pick<Institution['crypto'], 'midRateMicros' | 'networkFeeUnits'> => ({
  midRateMicros: (environment, asset) => connected[environment].CRYPTO?.prices?.midRateMicros(asset) ?? null,
  networkFeeUnits: (environment, network) =>
    connected[environment].CRYPTO?.prices?.networkFeeUnits(network) ?? null,
})

const namesByRail = (providers: ProvidersByRail): Institution['providers'][Environment] =>
  Object.fromEntries(Object.entries(providers).map(([rail, { name }]) => [rail, name]))

/** Every connected provider, once. */
export const everyProvider = ({ SANDBOX, PRODUCTION }: Providers): ReadonlySet<Provider> =>
  new Set([...Object.values(SANDBOX), ...Object.values(PRODUCTION)])

/** The display name of each provider, by its name. */
export const providerLabels: Readonly<Record<string, string>> = Object.fromEntries(
  [...everyProvider(providers)].map(({ name, label }) => [name, label]),
)

/** The `providerId` values that lists can be filtered by. */
export const providerNames: readonly string[] = Object.keys(providerLabels)
