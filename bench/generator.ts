import type { Cleanup } from './cleanup.ts'
import type { LoadRequest } from './workloads.ts'

export type Load = {
  readonly origin: string
  /** Other ports of this machine: each thread of wrk loads one of all, in turns. */
  readonly otherOrigins?: readonly string[]
  /** Sent in this order, over and over. */
  readonly requests: readonly LoadRequest[]
  readonly connections: number
  readonly seconds: number
}

/** The generator's result. Requests on their way at the end are not counted. */
export type LoadResult = {
  readonly requests: number
  readonly seconds: number
  /** The bytes of all responses, with their heads. */
  readonly bytes: number
  readonly p50Us: number
  readonly p99Us: number
  readonly p999Us: number
  readonly maxUs: number
  /** Responses with a status of 400 and above. */
  readonly statusErrors: number
  /** Connections refused, broken or without an answer in time. */
  readonly socketErrors: number
}

/** A closed loop: every connection sends its next request when the last is answered. */
export type Generator = {
  readonly name: string
  readonly load: (cleanup: Cleanup, load: Load) => Promise<LoadResult>
}

/** The tag in front of a mark of the place holder's length: no two loads of a run send the same mark. */
export const newTag = (): string => {
  tags += 1
  return tags.toString(36).padStart(3, '0')
}

let tags = 0

/** How long an answer may take before it counts as an error. */
export const timeoutSeconds = 10
