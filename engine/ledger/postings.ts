import { assert } from '../shared/assert.ts'
import { type Cents, toCents } from '../shared/money.ts'

/** The accounts of the internal double-entry ledger, per company and environment (decisions, section 16). */
const ledgerAccounts = [
  'available',
  'receivable',
  'blocked',
  'fees',
  'payer',
  /** What all recipients of splits are owed together; negative when they owe more. */
  'recipients',
  /** What banks have paid out to them. */
  'paidOut',
] as const
export type LedgerAccount = (typeof ledgerAccounts)[number]

/** Centavos posted to one ledger account, negative when taken out. */
export type Posting = { readonly account: LedgerAccount; readonly cents: Cents }

/** Sums over any number of charges, hence `bigint`. */
export type Balances = Readonly<Record<LedgerAccount, bigint>>

export const emptyBalances: Balances = {
  available: 0n,
  receivable: 0n,
  blocked: 0n,
  fees: 0n,
  payer: 0n,
  recipients: 0n,
  paidOut: 0n,
}

/** Applies postings. Each group must add up to zero: money moves, it is never created. Throws otherwise. */
export const post = (balances: Balances, postings: readonly Posting[]): Balances => {
  const next: Record<LedgerAccount, bigint> = { ...balances }
  let sum = 0n
  for (const { account, cents } of postings) {
    next[account] += BigInt(cents)
    sum += BigInt(cents)
  }
  assert(sum === 0n, 'postings sum to zero')
  return next
}

/** Moves centavos from one ledger account to another. */
export const transfer = (from: LedgerAccount, to: LedgerAccount, cents: Cents): readonly Posting[] => [
  { account: from, cents: toCents(-cents) },
  { account: to, cents },
]

/** The sum over all ledger accounts, always zero. */
export const ledgerSum = (balances: Balances): bigint =>
  ledgerAccounts.reduce((sum, account) => sum + balances[account], 0n)
