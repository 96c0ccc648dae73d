/**
 * The SHA-256 of a text in UTF-8 (FIPS 180-4), as 64 hexadecimal digits. Meant for a few hundred bytes: long data
 * is hashed elsewhere.
 */
export const sha256 = (text: string): string =>
  [...hashOf(utf8.encode(text))].map((uint32) => uint32.toString(16).padStart(8, '0')).join('')

/** The SHA-256 of bytes, as bytes. */
export const sha256Bytes = (bytes: Uint8Array): Uint8Array => {
  const hash = new DataView(new ArrayBuffer(32))
  hashOf(bytes).forEach((uint32, n) => {
    hash.setUint32(4 * n, uint32)
  })
  return new Uint8Array(hash.buffer)
}

const hashOf = (bytes: Uint8Array): Uint32Array => {
  const message = padded(bytes)
  const hash = Uint32Array.from(initial)
  const schedule = new Uint32Array(64)
  for (let block = 0; block < message.byteLength; block += 64) compress(hash, schedule, message, block)
  return hash
}

const utf8 = new TextEncoder()

/** The message, a one bit, zeros, and the length in bits: a multiple of 64 bytes. */
const padded = (bytes: Uint8Array): DataView => {
  const whole = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64)
  whole.set(bytes)
  whole[bytes.length] = 0x80
  const view = new DataView(whole.buffer)
  view.setUint32(whole.length - 8, Math.floor(bytes.length / 2 ** 29))
  view.setUint32(whole.length - 4, bytes.length << 3)
  return view
}

const compress = (hash: Uint32Array, schedule: Uint32Array, message: DataView, at: number): void => {
  for (let n = 0; n < 16; n++) schedule[n] = message.getUint32(at + 4 * n)
  for (let n = 16; n < 64; n++) {
    const early = schedule[n - 15]!
    const late = schedule[n - 2]!
    const sigma0 = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3)
    const sigma1 = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10)
    schedule[n] = schedule[n - 16]! + sigma0 + schedule[n - 7]! + sigma1
  }
  let a = hash[0]!
  let b = hash[1]!
  let c = hash[2]!
  let d = hash[3]!
  let e = hash[4]!
  let f = hash[5]!
  let g = hash[6]!
  let h = hash[7]!
  for (let n = 0; n < 64; n++) {
    const sum1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
    const choice = (e & f) ^ (~e & g)
    const first = (h + sum1 + choice + constants[n]! + schedule[n]!) | 0
    const sum0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + sum0 + majority) | 0
  }
  hash[0]! += a
  hash[1]! += b
  hash[2]! += c
  hash[3]! += d
  hash[4]! += e
  hash[5]! += f
  hash[6]! += g
  hash[7]! += h
}

const rotated = (uint32: number, bits: number): number => (uint32 >>> bits) | (uint32 << (32 - bits))

const primes = (count: number): number[] => {
  const found: number[] = []
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime !== 0)) found.push(n)
  return found
}

/** The first 32 bits of the fractional part. */
const fraction = (value: number): number => ((value - Math.floor(value)) * 2 ** 32) >>> 0

const constants = Uint32Array.from(primes(64), (prime) => fraction(Math.cbrt(prime)))
const initial = Uint32Array.from(primes(8), (prime) => fraction(Math.sqrt(prime)))
