import { hash } from 'node:crypto'

/** A process that keeps replicas: a node that starts again is another one. */
export type Member = { readonly node: string; readonly incarnation: string }

/**
 * A record of a shard's log: a batch of entries (empty where an owner only says that it is there), the claim of a new
 * owner, or the handover to one. Its place in the log is the stream sequence, which the record does not hold.
 */
export type LogRecord = {
  readonly kind: 'BATCH' | 'CLAIM' | 'HANDOVER'
  /** Counts the owners. A claim and a handover begin a new one. */
  readonly epoch: number
  /** Who wrote it. */
  readonly by: Member
  /** Of the record before it (see `chainHash`), so that a reader sees when a log does not continue what it has. */
  readonly previous: string
  /** The journal sequence of its first entry, and how many there are. */
  readonly first: number
  readonly count: number
  /** Up to this journal sequence the owner has published every event. */
  readonly published: number
  /** Of a handover. */
  readonly to: Member | null
  /** Of an empty batch: nobody needs the shard now, and its owner will rarely say that it is there. */
  readonly rests?: true
}

const formatVersion = 2
const headBytes = 3

/** Version, length of the head (16 bits, little-endian), head as JSON, the entries as the journal keeps them. */
export const packRecord = (record: LogRecord, batch: Uint8Array | null = null): Buffer => {
  const head = Buffer.from(JSON.stringify(record))
  const start = Buffer.alloc(headBytes)
  start[0] = formatVersion
  start.writeUInt16LE(head.length, 1)
  return Buffer.concat(batch === null ? [start, head] : [start, head, batch])
}

/** Throws where the bytes are of another version. */
export const unpackRecord = (bytes: Buffer): { readonly record: LogRecord; readonly batch: Buffer } => {
  const version = bytes[0]
  if (version !== formatVersion)
    throw new Error(`a log record has version ${version}; this program reads ${formatVersion}`)
  const end = headEnd(bytes)
  return {
    record: JSON.parse(bytes.toString('utf8', headBytes, end)) as LogRecord,
    batch: bytes.subarray(end),
  }
}

/** Where the head of a packed record ends and its entries begin. */
export const headEnd = (bytes: Buffer): number => headBytes + bytes.readUInt16LE(1)

/** The hash of a log up to and with this record. */
export const chainHash = (previous: string, bytes: Uint8Array): string =>
  hash('sha256', Buffer.concat([Buffer.from(previous), bytes]), 'base64').slice(0, 22)

/** The hash of a log without records. */
export const emptyChain = ''

export const isSame = (a: Member | null, b: Member): boolean =>
  a !== null && a.node === b.node && a.incarnation === b.incarnation
