import type { ServerResponse } from 'node:http'
import type { Input } from './input.ts'
import { OperationRefusal } from './refusal.ts'

/** What takes so long that somebody who waits wants to know how far it is, and may give it up by going away. */
export type LongOperation = (input: Input, watcher: Watcher) => Promise<object>
export type Watcher = {
  readonly send: (progress: object) => void
  /** Whether what was told waits to be read. */
  readonly isBehind: () => boolean
  /** Aborted when the watcher goes away. */
  readonly signal: AbortSignal
}
export type LongOperations = Readonly<Record<string, LongOperation>>

/**
 * Answers with a line of JSON for each progress, and a last one with the `result` or an `error`. What is refused before there
 * is any progress rejects.
 */
export const answerInLines = async (
  operation: LongOperation,
  input: Input,
  response: ServerResponse,
  onFault: (error: unknown) => void,
): Promise<void> => {
  const leaving = new AbortController()
  response.once('close', () => leaving.abort())
  const writeLine = (line: object): void => {
    if (!response.headersSent) response.writeHead(200, { 'Content-Type': 'application/x-ndjson' })
    response.write(`${JSON.stringify(line)}\n`)
  }
  try {
    const result = await operation(input, {
      send: (progress) => writeLine({ progress }),
      isBehind: () => response.writableNeedDrain,
      signal: leaving.signal,
    })
    writeLine({ result })
  } catch (error) {
    if (!response.headersSent) throw error
    if (!(error instanceof OperationRefusal)) onFault(error)
    writeLine({ error: error instanceof OperationRefusal ? error.message : 'internal error' })
  }
  response.end()
}
