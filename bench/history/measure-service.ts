import { closeSync, fdatasyncSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cleanup } from '../cleanup.ts'
import type { Options } from '../options.ts'
import { type Child, cpuMs, run } from '../processes.ts'
import { median } from '../report.ts'
import { openService, readMetrics } from '../service.ts'

export type RunningService = { readonly child: Child; readonly origin: string }

/** Until the service was ready to serve, on the clock and on processors. */
export type Start = { readonly ms: number; readonly cpuMs: number }

/** How long starts on a data directory take: medians. */
export const timeStarts = async (
  cleanup: Cleanup,
  dataDir: string,
  { workers, rounds }: Options,
  flags: readonly string[] = [],
): Promise<Start> => {
  const starts: Start[] = []
  for (let round = 0; round < rounds; round++) {
    const from = performance.now()
    const { child } = await openService(cleanup, dataDir, workers, {}, flags)
    starts.push({ ms: performance.now() - from, cpuMs: cpuMs(child.pid) })
    await child.stop()
  }
  return { ms: median(starts.map(({ ms }) => ms)), cpuMs: median(starts.map(({ cpuMs }) => cpuMs)) }
}

export type Memory = {
  /** Private memory: neither page cache nor mapped files. */
  readonly anonBytes: number
  readonly heapBytes: number
  readonly arrayBuffersBytes: number
}

/** Memory of a service that has come to rest. */
export const memoryOf = async ({ child }: RunningService, dataDir: string): Promise<Memory> => {
  let before = -1
  for (let now = anonBytes(child.pid); Math.abs(now - before) > restBytes; now = anonBytes(child.pid)) {
    before = now
    await sleep(restMs)
  }
  const sumOf = await readMetrics(dataDir)
  return {
    anonBytes: anonBytes(child.pid),
    heapBytes: sumOf('nodejs_heap_used_bytes'),
    arrayBuffersBytes: sumOf('nodejs_array_buffers_bytes'),
  }
}

const restBytes = 1_000_000
const restMs = 1000

const anonBytes = (pid: number): number =>
  1024 * Number(/^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1])

/**
 * Drops the pages of a folder's files from the page cache, and of no others: their dirty pages are written first. Nobody
 * may have them mapped.
 */
export const dropPages = async (cleanup: Cleanup, folder: string): Promise<void> => {
  for (const { path } of filesIn(folder)) {
    const file = openSync(path, 'r')
    fdatasyncSync(file)
    closeSync(file)
    await run(cleanup, ['dd', `if=${path}`, 'iflag=nocache', 'count=0', 'status=none'])
  }
}

/** The files of a folder and those below it, with the room that they take on the disk. */
export const filesIn = (folder: string): readonly { readonly path: string; readonly bytes: number }[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, bytes: 512 * statSync(path).blocks }))
