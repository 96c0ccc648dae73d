/**
 * Keccak-256 as Ethereum uses it, with the padding of before FIPS 202, as 64 hexadecimal digits. For addresses: one block, with integers
 * of 64 bits, which is slow and short.
 */
export const keccak256 = (text: string): string => {
  const block = new Uint8Array(rateBytes)
  const bytes = new TextEncoder().encode(text)
  if (bytes.length >= rateBytes) throw new Error('an address fits into one block')
  block.set(bytes)
  block[bytes.length]! ^= 0x01
  block[rateBytes - 1]! ^= 0x80
  const view = new DataView(block.buffer)
  const lanes = Array.from({ length: 25 }, (_, n) =>
    n < rateBytes / 8 ? view.getBigUint64(8 * n, true) : 0n,
  )
  permute(lanes)
  const hash = new DataView(new ArrayBuffer(32))
  for (let n = 0; n < 4; n++) hash.setBigUint64(8 * n, lanes[n]!, true)
  return [...new Uint8Array(hash.buffer)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

const rateBytes = 136
const rounds = 24
const mask = (1n << 64n) - 1n

const rotated = (lane: bigint, bits: number): bigint =>
  ((lane << BigInt(bits)) | (lane >> BigInt(64 - bits))) & mask

/** Keccak-f[1600] (FIPS 202, section 3.2); the lane at (x, y) is the one at x + 5y. */
const permute = (lanes: bigint[]): void => {
  for (let round = 0; round < rounds; round++) {
    const columns = Array.from({ length: 5 }, (_, x) =>
      [0, 5, 10, 15, 20].reduce((parity, row) => parity ^ lanes[x + row]!, 0n),
    )
    for (let n = 0; n < 25; n++) lanes[n]! ^= columns[(n + 4) % 5]! ^ rotated(columns[((n % 5) + 1) % 5]!, 1)
    let lane = lanes[1]!
    for (const [n, place] of places.entries()) {
      const next = lanes[place]!
      lanes[place] = rotated(lane, (((n + 1) * (n + 2)) / 2) % 64)
      lane = next
    }
    for (let row = 0; row < 25; row += 5) {
      const before = lanes.slice(row, row + 5)
      for (let x = 0; x < 5; x++)
        lanes[row + x] = before[x]! ^ (~before[(x + 1) % 5]! & mask & before[(x + 2) % 5]!)
    }
    lanes[0]! ^= roundConstants[round]!
  }
}

/** Where the lane at (1, 0) wanders: (x, y) goes to (y, 2x + 3y). */
const places: readonly number[] = (() => {
  const found: number[] = []
  let [x, y] = [1, 0]
  for (let n = 0; n < 24; n++) {
    ;[x, y] = [y, (2 * x + 3 * y) % 5]
    found.push(x + 5 * y)
  }
  return found
})()

/** The bits of a shift register, at the places that are one less than a power of two. */
const roundConstants: readonly bigint[] = (() => {
  let register = 1
  return Array.from({ length: rounds }, () => {
    let constant = 0n
    for (let n = 0; n <= 6; n++) {
      if ((register & 1) === 1) constant |= 1n << BigInt(2 ** n - 1)
      register = (register << 1) ^ (register & 0x80 ? 0x171 : 0)
    }
    return constant
  })
})()
