import { limits } from '../limits.ts'
import { qrCodeDataUri } from './draw.ts'

const images = new Map<string, string>()
const drawnInTurn: string[] = []
let turn = 0

/** The image of a BR Code. The ones drawn last are kept: a charge is read and listed soon after it was made, if ever. */
export const brCodeImage = (copyPaste: string): string => {
  const known = images.get(copyPaste)
  if (known !== undefined) return known
  const image = qrCodeDataUri(copyPaste)
  const oldest = drawnInTurn[turn]
  if (oldest !== undefined) images.delete(oldest)
  drawnInTurn[turn] = copyPaste
  turn = (turn + 1) % limits.qrImagesMax
  images.set(copyPaste, image)
  return image
}
