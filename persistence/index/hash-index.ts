/**
 * Numbers by 32-bit hashes. Open addressing in typed arrays of some thousand places, each of which splits in two by one
 * more bit of the hash when it is full (extendible hashing): adding one never moves more than one of them, so growth is
 * no pause.
 */
export type HashIndex = {
  /** The hash of a value once more; null forgets the value: what it stood for is gone. */
  readonly hashOf: (value: number) => number | null
  /** Of every page all hashes end alike; without values there is none. */
  pages: Page[]
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

/** Where it is known how many values come at once, nothing has to be moved on the way. */
export const newHashIndex = (hashOf: (value: number) => number | null, expected = 0): HashIndex => {
  if (2 * expected <= placesMax) return { hashOf, pages: [] }
  const bits = Math.ceil(Math.log2((2 * expected) / placesMax))
  return { hashOf, pages: Array.from({ length: 2 ** bits }, () => newPage(placesMax, bits)) }
}

/** Many values of one hash make it slow: where they are to be expected, they are chained, and the newest is here. */
export const addHashed = (index: HashIndex, hash: number, value: number): void => {
  if (index.pages.length === 0) index.pages = [newPage(firstPlaces, 0)]
  let page = pageOf(index, hash)
  while (4 * (page.count + 1) > 3 * page.places.length) {
    makeRoom(index, page)
    page = pageOf(index, hash)
  }
  put(page, hash, value)
}

/** The first value of this hash that `isMeant` accepts; -1 without one. It may be asked about values of other hashes. */
export const findHashed = (index: HashIndex, hash: number, isMeant: (value: number) => boolean): number => {
  if (index.pages.length === 0) return -1
  const page = pageOf(index, hash)
  const place = findPlace(page, hash, isMeant)
  return place === -1 ? -1 : page.places[place]! - 1
}

/** The value that is there for this hash gives way to another one. */
export const replaceHashed = (index: HashIndex, hash: number, value: number, by: number): void => {
  const page = pageOf(index, hash)
  page.places[findPlace(page, hash, (other) => other === value)] = by + 1
}

const pageOf = ({ pages }: HashIndex, hash: number): Page => pages[hash & (pages.length - 1)]!

const findPlace = ({ places, tags }: Page, hash: number, isMeant: (value: number) => boolean): number => {
  const mask = places.length - 1
  const tag = hash >>> 24
  for (let place = placeOf(hash) & mask; ; place = (place + 1) & mask) {
    const found = places[place]!
    if (found === 0) return -1
    if (tags[place] === tag && isMeant(found - 1)) return place
  }
}

const makeRoom = (index: HashIndex, page: Page): void => {
  if (page.places.length < placesMax || !split(index, page)) enlarge(index, page)
}

const enlarge = (index: HashIndex, page: Page): void => {
  const larger = newPage(2 * page.places.length, page.bits)
  move(index, page, () => larger)
  page.places = larger.places
  page.tags = larger.tags
  page.count = larger.count
}

/** Not where all go to one side: a page of one hash that very many share only becomes larger. */
const split = (index: HashIndex, page: Page): boolean => {
  const bit = 1 << page.bits
  const { length } = page.places
  const halves = [newPage(length, page.bits + 1), newPage(length, page.bits + 1)] as const
  move(index, page, (hash) => halves[hash & bit ? 1 : 0])
  if (halves[0].count === 0 || halves[1].count === 0) return false
  if (bit === index.pages.length) index.pages = [...index.pages, ...index.pages]
  const { pages } = index
  for (let n = 0; n < pages.length; n++) if (pages[n] === page) pages[n] = halves[n & bit ? 1 : 0]
  return true
}

const move = ({ hashOf }: HashIndex, page: Page, to: (hash: number) => Page): void => {
  for (const found of page.places) {
    const hash = found === 0 ? null : hashOf(found - 1)
    if (hash !== null) put(to(hash), hash, found - 1)
  }
}

const put = (page: Page, hash: number, value: number): void => {
  const mask = page.places.length - 1
  let place = placeOf(hash) & mask
  while (page.places[place] !== 0) place = (place + 1) & mask
  page.places[place] = value + 1
  page.tags[place] = hash >>> 24
  page.count += 1
}

const newPage = (places: number, bits: number): Page => ({
  places: new Uint32Array(places),
  tags: new Uint8Array(places),
  count: 0,
  bits,
})

/** From other bits than the page, all of whose hashes end alike. */
const placeOf = (hash: number): number => Math.imul(hash, 0x9e3779b1) >>> 12
