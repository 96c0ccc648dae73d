import { newRecentMap } from '../../engine/recent-map.ts'
import { limits } from '../limits.ts'
import { qrCodeDataUri } from './draw.ts'

const images = newRecentMap<string>(limits.qrImagesMax)

/** The image of a BR Code. The ones drawn last are kept: a charge is read and listed soon after it was made, if ever. */
export const brCodeImage = (copyPaste: string): string => {
  const known = images.get(copyPaste)
  if (known !== undefined) return known
  const image = qrCodeDataUri(copyPaste)
  images.set(copyPaste, image)
  return image
}
