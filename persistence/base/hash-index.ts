/**
 * Numbers by 32-bit hash. Open addressing in typed arrays of a few thousand places; a full one splits in two by one
 * more bit of the hash (extendible hashing). Adding a value never moves more than one page, so growth causes no pause.
 */
export type HashIndex = {
  /** The hash of a value; null drops the value because its object is gone. */
  readonly hashOf: (value: number) => number | null
  /** Hashes in a page end in the same bits. Without values there is no page. */
  pages: Page[]
}

type Page = {
  /** Value + 1; 0 for a free place, `removed` for one whose value was removed. */
  places: Uint32Array
  /** Eight bits of the hash, which rule out most other values without reading them. */
  tags: Uint8Array
  /** Places in use or removed. */
  count: number
  removed: number
  /** How many low bits of the hash its values share. */
  readonly bits: number
}

const removed = 0xffffffff
const firstPlaces = 16
const placesMax = 2048

/** An empty index. Passing the expected number of values avoids moving any while they are added. */
export const newHashIndex = (hashOf: (value: number) => number | null, expected = 0): HashIndex => {
  if (2 * expected <= placesMax) return { hashOf, pages: [] }
  const bits = Math.ceil(Math.log2((2 * expected) / placesMax))
  return { hashOf, pages: Array.from({ length: 2 ** bits }, () => newPage(placesMax, bits)) }
}

/** An index of the values from 0 to `count` (exclusive). */
export const hashIndexOf = (hashOf: (value: number) => number, count: number): HashIndex => {
  const index = newHashIndex(hashOf, count)
  for (let value = 0; value < count; value++) addHashed(index, hashOf(value), value)
  return index
}

/**
 * Adds a value. Many values with one hash make it slow: where that is expected, chain them and keep the newest here.
 */
export const addHashed = (index: HashIndex, hash: number, value: number): void => {
  if (index.pages.length === 0) index.pages = [newPage(firstPlaces, 0)]
  let page = pageOf(index, hash)
  while (4 * (page.count + 1) > 3 * page.places.length) {
    makeRoom(index, page)
    page = pageOf(index, hash)
  }
  put(page, hash, value)
}

/**
 * The first value with this hash that `isMeant` accepts; -1 if there is none. `isMeant` may see values with other
 * hashes.
 */
export const findHashed = (index: HashIndex, hash: number, isMeant: (value: number) => boolean): number => {
  if (index.pages.length === 0) return -1
  const page = pageOf(index, hash)
  const place = findPlace(page, hash, isMeant)
  return place === -1 ? -1 : page.places[place]! - 1
}

/** Replaces the value stored for this hash with another. */
export const replaceHashed = (index: HashIndex, hash: number, value: number, by: number): void => {
  const page = pageOf(index, hash)
  page.places[findPlace(page, hash, (other) => other === value)] = by + 1
}

/** Removes a value that was added with this hash. */
export const removeHashed = (index: HashIndex, hash: number, value: number): void => {
  if (index.pages.length === 0) return
  const page = pageOf(index, hash)
  const place = findPlace(page, hash, (other) => other === value)
  if (place === -1) return
  page.places[place] = removed
  page.removed += 1
}

const pageOf = ({ pages }: HashIndex, hash: number): Page => pages[hash & (pages.length - 1)]!

const findPlace = ({ places, tags }: Page, hash: number, isMeant: (value: number) => boolean): number => {
  const mask = places.length - 1
  const tag = hash >>> 24
  for (let place = placeOf(hash) & mask; ; place = (place + 1) & mask) {
    const found = places[place]!
    if (found === 0) return -1
    if (tags[place] === tag && found !== removed && isMeant(found - 1)) return place
  }
}

const makeRoom = (index: HashIndex, page: Page): void => {
  if (2 * page.removed > page.count) replace(index, page, page.places.length)
  else if (page.places.length < placesMax || !split(index, page)) replace(index, page, 2 * page.places.length)
}

const replace = (index: HashIndex, page: Page, places: number): void => {
  const other = newPage(places, page.bits)
  move(index, page, () => other)
  page.places = other.places
  page.tags = other.tags
  page.count = other.count
  page.removed = 0
}

/** Does not split when all values would go to one side: a page of very many equal hashes just grows. */
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
    const hash = found === 0 || found === removed ? null : hashOf(found - 1)
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
  removed: 0,
  bits,
})

/** Uses other bits than the page, whose hashes all end alike. */
const placeOf = (hash: number): number => Math.imul(hash, 0x9e3779b1) >>> 12
