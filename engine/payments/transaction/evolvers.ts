import type { Metadata } from '../../shared/metadata.ts'
import type { TransactionFact } from './facts.ts'
import type { Chargeback, ProviderCall, Refund, Reversals, Transaction } from './transaction.ts'

/** How each fact changes an existing transaction. Facts cannot be refused: an impossible one breaks an invariant. */
export type Evolvers<Facts extends TransactionFact> = {
  readonly [Type in Facts['type']]: (
    transaction: Transaction,
    event: Extract<Facts, { readonly type: Type }>,
  ) => Transaction
}

/** The members that facts can change. The others, what it is for and who pays, fill columns of lists once. */
export type TransactionChanges = Partial<
  Omit<Transaction, 'id' | 'accountId' | 'createdAtMs' | 'details' | 'customer' | 'customerId'>
>

/**
 * The transaction at its next version, with the fact's changes. All fields are listed: spreading this many costs more
 * than the rest of a turn.
 */
export const nextVersion = (
  t: Transaction,
  { type, by: actor, atMs }: TransactionFact,
  changes: TransactionChanges,
  data: Metadata = noData,
): Transaction => {
  const version = t.version + 1
  const status = changes.status ?? t.status
  const next: Transaction = {
    id: t.id,
    accountId: t.accountId,
    version,
    method: t.method,
    origin: t.origin,
    status,
    currency: t.currency,
    amountCents: t.amountCents,
    paidCents: t.paidCents,
    feeCents: t.feeCents,
    feeTerms: t.feeTerms,
    details: t.details,
    customer: t.customer,
    customerId: t.customerId,
    subscriptionId: t.subscriptionId,
    invoiceId: t.invoiceId,
    fiscalDocuments: t.fiscalDocuments,
    attempt: t.attempt,
    split: t.split,
    providerId: t.providerId,
    connectionId: t.connectionId,
    failureReason: t.failureReason,
    failureDetail: t.failureDetail,
    cancelReason: t.cancelReason,
    means: t.means,
    receivables: t.receivables,
    reversals: t.reversals,
    calls: t.calls,
    timeline: [...t.timeline, { version, type, status, actor, atMs, data }],
    createdAtMs: t.createdAtMs,
    updatedAtMs: atMs,
    approvedAtMs: t.approvedAtMs,
    expiresAtMs: t.expiresAtMs,
    expiredAtMs: t.expiredAtMs,
    cancelledAtMs: t.cancelledAtMs,
    failedAtMs: t.failedAtMs,
  }
  return Object.assign(next, changes)
}

const noData: Metadata = {}

/** The calls without the answered one. */
export const without = (calls: readonly ProviderCall[], callId: string | null): readonly ProviderCall[] =>
  callId === null ? calls : calls.filter(({ id }) => id !== callId)

/** The calls, refunds, chargebacks or MEDs with these changes to one of them. */
export const changed = <Item extends { readonly id: string }>(
  items: readonly Item[],
  id: string,
  changes: Partial<Item>,
): readonly Item[] => items.map((item) => (item.id === id ? { ...item, ...changes } : item))

/** The calls with one to be repeated at that time. */
export const unanswered = (
  calls: readonly ProviderCall[],
  callId: string,
  dueAtMs: number,
): readonly ProviderCall[] =>
  calls.map((call) => (call.id === callId ? { ...call, dueAtMs, unanswered: call.unanswered + 1 } : call))

/** The reversals with these changes to one refund. */
export const withRefund = (reversals: Reversals, id: string, changes: Partial<Refund>): Reversals => ({
  ...reversals,
  refunds: changed(reversals.refunds, id, changes),
})

/** The reversals with these changes to one chargeback. */
export const withChargeback = (
  reversals: Reversals,
  id: string,
  changes: Partial<Chargeback>,
): Reversals => ({ ...reversals, chargebacks: changed(reversals.chargebacks, id, changes) })
