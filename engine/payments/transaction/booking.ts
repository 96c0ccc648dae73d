import type { AnyFact } from '../../kernel/registry.ts'
import type { Account, AccountFact, ScheduleChange } from '../../ledger/account.ts'
import { type LedgerAccount, type Posting, transfer } from '../../ledger/postings.ts'
import { scheduleOf } from '../../ledger/receivables.ts'
import { settlementCompleted } from '../../ledger/settle-day.ts'
import { type Cents, toCents } from '../../shared/money.ts'
import type { Collection } from './collected.ts'
import type { Fact, TransactionFact } from './facts.ts'
import type { Transaction } from './transaction.ts'

/** What follows from a fact in the books of the account; the transaction is as it was after it. */
export type Booking<Booked> = (
  event: Booked,
  transaction: Transaction,
  account: Account,
) => readonly AnyFact[]

/** Bookings by fact. Facts that are left out have none. */
export type Bookings<Facts extends TransactionFact> = {
  readonly [Type in Facts['type']]?: Booking<Extract<Facts, { readonly type: Type }>>
}

type Collected = Fact<TransactionFact['type']> & Collection

/**
 * The payment becomes a receivable less the fee, and the receivable becomes balance at once: a PIX, a cleared boleto and a confirmed
 * stablecoin settle immediately.
 */
export const bookAtOnce = (
  event: Collected,
  transaction: Transaction,
  account: Account,
): readonly AnyFact[] => {
  const { receivables, feeCents } = event
  const { settlementId, expectedOn } = receivables[0]!
  const settlement = {
    id: settlementId!,
    method: transaction.method,
    currency: transaction.currency,
    grossCents: transaction.paidCents,
    feeCents,
    receivablesCount: receivables.length,
    transactionId: event.id,
    date: expectedOn,
    createdAtMs: event.atMs,
    completedAtMs: event.atMs,
  }
  return [bookReceivable(event, transaction, account), settlementCompleted(account, settlement, [])]
}

/** The payment becomes a receivable less the fee. */
export const bookReceivable = (
  event: Collected,
  { method, currency, paidCents }: Transaction,
  account: Account,
): AccountFact => ({
  type: 'PaymentBooked',
  transactionId: event.id,
  currency,
  postings: paymentPostings(paidCents, event.feeCents, 'receivable'),
  schedule: scheduleOf(event.receivables, method),
  ...accountFact(event, account),
})

/** Postings that move the payer's money, less the fee, to an account. */
export const paymentPostings = (paidCents: Cents, feeCents: Cents, to: LedgerAccount): readonly Posting[] => [
  { account: 'payer', cents: toCents(-paidCents) },
  { account: to, cents: toCents(paidCents - feeCents) },
  { account: 'fees', cents: feeCents },
]

/** Moves money within the account's books. */
export const moveBooked = (
  event: TransactionFact,
  account: Account,
  cause: ReversalCause,
  from: LedgerAccount,
  to: LedgerAccount,
  cents: Cents,
): AccountFact => reversalBooked(event, account, cause, [], transfer(from, to, cents))

/** Takes back money, or holds it. */
export const reversalBooked = (
  event: TransactionFact,
  account: Account,
  cause: ReversalCause,
  schedule: readonly ScheduleChange[],
  postings: readonly Posting[],
): AccountFact => ({
  type: 'ReversalBooked',
  cause,
  transactionId: event.id,
  // Only payments in reais are reversed: stablecoins are not refunded.
  currency: 'BRL',
  postings,
  schedule,
  ...accountFact(event, account),
})

type ReversalCause = Extract<AccountFact, { type: 'ReversalBooked' }>['cause']

/** The head of a fact of the account. */
export const accountFact = ({ atMs }: Pick<TransactionFact, 'atMs'>, { id }: Pick<Account, 'id'>) =>
  ({ actor: 'account', id, atMs }) as const
