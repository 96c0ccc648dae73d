#!/usr/bin/env -S node --v8-pool-size=1
import { resolve } from 'node:path'
import { isMainThread, workerData } from 'node:worker_threads'
import { descriptorsNeeded, descriptorsOfCommand, tooFewDescriptors } from '../observability/descriptors.ts'
import type { Restore } from '../operator/command-line/commands/restore.ts'
import type { Verify } from '../operator/command-line/commands/verify.ts'

/**
 * The entry of the program, on the main thread and on every worker thread. Imports are dynamic so that a command of the command line
 * loads only what it needs, and so that too few file descriptors are reported before an import fails for want of them.
 */

/** The line for an error that the operator or the machine has to mend; throws a fault of ours on. */
const orLine = async (error: unknown): Promise<string> => {
  const { operatorLine } = await import('./operator-error.ts')
  const line = operatorLine(error)
  if (line === null) throw error
  return line
}

const end = (problem: string): never => {
  console.error(`payments: ${problem}`)
  // The exit code alone does not end the process: whatever was opened before keeps it alive.
  process.exit(1)
}

const runMainThread = async (): Promise<void> => {
  const loadsAll = ['start', 'verify', 'restore'].includes(process.argv[2] ?? '')
  const problem = tooFewDescriptors(loadsAll ? descriptorsNeeded(1, 1) : descriptorsOfCommand)
  if (problem !== null) end(problem)
  const { commandLine } = await import('../operator/command-line/program.ts')
  const { version } = await import('../base/version.ts')
  const start = async (): Promise<void> => (await import('./start.ts')).start(new URL(import.meta.url))
  const verify: Verify = async (...given) => (await import('./verify.ts')).verify(...given)
  const restore: Restore = async (...request) => (await import('./restore.ts')).restore(...request)
  const program = commandLine(
    { start, verify, restore },
    () => resolve(process.env.DATA_DIR ?? './data'),
    version,
  )
  await program.parseAsync().catch(async (error: unknown) => end(await orLine(error)))
}

const runWorker = async (): Promise<void> => {
  const { startWorker } = await import('./worker.ts')
  const { providers } = await import('../providers/index.ts')
  await startWorker(workerData, providers).catch(async (error: unknown) => {
    const line = await orLine(error)
    throw Object.assign(new Error(line), { stack: line })
  })
}

// Not awaited: the bundle is a script.
void (isMainThread ? runMainThread() : runWorker())
