import type { Conversion } from '../../../engine/crypto/conversion.ts'
import type { CryptoDeposit } from '../../../engine/crypto/deposit.ts'
import { type Account, balancesIn } from '../../../engine/ledger/account.ts'
import { emptyBalances, type LedgerAccount, ledgerSum } from '../../../engine/ledger/postings.ts'
import type { Withdrawal } from '../../../engine/money-out/money-out.ts'
import { type ChainTransfer, cryptoOf } from '../../../engine/payments/methods/crypto/crypto.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { assets } from '../../../engine/shared/asset.ts'
import type { Asset, Currency } from '../../../engine/shared/method.ts'
import type { Rail } from './rail.ts'

/** What moves stablecoins. */
export type Moving = {
  readonly transactions: readonly Transaction[]
  readonly deposits: readonly CryptoDeposit[]
  readonly conversions: readonly Conversion[]
  readonly withdrawals: readonly Withdrawal[]
}

/** What must hold of the books in each stablecoin: double entry, and every balance by what moves it. */
export const stablecoinProblems = (account: Account, moving: Moving): readonly string[] =>
  assets.flatMap((asset) => {
    const balances = balancesIn(account, asset)
    const expected = booksIn(asset, moving)
    const names = new Set([...Object.keys(balances), ...Object.keys(expected)]) as Set<LedgerAccount>
    const problems = [...names].flatMap((name) =>
      (balances[name] ?? 0n) === (expected[name] ?? 0n)
        ? []
        : [`${asset} ${name} is ${balances[name] ?? 0n}, what moves it says ${expected[name] ?? 0n}`],
    )
    return ledgerSum(balances) === 0n ? problems : [...problems, `${asset} sums to ${ledgerSum(balances)}`]
  })

/** What stands on each ledger account in a stablecoin. */
const booksIn = (asset: Asset, { transactions, deposits, conversions, withdrawals }: Moving): Books => {
  const books = conversionBooksIn(asset, conversions)
  for (const { currency, means, feeCents } of transactions) {
    // What a seed is worth is in no book, unless it was paid afterwards.
    const paid = currency === asset ? taken(cryptoOf({ means })?.transfers ?? []) : 0
    if (paid > 0) add(books, { payer: -paid, fees: feeCents, available: paid - feeCents })
  }
  for (const { asset: own, units, status, sent } of deposits) {
    if (own !== asset) continue
    add(books, { payer: -units })
    if (status === 'RETURNED') add(books, { paidOut: units - sent!.feeUnits, fees: sent!.feeUnits })
    else add(books, status === 'ACCEPTED' ? { available: units } : { blocked: units })
  }
  for (const { currency, status, amountCents: units, feeCents: feeUnits } of withdrawals) {
    if (currency !== asset) continue
    const whole = units + feeUnits
    if (status === 'PROCESSING' || status === 'BROADCAST') add(books, { available: -whole, blocked: whole })
    if (status === 'COMPLETED') add(books, { available: -whole, paidOut: units, fees: feeUnits })
  }
  return books
}

/** What conversions alone say of a currency. */
export const conversionBooksIn = (currency: Currency, conversions: readonly Conversion[]): Books => {
  const books: Books = {
    ...emptyBalances,
    exchange: 0n,
    taxes: 0n,
    suspense: 0n,
    taxesWithheld: 0n,
    feeDifference: 0n,
  }
  for (const { fromCurrency, toCurrency, status, fromCents, toCents, feeCents, taxCents } of conversions) {
    if (status === 'FAILED') continue
    const isDone = status === 'COMPLETED'
    const costs = currency === 'BRL' ? feeCents + taxCents : 0
    if (fromCurrency === currency) add(books, { available: -fromCents })
    if (fromCurrency === currency && !isDone) add(books, { blocked: fromCents })
    if (fromCurrency === currency && isDone) add(books, { exchange: fromCents - costs })
    if (toCurrency === currency && isDone) add(books, { available: toCents, exchange: -toCents - costs })
    if (currency === 'BRL' && isDone) add(books, { fees: feeCents, taxes: taxCents })
  }
  return books
}

type Books = Record<LedgerAccount, bigint>

const add = (books: Books, changes: Readonly<Partial<Record<LedgerAccount, number>>>): void => {
  for (const [name, units] of Object.entries(changes)) books[name as LedgerAccount] += BigInt(units)
}

const isSeed = ({ timeline }: Pick<Transaction, 'timeline'>): boolean =>
  timeline[0]!.type === 'TransactionSeeded'

/** What must hold of a charge in a stablecoin and what arrived for it, each unit of which is the charge's or a deposit's. */
export const arrivalProblems = (
  transaction: Transaction,
  deposits: readonly CryptoDeposit[],
): readonly string[] => {
  const crypto = cryptoOf(transaction)
  if (crypto === null) return []
  const { id, status, amountCents, paidCents } = transaction
  const problems: string[] = []
  const demand = (holds: boolean, what: string): void => {
    if (!holds) problems.push(`${id}: ${what}`)
  }
  const { transfers, toleranceBps } = crypto
  const inTime = transfers.filter(({ isInTime, status }) => isInTime && status !== 'DROPPED')
  const least = amountCents - Math.floor(Number((BigInt(amountCents) * BigInt(toleranceBps)) / 10_000n))
  const seen = unitsOf(inTime)
  const confirmed = unitsOf(inTime.filter(({ status }) => status === 'CONFIRMED'))
  if (!isSeed(transaction)) {
    demand(status !== 'PENDING' || seen < least, `PENDING with ${seen} of ${least}`)
    demand(status !== 'PROCESSING' || (seen >= least && confirmed < least), `PROCESSING with ${confirmed}`)
    demand(
      status !== 'APPROVED' || paidCents === Math.min(taken(transfers), amountCents),
      `paid ${paidCents}`,
    )
    demand(status !== 'APPROVED' || paidCents >= least, `APPROVED for ${paidCents} of ${least}`)
    demand(paidCents === taken(transfers), `paid ${paidCents} by ${taken(transfers)}`)
  }
  demand(
    new Set(transfers.map(({ txHash }) => txHash)).size === transfers.length,
    'a transfer is there twice',
  )
  for (const transfer of transfers) {
    const { txHash, units, paidUnits, isInTime } = transfer
    const isOpen = status === 'PENDING' || status === 'PROCESSING'
    const isLeft = transfer.status === 'CONFIRMED' && paidUnits < units && !(isInTime && isOpen)
    const found = deposits.filter((deposit) => deposit.transactionId === id && deposit.txHash === txHash)
    demand(paidUnits <= units, `takes ${paidUnits} of ${units}`)
    demand(found.length === (isLeft ? 1 : 0), `${found.length} deposits of ${txHash}, ${transfer.status}`)
    for (const deposit of found) {
      demand(deposit.units === units - paidUnits, `a deposit of ${deposit.units} of ${units}`)
      const reason = reasonOf(transaction, transfer)
      // A seed may have any status first, and another later.
      demand(
        isSeed(transaction) || deposit.reason === reason,
        `a deposit ${deposit.reason} that is ${reason}`,
      )
    }
  }
  return problems
}

const reasonOf = (
  { status, currency }: Transaction,
  { asset, isInTime }: ChainTransfer,
): CryptoDeposit['reason'] => {
  if (asset !== currency) return 'WRONG_ASSET'
  if (status === 'CANCELLED') return 'PAID_AFTER_CANCELLATION'
  if (!isInTime) return 'PAID_LATE'
  return status === 'EXPIRED' ? 'UNDERPAID' : 'OVERPAID'
}

const unitsOf = (transfers: readonly ChainTransfer[]): number =>
  transfers.reduce((sum, { units }) => sum + units, 0)

const taken = (transfers: readonly ChainTransfer[]): number =>
  transfers.reduce((sum, { paidUnits }) => sum + paidUnits, 0)

/** What the chain has sent and converted is what deposits, withdrawals and conversions say, each once. */
export const chainProblems = (
  { deposits, conversions, withdrawals }: Moving,
  { sentUnits, converted }: Rail,
  /** What the Sandbox has decided in its place. */
  decided: ReadonlySet<string>,
): readonly string[] => [
  ...deposits.flatMap(({ id, status, units, sent }) => {
    const found = about(id, sentUnits)
    const expected = status === 'RETURNED' ? [units - sent!.feeUnits] : []
    return found.join() === expected.join() ? [] : [`${id} is ${status}, and the chain sent ${found}`]
  }),
  ...withdrawals.flatMap(({ id, status, amountCents: units }) => {
    const found = about(id, sentUnits)
    const agrees = decided.has(id) || found.join() === (status === 'COMPLETED' ? `${units}` : '')
    return agrees ? [] : [`${id} is ${status}, and the chain sent ${found} of ${units}`]
  }),
  ...conversions.flatMap(({ id, status, fromCents, toCents }) => {
    const found = about(id, converted).map((one) => `${one.fromCents} to ${one.toCents}`)
    const expected = status === 'COMPLETED' ? [`${fromCents} to ${toCents}`] : []
    const agrees = decided.has(id) || found.join() === expected.join()
    return agrees ? [] : [`${id} is ${status}, and the chain converted ${found}`]
  }),
]

const about = <Value>(id: string, book: ReadonlyMap<string, Value>): readonly Value[] =>
  [...book].flatMap(([reference, value]) => (reference.startsWith(`${id}.`) ? [value] : []))

/** Every transfer that the chain has confirmed is known to its charge, and no other; but for those that nobody looked for. */
export const onChainProblems = (
  transactions: readonly Transaction[],
  { chain }: Rail,
  unwatched: ReadonlySet<string>,
): readonly string[] =>
  transactions.flatMap((transaction) => {
    const known = cryptoOf(transaction)?.transfers ?? []
    const there = chain
      .transfers()
      .filter(({ transactionId, isDropped }) => transactionId === transaction.id && !isDropped)
      .filter(({ txHash }) => !unwatched.has(txHash))
    const text = ({ txHash, asset, units }: Pick<ChainTransfer, 'txHash' | 'asset' | 'units'>) =>
      `${txHash} ${units} ${asset}`
    const ours = known.filter(({ status }) => status !== 'DROPPED')
    const open = ours.filter(({ status }) => status === 'SEEN').map(text)
    const problems = open.length > 0 ? [`${transaction.id}: never confirmed: ${open}`] : []
    return ours.map(text).sort().join() === there.map(text).sort().join()
      ? problems
      : [...problems, `${transaction.id}: ${ours.map(text)}, on the chain ${there.map(text)}`]
  })
