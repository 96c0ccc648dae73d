import {
  columns,
  drawBeneficiary,
  drawBlock,
  drawCaption,
  drawField,
  drawHeading,
  drawLabel,
  drawParty,
  drawRow,
  headingHeight,
  inner,
} from './boxes.ts'
import { barsOf } from './codes.ts'
import type { BoletoDocument } from './content.ts'
import { type Page, printArea, sheet } from './page.ts'
import { printableParagraphs } from './printable.ts'
import { conditions, day, money, ourNumberAndDigit } from './texts.ts'

/** The line where the slip is torn off; a slip may be 95 to 108 mm high (brazil.md 2.6). */
export const slipTop = sheet.height - 108

/**
 * The quiet zone takes 5 mm from the left edge of the print area. The centre must be at least 12 mm above the lower edge of the
 * sheet.
 */
export const barCodeBox = { x: printArea.left + 5, y: sheet.height - 14 - 6.5, width: 103, height: 13 }

/** Draws the ficha de compensação, which the bank reads and keeps (FEBRABAN; brazil.md 2.6). */
export const drawSlip = (page: Page, document: BoletoDocument): void => {
  page.perforate(slipTop)
  drawCaption(page, 'Corte na linha pontilhada', slipTop - 0.8, 5.5)
  const top = slipTop + 2
  drawHeading(page, top, document)
  const amountsTop = drawTerms(page, top + headingHeight, document)
  const payerTop = drawAmounts(page, amountsTop, document)
  const end = drawPayer(page, payerTop, document)
  drawCaption(page, 'Autenticação Mecânica - Ficha de Compensação', end + 2.6, 6)
  page.fill(barsOf(document.barCode, barCodeBox))
}

/** Returns the `y` where it ends, like the next two functions. */
const drawTerms = (page: Page, top: number, document: BoletoDocument): number => {
  const { main, right } = columns
  drawRow(page, { y: top, height: 7 }, [
    {
      width: main.width,
      label: 'Local de pagamento',
      value: 'Pagável em qualquer banco, mesmo após o vencimento',
    },
    { width: right.width, label: 'Vencimento', value: day(document.dueDate), align: 'right', isStrong: true },
  ])
  drawBeneficiary(page, top + 7, document)
  drawRow(page, { y: top + 17, height: 7 }, [
    { width: 28, label: 'Data do documento', value: day(document.issuedOn) },
    { width: 46, label: 'Nº do documento', value: document.documentNumber },
    { width: 18, label: 'Espécie doc.', value: 'DM' },
    { width: 14, label: 'Aceite', value: 'N' },
    { width: 34, label: 'Data do processamento', value: day(document.issuedOn) },
    { width: 50, label: 'Nosso número', value: ourNumberAndDigit(document.ourNumber), align: 'right' },
  ])
  drawRow(page, { y: top + 24, height: 7 }, [
    { width: 28, label: 'Uso do banco' },
    { width: 24, label: 'Carteira', value: 'Registrada' },
    { width: 22, label: 'Espécie moeda', value: 'R$' },
    { width: 32, label: 'Quantidade' },
    { width: 34, label: 'Valor' },
    {
      width: 50,
      label: '(=) Valor do documento',
      value: money(document.amountCents),
      align: 'right',
      isStrong: true,
    },
  ])
  return top + 31
}

/** The boxes on the right stay empty: the bank fills in the amount paid on the day (decisions, section 14). */
const drawAmounts = (page: Page, top: number, document: BoletoDocument): number => {
  const labels = [
    '(-) Desconto / Abatimento',
    '(-) Outras deduções',
    '(+) Juros / Multa',
    '(+) Outros acréscimos',
    '(=) Valor cobrado',
  ]
  const height = 6
  labels.forEach((label, n) => {
    drawField(page, { ...columns.right, y: top + n * height, height }, { label })
  })
  const box = { ...columns.main, y: top, height: labels.length * height }
  drawLabel(page, box, 'Instruções (Texto de responsabilidade do beneficiário)')
  const room = inner(box)
  const own = drawBlock(page, room, conditions(document), { max: 8, min: 8 })
  const rest = { ...room, y: own, height: room.y + room.height - own }
  drawBlock(page, rest, printableParagraphs(document.instructions), { max: 8, min: 5.5 })
  return top + box.height
}

const drawPayer = (page: Page, top: number, { payer }: BoletoDocument): number => {
  const box = { x: printArea.left, y: top, width: printArea.width, height: 13 }
  drawParty(page, box, 'Pagador', payer)
  page.write('Sacador / Avalista', { x: inner(box).x, y: top + 12, points: 5.5 })
  page.write('Cód. baixa', { x: columns.right.x + 1, y: top + 12, points: 5.5 })
  return top + box.height
}
