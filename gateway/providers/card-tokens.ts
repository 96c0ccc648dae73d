import { hkdfSync } from 'node:crypto'
import type { ProviderCallRequest } from '../../engine/kernel/calls.ts'
import { testTokenPrefix } from '../../engine/sandbox/scenarios.ts'
import { type AccountId, environmentOf } from '../../engine/shared/ids.ts'
import { seal, unseal } from '../base/seal.ts'

/**
 * The tokens of cards. An acquirer charges a card again and again by its token, so journals, snapshots, streams
 * and backups hold it sealed (AES-256-GCM), with a key of its account and bound to it; only where the acquirer is
 * asked is it opened. The Sandbox's test tokens charge nothing, and the engine reads what they force: they stay as
 * they are, as do tokens that were stored before sealing.
 */
export type CardTokens = {
  readonly seal: (accountId: AccountId, token: string) => string
  /** The request as the provider receives it. Throws if the token was sealed for another account or key. */
  readonly revealed: (request: ProviderCallRequest) => ProviderCallRequest
}

/** Seals and opens with keys that are derived from the master key once for each account. */
export const openCardTokens = (masterKey: Uint8Array): CardTokens => {
  const keys = new Map<AccountId, Buffer>()

  const keyOf = (accountId: AccountId): Buffer => {
    let key = keys.get(accountId)
    if (key === undefined) {
      // A key of its own, since random nonces are safe for no more than 2^32 texts under one (NIST SP 800-38D, section 8.3).
      key = Buffer.from(hkdfSync('sha256', masterKey, '', ownerOf(accountId), 32))
      keys.set(accountId, key)
    }
    return key
  }

  return {
    seal: (accountId, token) =>
      environmentOf(accountId) === 'SANDBOX' && token.startsWith(testTokenPrefix)
        ? token
        : sealedPrefix + seal(token, keyOf(accountId), ownerOf(accountId)),
    revealed: (request) => {
      if (!('card' in request) || !request.card?.token.startsWith(sealedPrefix)) return request
      const { accountId, card } = request
      const token = unseal(card.token.slice(sealedPrefix.length), keyOf(accountId), ownerOf(accountId))
      return { ...request, card: { ...card, token } }
    },
  }
}

const sealedPrefix = 'sealed:'
const ownerOf = (accountId: AccountId): string => `payments card token ${accountId}`
