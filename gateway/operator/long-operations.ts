import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Input } from '../operations/input.ts'
import { OperationRefusal } from '../problems/refusal.ts'

/** An operation that takes so long that its caller wants to see progress, and can give it up by disconnecting. */
export type LongOperation = (input: Input, watcher: Watcher) => Promise<object>
export type Watcher = {
  readonly send: (progress: object) => void
  /** Whether sent progress is still waiting to be read. */
  readonly isBehind: () => boolean
  /** Resolves when it has been read, or the watcher has left. */
  readonly caughtUp: () => Promise<void>
  /** Aborted when the watcher leaves. */
  readonly signal: AbortSignal
}
export type LongOperations = Readonly<Record<string, LongOperation>>

/**
 * Answers with a line of JSON for each piece of progress, then a last one with the `result` or an `error`. Rejects if the
 * operation is refused before any progress.
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
      caughtUp: async () => {
        if (response.writableNeedDrain && !leaving.signal.aborted)
          await once(response, 'drain', leaving).catch(() => undefined)
      },
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
