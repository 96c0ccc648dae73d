import type { Company } from '../../../engine/companies/company.ts'
import { boletoOf } from '../../../engine/payments/methods/boleto/boleto.ts'
import { pixOf } from '../../../engine/payments/methods/pix/pix.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import type { PostalAddress } from '../../../engine/shared/address.ts'
import { dateIn } from '../../../engine/shared/calendar.ts'
import type { Environment } from '../../../engine/shared/ids.ts'
import { shownEmailOrNull } from '../../base/emails.ts'
import type { BoletoDocument, Stamp } from '../../documents/boleto/content.ts'
import { boletoStatusOf } from './boleto.ts'

/** A boleto as it is printed; null if the bank refused it, which leaves nothing to pay. */
export const boletoDocumentOf = (
  transaction: Transaction,
  { company, environment }: { readonly company: Company; readonly environment: Environment },
): BoletoDocument | null => {
  const { customer } = transaction
  const boleto = boletoOf(transaction)
  const pix = pixOf(transaction)
  const status = boletoStatusOf(transaction)
  if (boleto === null || boleto.numbers === null || status === 'REJECTED') return null
  const { bankCode, barCode, ourNumber } = boleto.numbers
  // Boletos of before it was kept are printed with the company as it is now.
  const issuer = boleto.issuer ?? company
  const isOpen = transaction.status === 'PENDING'
  return {
    beneficiary: {
      name: issuer.name,
      document: company.document,
      address: lineOf(issuer.address) ?? issuer.city,
    },
    payer: {
      // Nothing is left of a payer who is forgotten.
      name: customer?.name ?? '',
      document: customer?.document ?? '',
      address: lineOf(customer?.address ?? null) ?? shownEmailOrNull(customer?.email ?? null) ?? '',
    },
    bankCode,
    bankName: 'Banco Sandbox',
    agencyAndAccount: '0001 / 00000001-0',
    ourNumber,
    documentNumber: ourNumber.slice(0, -1),
    barCode,
    amountCents: transaction.amountCents,
    discountCents: boleto.discountCents,
    fineBps: boleto.fineBps,
    interestBps: boleto.interestBps,
    issuedOn: dateIn(issuer.timeZone, transaction.createdAtMs),
    dueDate: boleto.dueDate,
    instructions: boleto.instructions,
    description: transaction.details.description,
    // A boleto that is no longer open must not be paid through PIX either.
    pixCopyPaste: isOpen && pix !== null ? pix.copyPaste : null,
    stamp: stamps[status] ?? (environment === 'SANDBOX' ? 'SANDBOX' : null),
  }
}

/** One line as on an envelope; null if the address is unknown. */
const lineOf = (address: PostalAddress | null): string | null => {
  if (address === null) return null
  const { street, number, complement, district, city, state, zip } = address
  const place = [street, number, complement].filter((part) => part !== null).join(', ')
  return `${place} – ${district} – ${city} – ${state} – CEP ${zip.slice(0, 5)}-${zip.slice(5)}`
}

const stamps: Readonly<Record<ReturnType<typeof boletoStatusOf>, Stamp | null>> = {
  REGISTERED: null,
  OVERDUE: null,
  PROCESSING: 'PAID',
  PAID: 'PAID',
  CANCELLED: 'CANCELLED',
  EXPIRED: 'EXPIRED',
  REJECTED: null,
}
