import { hash } from 'node:crypto'

/** A process with replicas: a restarted node is a different member. */
export type Member = { readonly node: string; readonly incarnation: string }

/**
 * A record of a shard's log: a batch of entries (empty for a renewal), the claim of a new owner, or a handover to one.
 * Its position is the stream sequence, which is not stored in the record.
 */
export type LogRecord = {
  readonly kind: 'BATCH' | 'CLAIM' | 'HANDOVER'
  /** Counts owners: each claim or handover starts a new epoch. */
  readonly epoch: number
  /** The member that wrote it. */
  readonly by: Member
  /**
   * The hash up to the previous record (see `chainHash`), so that a reader notices when a log does not continue its
   * own.
   */
  readonly previous: string
  /** The journal sequence of its first entry, and the number of entries. */
  readonly first: number
  readonly count: number
  /** The owner has planned the webhooks of all events up to this journal sequence. */
  readonly published: number
  /** The owner has published all events up to this one on NATS; absent in records of earlier versions (see `EventProgress`). */
  readonly streamed?: number
  /** The new owner, in a handover. */
  readonly to: Member | null
  /** On an empty batch: the shard is not needed now, so its owner will renew rarely. */
  readonly rests?: true
}

/** A record with its position in the log: as stored, and what it says. */
export type Placed = {
  readonly sequence: number
  readonly bytes: Buffer
  readonly record: LogRecord
  /** The entries of the record, as journals store them. */
  readonly batch: Buffer
}

/** A stored record at its position. Throws on bytes of another version. */
export const placedAt = (sequence: number, bytes: Buffer): Placed => ({
  sequence,
  bytes,
  ...unpackRecord(bytes),
})

const formatVersion = 2
const headBytes = 3

/** Version, length of the head (16 bits, little-endian), head as JSON, then the entries as journals store them. */
export const packRecord = (record: LogRecord, batch: Uint8Array | null = null): Buffer => {
  const head = Buffer.from(JSON.stringify(record))
  const start = Buffer.alloc(headBytes)
  start[0] = formatVersion
  start.writeUInt16LE(head.length, 1)
  return Buffer.concat(batch === null ? [start, head] : [start, head, batch])
}

/** The record and its entries. Throws on bytes of another version. */
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

/** The hash of a log up to and including this record. */
export const chainHash = (previous: string, bytes: Uint8Array): string =>
  hash('sha256', Buffer.concat([Buffer.from(previous), bytes]), 'base64').slice(0, 22)

/** The hash of a log without records. */
export const emptyChain = ''

/** Whether two members are the same process. */
export const isSame = (a: Member | null, b: Member): boolean =>
  a !== null && a.node === b.node && a.incarnation === b.incarnation
