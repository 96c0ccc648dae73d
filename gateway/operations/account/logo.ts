import type { Logo } from '../../../engine/companies/company.ts'
import { bounds } from '../../base/bounds.ts'
import { refuseField } from '../../problems/refusal.ts'

/**
 * Reads a logo: PNG or JPEG by its first bytes, not by a name or header. An SVG can hold a script, and is refused
 * like every other format.
 */
export const logoOf = (value: unknown): Logo => {
  const base64 = typeof value === 'string' ? value.replace(/^data:image\/(png|jpeg);base64,/, '') : ''
  if (base64.length > bounds.logoCharsMax)
    refuseField('image', 'TOO_LONG', (say) => say.operations.logoTooLong(bounds.logoCharsMax))
  const bytes = Buffer.from(base64, 'base64')
  // The decoder skips characters outside base64.
  if (base64 === '' || bytes.toString('base64') !== base64)
    return refuseField('image', 'INVALID_FORMAT', (say) => say.operations.logoNoBase64())
  const picture = pngSize(bytes) ?? jpegSize(bytes)
  if (picture === null) return refuseField('image', 'INVALID_FORMAT', (say) => say.operations.logoNoPicture())
  const { logoPixelsMin: min, logoPixelsMax: max } = bounds
  if ([picture.width, picture.height].some((pixels) => pixels < min || pixels > max))
    refuseField('image', 'OUT_OF_RANGE', (say) => say.operations.logoSize(min, max))
  return { ...picture, base64 }
}

type Picture = Omit<Logo, 'base64'>

/** ISO/IEC 15948: signature, then the chunk IHDR with width and height; the last chunk is IEND. */
const pngSize = (bytes: Buffer): Picture | null => {
  const isPng =
    bytes.length > 45 &&
    bytes.subarray(0, 16).equals(pngStart) &&
    bytes.subarray(-8, -4).toString('latin1') === 'IEND'
  return isPng
    ? { mediaType: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    : null
}

const pngStart = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')

/** ITU-T T.81, annex B: segments up to the frame header, which has height and width; the last marker is EOI. */
const jpegSize = (bytes: Buffer): Picture | null => {
  const isJpeg =
    bytes.length > 4 &&
    bytes.readUInt16BE(0) === startOfImage &&
    bytes.readUInt16BE(bytes.length - 2) === endOfImage
  if (!isJpeg) return null
  let at = 2
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1]!
    if (isFrameHeader(marker))
      return {
        mediaType: 'image/jpeg',
        height: bytes.readUInt16BE(at + 5),
        width: bytes.readUInt16BE(at + 7),
      }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return null
}

const startOfImage = 0xffd8
const endOfImage = 0xffd9

/** SOF0 to SOF15; between them are tables (DHT, JPG, DAC). */
const isFrameHeader = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
