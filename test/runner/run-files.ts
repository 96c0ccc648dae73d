import { pathToFileURL } from 'node:url'
import tap, { type Test } from 'tap'
import { beginFile } from './tap-of-file.ts'

/**
 * A process that runs test files one after the other, as its parent names them: what they all load is compiled once, and what they all call is
 * optimized once. When its parent has no more it ends by itself, unless a file has left something open.
 */

/** What the parent sends: a file, and what marks the end of what it writes. */
export type FileToRun = { readonly path: string; readonly mark: string }
/** What it gets when the file is over. */
export type FileOver = { readonly passed: number; readonly failed: number; readonly heapBytes: number }

const timeout = Number(process.env.TAP_TIMEOUT) * 1000

const runFile = async ({ path, mark }: FileToRun): Promise<FileOver> => {
  let file: Test | undefined
  await tap.test(path, { timeout }, async (t) => {
    file = t
    beginFile(t)
    await import(pathToFileURL(path).href)
  })
  // tap lets the process end although it waits for the next file.
  process.channel?.ref()
  const { pass, fail } = file!.counts
  process.stdout.write(mark)
  process.stderr.write(mark)
  return {
    passed: pass,
    failed: fail === 0 && !file!.passing() ? 1 : fail,
    heapBytes: process.memoryUsage().heapUsed,
  }
}

// It lasts as long as there are files, each of which has its own time.
tap.setTimeout(0)
process.on('message', (file: FileToRun) => {
  void runFile(file).then((over) => void process.send!(over))
})
process.once('disconnect', () => {
  tap.end()
  setTimeout(() => {
    console.error(`open still: ${process.getActiveResourcesInfo()}`)
  }, 20_000).unref()
})
