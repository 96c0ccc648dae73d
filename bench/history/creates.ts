import { cpSync } from 'node:fs'
import { resolve } from 'node:path'
import { autocannonGenerator } from '../autocannon.ts'
import type { Cleanup } from '../cleanup.ts'
import { loadFor, warmUp } from '../measure.ts'
import type { Options } from '../options.ts'
import { cpuTime, run, temporaryDirectory } from '../processes.ts'
import { type Failures, median } from '../report.ts'
import { openService } from '../service.ts'
import type { Target } from '../target.ts'
import { requestsOf } from '../workloads.ts'
import { findWrk } from '../wrk.ts'
import type { HistoryData } from './data.ts'
import type { RunningService } from './measure-service.ts'

/** Medians over the rounds, and all of their failures. */
export type Creates = Run & { readonly name: string }

type Run = Failures & { readonly cpuUs: number; readonly p99Us: number; readonly perSecond: number }

/**
 * Creates at a service without history and at one with it, in turns, while both run; and at the latter while its journal is
 * packed, where that is asked for.
 */
export const compareCreates = async (
  cleanup: Cleanup,
  data: HistoryData,
  options: Options,
): Promise<readonly Creates[]> => {
  const { workers, seed, seconds, rounds } = options
  const { path } = temporaryDirectory(cleanup, 'empty')
  cpSync(data.emptyPath, path, { recursive: true })
  const empty = await openService(cleanup, path, workers)
  const full = await openService(cleanup, data.path, workers)
  const generator = (await findWrk(cleanup)) ?? autocannonGenerator
  const ingredients = { companies: data.companies, charges: [], marketplaces: [], seed, count: 10_000 }
  const requests = requestsOf('create', ingredients)
  const packs = options.packing && (await canPack(cleanup))
  const contenders = [
    { name: 'empty', service: empty, isPacking: false },
    { name: 'history', service: full, isPacking: false },
    ...(packs ? [{ name: 'history, while packing', service: full, isPacking: true }] : []),
  ].map((contender) => ({ ...contender, runs: [] as Run[] }))

  for (const { service } of contenders) {
    const load = { origin: service.origin, requests, connections }
    await warmUp(cleanup, targetOf(service), load, { ...options, generator, companies: data.companies })
  }
  for (let round = 0; round < rounds; round++) {
    for (const { service, isPacking, runs } of contenders) {
      const packing = isPacking ? packUntil(cleanup, data.path) : null
      const load = { origin: service.origin, requests, connections }
      const { result, cpu } = await loadFor(cleanup, targetOf(service), load, seconds, generator)
      await packing?.end()
      const { p99Us, statusErrors, socketErrors } = result
      const perSecond = result.requests / result.seconds
      runs.push({ cpuUs: cpu.us, p99Us, perSecond, statusErrors, socketErrors })
    }
  }
  for (const { child } of [empty, full]) await child.stop()
  return contenders.map(({ name, runs }) => {
    const medianOf = (read: (run: Run) => number): number => median(runs.map(read))
    const sumOf = (read: (run: Run) => number): number => runs.reduce((sum, run) => sum + read(run), 0)
    return {
      name,
      cpuUs: medianOf(({ cpuUs }) => cpuUs),
      p99Us: medianOf(({ p99Us }) => p99Us),
      perSecond: medianOf(({ perSecond }) => perSecond),
      statusErrors: sumOf(({ statusErrors }) => statusErrors),
      socketErrors: sumOf(({ socketErrors }) => socketErrors),
    }
  })
}

const connections = 8

const targetOf = ({ origin, child }: RunningService): Target => ({
  origin,
  journal: async () => null,
  residentBytes: () => 0,
  cpuTime: () => cpuTime(child.pid),
  stop: child.stop,
})

const packCommand = ['archive', 'run'] as const

/** Whether this version of the service can pack its journal. */
const canPack = async (cleanup: Cleanup): Promise<boolean> => {
  const help = await run(cleanup, [process.execPath, program, ...packCommand, '--help'])
  if (help.includes(`payments ${packCommand.join(' ')}`)) return true
  console.log(`no creates beside packing: this version has no command \`${packCommand.join(' ')}\``)
  return false
}

/** Packs again and again until its end is asked for, and then what was begun. */
const packUntil = (cleanup: Cleanup, dataDir: string): { readonly end: () => Promise<void> } => {
  let isRunning = true
  const packing = (async () => {
    const env = { DATA_DIR: dataDir }
    while (isRunning) await run(cleanup, [process.execPath, program, ...packCommand], { env })
  })()
  // A failure is noticed at the end.
  packing.catch(() => undefined)
  return {
    end: () => {
      isRunning = false
      return packing
    },
  }
}

const program = resolve(import.meta.dirname, '../../gateway/program/main.js')
