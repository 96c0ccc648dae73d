import { createHmac } from 'node:crypto'

/** One-time codes of an authenticator app (RFC 6238: SHA-1, six digits, 30 seconds). */

const stepMs = 30_000

/** The code of a time step. */
export const codeAt = (secret: Buffer, step: number): string => {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  // RFC 4226, section 5.3: the last four bits say where the 31 bits of the code begin.
  const bits = mac.readUInt32BE(mac.at(-1)! & 0xf) & 0x7fffffff
  return String(bits % 1_000_000).padStart(6, '0')
}

/**
 * The time step whose code this is: the present one or a neighbour, so that clocks may differ by half a minute,
 * and later than the last one used. USED for the code of a step already used; null for a wrong code.
 */
export const stepOf = (
  secret: Buffer,
  code: string,
  nowMs: number,
  lastUsed: number,
): number | 'USED' | null => {
  const presentStep = Math.floor(nowMs / stepMs)
  const steps = [presentStep - 1, presentStep, presentStep + 1].filter(
    (step) => codeAt(secret, step) === code,
  )
  return steps.find((step) => step > lastUsed) ?? (steps.length > 0 ? 'USED' : null)
}

/** The last time step whose code is taken at a moment. */
export const lastTakenStep = (nowMs: number): number => Math.floor(nowMs / stepMs) + 1

/** 160 bits (RFC 4226, section 4). */
export const totpSecretBytes = 20

/** The `otpauth:` URI that an authenticator app scans. */
export const totpUri = (secret: Buffer, email: string, issuer: string): string => {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`
  return `otpauth://totp/${label}?secret=${base32Of(secret)}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=6&period=30`
}

/** Base32 without padding (RFC 4648, section 6). */
export const base32Of = (bytes: Buffer): string => {
  let text = ''
  let bits = 0
  let value = 0
  for (const byte of bytes) {
    value = (value << 8) | byte
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet[(value >>> (bits - 5)) & 31]
    value &= 0xff
  }
  return bits === 0 ? text : text + alphabet[(value << (5 - bits)) & 31]
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
