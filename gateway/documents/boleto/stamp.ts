import type { Stamp } from './content.ts'
import { type Box, type Page, printArea } from './page.ts'
import { barCodeBox, slipTop } from './slip.ts'

/** Draws a stamp across each part, because they may be torn apart; in light letters that scanners take for white. */
export const drawStamps = (page: Page, stamp: Stamp): void => {
  for (const box of [receiptBox, slipBox]) drawAcross(page, box, words[stamp])
}

const words: Readonly<Record<Stamp, string>> = {
  PAID: 'PAGO',
  CANCELLED: 'CANCELADO',
  EXPIRED: 'VENCIDO',
  SANDBOX: 'SANDBOX – SEM VALOR',
}

const receiptBox: Box = { x: printArea.left, y: 14, width: printArea.width, height: 110 }
/** Keeps clear of the bar code. */
const slipBox: Box = {
  x: printArea.left,
  y: slipTop + 2,
  width: printArea.width,
  height: barCodeBox.y - 3 - slipTop - 2,
}

const drawAcross = (page: Page, { x, y, width, height }: Box, text: string): void => {
  const font = 'Helvetica-Bold'
  const angle = 16
  const [sine, cosine] = [Math.sin((angle * Math.PI) / 180), Math.cos((angle * Math.PI) / 180)]
  // A rectangle of rotated text in the box: its length and height, both per point of font size.
  const [length, capitals] = [page.widthOf(text, font), (0.718 * 25.4) / 72]
  const points = Math.min(
    120,
    width / (length * cosine + capitals * sine),
    height / (length * sine + capitals * cosine),
  )
  // The middle of the letters, rather than their baseline, goes to the middle of the box.
  const drop = (capitals * points) / 2
  const place = { x: x + width / 2 + drop * sine, y: y + height / 2 + drop * cosine }
  page.write(text, { ...place, font, points, angle, align: 'center', color: '#f6d4d0' })
}
