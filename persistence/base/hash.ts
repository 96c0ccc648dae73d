/** 53 bits of a text as a whole number, seeded by the store's random number. 0 stands for no text. */
export const hash53 = (seed: number, text: string | null): number => {
  if (text === null) return 0
  begin(seed)
  feed(text)
  end()
  return (hash[1]! >>> 11) * 4294967296 + hash[0]! || 1
}

/** 64 bits of several texts in order, as two numbers that the next call overwrites. */
export const hash64 = (
  seed: number,
  first: string,
  second: string | null,
  third: string | null,
): Uint32Array => {
  begin(seed)
  feed(first)
  feed(second)
  feed(third)
  end()
  return hash
}

// Two 32-bit chains, mixed at the end as in MurmurHash3.
const chains = new Int32Array(2)
const hash = new Uint32Array(2)

const begin = (seed: number): void => {
  chains[0] = seed ^ 0x5bd1e995
  chains[1] = seed ^ 0x1b873593
}

const feed = (text: string | null): void => {
  let a = chains[0]!
  let b = chains[1]!
  const length = text === null ? -1 : text.length
  for (let n = 0; n < length; n++) {
    const code = text!.charCodeAt(n)
    a = Math.imul(a ^ code, 0x85ebca77)
    b = Math.imul(b ^ code, 0xc2b2ae3d)
  }
  // Marks where one text ends and the next begins.
  chains[0] = Math.imul(a ^ length, 0x85ebca77)
  chains[1] = Math.imul(b ^ length, 0xc2b2ae3d)
}

const end = (): void => {
  let a = chains[0]!
  let b = chains[1]!
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35)
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35)
  hash[0] = a
  hash[1] = b
}

/** 32 well mixed bits of a text, or of its two parts. */
export const hash32 = (seed: number, text: string, more = ''): number => {
  let hash = seed ^ 0x811c9dc5
  for (let n = 0; n < text.length; n++) hash = Math.imul(hash ^ text.charCodeAt(n), 0x01000193)
  hash = Math.imul(hash ^ 0xff, 0x01000193)
  for (let n = 0; n < more.length; n++) hash = Math.imul(hash ^ more.charCodeAt(n), 0x01000193)
  return mix(hash)
}

/** Mixes the bits of a 32-bit number, as at the end of MurmurHash3. */
export const mix = (bits: number): number => {
  let hash = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** 64 bits of a text in a numbered set of texts, as two numbers that the next call overwrites. */
export const hashIn = (seed: number, set: number, text: string): Uint32Array => {
  begin(seed ^ Math.imul(set, 0x9e3779b1))
  feed(text)
  end()
  return hash
}
