import type { Institution } from '../../engine/kernel/context.ts'
import { assert } from '../../engine/shared/assert.ts'
import type { Environment } from '../../engine/shared/ids.ts'
import type { Rail } from '../../engine/shared/rail.ts'
import type { Provider, Providers, ProvidersByRail } from './provider.ts'
import { sandboxAcquirer } from './sandbox-acquirer/adapter.ts'
import { sandboxBank } from './sandbox-bank/adapter.ts'
import { sandboxChain } from './sandbox-chain/adapter.ts'
import { sandboxPsp } from './sandbox-psp/adapter.ts'

/** Each provider on all of its rails. Throws where two of them share one. */
export const byRail = (...connected: readonly Provider[]): ProvidersByRail => {
  const providers: Partial<Record<Rail, Provider>> = {}
  for (const provider of connected)
    for (const rail of provider.rails) {
      assert(providers[rail] === undefined, `one provider is connected for ${rail}`)
      providers[rail] = provider
    }
  return providers
}

/** A provider is a line here. Nothing is connected in Production yet: what is asked on its rails is refused. */
export const providers: Providers = {
  SANDBOX: byRail(sandboxPsp, sandboxAcquirer, sandboxBank, sandboxChain),
  PRODUCTION: byRail(),
}

/** The names of those that are connected, as the engine knows them. */
export const namesOf = ({ SANDBOX, PRODUCTION }: Providers): Institution['providers'] => ({
  SANDBOX: namesByRail(SANDBOX),
  PRODUCTION: namesByRail(PRODUCTION),
})

const namesByRail = (providers: ProvidersByRail): Institution['providers'][Environment] =>
  Object.fromEntries(Object.entries(providers).map(([rail, { name }]) => [rail, name]))

/** Each provider that is connected, once. */
export const everyProvider = ({ SANDBOX, PRODUCTION }: Providers): ReadonlySet<Provider> =>
  new Set([...Object.values(SANDBOX), ...Object.values(PRODUCTION)])

/** What people call each provider, by its name. */
export const providerLabels: Readonly<Record<string, string>> = Object.fromEntries(
  [...everyProvider(providers)].map(({ name, label }) => [name, label]),
)

/** The values of `providerId` that lists can be narrowed to. */
export const providerNames: readonly string[] = Object.keys(providerLabels)
