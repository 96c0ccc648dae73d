import { createHash } from 'node:crypto'
import type { Invoice } from '../../../engine/billing/invoice/invoice.ts'
import { invoiceNumber } from '../../../engine/billing/invoice/issue.ts'
import type { CheckoutSession } from '../../../engine/checkout/session.ts'
import type { Company } from '../../../engine/companies/company.ts'
import { methods } from '../../../engine/payments/methods/index.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import type { Customer } from '../../../engine/shared/customer.ts'
import { maskedDocument } from '../../../engine/shared/documents.ts'
import { type AccountId, environmentOf, type TransactionId } from '../../../engine/shared/ids.ts'
import type { Method } from '../../../engine/shared/method.ts'
import type { Cents } from '../../../engine/shared/money.ts'
import { taxDocument } from '../../documents/boleto/texts.ts'
import { receiptPdf } from '../../documents/receipt/receipt.ts'

/** The receipt of a page that was paid, in a payer's language. */
export const checkoutReceipt = (
  company: Company,
  session: CheckoutSession,
  transaction: Transaction,
  language: 'pt' | 'en',
): Promise<Buffer> => {
  const { tries, transactionId, offer, customer, accountId } = session
  const { method, totalCents } = tries.find((one) => one.transactionId === transactionId)!
  const paid = { cents: totalCents, method, atMs: session.completedAtMs!, id: transaction.id }
  return receiptOf(company, accountId, { ...paid, description: offer.description, customer }, language)
}

/** The receipt of a paid invoice, in a payer's language; null where nothing was due. */
export const invoiceReceipt = (
  company: Company,
  { accountId, number, attempts, paidCents, paidAtMs }: Invoice,
  customer: Customer,
  language: 'pt' | 'en',
): Promise<Buffer> | null => {
  const paid = attempts.findLast(({ status }) => status === 'SUCCEEDED')
  if (paid === undefined || paid.transactionId === null || paidAtMs === null) return null
  const { method, transactionId: id } = paid
  const of = { cents: paidCents, method, atMs: paidAtMs, id, description: invoiceNumber(number), customer }
  return receiptOf(company, accountId, of, language)
}

type Paid = {
  readonly cents: Cents
  readonly method: Method
  readonly atMs: number
  readonly id: TransactionId
  readonly description: string | null
  readonly customer: Customer | null
}

/** A receipt as a PDF. Equal payments give equal bytes. */
const receiptOf = (
  company: Company,
  accountId: AccountId,
  { cents, method, atMs, id, description, customer }: Paid,
  language: 'pt' | 'en',
): Promise<Buffer> => {
  const say = words[language]
  const amount = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' }).format(cents / 100)
  const groups = [
    {
      heading: say.payment,
      rows: [
        [say.method, methods[method].names[language]],
        [say.date, dateOf(language, company.timeZone, atMs)],
        ...rowIf(say.description, description),
        [say.id, id],
      ],
    },
    { heading: say.payee, rows: party(say, company) },
    ...(customer === null ? [] : [{ heading: say.payer, rows: party(say, customer, maskedDocument) }]),
  ] satisfies { readonly heading: string; readonly rows: readonly Row[] }[]
  const content = JSON.stringify([amount, atMs, groups])
  return receiptPdf({
    language,
    title: say.title,
    amount,
    groups,
    sha256: createHash('sha256').update(content).digest('hex'),
    createdAtMs: atMs,
    isTest: environmentOf(accountId) === 'SANDBOX',
  })
}

type Row = readonly [string, string]

const rowIf = (label: string, value: string | null): readonly Row[] =>
  value === null ? [] : [[label, value]]

const party = (
  say: Readonly<Record<'name' | 'document', string>>,
  { name, document }: { readonly name: string; readonly document: string | null },
  shown: (document: string) => string = taxDocument,
): Row[] => [[say.name, name], ...rowIf(say.document, document && shown(document))]

const dateOf = (language: 'pt' | 'en', timeZone: string, atMs: number): string =>
  new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : 'pt-BR', {
    timeZone,
    dateStyle: 'long',
    timeStyle: 'long',
  }).format(atMs)

const words = {
  pt: {
    title: 'Recibo de pagamento',
    payment: 'Pagamento',
    method: 'Forma',
    date: 'Data',
    description: 'Descrição',
    id: 'Identificação',
    payee: 'Quem recebeu',
    payer: 'Quem pagou',
    name: 'Nome',
    document: 'CPF ou CNPJ',
  },
  en: {
    title: 'Payment receipt',
    payment: 'Payment',
    method: 'Method',
    date: 'Date',
    description: 'Description',
    id: 'Reference',
    payee: 'Received by',
    payer: 'Paid by',
    name: 'Name',
    document: 'CPF or CNPJ',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>
