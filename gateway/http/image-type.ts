import { preferred } from './preferred.ts'

/** The media types in which an image is served, the default first. */
export const imageTypes = ['image/png', 'image/svg+xml'] as const
export type ImageType = (typeof imageTypes)[number]

/**
 * The type that an `Accept` header prefers (RFC 9110, section 12.5.1). Where it names neither, the default is better
 * than 406: it comes from a client that accepts JSON everywhere, and can show the image all the same.
 */
export const preferredImage = (accept: string | undefined): ImageType =>
  (accept === undefined ? null : preferred(accept, imageTypes, rangesOf)) ?? imageTypes[0]

const rangesOf = (type: ImageType) =>
  [type, 'image/*', '*/*'].map((wanted) => (range: string) => range === wanted)
