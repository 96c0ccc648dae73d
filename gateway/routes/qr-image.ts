import Type from 'typebox'
import type { FileView } from '../api/route.ts'
import { bounds } from '../base/bounds.ts'
import { pngOf, svgOf } from '../documents/qr-code/picture.ts'
import { wholeNumber } from '../schema/schema.ts'
import type { ImageType } from './image-type.ts'

/** The parameter of a route that draws a QR code. */
export const qrSize = Type.Optional(
  wholeNumber(
    bounds.qrModulePixelsMin,
    bounds.qrModulePixelsMax,
    'Pixels of each module of the code. Default 8.',
  ),
)

/** A QR code as a file of the given type, named without its ending. */
export const qrImage = (
  payload: string,
  { type, size = 8, name, maxAge }: { type: ImageType; size?: number; name: string; maxAge: string },
): FileView => ({
  bytes: type === 'image/png' ? pngOf(payload, size) : Buffer.from(svgOf(payload, size)),
  contentType: type,
  fileName: `${name}.${type === 'image/png' ? 'png' : 'svg'}`,
  headers: { 'Cache-Control': `private, max-age=${maxAge}`, Vary: 'Accept' },
})
