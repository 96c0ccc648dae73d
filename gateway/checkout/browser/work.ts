/**
 * Work that a browser does by itself before a form is taken while a link is attacked: a number whose SHA-256 behind the form's nonce begins
 * with so many zero bits. A payer waits a moment; who sends a hundred thousand forms pays for each. SHA-256 is FIPS 180-4, written out because the
 * browser's own answers each hash with a promise.
 */
export const findWork = async (nonce: string, bits: number): Promise<string> => {
  const prefix = `${nonce}:`
  for (let n = 0; ; n++) {
    if (leadingZeros(sha256First(prefix + n)) >= bits) return String(n)
    // The page stays alive meanwhile.
    if (n % 20_000 === 19_999) await new Promise((resolve) => setTimeout(resolve))
  }
}

const leadingZeros = (bits: number): number => Math.clz32(bits)

const fraction = (x: number): number => ((x - Math.floor(x)) * 0x1_0000_0000) | 0
const primes: number[] = []
for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n)
const constants = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)))
const initial = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))
const words = new Int32Array(64)
const state = new Int32Array(8)

/** The first 32 bits of the hash of a text of ASCII. */
const sha256First = (text: string): number => {
  const blocks = ((text.length + 8) >> 6) + 1
  state.set(initial)
  for (let block = 0; block < blocks; block++) {
    for (let i = 0; i < 16; i++) {
      let value = 0
      for (let j = 0; j < 4; j++) {
        const at = block * 64 + i * 4 + j
        const byte = at < text.length ? text.charCodeAt(at) : at === text.length ? 0x80 : 0
        value = (value << 8) | byte
      }
      words[i] = value
    }
    if (block === blocks - 1) words[15] = text.length * 8
    for (let i = 16; i < 64; i++) {
      const a = words[i - 15]!
      const b = words[i - 2]!
      const s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3)
      const s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10)
      words[i] = words[i - 16]! + s0 + words[i - 7]! + s1
    }
    mix()
  }
  return state[0]!
}

const mix = (): void => {
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + constants[i]! + words[i]!) | 0
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  ;[a, b, c, d, e, f, g, h].forEach((value, i) => {
    state[i] = state[i]! + value
  })
}

const rotate = (x: number, n: number): number => (x >>> n) | (x << (32 - n))
