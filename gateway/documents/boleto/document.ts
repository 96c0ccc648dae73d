import type { BoletoDocument, Party } from './content.ts'
import { newPage, sheet, toPoints } from './page.ts'
import { printable } from './printable.ts'
import { drawReceipt } from './receipt.ts'
import { drawSlip } from './slip.ts'
import { drawStamps } from './stamp.ts'

/**
 * Renders a boleto as a PDF of one A4 page: recibo do pagador above, ficha de compensação below (FEBRABAN; brazil.md 2.6). Equal
 * documents give equal bytes, so fetching a copy again returns the same file.
 */
export const boletoPdf = async (document: BoletoDocument): Promise<Buffer> => {
  const { default: PDFDocument } = await loadPdfLibrary()
  const issuedAt = new Date(`${document.issuedOn}T00:00:00Z`)
  const pdf = new PDFDocument({
    size: [toPoints(sheet.width), toPoints(sheet.height)],
    margin: 0,
    lang: 'pt-BR',
    displayTitle: true,
    // pdfkit derives the file's id from these, and would default to the time of day.
    info: { Title: `Boleto ${document.ourNumber}`, CreationDate: issuedAt, ModDate: issuedAt },
  })
  const page = newPage(pdf)
  const printed = withPrintableNames(document)
  if (document.stamp !== null) drawStamps(page, document.stamp) // First, because everything else is printed over it.
  drawReceipt(page, printed)
  drawSlip(page, printed)
  pdf.end()
  const chunks: Buffer[] = []
  for await (const chunk of pdf) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/**
 * Loads the PDF library with its font metrics, which takes some 160 ms. A worker that has merchants does that at its start, so that
 * none of them has to wait; the command line never does.
 */
export const loadPdfLibrary = () => import('pdfkit')

/** Makes printable what other people wrote and what is printed in one line. */
const withPrintableNames = (document: BoletoDocument): BoletoDocument => ({
  ...document,
  beneficiary: withPrintableParty(document.beneficiary),
  payer: withPrintableParty(document.payer),
  bankName: printable(document.bankName),
  agencyAndAccount: printable(document.agencyAndAccount),
  documentNumber: printable(document.documentNumber),
})

const withPrintableParty = ({ name, document, address }: Party): Party => ({
  name: printable(name),
  document,
  address: printable(address),
})
