import { createHash } from 'node:crypto'
import type { CheckoutSession } from '../../../engine/checkout/session.ts'
import type { Company } from '../../../engine/companies/company.ts'
import { methods } from '../../../engine/payments/methods/index.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { maskedDocument } from '../../../engine/shared/documents.ts'
import { environmentOf } from '../../../engine/shared/ids.ts'
import { taxDocument } from '../../documents/boleto/texts.ts'
import { receiptPdf } from '../../documents/receipt/receipt.ts'

/** The receipt of a page that was paid, as a PDF in a payer's language. Equal payments give equal bytes. */
export const checkoutReceipt = (
  company: Company,
  session: CheckoutSession,
  transaction: Transaction,
  language: 'pt' | 'en',
): Promise<Buffer> => {
  const { tries, transactionId, offer, customer } = session
  const paid = tries.find((one) => one.transactionId === transactionId)!
  const completedAtMs = session.completedAtMs!
  const say = words[language]
  const amount = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' }).format(
    paid.totalCents / 100,
  )
  const groups = [
    {
      heading: say.payment,
      rows: [
        [say.method, methods[paid.method].names[language]],
        [say.date, dateOf(language, company.timeZone, completedAtMs)],
        ...rowIf(say.description, offer.description),
        [say.id, transaction.id],
      ],
    },
    { heading: say.payee, rows: party(say, company) },
    ...(customer === null ? [] : [{ heading: say.payer, rows: party(say, customer, maskedDocument) }]),
  ] satisfies { readonly heading: string; readonly rows: readonly Row[] }[]
  const content = JSON.stringify([amount, completedAtMs, groups])
  return receiptPdf({
    language,
    title: say.title,
    amount,
    groups,
    sha256: createHash('sha256').update(content).digest('hex'),
    createdAtMs: completedAtMs,
    isTest: environmentOf(session.accountId) === 'SANDBOX',
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
