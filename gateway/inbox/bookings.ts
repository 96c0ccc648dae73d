import type { Command } from '../../engine/kernel/registry.ts'
import { payerAtBank } from '../../engine/payments/methods/pix/pix.ts'
import { unreachable } from '../../engine/shared/assert.ts'
import type { TransactionId } from '../../engine/shared/ids.ts'
import { byProvider } from '../../engine/shared/initiator.ts'
import type { MedAtBank, PixReceived, RailObject } from '../providers/port.ts'
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
      return [arrivalOf(object, reporting, newTransactionId), ...returnsOf(object, reporting)]
    case 'PAYOUT':
      // The call that sent it inquires until it ends; money that came back after it had arrived is nothing that a call waits for.
      return object.state === 'RETURNED' ? null : []
    case 'MED':
      return [medOf(object, reporting)]
    case 'MANDATE':
    case 'MANDATE_CHARGE':
      return null
    default:
      return unreachable(object)
  }
}

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
  { endToEndId, medId: bankMedId, state, amountCents, reason }: MedAtBank,
  { accountId }: Reporting,
): Command => ({
  type: 'ReportMed',
  accountId,
  by: byProvider,
  endToEndId,
  med: { bankMedId, state, amountCents, reason: null, details: reason },
})

/** The command for money that belongs to nothing here after a day. None yet: a person looks at it. */
export const unmatchedOf = (): Command | null => null

/** Money that came in: for the charge whose txid the bank names, or else to the key. */
const arrivalOf = (
  { endToEndId, txid, pixKey, amountCents, componentsCents, paidAtMs, payer }: PixReceived,
  { accountId, connectionId, provider: providerId }: Reporting,
  newTransactionId: () => TransactionId,
): Command => {
  const evidence = {
    accountId,
    by: byProvider,
    endToEndId,
    amountCents,
    paidAtMs,
    payer: payer && payerAtBank(payer, endToEndId),
  }
  if (txid !== null) return { type: 'ReceivePixAtBank', ...evidence, txid, componentsCents }
  return {
    type: 'ReceiveUnrequestedPix',
    ...evidence,
    transactionId: newTransactionId(),
    providerId,
    connectionId,
    ...(pixKey !== null && { pixKey }),
  }
}
