// The PDF of a boleto: `document.ts` puts its two parts on a page, here are the boxes of both.
import { digitableLine, formattedLine } from '../../../engine/payments/methods/boleto/bar-code.ts'
import type { BoletoDocument, Party } from './content.ts'
import { type FittedBlock, fitBlock, fitLine, lineHeight, type Sizes } from './fit.ts'
import { type Box, type Font, type Page, pointsOfHeight, printArea } from './page.ts'
import { bankCodeAndDigit, taxDocument } from './texts.ts'

export const headingHeight = 9

/**
 * Draws bank, bank code and digitable line: the code in 5 mm figures between bars of 1.2 mm, the line in 3.5 mm figures
 * (brazil.md 2.6).
 */
export const drawHeading = (page: Page, y: number, { bankName, bankCode, barCode }: BoletoDocument): void => {
  const baseline = y + 7
  const [nameWidth, codeWidth, bar] = [38, 22, 1.2]
  const codeLeft = printArea.left + nameWidth + bar
  const lineLeft = codeLeft + codeWidth + bar + 2
  const font = 'Helvetica-Bold'
  const name = fitLine(bankName, '', nameWidth - 2, { max: 12, min: 6 }, (text) => page.widthOf(text, font))
  page.write(name.text, { x: printArea.left, y: baseline, font, points: name.points })
  page.fill([
    { x: codeLeft - bar, y: y + 1, width: bar, height: headingHeight - 1 },
    { x: codeLeft + codeWidth, y: y + 1, width: bar, height: headingHeight - 1 },
    { x: printArea.left, y: y + headingHeight - 0.4, width: printArea.width, height: 0.4 },
  ])
  const code = { x: codeLeft + codeWidth / 2, y: baseline, font, points: pointsOfHeight(5) } as const
  page.write(bankCodeAndDigit(bankCode), { ...code, align: 'center' })
  // In letters of that height the line is too wide for the rest of the page, so it is condensed.
  const line = formattedLine(digitableLine(barCode))
  const points = pointsOfHeight(3.55)
  const stretch = Math.min(1, (printArea.right - lineLeft) / (page.widthOf(line, font) * points))
  page.write(line, { x: printArea.right, y: baseline, align: 'right', font, points, stretch })
}

export type Field = {
  readonly label: string
  readonly value?: string
  readonly isStrong?: boolean
  readonly align?: 'left' | 'right'
}

/** In both parts of a boleto, figures and amounts have a column of their own on the right. */
export const columns = {
  main: { x: printArea.left, width: printArea.width - 50 },
  right: { x: printArea.right - 50, width: 50 },
}

/** Draws labelled boxes side by side, from the left edge of the print area. */
export const drawRow = (
  page: Page,
  { y, height }: { readonly y: number; readonly height: number },
  fields: readonly (Field & { readonly width: number })[],
): void => {
  let x = printArea.left
  for (const field of fields) {
    drawField(page, { x, y, width: field.width, height }, field)
    x += field.width
  }
}

/** Draws a labelled box with a value in one line, shrunk to fit. */
export const drawField = (
  page: Page,
  box: Box,
  { label, value = '', isStrong = false, align = 'left' }: Field,
): void => {
  drawLabel(page, box, label)
  if (value === '') return
  const font: Font = isStrong ? 'Helvetica-Bold' : 'Helvetica'
  const sizes = { max: isStrong ? 10 : 8.5, min: 5.5 }
  const { x, width } = inner(box)
  const { text, points } = fitLine(value, '', width, sizes, (text) => page.widthOf(text, font))
  page.write(text, { x: align === 'left' ? x : x + width, y: box.y + box.height - 1.4, align, font, points })
}

/** Draws the payer or the beneficiary. The tax document is never cut, however long the name is. */
export const drawParty = (page: Page, box: Box, label: string, { name, document, address }: Party): void => {
  drawLabel(page, box, label)
  const sizes = { max: 8.5, min: 5.5 }
  const widthOf = (text: string): number => page.widthOf(text, 'Helvetica')
  const first = fitLine(name, ` – ${taxDocument(document)}`, inner(box).width, sizes, widthOf)
  page.write(first.text, { x: inner(box).x, y: box.y + 5.5, points: first.points })
  if (address === '') return
  const second = fitLine(address, '', inner(box).width, sizes, widthOf)
  page.write(second.text, { x: inner(box).x, y: box.y + 8.9, points: second.points })
}

/** Draws the row that names the beneficiary, 10 mm high. */
export const drawBeneficiary = (page: Page, y: number, document: BoletoDocument): void => {
  const row = { y, height: 10 }
  drawParty(page, { ...columns.main, ...row }, 'Beneficiário', document.beneficiary)
  const code = { label: 'Agência / Código do beneficiário', value: document.agencyAndAccount }
  drawField(page, { ...columns.right, ...row }, { ...code, align: 'right' })
}

/** Writes a small line that ends at the right edge of the print area. */
export const drawCaption = (page: Page, text: string, y: number, points: number): void =>
  page.write(text, { x: printArea.right, y, align: 'right', points })

/** Draws an empty box with its label. */
export const drawLabel = (page: Page, box: Box, label: string): void => {
  page.outline(box)
  page.write(label, { x: inner(box).x, y: box.y + 2.3, points: 5.5 })
}

/** Writes paragraphs from the top of a box down, shrunk to fit. Returns the `y` where they end, in millimetres. */
export const drawBlock = (page: Page, box: Box, paragraphs: readonly string[], sizes: Sizes): number => {
  if (paragraphs.length === 0) return box.y
  return drawLines(
    page,
    box,
    fitBlock(paragraphs, box, sizes, (text) => page.widthOf(text, 'Helvetica')),
  )
}

/** Writes fitted lines from the top of a box down. Returns the `y` where they end, in millimetres. */
export const drawLines = (page: Page, { x, y }: Box, { points, lines }: FittedBlock): number => {
  const step = lineHeight(points)
  lines.forEach((line, n) => {
    page.write(line, { x, y: y + (n + 0.75) * step, points })
  })
  return y + lines.length * step
}

/** The room for values in a box, below its label. */
export const inner = ({ x, y, width, height }: Box): Box => ({
  x: x + 1,
  y: y + 3.5,
  width: width - 2,
  height: height - 4,
})
