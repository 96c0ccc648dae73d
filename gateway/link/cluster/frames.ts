import { Packr, Unpackr } from 'msgpackr'
import { assert } from '../../../engine/shared/assert.ts'
import { bounds } from '../../base/bounds.ts'
import type { Batch, LinkCall, WorkerPlace } from '../link.ts'

/** A message between nodes, as MessagePack: a packed batch or a part of one. */
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
const forms: readonly { readonly form: number; readonly since: number }[] = [{ form: 1, since: 13 }]

/** The form in which nodes send frames where the cluster writes this version. */
export const formIn = (writtenVersion: number): number => {
  const found = forms.findLast(({ since }) => since <= writtenVersion)
  assert(found !== undefined, 'a cluster writes a version that has frames')
  return found.form
}

// Records let the objects of a batch share field names. Sums of centavos are `bigint` of any size.
const options = { useRecords: true, moreTypes: false, useBigIntExtension: true }
const packr = new Packr(options)
// Buffers are copied: one that is kept for long, like the body of a delivery, must not keep the whole message.
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
  const packed = packr.pack([calls, results])
  const max = bounds.nodeMessageBytesMax
  if (packed.length > max && calls.length + results.length > 1)
    return halvesOf(batch).flatMap((half) => framesOf(from, half, newNumber, form))
  const number = newNumber()
  const parts = Math.ceil(packed.length / max)
  const messages = Array.from({ length: parts }, (_, part) => {
    const bytes = packed.subarray(part * max, (part + 1) * max)
    return packr.pack([form, from.node, from.worker, number, part, parts, bytes] satisfies Frame)
  })
  return [{ calls, messages }]
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
  const frame = unpackr.unpack(bytes) as Frame
  if (!forms.some(({ form }) => form === frame[0]))
    throw new Error(`a message of form ${frame[0]}, which only a newer version of the service reads`)
  return frame
}

/** Reassembles the batches of one sender; null until a batch is complete. A batch that lost a part is dropped. */
export const newAssembly = (): ((frame: Frame) => Batch | null) => {
  let current = 0
  let gathered: Uint8Array[] = []
  return ([, , , number, part, parts, bytes]) => {
    if (part === 0) {
      current = number
      gathered = []
    }
    if (number !== current || part !== gathered.length) return null
    gathered.push(bytes)
    if (gathered.length < parts) return null
    const [calls, results] = unpackr.unpack(parts === 1 ? bytes : Buffer.concat(gathered)) as [
      Batch['calls'],
      Batch['results'],
    ]
    gathered = []
    return { calls, results }
  }
}
