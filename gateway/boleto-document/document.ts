import type { CalendarDate } from '../../engine/shared/calendar.ts'
import type { Cents } from '../../engine/shared/money.ts'
import { newPage, sheet, toPoints } from './page.ts'
import { printable } from './printable.ts'
import { drawReceipt } from './receipt.ts'
import { drawSlip } from './slip.ts'
import { drawStamps, type Stamp } from './stamp.ts'

/** All that is printed on a boleto. Names and texts may be in any language and of any length. */
export type BoletoDocument = {
  readonly beneficiary: Party
  readonly payer: Party
  /** Three digits. */
  readonly bankCode: string
  readonly bankName: string
  /** Agência / código do beneficiário, as it is printed. */
  readonly agencyAndAccount: string
  /** With its check digit at the end. */
  readonly ourNumber: string
  readonly documentNumber: string
  /** 44 digits. */
  readonly barCode: string
  readonly amountCents: Cents
  readonly discountCents: Cents
  readonly fineBps: number
  /** A month. */
  readonly interestBps: number
  readonly issuedOn: CalendarDate
  readonly dueDate: CalendarDate
  /** The merchant's own, with new lines. */
  readonly instructions: string | null
  readonly description: string | null
  /** The BR Code of a boleto that can be paid by PIX too (Resolução BCB 443/2024). */
  readonly pixCopyPaste: string | null
  readonly stamp: Stamp | null
}

/** The law wants the name, the tax document and the address of the beneficiary on it (Lei 12.039/2009). */
export type Party = {
  readonly name: string
  /** CPF or CNPJ, without punctuation. */
  readonly document: string
  /** One line; empty where none is known. */
  readonly address: string
}

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
