import { interleavedElements } from '../../engine/methods/boleto/interleaved.ts'
import { qrCodeSymbol } from '../qr-code/draw.ts'
import type { Box } from './page.ts'

/** The bars of an interleaved 2 of 5 code over the whole box. Wide to narrow is 3:1, which readers like best. */
export const barsOf = (digits: string, { x, y, width, height }: Box): readonly Box[] => {
  const widths = Array.from(interleavedElements(digits), (element) => (element === '1' ? 3 : 1))
  const narrow = width / widths.reduce((sum, width) => sum + width, 0)
  let modules = 0
  const elements = widths.map((width) => {
    const element = { x: x + modules * narrow, y, width: width * narrow, height }
    modules += width
    return element
  })
  return elements.filter((_, n) => n % 2 === 0)
}

/** The dark modules of a QR code in a square, each run of a row as one box, inside the quiet zone (ISO/IEC 18004, 6.3.8). */
export const qrModulesOf = (payload: string, { x, y, width }: Box): readonly Box[] => {
  const { size, dark } = qrCodeSymbol(payload)
  const side = width / (size + 2 * quietZone)
  const boxes: Box[] = []
  for (let row = 0; row < size; row++) {
    for (let start = 0; start < size; start++) {
      let end = start
      while (end < size && dark[row * size + end]) end += 1
      if (end === start) continue
      const left = x + (quietZone + start) * side
      boxes.push({ x: left, y: y + (quietZone + row) * side, width: (end - start) * side, height: side })
      start = end
    }
  }
  return boxes
}

const quietZone = 4
