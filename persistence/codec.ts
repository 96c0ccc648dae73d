import { Packr, Unpackr } from 'msgpackr'

/**
 * How facts and states become bytes: one version byte, then MessagePack (msgpackr with inline record definitions, so
 * every value can be read by itself). A newer program reads every older version for ever: it adds a case to `unpack`.
 */
export const codecVersion = 1

const packr = new Packr({ useRecords: true, moreTypes: false, encodeUndefinedAsNil: false })
const unpackr = new Unpackr({ useRecords: true })

export const pack = (value: unknown): Buffer => {
  const packed = packr.pack(value)
  const bytes = Buffer.allocUnsafe(packed.length + 1)
  bytes[0] = codecVersion
  bytes.set(packed, 1)
  return bytes
}

/** Throws where the bytes are of a version that this program does not know, or are damaged. */
export const unpack = (bytes: Uint8Array): unknown => {
  const version = bytes[0]
  switch (version) {
    case 1:
      return unpackr.unpack(bytes.subarray(1))
    default:
      throw new Error(`stored bytes have version ${version}; this program reads up to ${codecVersion}`)
  }
}
