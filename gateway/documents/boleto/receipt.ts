import {
  columns,
  drawBeneficiary,
  drawBlock,
  drawCaption,
  drawField,
  drawHeading,
  drawLabel,
  drawLines,
  drawParty,
  drawRow,
  headingHeight,
  inner,
} from './boxes.ts'
import { qrModulesOf } from './codes.ts'
import type { BoletoDocument } from './content.ts'
import { fitCode } from './fit.ts'
import { type Page, printArea } from './page.ts'
import { printable, printableParagraphs } from './printable.ts'
import { slipTop } from './slip.ts'
import { conditions, day, money, ourNumberAndDigit } from './texts.ts'

/**
 * Draws the recibo do pagador, which the payer keeps (brazil.md 2.6; Lei 12.039/2009). PIX is also for the payer, so it is on
 * this part.
 */
export const drawReceipt = (page: Page, document: BoletoDocument): void => {
  const title = { x: printArea.right, y: 11.5, align: 'right', font: 'Helvetica-Bold', points: 10 } as const
  page.write('Recibo do Pagador', title)
  const top = 13
  drawHeading(page, top, document)
  const { pixCopyPaste } = document
  const statementEnd = pixCopyPaste === null ? receiptEnd : receiptEnd - pixHeight - 4
  drawBoxes(page, top + headingHeight, statementEnd, document)
  if (pixCopyPaste !== null) drawPix(page, receiptEnd - pixHeight, pixCopyPaste)
  drawCaption(page, 'Autenticação Mecânica - Recibo do Pagador', receiptEnd + 3, 6)
}

/** The receipt fills the sheet down to the line where the slip is torn off. */
const receiptEnd = slipTop - 11
const pixHeight = 62

const drawBoxes = (page: Page, top: number, end: number, document: BoletoDocument): void => {
  const { payer } = document
  const { main, right } = columns
  drawBeneficiary(page, top, document)
  const numbers = { y: top + 10, height: 7 }
  drawRow(page, numbers, [
    { width: 30, label: 'Data do documento', value: day(document.issuedOn) },
    { width: 60, label: 'Nº do documento', value: document.documentNumber },
    { width: 50, label: 'Nosso número', value: ourNumberAndDigit(document.ourNumber) },
    { width: 50, label: 'Vencimento', value: day(document.dueDate), align: 'right', isStrong: true },
  ])
  const payerRow = { y: numbers.y + numbers.height, height: 10 }
  drawParty(page, { ...main, ...payerRow }, 'Pagador', payer)
  drawField(
    page,
    { ...right, ...payerRow },
    { label: '(=) Valor do documento', value: money(document.amountCents), align: 'right', isStrong: true },
  )
  const y = payerRow.y + payerRow.height
  const statement = { x: printArea.left, width: printArea.width, y, height: end - y }
  drawLabel(page, statement, 'Demonstrativo')
  const lines = [...printableParagraphs(document.description), ...conditions(document)]
  drawBlock(page, inner(statement), lines, { max: 9.5, min: 5.5 })
}

const drawPix = (page: Page, y: number, copyPaste: string): void => {
  const panel = { x: printArea.left, y, width: printArea.width, height: pixHeight }
  page.outline(panel)
  // On the right, beyond most of the rising stamp; the part of it that does reach the code is covered.
  const side = pixHeight - 4
  const square = { x: printArea.right - side - 2, y: y + 2, width: side, height: side }
  page.fill([square], 'white')
  page.fill(qrModulesOf(copyPaste, square))
  const x = panel.x + 4
  page.write('Pague com PIX', { x, y: y + 11, font: 'Helvetica-Bold', points: 16 })
  const steps = [
    'Abra o aplicativo do seu banco e escolha pagar com PIX.',
    'Leia o QR Code ao lado, ou copie este código em PIX Copia e Cola:',
  ]
  steps.forEach((step, n) => {
    page.write(step, { x, y: y + 18 + n * 4.5, points: 9.5 })
  })
  const room = { x, y: y + 26, width: square.x - 4 - x, height: pixHeight - 28 }
  const code = fitCode(copyPaste, room, { max: 9, min: 5 }, (text) => page.widthOf(text, 'Helvetica'))
  // With a look-alike in place of an unprintable letter, it would be another code.
  if (code !== null && printable(copyPaste) === copyPaste) drawLines(page, room, code)
}
