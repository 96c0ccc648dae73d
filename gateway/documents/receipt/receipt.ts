import { loadPdfLibrary } from '../boleto/document.ts'
import { printable } from '../boleto/printable.ts'

/** A receipt: a heading, an amount, and rows in groups. */
export type ReceiptDocument = {
  readonly language: 'pt' | 'en'
  readonly title: string
  readonly amount: string
  readonly groups: readonly ReceiptGroup[]
  /** A hash of the receipt's content, which proves that nothing was changed. */
  readonly sha256: string
  readonly createdAtMs: number
  readonly isTest: boolean
}

type ReceiptGroup = {
  readonly heading: string
  readonly rows: readonly (readonly [label: string, value: string])[]
}

/** Renders a receipt as a PDF of one A4 page. Equal documents give equal bytes. */
export const receiptPdf = async (document: ReceiptDocument): Promise<Buffer> => {
  const { default: PDFDocument } = await loadPdfLibrary()
  const madeAt = new Date(document.createdAtMs)
  const pdf = new PDFDocument({
    size: 'A4',
    margin: margin,
    lang: document.language === 'en' ? 'en' : 'pt-BR',
    displayTitle: true,
    // pdfkit derives the file's id from these, and would default to the time of day.
    info: { Title: document.title, CreationDate: madeAt, ModDate: madeAt },
  })
  pdf.font('Helvetica-Bold').fontSize(18).fillColor(ink).text(printable(document.title))
  pdf.moveDown(0.3).fontSize(26).text(printable(document.amount))
  if (document.isTest) pdf.moveDown(0.2).fontSize(10).fillColor(warning).text(testNotice[document.language])
  for (const { heading, rows } of document.groups) {
    pdf.moveDown(1.2).font('Helvetica-Bold').fontSize(11).fillColor(ink).text(printable(heading))
    const { y } = pdf
    pdf
      .moveTo(margin, y + 2)
      .lineTo(pdf.page.width - margin, y + 2)
      .lineWidth(0.5)
      .stroke(line)
    pdf.moveDown(0.5)
    for (const [label, value] of rows) {
      const top = pdf.y
      pdf.font('Helvetica').fontSize(10).fillColor(faint).text(label, margin, top, { width: labelWidth })
      pdf.fillColor(ink).text(printable(value), margin + labelWidth, top, { width: valueWidth })
      pdf.moveDown(0.35)
    }
    pdf.x = margin
  }
  pdf.moveDown(2).font('Helvetica').fontSize(8).fillColor(faint).text(`SHA-256 ${document.sha256}`, margin)
  pdf.end()
  const chunks: Buffer[] = []
  for await (const chunk of pdf) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const testNotice = {
  pt: 'SANDBOX: teste, sem valor monetário',
  en: 'SANDBOX: test only, no money was moved',
}
const margin = 56
const labelWidth = 150
const valueWidth = 595 - 2 * margin - labelWidth
const ink = '#111111'
const faint = '#555555'
const line = '#bbbbbb'
const warning = '#9a3412'
