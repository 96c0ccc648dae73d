#!/usr/bin/env node
import { resolve } from 'node:path'
import { isMainThread, workerData } from 'node:worker_threads'
import { commandLine } from '../command-line/program.ts'
import { CommandFailure } from '../command-line/service.ts'
import { version } from '../version.ts'

/**
 * The entry of the program, on the main thread and on every worker thread. Imports are dynamic so that a command of the command line
 * loads only what it needs.
 */

if (isMainThread) {
  const start = async (): Promise<void> => (await import('./start.ts')).start(new URL(import.meta.url))
  const verify = async (dataDir: string, json: boolean): Promise<boolean> =>
    (await import('./start.ts')).verify(dataDir, json)
  const program = commandLine({ start, verify }, () => resolve(process.env.DATA_DIR ?? './data'), version)
  program.parseAsync().catch((error: unknown) => {
    if (!(error instanceof CommandFailure)) throw error
    console.error(`payments: ${error.message}`)
    process.exitCode = 1
  })
} else {
  const { startWorker } = await import('./worker.ts')
  const { providers } = await import('../providers/index.ts')
  await startWorker(workerData, providers)
}
