import type { Static } from 'typebox'
import { withdrawableOf } from '../../../engine/ledger/withdrawable.ts'
import type { Transfer } from '../../../engine/money-out/money-out.ts'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { amountOf, count, instant, listOf, nonNegativeAmountOf, objectName } from '../fields.ts'
import { approvalReason } from './approval.ts'
import { accountAfter, type Previewed, previewView } from './money-out.ts'
import { payeeOfTransfer, transferEventView } from './transfer.ts'

/** What would become of a transfer. */
export const transferPreview = namedObject('TransferPreview', 'What would become of the transfer.', {
  object: objectName('transfer_preview'),
  beneficiary: payeeOfTransfer,
  amount: amountOf('What the payee gets.'),
  feeAmount: nonNegativeAmountOf('What it costs.'),
  totalAmount: nonNegativeAmountOf('Both together.'),
  runsAt: described(instant, 'When it runs, if nobody has to approve it.'),
  approvalsRequired: count('How many other people have to approve it.'),
  reasons: listOf(approvalReason, 'Why they have to.'),
  limitRemaining: nonNegativeAmountOf('What is left of the tightest limit after it.'),
  withdrawableAfter: nonNegativeAmountOf('What can be sent after it.'),
})

/** A transfer that was decided and not made, with the account as it would be. */
export const transferPreviewView = (previewed: Previewed<Transfer>): Static<typeof transferPreview> => {
  const { state } = previewed
  const { beneficiary, amount, feeAmount } = transferEventView(state)
  return {
    object: 'transfer_preview',
    beneficiary,
    amount,
    feeAmount,
    runsAt: isoInstant(state.runsAtMs),
    ...previewView(previewed),
    withdrawableAfter: String(withdrawableOf(accountAfter(previewed))),
  }
}
