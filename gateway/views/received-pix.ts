import type { ReceivedPix } from '../../engine/payments/received/received.ts'
import { isoInstant } from '../../engine/shared/calendar.ts'
import { payerView } from './transaction.ts'

/** A PIX that arrived, as the list of received PIX shows it (decisions, section 10). */
export const receivedPixView = (received: ReceivedPix) => ({
  id: received.id,
  object: 'received_pix',
  endToEndId: received.endToEndId,
  txid: received.txid,
  amount: String(received.amountCents),
  status: received.returnReason === null ? 'RECEIVED' : 'RETURNED',
  returnReason: received.returnReason,
  pixKey: received.pixKey,
  payer: payerView(received.payer),
  description: received.description,
  transactionId: received.transactionId,
  receivedAt: isoInstant(received.receivedAtMs),
})
