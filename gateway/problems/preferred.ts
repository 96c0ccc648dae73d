import { bounds } from '../base/bounds.ts'
/**
 * The offer that a header of weighted ranges prefers (`Accept`, `Accept-Language`; RFC 9110, section 12.4.2); null if it names
 * none. `fits` lists the ranges that match an offer, the most specific kind first, which decides. Of equal weights the range
 * named first wins, then the first offer.
 */
export const preferred = <Offer>(
  header: string,
  offers: readonly Offer[],
  fits: (offer: Offer) => readonly ((range: string) => boolean)[],
): Offer | null => {
  const ranges = header.split(',', bounds.acceptRangesMax).map(readRange)
  const [best] = offers
    .flatMap((offer) => {
      for (const isMeant of fits(offer)) {
        const range = ranges.find(({ name }) => isMeant(name))
        if (range !== undefined) return { offer, ...range }
      }
      return []
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality || a.place - b.place)
  return best?.offer ?? null
}

const readRange = (text: string, place: number) => {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  const quality = weight === undefined ? 1 : isWeight.test(weight) ? Number(weight.slice(2)) : 0
  return { name, quality, place }
}

const isWeight = /^q=(0(\.\d{0,3})?|1(\.0{0,3})?)$/
