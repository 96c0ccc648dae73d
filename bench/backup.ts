import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { autocannonGenerator } from './autocannon.ts'
import type { Cleanup } from './cleanup.ts'
import { machine } from './conditions.ts'
import type { LoadResult } from './generator.ts'
import { seedRows } from './lists/rows.ts'
import { seedService } from './lists/seed-service.ts'
import type { Options } from './options.ts'
import { residentBytes, temporaryDirectory } from './processes.ts'
import { newRandom } from './random.ts'
import { printConditions } from './report.ts'
import { createCompanies, openService } from './service.ts'
import { requestsOf } from './workloads.ts'
import { findWrk } from './wrk.ts'

/**
 * Creates on a service with many transactions, in turns: alone, beside backups that are made one after the other, and beside
 * backups that are verified as well.
 */
export const benchBackup = async (options: Options, cleanup: Cleanup): Promise<void> => {
  const { rows, workers, seed, seconds, rounds } = options
  const fresh = await createCompanies(cleanup, { count: 1, workers, random: newRandom(seed) })
  printConditions({ ...machine(), rows, workers, shards: fresh.shards, seconds, rounds, seed })
  await seedService(fresh, seedRows(rows, seed, Date.now() - 60_000))
  const service = await openService(cleanup, fresh.path, workers)
  const generator = (await findWrk(cleanup)) ?? autocannonGenerator
  const { path } = temporaryDirectory(cleanup, 'backups')
  const ingredients = { companies: fresh.companies, charges: [], marketplaces: [], seed, count: 10_000 }
  const requests = requestsOf('create-one', ingredients)

  const creates = (connections: number, forSeconds = seconds): Promise<LoadResult> =>
    generator.load(cleanup, { origin: service.origin, requests, connections, seconds: forSeconds })
  const kinds: Readonly<Record<string, readonly string[] | null>> = {
    alone: null,
    'beside copies': ['--no-verify'],
    'beside copies that are verified': [],
  }

  for (const connections of options.connections) {
    await creates(connections, 2)
    for (let round = 1; round <= rounds; round++) {
      for (const [name, flags] of Object.entries(kinds)) {
        let isRunning = true
        const made: Made[] = []
        const backingUp = (async () => {
          while (flags !== null && isRunning) made.push(await backUp(fresh.path, join(path, 'copy'), flags))
        })()
        const { p50Us, p99Us, maxUs, requests: count, seconds: taken } = await creates(connections)
        isRunning = false
        await backingUp
        const backups = made.map(
          ({ ms, bytes }) => `${(bytes / 1e6).toFixed(0)} MB in ${(ms / 1000).toFixed(1)} s`,
        )
        console.log(
          `${String(connections).padStart(4)}  ${name.padEnd(32)} ${Math.round(count / taken)}/s  p50 ${inMs(p50Us)}  p99 ${inMs(p99Us)}  max ${inMs(maxUs)}  ${backups.join(', ')}`,
        )
      }
    }
  }
  console.log(`the service has ${Math.round(residentBytes(service.child.pid) / 1e6)} MB`)
  await service.child.stop()
}

type Made = { readonly ms: number; readonly bytes: number }

const backUp = async (dataDir: string, path: string, flags: readonly string[]): Promise<Made> => {
  const from = performance.now()
  const env = { ...process.env, DATA_DIR: dataDir }
  const { stdout } = await run(process.execPath, [program, 'backup', path, '--json', ...flags], { env })
  const ms = performance.now() - from
  const { bytes, problems } = JSON.parse(stdout) as { bytes: number; problems: readonly string[] }
  if (problems.length > 0) throw new Error(`a backup is not sound: ${problems[0]}`)
  rmSync(path, { recursive: true })
  return { ms, bytes }
}

const run = promisify(execFile)
const program = resolve(import.meta.dirname, '../gateway/program/main.js')
const inMs = (us: number): string => `${(us / 1000).toFixed(1)} ms`
