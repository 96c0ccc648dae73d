import { divide } from '../../engine/ledger/divide.ts'
import { heldBy } from '../../engine/ledger/receivables.ts'
import type { Split, SplitItem } from '../../engine/ledger/split.ts'
import { wholeFeeCents } from '../../engine/payments/transaction/amounts.ts'
import type { Transaction } from '../../engine/payments/transaction/transaction.ts'
import type { Simulation } from '../../engine/payouts/queries.ts'
import { amountOf, type SplitTransfer } from '../../engine/payouts/transfer.ts'
import type { Recipient } from '../../engine/recipients/recipient.ts'
import type { SplitRule } from '../../engine/recipients/split-rule.ts'
import { isoInstant } from '../../engine/shared/calendar.ts'

/** A recipient (decisions, section 17.4). */
export const recipientView = (recipient: Recipient) => ({
  id: recipient.id,
  object: 'recipient',
  name: recipient.name,
  document: recipient.document,
  documentType: recipient.documentType,
  email: recipient.email,
  bankCode: recipient.bank.bankCode,
  branch: recipient.bank.branch,
  account: recipient.bank.account,
  status: recipient.isActive ? 'ACTIVE' : 'INACTIVE',
  balanceAmount: String(recipient.balanceCents),
  metadata: recipient.metadata,
  createdAt: isoInstant(recipient.createdAtMs),
  updatedAt: isoInstant(recipient.updatedAtMs),
})

export const splitRuleView = (rule: SplitRule) => ({
  id: rule.id,
  object: 'split_rule',
  name: rule.name,
  active: rule.isActive,
  items: rule.items.map(itemView),
  usedCount: rule.usedCount,
  metadata: rule.metadata,
  createdAt: isoInstant(rule.createdAtMs),
  updatedAt: isoInstant(rule.updatedAtMs),
})

const itemView = ({
  recipientId,
  percentBps,
  fixedCents,
  priority,
  chargeFees,
  chargeRemainder,
}: SplitItem) => ({
  recipientId,
  percentBps,
  fixedAmount: fixedCents === null ? null : String(fixedCents),
  priority,
  chargeFees,
  chargeRemainder,
})

/** What a DELETE did: what is in use is only deactivated (decisions, section 3). */
export const deletedView = (
  object: string,
  { id, isRemoved }: Pick<Recipient | SplitRule, 'id' | 'isRemoved'>,
) => ({
  id,
  object,
  deleted: isRemoved,
  active: false,
})

export const splitTransferView = (transfer: SplitTransfer) => ({
  id: transfer.id,
  object: 'split_transfer',
  recipientId: transfer.recipientId,
  ruleId: transfer.ruleId,
  transactionId: transfer.transactionId,
  receivableId: transfer.receivableId,
  installment: transfer.installment,
  grossAmount: String(transfer.grossCents),
  feeAmount: String(transfer.feeCents),
  amount: String(amountOf(transfer)),
  debtRecoveredAmount: String(transfer.debtRecoveredCents),
  reversedAmount: String(transfer.reversedCents),
  status: transfer.status,
  bank: transfer.bank,
  expectedOn: transfer.expectedOn,
  scheduledAt: maybeInstant(transfer.scheduledAtMs),
  completedAt: maybeInstant(transfer.completedAtMs),
  failedAt: maybeInstant(transfer.failedAtMs),
  failureReason: transfer.failureReason,
  createdAt: isoInstant(transfer.createdAtMs),
})

/** How a payment was divided, and what became of each part. */
export const splitResultView = (transaction: Transaction, { ruleId, items }: Split) => {
  const { paidCents, receivables } = transaction
  const isPaid = receivables.length > 0
  return {
    ruleId,
    parties: divide(
      items,
      isPaid ? paidCents : transaction.amountCents,
      wholeFeeCents(transaction),
    ).shares.map(({ partyId, grossCents, feeCents }) => {
      const item = items.find(({ recipientId }) => recipientId === partyId)
      const told = (cents: number): string | null => (isPaid ? String(cents) : null)
      return {
        recipientId: partyId,
        percentBps: item?.percentBps ?? null,
        fixedAmount: item?.fixedCents == null ? null : String(item.fixedCents),
        grossAmount: told(grossCents),
        feeAmount: told(feeCents),
        netAmount: told(grossCents - feeCents),
        reversedAmount: told(grossCents - heldBy(receivables, partyId).grossCents),
      }
    }),
  }
}

/** What a charge would be divided into (decisions, section 17.3). */
export const simulationView = (simulation: Simulation) => {
  const { amountCents, feeCents, method, installments, division, parties } = simulation
  return {
    object: 'split_simulation',
    amount: String(amountCents),
    feeAmount: String(feeCents),
    netAmount: String(amountCents - feeCents),
    method,
    installments,
    remainderAmount: String(division.remainderCents),
    remainderTo: division.remainderTo,
    items: parties.map(({ share, item, name, rows }) => ({
      recipientId: share.partyId,
      recipientName: name,
      percentBps: item?.percentBps ?? null,
      fixedAmount: item?.fixedCents == null ? null : String(item.fixedCents),
      priority: item?.priority ?? null,
      chargeFees: item?.chargeFees ?? false,
      chargeRemainder: item?.chargeRemainder ?? false,
      ...amountsOf(share),
      installments: rows.map(({ installment, expectedOn, ...amounts }) => ({
        installment,
        ...amountsOf(amounts),
        expectedOn,
      })),
    })),
    warnings: division.isFeeCapped ? ['FEE_CAPPED'] : [],
  }
}

const amountsOf = ({ grossCents, feeCents }: { readonly grossCents: number; readonly feeCents: number }) => ({
  grossAmount: String(grossCents),
  feeAmount: String(feeCents),
  netAmount: String(grossCents - feeCents),
})

const maybeInstant = (atMs: number | null): string | null => (atMs === null ? null : isoInstant(atMs))
