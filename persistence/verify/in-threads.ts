import { statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { bounds } from '../base/bounds.ts'
import type { Stretch } from '../base/progress.ts'
import { reportOfFailure, type ShardReport, type ShardToVerify, type VerifyShard } from './shard.ts'

/** How many shards of these are worth checking at once, each in a thread of its own; 1 for all of them here. */
export const threadsFor = (shards: readonly ShardToVerify[]): number => {
  const bytes = shards.reduce((sum, { place }) => sum + sizeOf(join(place.path, 'data.mdb')), 0)
  // Beside a service the other cores are its own. Each thread has the memory that its shard takes.
  if (shards.some(({ place }) => place.isInUse) || bytes < bounds.verifyThreadsBytesMin) return 1
  return Math.min(availableParallelism(), bounds.verifyThreadsMax)
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** Checks a shard in a thread of its own. */
export const verifyInThread: VerifyShard = (shard, reporter) =>
  new Promise((resolve) => {
    const worker = new Worker(new URL('./verify-thread.js', import.meta.url), {
      workerData: shard,
      resourceLimits,
    })
    worker.on('message', ({ stretch, report }: FromThread) => {
      if (report !== undefined) resolve(report)
      else if (reporter.isDue()) void reporter.report(stretch!)
    })
    worker.on('error', (error) => resolve(reportOfFailure(shard, error)))
    worker.on('exit', (code) => resolve(reportOfFailure(shard, new Error(`its thread ended with ${code}`))))
  })

/** A state lives until it is compared: with room for thousands, few survive a collection. */
const resourceLimits = { maxYoungGenerationSizeMb: 64 }

type FromThread = { readonly stretch?: Stretch; readonly report?: ShardReport }

/** Does work on all, some at once; what comes of each is in their order. */
export const inTurns = async <From, To>(
  all: readonly From[],
  atOnce: number,
  work: (one: From) => Promise<To>,
): Promise<readonly To[]> => {
  const results: To[] = []
  let next = 0
  const go = async (): Promise<void> => {
    while (next < all.length) {
      const n = next++
      results[n] = await work(all[n]!)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, go))
  return results
}
