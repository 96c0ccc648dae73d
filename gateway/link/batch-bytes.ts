import { Packr, Unpackr } from 'msgpackr'
import type { Batch, CallOutcome, Kind, LinkCall, Result } from './link.ts'

/**
 * Bytes of a batch. What is flat, a relayed request or its response, is laid out part by part: its texts are joined and written at once, bytes stay
 * bytes. Commands, queries and what is answered to them are MessagePack, all of a batch in one piece at its end.
 *
 * The bytes begin behind `room` free ones, and belong to the caller, who may give their memory away.
 */
export const writeBatch = ({ calls, results }: Batch, room = 0): Buffer<ArrayBuffer> => {
  at = room
  others = []
  reserve(headBytes)
  at += headBytes
  for (const [number, kind, message] of calls) writeItem(number, kinds.indexOf(kind), message)
  for (const [number, outcome, value] of results) writeItem(number, outcomes.indexOf(outcome), value)
  view.setUint32(room, calls.length)
  view.setUint32(room + 4, results.length)
  view.setUint32(room + 8, at - room)
  if (others.length > 0) writeBytes(packr.pack(others))
  others = []
  // A buffer of the pool could not be given to another thread.
  const bytes = Buffer.allocUnsafeSlow(at) as Buffer<ArrayBuffer>
  scratch.copy(bytes, room, room, at)
  return bytes
}

/** The batch in the bytes behind `room` others. Bytes in it are views of these. */
export const readBatch = (bytes: Uint8Array, room = 0): Batch => {
  source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  read = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [callCount, resultCount] = [read.getUint32(room), read.getUint32(room + 4)]
  const othersAt = room + read.getUint32(room + 8)
  others = othersAt < source.length ? (unpackr.unpack(source.subarray(othersAt)) as unknown[]) : []
  otherAt = 0
  at = room + headBytes
  const [calls, results]: [LinkCall[], Result[]] = [[], []]
  for (let n = 0; n < callCount; n++) calls.push(readCall())
  for (let n = 0; n < resultCount; n++) results.push(readResult())
  others = []
  return { calls, results }
}

/** How many calls and results there are, and where the values in MessagePack begin. */
const headBytes = 12
/** The number of a call, what kind or outcome it has, and how many parts. */
const itemBytes = 12

// Places in these lists are what the bytes say: new ones come last.
const kinds: readonly Kind[] = ['execute', 'query', 'serve']
const outcomes: readonly CallOutcome[] = ['ok', 'unavailable', 'moved', 'fault']

// Records let the objects of a batch share field names. Sums of centavos are `bigint` of any size.
const options = { useRecords: true, moreTypes: false, useBigIntExtension: true }
const packr = new Packr(options)
// Buffers are copied: one that is kept for long, like the body of a delivery, must not keep the whole message.
const unpackr = new Unpackr({ ...options, copyBuffers: true })

let scratch = Buffer.allocUnsafeSlow(64 * 1024)
let view = new DataView(scratch.buffer)
let source: Buffer = scratch
let read: DataView = view
let at = 0
let others: unknown[] = []
let otherAt = 0

const reserve = (bytes: number): void => {
  if (at + bytes <= scratch.length) return
  const larger = Buffer.allocUnsafeSlow(Math.max(at + bytes, 2 * scratch.length))
  scratch.copy(larger, 0, 0, at)
  scratch = larger
  view = new DataView(larger.buffer)
}

/** Instead of a number of parts: the value is the next of those in MessagePack. */
const isOther = 0xffff

const writeItem = (number: number, tag: number, value: unknown): void => {
  const isParts = isFlat(value)
  reserve(itemBytes)
  view.setFloat64(at, number)
  view.setUint16(at + 8, tag)
  view.setUint16(at + 10, isParts ? value.length : isOther)
  at += itemBytes
  if (isParts) writeParts(value)
  else others.push(value)
}

type Part = string | number | Uint8Array

const isFlat = (value: unknown): value is readonly Part[] => {
  if (!Array.isArray(value) || value.length >= isOther) return false
  for (const part of value)
    if (typeof part !== 'string' && typeof part !== 'number' && !(part instanceof Uint8Array)) return false
  return true
}

/** The length of a part and what it is, in 32 bits. Then come all texts as one, and numbers and bytes in their order. */
const partBytes = 4
const [isText, isNumber, isBytes] = [0, 1, 2]

const writeParts = (parts: readonly Part[]): void => {
  const count = parts.length
  reserve(partBytes * count + 4)
  let texts = ''
  let dataBytes = 0
  for (let n = 0; n < count; n++) {
    const part = parts[n]!
    let packed: number
    if (typeof part === 'string') {
      if (part !== '') texts += part
      packed = part.length * 4 + isText
    } else if (typeof part === 'number') {
      dataBytes += 8
      packed = isNumber
    } else {
      dataBytes += part.length
      packed = part.length * 4 + isBytes
    }
    view.setUint32(at, packed)
    at += partBytes
  }
  const textBytes = Buffer.byteLength(texts)
  const isAscii = textBytes === texts.length
  view.setUint32(at, textBytes * 2 + (isAscii ? 1 : 0))
  at += 4
  reserve(textBytes + dataBytes)
  at += scratch.write(texts, at, isAscii ? 'latin1' : 'utf8')
  for (let n = 0; n < count; n++) {
    const part = parts[n]!
    if (typeof part === 'string') continue
    if (typeof part === 'number') {
      view.setFloat64(at, part)
      at += 8
    } else {
      scratch.set(part, at)
      at += part.length
    }
  }
}

const writeBytes = (bytes: Uint8Array): void => {
  reserve(bytes.length)
  scratch.set(bytes, at)
  at += bytes.length
}

const readCall = (): LinkCall => {
  const number = read.getFloat64(at)
  const tag = read.getUint16(at + 8)
  // One that only a newer build knows is refused where calls are served.
  return [number, kinds[tag] ?? (`kind ${tag}` as Kind), readValue() as LinkCall[2]]
}

const readResult = (): Result => {
  const number = read.getFloat64(at)
  const tag = read.getUint16(at + 8)
  return [number, outcomes[tag] ?? (`outcome ${tag}` as CallOutcome), readValue()]
}

const readValue = (): unknown => {
  const parts = read.getUint16(at + 10)
  at += itemBytes
  return parts === isOther ? others[otherAt++] : readParts(parts)
}

const readParts = (count: number): readonly Part[] => {
  let lengthAt = at
  at += partBytes * count
  const packedTexts = read.getUint32(at)
  const textsEnd = at + 4 + (packedTexts >>> 1)
  const texts = source.toString(packedTexts % 2 === 1 ? 'latin1' : 'utf8', at + 4, textsEnd)
  at = textsEnd
  let textAt = 0
  const parts: Part[] = []
  for (let n = 0; n < count; n++) {
    const packed = read.getUint32(lengthAt)
    lengthAt += partBytes
    const length = packed >>> 2
    if ((packed & 3) === isText) {
      parts.push(length === 0 ? '' : texts.substring(textAt, textAt + length))
      textAt += length
    } else if ((packed & 3) === isNumber) {
      parts.push(read.getFloat64(at))
      at += 8
    } else {
      parts.push(source.subarray(at, at + length))
      at += length
    }
  }
  return parts
}
