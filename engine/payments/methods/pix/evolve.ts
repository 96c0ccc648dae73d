import { changed, type Evolvers, nextVersion } from '../../transaction/evolvers.ts'
import type { PixFact } from './events.ts'
import { withPix } from './pix.ts'

/** How PIX facts change a transaction. */
export const pixEvolvers: Evolvers<PixFact> = {
  ChargeIssued: (transaction, event) => {
    const { txid, copyPaste, expiresAtMs } = event
    const means = withPix(transaction, { txid, copyPaste })
    return nextVersion(transaction, event, { status: 'PENDING', expiresAtMs, means })
  },
  ChargePaid: (transaction, event) => {
    const { paidCents, feeCents, receivables, payment, atMs } = event
    const means = withPix(transaction, { payment })
    return nextVersion(transaction, event, {
      status: 'APPROVED',
      paidCents,
      feeCents,
      approvedAtMs: atMs,
      receivables,
      means,
    })
  },
  PaymentReturned: (transaction, event) => {
    const data = {
      receivedPixId: event.payment.receivedPixId,
      returnReason: event.returnReason,
      amount: String(event.amountCents),
    }
    return nextVersion(transaction, event, {}, data)
  },
  MedOpened: (transaction, event) => {
    const { med } = event
    const { reversals } = transaction
    return nextVersion(
      transaction,
      event,
      { reversals: { ...reversals, meds: [...reversals.meds, med] } },
      { medId: med.id, amount: String(med.amountCents) },
    )
  },
  MedClosed: (transaction, event) => {
    const { medId, result, returnedCents, atMs } = event
    const { reversals } = transaction
    const closed = { status: 'CLOSED', result, returnedCents, closedAtMs: atMs } as const
    const meds = changed(reversals.meds, medId, closed)
    return nextVersion(transaction, event, { reversals: { ...reversals, meds } }, { medId, result })
  },
}
