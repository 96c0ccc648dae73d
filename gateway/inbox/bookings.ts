import type { Command } from '../../engine/kernel/registry.ts'
import { unreachable } from '../../engine/shared/assert.ts'
import type { SuspenseId, TransactionId } from '../../engine/shared/ids.ts'
import { byProvider } from '../../engine/shared/initiator.ts'
import { pixAtBank } from '../providers/answers.ts'
import type {
  MandateAtBank,
  MandateChargeAtBank,
  MedAtBank,
  PayOutAtBank,
  PixReceived,
  RailObject,
} from '../providers/port.ts'
import { payOutOfReference } from '../providers/references.ts'
import type { Reporting } from './reporting.ts'

/**
 * The commands that book what a bank has (rails, section 2.3); null for what nothing here can take, so that a person looks. Each of them counts once,
 * by the bank's own ids, however often it is sent.
 */
export const bookingsOf = (
  object: RailObject,
  reporting: Reporting,
  newTransactionId: () => TransactionId,
): readonly Command[] | null => {
  switch (object.kind) {
    case 'PIX':
      // A return of money from before the connection names that money, which would come in a second time.
      if (object.paidAtMs < reporting.sinceMs - clocksDifferMs) return []
      return [arrivalOf(object, reporting, newTransactionId), ...returnsOf(object, reporting)]
    case 'PAYOUT':
      return payOutOf(object, reporting)
    case 'MED':
      return [medOf(object, reporting)]
    case 'MANDATE':
      return [mandateOf(object, reporting)]
    case 'MANDATE_CHARGE':
      return [mandateChargeOf(object, reporting)]
    default:
      return unreachable(object)
  }
}

/** Money that we sent. The account at the bank may send for other programs, too: what has no reference of ours is none of ours. */
const payOutOf = (
  { reference, state, amountCents, endToEndId: railId, reason: code, returns }: PayOutAtBank,
  { accountId, connectionId }: Reporting,
): readonly Command[] => {
  const subject = payOutOfReference(reference)
  if (subject === null) return []
  const payOut = { state, amountCents, railId, code, returns }
  const reported = { accountId, by: byProvider, connectionId, payOut }
  return 'transferId' in subject
    ? [{ type: 'ReportPayOut', ...reported, ...subject }]
    : [{ type: 'ReportSplitPayOut', ...reported, ...subject }]
}

/** The bank's clock may be behind ours. */
const clocksDifferMs = 600_000

/** What went back of a payment, by whomever it was asked for, after the payment itself. */
const returnsOf = ({ endToEndId, returns }: PixReceived, { accountId }: Reporting): readonly Command[] =>
  returns.map(({ id, returnId, amountCents, status, nature, reason }) => ({
    type: 'ReportReturn',
    accountId,
    by: byProvider,
    endToEndId,
    returned: { id, returnId, amountCents, status, nature, reason },
  }))

/** An infraction report. What the payer's bank wrote is shown as it is: banks have their own words for reasons. */
const medOf = (
  { endToEndId, medId: bankMedId, state, amountCents, reason, hasReturn }: MedAtBank,
  { accountId }: Reporting,
): Command => ({
  type: 'ReportMed',
  accountId,
  by: byProvider,
  endToEndId,
  med: { bankMedId, state, amountCents, reason: null, details: reason, hasReturn },
})

/** A mandate as it is at the bank. Banks do not say which maximum the payer has set: a charge above it is rejected. */
const mandateOf = (
  { mandateId: idRec, state: status, code, closedBy }: MandateAtBank,
  { accountId }: Reporting,
): Command => ({
  type: 'ReportMandate',
  accountId,
  by: byProvider,
  idRec,
  status,
  closedBy,
  code,
  maximumCents: null,
})

/** A charge by a mandate with its attempts, and with the money that it brought. */
const mandateChargeOf = (
  { txid, state, attempts, payments }: MandateChargeAtBank,
  { accountId }: Reporting,
): Command => ({
  type: 'ReportMandateCharge',
  accountId,
  by: byProvider,
  txid,
  state,
  attempts: attempts.map(({ dueDate: on, state, code }) => ({ on, state, code })),
  payments: payments.map(pixAtBank),
})

/** The commands that put money into suspense which belongs to nothing here after a day, with what of it went back; null for what is no money. */
export const unmatchedOf = (
  object: RailObject,
  reporting: Reporting,
  newSuspenseId: () => SuspenseId,
): readonly Command[] | null => {
  if (object.kind !== 'PIX') return null
  const { accountId, connectionId, provider: providerId } = reporting
  const { txid, pixKey } = object
  const opened: Command = {
    type: 'ReceiveUnmatchedPix',
    accountId,
    by: byProvider,
    suspenseId: newSuspenseId(),
    connectionId,
    providerId,
    txid,
    pixKey,
    ...pixAtBank(object),
  }
  // What went back is not at the bank any more.
  return [opened, ...returnsOf(object, reporting)]
}

/** Money that came in: for the charge whose txid the bank names, or else to the key. */
const arrivalOf = (
  pix: PixReceived,
  { accountId, connectionId, provider: providerId }: Reporting,
  newTransactionId: () => TransactionId,
): Command => {
  const { txid, pixKey } = pix
  const { componentsCents, ...evidence } = pixAtBank(pix)
  const to = { accountId, by: byProvider }
  if (txid !== null) return { type: 'ReceivePixAtBank', ...to, ...evidence, txid, componentsCents }
  return {
    type: 'ReceiveUnrequestedPix',
    ...to,
    ...evidence,
    transactionId: newTransactionId(),
    providerId,
    connectionId,
    ...(pixKey !== null && { pixKey }),
  }
}
