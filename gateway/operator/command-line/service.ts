import { readFileSync } from 'node:fs'
import { adminFile } from '../listener.ts'

/** The running service, reached through its admin listener. */
export type Service = {
  /** Calls an operation and resolves to its answer. */
  readonly ask: (name: string, input: object) => Promise<Answer>
  /**
   * Calls an operation that reports progress; the next piece is read once the last one is handled. Aborting the
   * signal ends the operation, and rejects with the signal's reason.
   */
  readonly follow: (
    name: string,
    input: object,
    onProgress: (progress: Answer) => void | Promise<void>,
    signal: AbortSignal,
  ) => Promise<Answer>
}
export type Answer = Readonly<Record<string, unknown>>

/** A mistake or fact that the operator has to know about; printed without a stack. */
export const CommandFailure = class extends Error {}

/** The service that runs on a data directory. */
export const serviceAt = (dataDir: () => string): Service => ({
  ask: async (name, input) => {
    const response = await post(dataDir(), name, input)
    const answer = (await response.json()) as Answer
    if (!response.ok) throw new CommandFailure(String(answer.detail))
    return answer
  },
  follow: async (name, input, onProgress, signal) => {
    const response = await post(dataDir(), name, input, signal)
    if (!response.ok) throw new CommandFailure(String(((await response.json()) as Answer).detail))
    for await (const text of linesOf(response)) {
      const line = JSON.parse(text) as Partial<Record<'progress' | 'result', Answer> & { error: string }>
      if (line.progress !== undefined) await onProgress(line.progress)
      if (line.error !== undefined) throw new CommandFailure(line.error)
      if (line.result !== undefined) return line.result
    }
    throw new CommandFailure(endedEarly)
  },
})

const endedEarly = 'the service ended before it was done'

const post = async (
  dataDir: string,
  name: string,
  input: object,
  signal?: AbortSignal,
): Promise<Response> => {
  const { port, token } = adminOf(dataDir)
  try {
    return await fetch(`http://127.0.0.1:${port}/${name.replaceAll(' ', '/')}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body: JSON.stringify(input),
      ...(signal && { signal }),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    // The file was left by a killed service, or the service was killed just now.
    const isThere = (error as { cause?: { code?: string } }).cause?.code !== 'ECONNREFUSED'
    throw new CommandFailure(
      isThere ? endedEarly : `no service answers for ${dataDir}; start it, or set DATA_DIR`,
    )
  }
}

const linesOf = async function* (response: Response): AsyncIterable<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of response.body!) {
      text += decoder.decode(chunk, { stream: true })
      const lines = text.split('\n')
      text = lines.pop()!
      yield* lines
    }
  } catch (error) {
    // `terminated`: the service was killed while it answered.
    throw error instanceof TypeError ? new CommandFailure(endedEarly) : error
  }
}

const adminOf = (dataDir: string): { readonly port: number; readonly token: string } => {
  try {
    return JSON.parse(readFileSync(adminFile(dataDir), 'utf8')) as { port: number; token: string }
  } catch {
    throw new CommandFailure(`no running service in ${dataDir}; start it, or set DATA_DIR`)
  }
}
