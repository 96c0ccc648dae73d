import { type Evolvers, nextVersion } from '../../transaction/evolvers.ts'
import { boletoOf, withBoleto } from './boleto.ts'
import type { BoletoFact } from './facts.ts'

/** How boleto facts change a transaction. */
export const boletoEvolvers: Evolvers<BoletoFact> = {
  BoletoIssued: (transaction, event) => {
    const { numbers, pix, lateAtMs, expiresAtMs, issuer } = event
    const boleto = { ...boletoOf(transaction)!, numbers, lateAtMs }
    return nextVersion(transaction, event, {
      status: 'PENDING',
      expiresAtMs,
      means: { boleto: issuer === undefined ? boleto : { ...boleto, issuer }, pix },
    })
  },
  BoletoOverdue: (transaction, event) =>
    nextVersion(transaction, event, { means: withBoleto(transaction, { overdue: true }) }),
  BoletoPaymentReported: (transaction, event) => {
    const { payment } = event
    const data = { paidAmount: String(payment.paidCents) }
    return nextVersion(
      transaction,
      event,
      { status: 'PROCESSING', means: withBoleto(transaction, { payment }) },
      data,
    )
  },
  BoletoCleared: (transaction, event) => {
    const { payment, feeCents, receivables, atMs } = event
    return nextVersion(transaction, event, {
      status: 'APPROVED',
      paidCents: payment.paidCents,
      feeCents,
      approvedAtMs: atMs,
      receivables,
      means: withBoleto(transaction, { payment }),
    })
  },
}
