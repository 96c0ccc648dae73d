import { environmentOf } from '../../../engine/ids.ts'
import type { ProviderRequest } from '../../../engine/providers.ts'

/** What a provider takes its time for is decided after this. */
export const decidesAfterMs = 5_000

const tokenPrefix = 'tok_test_'

/** What the merchant wants to happen: by the metadata or, without that, by the card's token. */
export const scenarioOf = ({ accountId, metadata, card }: ProviderRequest): string | null => {
  if (environmentOf(accountId) !== 'SANDBOX') return null
  if (typeof metadata.sandboxScenario === 'string') return metadata.sandboxScenario
  return card?.token.startsWith(tokenPrefix) ? card.token.slice(tokenPrefix.length) : null
}
