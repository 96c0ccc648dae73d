import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import type { FileOver } from './run-files.ts'

/** What came of a test file: how many assertions passed and failed, and what it wrote. */
export type FileOutcome = {
  readonly passed: number
  readonly failed: number
  readonly output: string
  readonly errors: string
}

/** A process that runs one test file after the other. */
export type FileProcess = {
  /** Runs a file, bundled. What ends the process in its middle has failed it. */
  readonly run: (file: string) => Promise<FileOutcome>
  /** Whether another file may run in it: one that has failed may have left anything behind, and much memory takes long to collect. */
  readonly isFresh: () => boolean
  /** Resolves to what is wrong with its end, or null: it must end by itself, with nothing left open. */
  readonly end: () => Promise<string | null>
}

const heapBytesMax = 600 * 2 ** 20

/** Starts a process for test files; each file, and the end of the process, may take so long. */
export const startFileProcess = (
  program: string,
  timeoutSeconds: number,
  endSeconds = timeoutSeconds,
): FileProcess => {
  const child = spawn(process.execPath, [program], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, TAP_TIMEOUT: String(timeoutSeconds) },
  })
  const streams = [textOf(child, 'stdout'), textOf(child, 'stderr')] as const
  // Not its 'close', which does not come where the connection was closed from here.
  const closed = new Promise<string>((resolve) =>
    child.once('exit', (code, signal) => resolve(String(signal ?? code))),
  ).then((code) => Promise.all(streams.map(({ closed }) => closed)).then(() => code))
  const files: string[] = []
  let isFresh = true

  const run = async (file: string): Promise<FileOutcome> => {
    const mark = `\n# the end of file ${files.push(file)}\n`
    const killing = setTimeout(() => child.kill('SIGKILL'), (timeoutSeconds + 20) * 1000)
    const over = new Promise<FileOver>((resolve) => {
      const read = (message: Partial<FileOver>): void => {
        // tap has messages of its own.
        if (message.passed === undefined) return
        child.off('message', read)
        resolve(message as FileOver)
      }
      child.on('message', read)
    })
    // Where it has ended nothing can be sent, and the file has failed.
    child.send({ path: resolve(file), mark }, () => undefined)
    const found = await Promise.race([over, closed])
    clearTimeout(killing)
    const isOver = typeof found !== 'string'
    const [output, errors] = await Promise.all(
      streams.map((stream) => Promise.race([stream.until(mark), closed.then(stream.rest)])),
    )
    const { passed = 0, failed = 1 } = isOver ? found : {}
    isFresh = isOver && failed === 0 && found.heapBytes < heapBytesMax
    const ending = isOver ? '' : `\nthe process of the file ended with ${found}`
    return { passed, failed, output: ownOutput(output!), errors: errors! + ending }
  }

  return {
    run,
    isFresh: () => isFresh,
    end: async () => {
      if (child.connected) child.disconnect()
      const killing = setTimeout(() => child.kill('SIGKILL'), endSeconds * 1000)
      const code = await closed
      clearTimeout(killing)
      // After a failure it ends with 1, or has ended.
      if (code === '0' || !isFresh) return null
      return `a process ended with ${code} after its files: ${files.join(' ')}\n${streams[1].rest()}`
    },
  }
}

/** What a file would have written in a process of its own: without what the process says of the file. */
const ownOutput = (output: string): string => {
  const lines = output.split('\n')
  const verdict = lines.findLastIndex((line) => /^(?:not )?ok \d+ - /.test(line))
  return (verdict < 0 ? lines : lines.slice(0, verdict)).map((line) => line.replace(/^ {4}/, '')).join('\n')
}

/** What a process writes, in parts that end with marks. */
const textOf = (child: ChildProcess, name: 'stdout' | 'stderr') => {
  let text = ''
  let look = (): void => undefined
  child[name]!.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    look()
  })
  return {
    closed: new Promise<void>((resolve) => child[name]!.once('close', () => resolve())),
    until: (mark: string): Promise<string> =>
      new Promise((resolve) => {
        look = () => {
          const end = text.indexOf(mark)
          if (end < 0) return
          resolve(text.slice(0, end))
          text = text.slice(end + mark.length)
        }
        look()
      }),
    rest: (): string => text,
  }
}
