import Type, { type Static } from 'typebox'
import { transferAmountOf as paidOut, type SplitTransfer } from '../../../engine/marketplace/transfer.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { transferStatus } from '../enumerations.ts'
import { eventData } from '../event-data.ts'
import {
  amountOf,
  count,
  createdAt,
  date,
  enumeration,
  identity,
  instant,
  instantOrNull,
  nullable,
  textOf,
} from '../fields.ts'
import { bankFields } from './recipient.ts'

/** A recipient's part of one instalment (decisions, section 17.6). */
export const splitTransfer = namedObject(
  'SplitTransfer',
  'A recipient’s part of one instalment on its way to the bank.',
  {
    ...identity('spt', 'split_transfer'),
    recipientId: textOf('Who gets it, `rcp_…`.'),
    ruleId: textOf('The rule, `spr_…`.'),
    transactionId: textOf('The charge, `txn_…`.'),
    receivableId: textOf('The receivable that it pays out, `rcv_…`.'),
    installment: count('Which instalment of the charge, from 1.'),
    grossAmount: amountOf('The recipient’s part.'),
    feeAmount: amountOf('Part of the fee.'),
    amount: amountOf('`grossAmount` less `feeAmount`: what the recipient gets.'),
    debtRecoveredAmount: amountOf('What of it paid a debt instead.'),
    reversedAmount: amountOf('What reversals took of it after it was paid out.'),
    status: transferStatus,
    bank: Type.Object(bankFields, { description: 'The account that gets it.' }),
    expectedOn: described(date, 'The day on which the receivable settles.'),
    scheduledAt: nullable(instant, 'When it was scheduled.'),
    completedAt: nullable(instant, 'When the bank confirmed it.'),
    failedAt: nullable(instant, 'When the bank refused it.'),
    failureReason: nullable(enumeration('REFUSED_BY_BANK'), 'Why it FAILED.'),
    createdAt,
  },
)

/** A transfer to a recipient, as in lists and events. */
export const splitTransferView = (transfer: SplitTransfer): Static<typeof splitTransfer> => ({
  id: transfer.id,
  object: 'split_transfer',
  recipientId: transfer.recipientId,
  ruleId: transfer.ruleId,
  transactionId: transfer.transactionId,
  receivableId: transfer.receivableId,
  installment: transfer.installment,
  grossAmount: String(transfer.grossCents),
  feeAmount: String(transfer.feeCents),
  amount: String(paidOut(transfer)),
  debtRecoveredAmount: String(transfer.debtRecoveredCents),
  reversedAmount: String(transfer.reversedCents),
  status: transfer.status,
  bank: transfer.bank,
  expectedOn: transfer.expectedOn,
  scheduledAt: instantOrNull(transfer.scheduledAtMs),
  completedAt: instantOrNull(transfer.completedAtMs),
  failedAt: instantOrNull(transfer.failedAtMs),
  failureReason: transfer.failureReason,
  createdAt: isoInstant(transfer.createdAtMs),
})

/** `data` of the events of transfers to recipients. */
export const splitTransferEvent = eventData(
  'SplitTransferEventData',
  'A recipient’s part on its way to the bank: `object` is `split_transfer`.',
  splitTransfer.properties,
)
