import { createHash } from 'node:crypto'
import type { Issuer } from '../../engine/ledger/issuer.ts'
import { dateIn, isoInstant, timeIn } from '../../engine/shared/calendar.ts'
import { stateProblem } from '../api/problem-of.ts'
import type { RequestContext } from '../api/route.ts'
import { day, taxDocument } from '../documents/boleto/texts.ts'
import { receiptPdf } from '../documents/receipt/receipt.ts'

/** The content of a receipt, except the sender. Rows without a value are left out. */
export type Receipt = {
  readonly title: string
  readonly amount: string
  readonly payment: {
    readonly heading: string
    /** The rows before and after the moment of the payment. */
    readonly kind: readonly Row[]
    readonly rows: readonly Row[]
  }
  readonly payee: readonly Row[]
}

type Row = readonly [label: string, value: string | null]

/** Answers with the receipt of a payment, which exists once it is COMPLETED. */
export const receiptAnswer = async <
  Payment extends {
    readonly id: string
    readonly status: string
    readonly completedAtMs: number | null
    readonly issuer?: Issuer
  },
>(
  payment: Payment,
  { company, environment }: RequestContext,
  receiptOf: (payment: Payment) => Receipt,
) => {
  const { id, status, completedAtMs, issuer = company } = payment
  if (status !== 'COMPLETED' || completedAtMs === null)
    return stateProblem((say) => say.details.invalidState(status, completed), status, completed)
  const { title, amount, payment: paid, payee } = receiptOf(payment)
  const groups = [
    {
      heading: paid.heading,
      rows: rowsOf([...paid.kind, ['Data', momentIn(issuer.timeZone, completedAtMs)], ...paid.rows]),
    },
    { heading: 'Para', rows: rowsOf(payee) },
    {
      heading: 'De',
      rows: rowsOf([
        ['Nome', issuer.name],
        ['Documento', taxDocument(company.document)],
      ]),
    },
  ]
  const said = JSON.stringify([amount, isoInstant(completedAtMs), groups])
  return {
    bytes: await receiptPdf({
      language: 'pt',
      title,
      amount,
      groups,
      sha256: createHash('sha256').update(said).digest('hex'),
      createdAtMs: completedAtMs,
      isTest: environment === 'SANDBOX',
    }),
    contentType: 'application/pdf',
    fileName: `comprovante-${id}.pdf`,
  }
}

const completed = ['COMPLETED'] as const

const rowsOf = (rows: readonly Row[]): readonly (readonly [string, string])[] =>
  rows.filter((row): row is readonly [string, string] => row[1] !== null)

/** `dd/mm/aaaa às hh:mm:ss`, by the clocks of the company's zone. */
const momentIn = (zone: string, atMs: number): string => {
  const time = new Date(timeIn(zone, atMs)).toISOString().slice(11, 19)
  return `${day(dateIn(zone, atMs))} às ${time}`
}
