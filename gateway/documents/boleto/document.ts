import type { BoletoDocument, Party } from './boleto.ts'
import { newPage, sheet, toPoints } from './page.ts'
import { printable } from './printable.ts'
import { drawReceipt } from './receipt.ts'
import { drawSlip } from './slip.ts'
import { drawStamps } from './stamp.ts'

/**
 * A boleto as a PDF of one A4 page: recibo do pagador above, ficha de compensação below (FEBRABAN; brazil.md 2.6).
 * Equal documents give equal bytes, so a copy that is fetched again is the same file.
 */
export const boletoPdf = async (document: BoletoDocument): Promise<Buffer> => {
  const { default: PDFDocument } = await loadPdfLibrary()
  const issuedAt = new Date(`${document.issuedOn}T00:00:00Z`)
  const pdf = new PDFDocument({
    size: [toPoints(sheet.width), toPoints(sheet.height)],
    margin: 0,
    lang: 'pt-BR',
    displayTitle: true,
    // pdfkit makes the file's id of these, and would take the time of day for a date that is not given.
    info: { Title: `Boleto ${document.ourNumber}`, CreationDate: issuedAt, ModDate: issuedAt },
  })
  const page = newPage(pdf)
  const printed = withPrintableNames(document)
  if (document.stamp !== null) drawStamps(page, document.stamp) // First, for everything else is printed over it.
  drawReceipt(page, printed)
  drawSlip(page, printed)
  pdf.end()
  const chunks: Buffer[] = []
  for await (const chunk of pdf) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/**
 * The library with its font metrics takes some 160 ms to load. A worker does that before it serves, so that no request has
 * to wait for it; a command line never does.
 */
export const loadPdfLibrary = () => import('pdfkit')

/** Everything that others wrote and that is printed as one line. */
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
