import {
  columns,
  drawBlock,
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
import type { BoletoDocument } from './document.ts'
import { fitCode } from './fit.ts'
import { type Page, print } from './page.ts'
import { printable, printableParagraphs } from './printable.ts'
import { conditions, day, money, ourNumberAndDigit } from './texts.ts'

/** The recibo do pagador, which the payer keeps (brazil.md 2.6; Lei 12.039/2009). PIX is for the payer too, so it is here. */
export const drawReceipt = (page: Page, document: BoletoDocument): void => {
  const title = { x: print.right, y: 11.5, align: 'right', font: 'Helvetica-Bold', points: 10 } as const
  page.write('Recibo do Pagador', title)
  const top = 13
  drawHeading(page, top, document)
  const boxesEnd = drawBoxes(page, top + headingHeight, document)
  const { pixCopyPaste } = document
  const end = pixCopyPaste === null ? boxesEnd : drawPix(page, boxesEnd + 4, pixCopyPaste)
  const foot = { x: print.right, y: end + 3, align: 'right', points: 6 } as const
  page.write('Autenticação Mecânica - Recibo do Pagador', foot)
}

/** Answers where they end. */
const drawBoxes = (page: Page, top: number, document: BoletoDocument): number => {
  const { beneficiary, payer } = document
  const { main, right } = columns
  const parties = { y: top, height: 10 }
  drawParty(page, { ...main, ...parties }, 'Beneficiário', beneficiary, beneficiary.city)
  drawField(
    page,
    { ...right, ...parties },
    { label: 'Agência / Código do beneficiário', value: document.agencyAndAccount, align: 'right' },
  )
  const numbers = { y: parties.y + parties.height, height: 7 }
  drawRow(page, numbers, [
    { width: 30, label: 'Data do documento', value: day(document.issuedOn) },
    { width: 60, label: 'Nº do documento', value: document.documentNumber },
    { width: 50, label: 'Nosso número', value: ourNumberAndDigit(document.ourNumber) },
    { width: 50, label: 'Vencimento', value: day(document.dueDate), align: 'right', isStrong: true },
  ])
  const payerRow = { y: numbers.y + numbers.height, height: 10 }
  drawParty(page, { ...main, ...payerRow }, 'Pagador', payer, payer.email)
  drawField(
    page,
    { ...right, ...payerRow },
    { label: '(=) Valor do documento', value: money(document.amountCents), align: 'right', isStrong: true },
  )
  const statement = { x: print.left, width: print.width, y: payerRow.y + payerRow.height, height: 24 }
  drawLabel(page, statement, 'Demonstrativo')
  const lines = [...printableParagraphs(document.description), ...conditions(document)]
  drawBlock(page, inner(statement), lines, { max: 8.5, min: 5.5 })
  return statement.y + statement.height
}

/** Answers where it ends. */
const drawPix = (page: Page, y: number, copyPaste: string): number => {
  const panel = { x: print.left, y, width: print.width, height: 44 }
  page.outline(panel)
  // On the right, where a stamp that rises from left to right has passed; what of it does reach the code is covered.
  const square = { x: print.right - 42, y: y + 2, width: 40, height: 40 }
  page.fill([square], 'white')
  page.fill(qrModulesOf(copyPaste, square))
  const x = panel.x + 4
  page.write('Pague com PIX', { x, y: y + 9, font: 'Helvetica-Bold', points: 14 })
  page.write('Leia o QR Code no aplicativo do seu banco, ou use este código em PIX Copia e Cola:', {
    x,
    y: y + 15,
    points: 8.5,
  })
  const room = { x, y: y + 17, width: square.x - 2 - x, height: 25 }
  const code = fitCode(copyPaste, room, { max: 8, min: 5 }, (text) => page.widthOf(text, 'Helvetica'))
  // Another letter in place of one that cannot be printed would make it another code.
  if (code !== null && printable(copyPaste) === copyPaste) drawLines(page, room, code)
  return panel.y + panel.height
}
