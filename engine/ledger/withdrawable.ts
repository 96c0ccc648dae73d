import type { Account } from './account.ts'

/** What a company can send away: its balance, less settled shares that have not been moved to their recipients yet. */
export const withdrawableOf = ({
  balances,
  sharesUnmoved = 0n,
}: Pick<Account, 'balances' | 'sharesUnmoved'>): bigint => {
  const left = balances.available - sharesUnmoved
  return left > 0n ? left : 0n
}
