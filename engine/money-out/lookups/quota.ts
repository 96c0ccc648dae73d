import type { Draft } from '../../kernel/draft.ts'
import type { Account, AccountFactOf } from '../../ledger/account.ts'
import type { AccountPart } from '../../ledger/account-part.ts'

declare module '../../ledger/account.ts' {
  interface AccountParts {
    /** Missing or null until a key is looked up. */
    readonly keyTokens?: KeyTokens | null
  }
  interface AccountPartFacts {
    readonly lookups: KeyTokensChanged
  }
}

/** The tokens left in the bucket at a time. */
export type KeyTokens = { readonly tokens: number; readonly atMs: number }

type KeyTokensChanged = AccountFactOf<'KeyTokensChanged'> & { readonly tokens: number }

/** The central bank's bucket for companies (DICT, ENTRIES_READ_USER_ANTISCAN): look-ups that lead to no payment are rationed. */
export const keyQuota = { capacity: 1_000, tokensAMinute: 20, found: -1, notFound: -20, paid: 1 } as const

/** How many tokens an account has now. */
export const keyTokensAt = ({ keyTokens }: Pick<Account, 'keyTokens'>, nowMs: number): number => {
  if (!keyTokens) return keyQuota.capacity
  const added = Math.floor((Math.max(0, nowMs - keyTokens.atMs) * keyQuota.tokensAMinute) / 60_000)
  return Math.min(keyQuota.capacity, keyTokens.tokens + added)
}

/** Takes tokens, or gives them back. The bucket never falls below zero, nor rises above its capacity. */
export const changeKeyTokens = (draft: Draft, change: number): void => {
  const account = draft.account()
  const { nowMs: atMs } = draft.context
  const tokens = Math.min(keyQuota.capacity, Math.max(0, keyTokensAt(account, atMs) + change))
  draft.add({ actor: 'account', type: 'KeyTokensChanged', id: account.id, atMs, tokens })
}

/** The bucket of look-ups. */
export const lookupsAccountPart: AccountPart<'lookups'> = {
  opened: {},
  cleared: () => ({ keyTokens: null }),
  evolve: {
    KeyTokensChanged: (account, { tokens, atMs }) => ({ ...account, keyTokens: { tokens, atMs } }),
  },
}
