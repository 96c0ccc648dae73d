import { createHash } from 'node:crypto'

/** The namespace of the ids of calls: any fixed UUID will do, and this one never changes. */
const namespace = Buffer.from('6f1c9d0e3b7a4c52a8e45d2b90c7f318', 'hex')

/** The UUID of a call (RFC 9562, version 5): the same whenever the call is asked, also after a restart. */
export const callUuidOf = (callId: string): string => {
  const bytes = createHash('sha1').update(namespace).update(callId).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x50
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
