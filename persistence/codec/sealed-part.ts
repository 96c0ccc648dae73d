import { createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto'
import { Damaged } from '../disk/damage.ts'

/** A key that personal texts are sealed with, known by its number where they are stored. */
export type PersonalKey = { readonly number: number; readonly bytes: Uint8Array }

/**
 * The sealed part of a stored value (AES-256-GCM): the key's number, the initialization vector, the tag, the
 * ciphertext, and how long all of that is, so that it is found from the value's end.
 */
export const sealPart = ({ number, bytes: key }: PersonalKey, plain: Uint8Array): Buffer => {
  const length = ciphertextAt + plain.length
  const part = Buffer.allocUnsafe(length + lengthBytes)
  part.writeUInt32LE(number, 0)
  const iv = randomFillSync(part.subarray(ivAt, tagAt))
  const cipher = createCipheriv(algorithm, key, iv)
  part.set(cipher.update(plain), ciphertextAt)
  cipher.final()
  part.set(cipher.getAuthTag(), tagAt)
  part.writeUInt32LE(length, length)
  return part
}

/** Where the sealed part of a value begins that ends here; before `from` where the bytes are not whole. */
export const startOfPart = (bytes: Buffer, from: number, end: number): number =>
  end - from < ciphertextAt + lengthBytes
    ? from - 1
    : end - lengthBytes - bytes.readUInt32LE(end - lengthBytes)

/** The number of the key of a sealed part. */
export const keyNumberOf = (bytes: Buffer, start: number): number => bytes.readUInt32LE(start)

/** How many bytes are sealed in a part. */
export const sealedBytesOf = (start: number, end: number): number => end - lengthBytes - start - ciphertextAt

/** The bytes that are sealed in a part. Throws `Damaged` when the key does not fit. */
export const openPart = (bytes: Buffer, start: number, end: number, key: Uint8Array): Buffer => {
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(start + ivAt, start + tagAt))
  decipher.setAuthTag(bytes.subarray(start + tagAt, start + ciphertextAt))
  const plain = decipher.update(bytes.subarray(start + ciphertextAt, end - lengthBytes))
  try {
    decipher.final()
  } catch {
    throw new Damaged(`personal texts are not what was sealed with key ${keyNumberOf(bytes, start)}`)
  }
  return plain
}

const algorithm = 'aes-256-gcm'
const ivAt = 4
const tagAt = ivAt + 12
const ciphertextAt = tagAt + 16
const lengthBytes = 4
