import { preferred } from '../problems/preferred.ts'

/** The media types that images are served in, the default first. */
export const imageTypes = ['image/png', 'image/svg+xml'] as const
export type ImageType = (typeof imageTypes)[number]

/**
 * The image type that an `Accept` header prefers (RFC 9110, section 12.5.1). If it names neither, the default beats a 406: such a
 * client accepts JSON everywhere, and can show the image all the same.
 */
export const preferredImage = (accept: string | undefined): ImageType =>
  (accept === undefined ? null : preferred(accept, imageTypes, rangesOf)) ?? imageTypes[0]

const rangesOf = (type: ImageType) =>
  [type, 'image/*', '*/*'].map((wanted) => (range: string) => range === wanted)
