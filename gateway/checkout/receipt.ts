import { createHash } from 'node:crypto'
import type { CheckoutSession } from '../../engine/checkout/session.ts'
import type { Transaction } from '../../engine/payments/transaction/transaction.ts'
import { maskedDocument } from '../../engine/shared/documents.ts'
import { taxDocument } from '../documents/boleto/texts.ts'
import { receiptPdf } from '../documents/receipt/receipt.ts'
import type { Shown } from './pages/shown.ts'
import { instantIn, reais } from './texts/texts.ts'

/** The receipt of a paid session as a PDF, in the page's language. Equal payments give equal bytes. */
export const receiptOf = (
  { texts, company, language, isTest }: Shown,
  { tries, transactionId, offer, completedAtMs, customer }: CheckoutSession,
  transaction: Transaction,
): Promise<Buffer> => {
  const paid = tries.find((one) => one.transactionId === transactionId)!
  const say = texts.receipt
  const amount = reais(paid.totalCents)
  const groups = [
    {
      heading: say.payment,
      rows: [
        [texts.done.method, texts.choose.methods[paid.method]],
        [texts.done.at, instantIn(language, company.timeZone, completedAtMs!)],
        ...(offer.description === null ? [] : [[say.description, offer.description] as const]),
        [texts.done.id, transaction.id],
      ],
    },
    {
      heading: say.payee,
      rows: [
        [say.name, company.name],
        [say.document, taxDocument(company.document)],
      ],
    },
    ...(customer === null
      ? []
      : [
          {
            heading: say.payer,
            rows: [
              [say.name, customer.name],
              ...(customer.document === null
                ? []
                : [[say.document, maskedDocument(customer.document)] as const]),
            ],
          },
        ]),
  ] as readonly { readonly heading: string; readonly rows: readonly (readonly [string, string])[] }[]
  return receiptPdf({
    title: say.title,
    amount,
    groups,
    sha256: createHash('sha256')
      .update(JSON.stringify([amount, completedAtMs, groups]))
      .digest('hex'),
    createdAtMs: completedAtMs!,
    isTest,
  })
}
