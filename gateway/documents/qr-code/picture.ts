import { deflateSync } from 'node:zlib'
import { qrCodePng } from './draw.ts'
import { moduleSide, pngFile } from './png.ts'
import { qrCodeRuns, type Run } from './runs.ts'

/** A QR code as an SVG with `modulePixels` pixels per module; it scales to any size. */
export const svgOf = (payload: string, modulePixels: number): string => {
  const { side, runs } = qrCodeRuns(payload)
  const pixels = side * modulePixels
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${pixels}" height="${pixels}" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${side}v${side}H0z"/><path stroke="#000" d="${rowsOf(runs)}"/></svg>`
  )
}

/** The runs as one line in the middle of each row, which says of each run only where it is behind the one before: half of what rectangles take. */
const rowsOf = (runs: readonly Run[]): string => {
  let path = ''
  let [row, end] = [-1, 0]
  for (const { x, y, length } of runs) {
    path += y === row ? `m${x - end} 0h${length}` : `M${x} ${y}.5h${length}`
    row = y
    end = x + length
  }
  return path
}

/** A QR code as a PNG of one bit per pixel, with `modulePixels` pixels per module. */
export const pngOf = (payload: string, modulePixels: number): Buffer =>
  modulePixels === moduleSide ? qrCodePng(payload) : scaledPng(payload, modulePixels)

const scaledPng = (payload: string, modulePixels: number): Buffer => {
  const { side, runs } = qrCodeRuns(payload)
  const pixels = side * modulePixels
  // Each row starts with its filter type, 0 (PNG, 9.2); a white pixel is a 1.
  const rowBytes = 1 + Math.ceil(pixels / 8)
  const raw = Buffer.alloc(rowBytes * pixels, 0xff)
  for (let row = 0; row < pixels; row++) raw[row * rowBytes] = 0
  for (const { x, y, length } of runs) {
    const first = y * modulePixels * rowBytes
    for (let pixel = x * modulePixels; pixel < (x + length) * modulePixels; pixel++)
      raw[first + 1 + (pixel >> 3)]! &= ~(0x80 >> (pixel & 7))
  }
  for (let row = 0; row < side; row++) {
    const first = row * modulePixels * rowBytes
    for (let n = 1; n < modulePixels; n++) raw.copyWithin(first + n * rowBytes, first, first + rowBytes)
  }
  return pngFile(pixels, deflateSync(raw))
}
