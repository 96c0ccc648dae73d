import { checksumBytes, checksumOf } from '../base/checksum.ts'
import { Damaged } from './damage.ts'

type Key = string | number

/** A value to store: its checksum in front, which also covers its key, so that neither can be exchanged. */
export const withChecksum = (key: Key, bytes: Uint8Array): Buffer =>
  Buffer.concat([checksumOf(String(key), bytes), bytes])

/** A stored value without its checksum; null when they do not fit. */
export const fittingValue = (key: Key, value: Buffer): Buffer | null => {
  const bytes = value.subarray(checksumBytes)
  return checksumOf(String(key), bytes).equals(value.subarray(0, checksumBytes)) ? bytes : null
}

/** A stored value without its checksum. Throws `Damaged` when they do not fit; `shelf` is named in the message. */
export const checkedValue = (shelf: string, key: Key, value: Buffer): Buffer => {
  const bytes = fittingValue(key, value)
  if (bytes === null) throw new Damaged(`${shelf} ${key} is damaged`)
  return bytes
}
