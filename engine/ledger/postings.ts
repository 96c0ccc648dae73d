import { assert } from '../shared/assert.ts'
import type { Asset } from '../shared/method.ts'
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
  /** What banks have paid out to them, and what left the company. */
  'paidOut',
] as const
/** The other side of conversions, and the taxes on them. Missing until used, because older accounts lack them. */
const conversionAccounts = ['exchange', 'taxes'] as const
/** Money that came and belongs to no charge, or is on its way back. Missing until used. */
const suspenseAccounts = ['suspense'] as const
/** What was withheld of payments as tax, and by how much banks took other fees than the books have. Missing until used. */
const deductionAccounts = ['taxesWithheld', 'feeDifference'] as const
const laterAccounts = [...conversionAccounts, ...suspenseAccounts, ...deductionAccounts] as const
export type LedgerAccount = (typeof ledgerAccounts)[number] | (typeof laterAccounts)[number]

/** Centavos or millionths posted to one ledger account, negative when taken out. */
export type Posting = { readonly account: LedgerAccount; readonly cents: Cents }

/** Sums over any number of charges, hence `bigint`. */
export type Balances = Readonly<Record<(typeof ledgerAccounts)[number], bigint>> &
  Readonly<Partial<Record<(typeof laterAccounts)[number], bigint>>>

/** The balances in each stablecoin that the account has had. */
export type AssetBalances = Readonly<Partial<Record<Asset, Balances>>>

export const emptyBalances: Balances = {
  available: 0n,
  receivable: 0n,
  blocked: 0n,
  fees: 0n,
  payer: 0n,
  recipients: 0n,
  paidOut: 0n,
}

/** Applies postings in one currency. Each group must add up to zero: money moves, it is never created. Throws otherwise. */
export const post = (balances: Balances, postings: readonly Posting[]): Balances => {
  const next: { -readonly [Name in keyof Balances]: Balances[Name] } = { ...balances }
  let sum = 0n
  for (const { account, cents } of postings) {
    next[account] = (next[account] ?? 0n) + BigInt(cents)
    sum += BigInt(cents)
  }
  assert(sum === 0n, 'postings sum to zero')
  return next
}

/** Moves an amount from one ledger account to another. */
export const transfer = (from: LedgerAccount, to: LedgerAccount, cents: Cents): readonly Posting[] => [
  { account: from, cents: toCents(-cents) },
  { account: to, cents },
]

/** The sum over all ledger accounts, always zero. */
export const ledgerSum = (balances: Balances): bigint =>
  [...ledgerAccounts, ...laterAccounts].reduce((sum, account) => sum + (balances[account] ?? 0n), 0n)
