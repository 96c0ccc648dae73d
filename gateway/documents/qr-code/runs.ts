import { qrCodeSymbol } from './draw.ts'
import { quietZone } from './png.ts'

/** Adjacent dark modules in one row; `x` and `y` count from the edge of the quiet zone. */
export type Run = { readonly x: number; readonly y: number; readonly length: number }

/** The dark modules of a QR code, row by row, and the side of the code in modules, quiet zone included. */
export const qrCodeRuns = (payload: string): { readonly side: number; readonly runs: readonly Run[] } => {
  const { size, dark } = qrCodeSymbol(payload)
  const runs: Run[] = []
  for (let row = 0; row < size; row++) {
    for (let start = 0; start < size; start++) {
      let end = start
      while (end < size && dark[row * size + end]) end += 1
      if (end === start) continue
      runs.push({ x: quietZone + start, y: quietZone + row, length: end - start })
      start = end
    }
  }
  return { side: size + 2 * quietZone, runs }
}
