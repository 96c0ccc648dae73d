import Type from 'typebox'
import {
  cameBackCents,
  payoutFailures,
  type SplitTransfer,
  splitTransferAmountOf,
} from '../../../engine/marketplace/split-transfer.ts'
import { described } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { transferStatus } from '../enumerations.ts'
import { eventData } from '../event-data.ts'
import {
  amountOf,
  count,
  createdAtField,
  date,
  identityFields,
  instant,
  instantOrNull,
  nonNegativeAmountOf,
  nullableField,
  textOf,
} from '../fields.ts'
import { lostFields } from '../money-out/declaration.ts'
import { leftOut, resource, same, schemasOf } from '../resource.ts'
import { bankFields } from './recipient.ts'

/** A recipient's part of one instalment, as in lists and events (decisions, section 17.6). */
export const splitTransfer = resource<SplitTransfer>(
  'SplitTransfer',
  'A recipient’s part of one instalment on its way to the bank.',
).with({
  ...identityFields('spt', 'split_transfer'),
  recipientId: [textOf('Who gets it, `rcp_…`.'), same],
  ruleId: [textOf('The rule, `spr_…`.'), same],
  transactionId: [textOf('The charge, `txn_…`.'), same],
  receivableId: [textOf('The receivable that it pays out, `rcv_…`.'), same],
  installment: [count('Which instalment of the charge, from 1.'), same],
  grossAmount: [amountOf('The recipient’s part.'), (t) => String(t.grossCents)],
  feeAmount: [amountOf('Part of the fee.'), (t) => String(t.feeCents)],
  amount: [
    amountOf('`grossAmount` less `feeAmount`: what the recipient gets.'),
    (t) => String(splitTransferAmountOf(t)),
  ],
  debtRecoveredAmount: [amountOf('What of it paid a debt instead.'), (t) => String(t.debtRecoveredCents)],
  reversedAmount: [
    amountOf('What reversals took of it after it was paid out.'),
    (t) => String(t.reversedCents),
  ],
  status: [transferStatus, same],
  endToEndId: [
    Type.Optional(
      textOf('Id of the payment between banks. Missing until the bank of a connection has said one.'),
    ),
    ({ railId }) => railId ?? leftOut(),
  ],
  returnedAmount: [
    Type.Optional(
      nonNegativeAmountOf(
        'What of it came back after it had arrived: you owe it to the recipient once more, and it is not sent again by itself. Missing until something has.',
      ),
    ),
    (transfer) => (transfer.returns === undefined ? leftOut() : String(cameBackCents(transfer))),
  ],
  bank: [described(Type.Object(schemasOf(bankFields)), 'The account that gets it.'), same],
  expectedOn: [described(date, 'The day on which the receivable settles.'), same],
  scheduledAt: [nullableField(instant, 'When it was scheduled.'), (t) => instantOrNull(t.scheduledAtMs)],
  completedAt: [nullableField(instant, 'When the bank confirmed it.'), (t) => instantOrNull(t.completedAtMs)],
  failedAt: [nullableField(instant, 'When the bank refused it.'), (t) => instantOrNull(t.failedAtMs)],
  failureReason: [nullableField(choice(...payoutFailures), 'Why it FAILED.'), same],
  ...lostFields,
  createdAt: createdAtField,
})

/** `data` of the events of transfers to recipients. */
export const splitTransferEvent = eventData(
  'SplitTransferEventData',
  'A recipient’s part on its way to the bank: `object` is `split_transfer`.',
  splitTransfer.schema.properties,
)
