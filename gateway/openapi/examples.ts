import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One exchange with a running service: the request, and the response. */
export type RecordedExchange = {
  readonly title: string
  readonly id?: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
  readonly status: number
  readonly answer: unknown
}

/** The document's examples. They are recorded, so that they are true, and a test replays them (`test/e2e/examples.test.ts`). */
export type Examples = {
  /** By operation id. */
  readonly operations: Readonly<Record<string, readonly RecordedExchange[]>>
  /** Refusals by status. */
  readonly refusals: Readonly<Record<string, readonly RecordedExchange[]>>
}

export const examplesFile = join(import.meta.dirname, '../../../docs/reference/examples.json')

/** Reads the recorded examples. */
export const readExamples = (): Examples => JSON.parse(readFileSync(examplesFile, 'utf8')) as Examples
