import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One exchange with a running service: what was sent, and what came back. */
export type Exchange = {
  readonly title: string
  readonly id?: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
  readonly status: number
  readonly answer: unknown
}

/** The document's examples: recordings, so that they are true; a test plays them again (`test/e2e/examples.test.ts`). */
export type Examples = {
  /** By operation. */
  readonly operations: Readonly<Record<string, readonly Exchange[]>>
  /** Refusals by status. */
  readonly refusals: Readonly<Record<string, readonly Exchange[]>>
}

/** Absent where they are being recorded for the first time. */
export const noExamples: Examples = { operations: {}, refusals: {} }

export const examplesFile = join(import.meta.dirname, '../../../docs/reference/examples.json')

export const readExamples = (): Examples => JSON.parse(readFileSync(examplesFile, 'utf8')) as Examples
