import { interleavedElements } from '../../../engine/payments/methods/boleto/interleaved.ts'
import { qrCodeRuns } from '../qr-code/runs.ts'
import type { Box } from './page.ts'

/**
 * The bars of an interleaved 2 of 5 code that fills the box. Wide bars are three times the narrow ones, which readers handle
 * best.
 */
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

/** The dark modules of a QR code in a square that includes its quiet zone; each run of a row is one box. */
export const qrModulesOf = (payload: string, box: Box): readonly Box[] => {
  const { side, runs } = qrCodeRuns(payload)
  const module = box.width / side
  return runs.map(({ x, y, length }) => ({
    x: box.x + x * module,
    y: box.y + y * module,
    width: length * module,
    height: module,
  }))
}
