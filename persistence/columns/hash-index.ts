/**
 * Numbers by 32-bit hashes, several for a hash where need be: who asks looks which one is meant. Open addressing in
 * typed arrays of some thousand places, each of which splits in two by one more bit of the hash when it is full
 * (extendible hashing): adding one never moves more than one of them, so growth is no pause.
 */
export type HashIndex = {
  /** Many values of one hash make it slow: where they are to be expected, they are chained, and the newest is here. */
  readonly add: (hash: number, value: number) => void
  /** The value that is there for this hash gives way to another one. */
  readonly replace: (hash: number, value: number, by: number) => void
  /** The first value of this hash that `isMeant` accepts; -1 without one. It may be asked about values of other hashes. */
  readonly find: (hash: number, isMeant: (value: number) => boolean) => number
}

type Page = {
  /** Value + 1; 0 where the place is free. */
  places: Uint32Array
  /** Eight bits of the hash, which keep most strangers from being looked at. */
  tags: Uint8Array
  count: number
  /** How many low bits of the hash its values have in common. */
  readonly bits: number
}

const firstPlaces = 16
const placesMax = 2048

/**
 * `hashOf` tells the hash of a value again; null forgets the value: what it stood for is gone. Where it is known how many
 * values come at once, nothing has to be moved on the way.
 */
export const newHashIndex = (hashOf: (value: number) => number | null, expected = 0): HashIndex => {
  let pages: Page[] = firstPages(expected)

  const add = (hash: number, value: number): void => {
    let page = pages[hash & (pages.length - 1)]!
    while (4 * (page.count + 1) > 3 * page.places.length) {
      makeRoom(page)
      page = pages[hash & (pages.length - 1)]!
    }
    put(page, hash, value)
  }

  const find = (hash: number, isMeant: (value: number) => boolean): number => {
    const page = pages[hash & (pages.length - 1)]!
    const place = findPlace(page, hash, isMeant)
    return place === -1 ? -1 : page.places[place]! - 1
  }

  const findPlace = ({ places, tags }: Page, hash: number, isMeant: (value: number) => boolean): number => {
    const mask = places.length - 1
    const tag = hash >>> 24
    for (let place = placeOf(hash) & mask; ; place = (place + 1) & mask) {
      const found = places[place]!
      if (found === 0) return -1
      if (tags[place] === tag && isMeant(found - 1)) return place
    }
  }

  const replace = (hash: number, value: number, by: number): void => {
    const page = pages[hash & (pages.length - 1)]!
    page.places[findPlace(page, hash, (other) => other === value)] = by + 1
  }

  const makeRoom = (page: Page): void => {
    if (page.places.length < placesMax || !split(page)) enlarge(page)
  }

  const enlarge = (page: Page): void => {
    const larger = newPage(2 * page.places.length, page.bits)
    move(page, () => larger)
    page.places = larger.places
    page.tags = larger.tags
    page.count = larger.count
  }

  /** Not where all go to one side: a page of one hash that very many share only becomes larger. */
  const split = (page: Page): boolean => {
    const bit = 1 << page.bits
    const { length } = page.places
    const halves = [newPage(length, page.bits + 1), newPage(length, page.bits + 1)] as const
    move(page, (hash) => halves[hash & bit ? 1 : 0])
    if (halves[0].count === 0 || halves[1].count === 0) return false
    if (bit === pages.length) pages = [...pages, ...pages]
    for (let n = 0; n < pages.length; n++) if (pages[n] === page) pages[n] = halves[n & bit ? 1 : 0]
    return true
  }

  const move = (page: Page, to: (hash: number) => Page): void => {
    for (const found of page.places) {
      const hash = found === 0 ? null : hashOf(found - 1)
      if (hash !== null) put(to(hash), hash, found - 1)
    }
  }

  return { add, replace, find }
}

const put = (page: Page, hash: number, value: number): void => {
  const mask = page.places.length - 1
  let place = placeOf(hash) & mask
  while (page.places[place] !== 0) place = (place + 1) & mask
  page.places[place] = value + 1
  page.tags[place] = hash >>> 24
  page.count += 1
}

const firstPages = (expected: number): Page[] => {
  if (2 * expected <= placesMax) return [newPage(firstPlaces, 0)]
  const bits = Math.ceil(Math.log2((2 * expected) / placesMax))
  return Array.from({ length: 2 ** bits }, () => newPage(placesMax, bits))
}

const newPage = (places: number, bits: number): Page => ({
  places: new Uint32Array(places),
  tags: new Uint8Array(places),
  count: 0,
  bits,
})

/** From other bits than the page, all of whose hashes end alike. */
const placeOf = (hash: number): number => Math.imul(hash, 0x9e3779b1) >>> 12
