import { Packr, Unpackr } from 'msgpackr'
import { assert } from '../../../engine/shared/assert.ts'
import { bounds } from '../../base/bounds.ts'
import { readBatch, writeBatch } from '../batch-bytes.ts'
import type { Batch, LinkCall, WorkerPlace } from '../link.ts'

/**
 * A message between nodes: a packed batch or a part of one. In form 1 all of it is MessagePack; in form 2 it is MessagePack of the form and the rest
 * as bytes, so that every build reads the form, and the batch is as between threads.
 */
export type Frame = readonly [
  form: number,
  node: string,
  worker: number,
  /** The parts of a batch share this number and arrive in order. */
  number: number,
  part: number,
  parts: number,
  bytes: Uint8Array,
]

/** The forms of frames, oldest first: a node takes each, and sends the newest that comes with what the cluster writes. */
const forms: readonly { readonly form: number; readonly since: number }[] = [
  { form: 1, since: 13 },
  { form: 2, since: 14 },
]

/** The form in which nodes send frames where the cluster writes this version. */
export const formIn = (writtenVersion: number): number => {
  const found = forms.findLast(({ since }) => since <= writtenVersion)
  assert(found !== undefined, 'a cluster writes a version that has frames')
  return found.form
}

const options = { useRecords: true, moreTypes: false, useBigIntExtension: true }
const packr = new Packr(options)
const unpackr = new Unpackr({ ...options, copyBuffers: true })

export type Outgoing = { readonly calls: readonly LinkCall[]; readonly messages: readonly Uint8Array[] }

/**
 * Packs a batch into frames. A batch that is too long for one message is halved, and a single call or result is split into parts.
 */
export const framesOf = (
  from: WorkerPlace,
  batch: Batch,
  newNumber: () => number,
  form: number,
): readonly Outgoing[] => {
  const { calls, results } = batch
  const head = headRoom(from)
  const packed = form === 1 ? packr.pack([calls, results]) : writeBatch(batch, head)
  const max = bounds.nodeMessageBytesMax
  if (packed.length > max && calls.length + results.length > 1)
    return halvesOf(batch).flatMap((half) => framesOf(from, half, newNumber, form))
  const number = newNumber()
  const parts = Math.ceil(packed.length / max)
  // What fits is sent as it is.
  if (form !== 1 && parts === 1) return [{ calls, messages: [writeHead(packed, from, number, 0, 1)] }]
  const whole = form === 1 ? packed : packed.subarray(head)
  const messages = Array.from({ length: parts }, (_, part) => {
    const bytes = whole.subarray(part * max, (part + 1) * max)
    return form === 1
      ? packr.pack([form, from.node, from.worker, number, part, parts, bytes] satisfies Frame)
      : writeHead(Buffer.concat([Buffer.alloc(head), bytes]), from, number, part, parts)
  })
  return [{ calls, messages }]
}

/** An array of two: the form, and bytes whose length is in the next 32 bits. */
const arrayOfTwo = 0x92
const bytesOf32 = 0xc6
const fixedBytes = 7 + 8 + 4 + 4 + 4 + 1

/** Bytes of a frame before its part of the batch. */
const headRoom = ({ node }: WorkerPlace): number => fixedBytes + node.length

/** Writes what stands before a batch or a part of one, into the room that it has left. Names of nodes are ASCII. */
const writeHead = (
  frame: Buffer,
  { node, worker }: WorkerPlace,
  number: number,
  part: number,
  parts: number,
): Buffer => {
  frame[0] = arrayOfTwo
  frame[1] = 2
  frame[2] = bytesOf32
  frame.writeUInt32BE(frame.length - 7, 3)
  frame.writeDoubleLE(number, 7)
  frame.writeUInt32LE(part, 15)
  frame.writeUInt32LE(parts, 19)
  frame.writeUInt32LE(worker, 23)
  frame[27] = node.length
  frame.write(node, fixedBytes, 'latin1')
  return frame
}

const readHead = (bytes: Uint8Array): Frame => {
  const frame = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const head = fixedBytes + frame[27]!
  const node = frame.toString('latin1', fixedBytes, head)
  const [number, part, parts] = [frame.readDoubleLE(7), frame.readUInt32LE(15), frame.readUInt32LE(19)]
  return [2, node, frame.readUInt32LE(23), number, part, parts, frame.subarray(head)]
}

const halvesOf = ({ calls, results }: Batch): readonly Batch[] => {
  const [callsMiddle, resultsMiddle] = [calls.length >> 1, (results.length + 1) >> 1]
  return [
    { calls: calls.slice(0, callsMiddle), results: results.slice(0, resultsMiddle) },
    { calls: calls.slice(callsMiddle), results: results.slice(resultsMiddle) },
  ]
}

/** Unpacks a frame. Throws for one of a form that this build does not know. */
export const readFrame = (bytes: Uint8Array): Frame => {
  if (bytes[0] === arrayOfTwo && bytes[1] === 2) return readHead(bytes)
  const frame = unpackr.unpack(bytes) as Frame
  if (!forms.some(({ form }) => form === frame[0]))
    throw new Error(`a message of form ${frame[0]}, which only a newer version of the service reads`)
  return frame
}

/** Reassembles the batches of one sender; null until a batch is complete. A batch that lost a part is dropped, and so is one that came before. */
export const newAssembly = (): ((frame: Frame) => Batch | null) => {
  let current = 0
  let gathered: Uint8Array[] = []
  const whole = newRecent()
  return ([form, , , number, part, parts, bytes]) => {
    if (part === 0) {
      current = number
      gathered = []
    }
    if (number !== current || part !== gathered.length) return null
    gathered.push(bytes)
    if (gathered.length < parts) return null
    const packed = parts === 1 ? bytes : Buffer.concat(gathered)
    gathered = []
    // NATS delivers once. If anything between did not, calls must not be done twice.
    if (!whole.add(number)) return null
    if (form !== 1) return readBatch(packed)
    const [calls, results] = unpackr.unpack(packed) as [Batch['calls'], Batch['results']]
    return { calls, results }
  }
}

/** The newest numbers of a sender. It may have started anew, and what left through another server may overtake: smaller ones are not older. */
const newRecent = () => {
  const numbers: number[] = []
  return {
    /** False if the number is among them. */
    add: (number: number): boolean => {
      if (numbers.includes(number)) return false
      if (numbers.push(number) > recentMax) numbers.shift()
      return true
    },
  }
}

const recentMax = 32
