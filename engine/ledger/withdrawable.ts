import type { Account } from './account.ts'

/** The money that a company can send: its balance, less settled shares not yet moved to their recipients. */
export const withdrawableOf = ({
  balances,
  sharesUnmoved = 0n,
}: Pick<Account, 'balances' | 'sharesUnmoved'>): bigint => {
  const left = balances.available - sharesUnmoved
  return left > 0n ? left : 0n
}
