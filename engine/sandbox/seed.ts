import { linkCustomer } from '../customers/link.ts'
import { contextId, providerOf } from '../kernel/context.ts'
import type { Decider, Deciders } from '../kernel/decider.ts'
import { accept, reject } from '../kernel/decision.ts'
import { feeOn } from '../ledger/fees.ts'
import type { Receivable } from '../ledger/receivable.ts'
import { reverse, settledAtOnce } from '../ledger/receivables.ts'
import { cardOf } from '../payments/methods/card/card.ts'
import { reasonCodes } from '../payments/methods/card/chargeback.ts'
import { methodOf } from '../payments/methods/index.ts'
import type { ChargeContext, TransactionDecision } from '../payments/transaction/charge-context.ts'
import { addFacts, chargeContextOf } from '../payments/transaction/execute.ts'
import type { TransactionFact } from '../payments/transaction/facts.ts'
import type {
  FailureReason,
  Reversals,
  Transaction,
  TransactionStatus,
} from '../payments/transaction/transaction.ts'
import { type Cents, toCents } from '../shared/money.ts'
import type { SeedTransaction } from './commands.ts'

const paidStatuses: readonly Transaction['status'][] = [
  'APPROVED',
  'PARTIALLY_REFUNDED',
  'REFUNDED',
  'CHARGEBACK',
]

/** Deciders for what is put into a Sandbox as if it had happened. */
export const sandboxDeciders: Deciders<SeedTransaction> = {
  SeedTransaction: (draft, command) => seedTransaction(draft, command),
}

/**
 * A transaction of any method, origin and status, as if it had happened: for lists and exports (decisions, section 29).
 */
const seedTransaction: Decider<SeedTransaction> = (draft, command) => {
  const linked = linkCustomer(draft, { customer: command.customer, customerId: null })
  if (!linked.ok) return linked.rejection
  draft.add(...linked.registered)
  const decision = seeded(
    command,
    chargeContextOf(draft, command.transactionId, command.by, {
      payer: linked.payer,
      split: null,
      providerId: null,
      connection: null,
    }),
  )
  if (!decision.accepted) return decision.rejection
  addFacts(draft, undefined, decision.events)
  return null
}

const seeded = (command: SeedTransaction, chargeContext: ChargeContext): TransactionDecision => {
  const { account, context } = chargeContext
  const { status, amountCents, method } = command
  const createdAtMs = command.createdAtMs ?? context.nowMs
  if (createdAtMs > context.nowMs) return reject({ reason: 'CREATED_AT_IN_THE_FUTURE' })
  const { rail } = methodOf(command)
  const providerId = providerOf(context.institution, account.id, rail)
  if (providerId === null) return reject({ reason: 'PROVIDER_ABSENT', rail })
  // One centavo cannot be refunded in part.
  if (status === 'PARTIALLY_REFUNDED' && amountCents < 2)
    return reject({ reason: 'AMOUNT_TOO_SMALL', leastCents: toCents(2) })
  const isPaid = paidStatuses.includes(status)
  const { installments, origin } = command
  const means = methodOf(command).seed(
    { status, isPaid, amountCents, installments, createdAtMs },
    chargeContext,
  )
  if ('reason' in means) return reject(means)
  const feeTerms = methodOf(command).feeTerms(account.profile.fees, { origin, card: cardOf({ means }) })
  const feeCents = isPaid ? feeOn(amountCents, method, feeTerms) : toCents(0)
  const reversals = seededReversals(command, createdAtMs, chargeContext)
  const transaction: Omit<Transaction, 'version' | 'timeline'> = {
    id: command.transactionId,
    accountId: account.id,
    method,
    origin,
    status,
    currency: command.currency,
    amountCents,
    paidCents: isPaid ? amountCents : toCents(0),
    feeCents,
    feeTerms,
    details: command.details,
    customer: chargeContext.payer.customer,
    customerId: chargeContext.payer.customerId,
    subscriptionId: null,
    invoiceId: null,
    attempt: null,
    split: null,
    providerId,
    connectionId: null,
    failureReason: failureReasons[status] ?? null,
    failureDetail:
      status === 'DECLINED' ? { providerCode: '05', message: 'declined with 05', retryable: true } : null,
    cancelReason: null,
    means,
    receivables: isPaid ? seededReceivables(command, feeCents, reversals, createdAtMs, chargeContext) : [],
    reversals,
    calls: [],
    createdAtMs,
    updatedAtMs: createdAtMs,
    approvedAtMs: isPaid ? createdAtMs : null,
    expiresAtMs: null,
    expiredAtMs: status === 'EXPIRED' ? createdAtMs : null,
    cancelledAtMs: status === 'CANCELLED' ? createdAtMs : null,
    failedAtMs: status === 'FAILED' || status === 'DECLINED' ? createdAtMs : null,
  }
  return accept<TransactionFact>({ type: 'TransactionSeeded', transaction, ...chargeContext.fact })
}

const failureReasons: Readonly<Partial<Record<TransactionStatus, FailureReason>>> = {
  DECLINED: 'GENERIC_DECLINE',
  FAILED: 'PROVIDER_ERROR',
  EXPIRED: 'CHARGE_EXPIRED',
  CANCELLED: 'CANCELLED',
}

/** Receivables that settled at once, less the reversals that the status implies. */
const seededReceivables = (
  { amountCents, method }: SeedTransaction,
  feeCents: Cents,
  { refunds, chargebacks }: Reversals,
  nowMs: number,
  { account, context }: ChargeContext,
): readonly Receivable[] => {
  const then = { account, context: { ...context, nowMs } }
  const paid = settledAtOnce(amountCents, feeCents, null, then)
  const [back] = [...refunds, ...chargebacks]
  if (back === undefined) return paid
  const whole = { grossCents: back.amountCents, feeCents: toCents(0) }
  const reason = refunds.length > 0 ? 'REFUND' : 'CHARGEBACK'
  return reverse(paid, whole, reason, { method, split: null }, then).receivables
}

/** The refund or lost chargeback that its status implies; the fee is kept. */
const seededReversals = (
  { status, amountCents }: SeedTransaction,
  atMs: number,
  { context }: ChargeContext,
): Reversals => {
  const none: Reversals = { refunds: [], chargebacks: [], meds: [] }
  if (status === 'REFUNDED' || status === 'PARTIALLY_REFUNDED') {
    const half = toCents(Math.floor(amountCents / 2))
    const refund = {
      id: contextId(context, 'rfd'),
      amountCents: status === 'REFUNDED' ? amountCents : half,
      status: 'COMPLETED',
      origin: 'DASHBOARD',
      reason: null,
      failureReason: null,
      feeReversedCents: toCents(0),
      split: null,
      returnId: null,
      createdAtMs: atMs,
      completedAtMs: atMs,
      failedAtMs: null,
    } as const
    return { ...none, refunds: [refund] }
  }
  if (status !== 'CHARGEBACK') return none
  const chargeback = {
    id: contextId(context, 'cbk'),
    amountCents,
    reasonCode: reasonCodes.FRAUD,
    reason: 'FRAUD',
    status: 'LOST',
    lostReason: 'NO_DEFENSE',
    statusBefore: 'APPROVED',
    feeCents: toCents(0),
    defense: null,
    openedAtMs: atMs,
    defenseDueAtMs: atMs,
    resolvedAtMs: atMs,
    updatedAtMs: atMs,
  } as const
  return { ...none, chargebacks: [chargeback] }
}
