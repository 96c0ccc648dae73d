import { writeFileSync } from 'node:fs'
import type { Cleanup } from '../cleanup.ts'
import { machine } from '../conditions.ts'
import { exportOnce } from '../lists/requests.ts'
import type { Options } from '../options.ts'
import { threadsUs } from '../processes.ts'
import { type Failures, printConditions } from '../report.ts'
import { openService } from '../service.ts'
import { compareCreates } from './creates.ts'
import { type HistoryData, readHistory, seedHistory } from './data.ts'
import { each, measurePaidCharge, partsOf } from './disk.ts'
import { type Memory, memoryOf, type RunningService, timeStarts } from './measure-service.ts'
import { askCold, askLists, askOne, openHistoryPeer } from './questions.ts'
import {
  type Exported,
  type HistoryResult,
  printAsked,
  printCreates,
  printDisk,
  printExport,
  printMemory,
  printSeeding,
  printStarts,
  printWritten,
} from './report.ts'
import { years } from './rows.ts'

/**
 * Companies with two years of transactions: what they take in memory, on disk and at a start, how long lists, lookups and
 * exports take, and what creates cost beside them.
 */
export const benchHistory = async (options: Options, cleanup: Cleanup): Promise<readonly Failures[]> => {
  const { dataDir, jsonFile } = options
  const data = dataDir === null ? await seedHistory(cleanup, options) : readHistory(dataDir)
  const stored = await measureStored(cleanup, data, options)
  const running = await measureRunning(cleanup, data, options)

  const cold = await askCold(cleanup, data, options)
  printAsked('the first after a start, cold', cold)
  const lookups = await askOne(cleanup, data, options)
  printAsked('of a year ago, cold', lookups)
  const creates = await compareCreates(cleanup, data, options)
  printCreates(creates)
  const paidCharge = await measurePaidCharge(cleanup, options)
  printDisk('a PIX charge, paid, told of', paidCharge.disk)
  printWritten(paidCharge.writtenBytes)

  const result: HistoryResult = { ...stored, ...running, cold, lookups, creates, paidCharge }
  if (jsonFile !== null) writeFileSync(jsonFile, `${JSON.stringify(result, null, 2)}\n`)
  return creates
}

/** What there is before anything is asked, and what a start takes. */
const measureStored = async (cleanup: Cleanup, data: HistoryData, options: Options) => {
  const { companies, shards, rowsEach, seed, seeding } = data
  const rows = rowsEach * companies.length
  const { workers, rounds } = options
  const conditions = {
    ...machine(),
    ...{ rows, companies: companies.length, years, workers, shards, rounds, seed },
  }
  printConditions(conditions)
  printSeeding(seeding)
  const disk = each(partsOf(data.path), rows)
  printDisk('a transaction', disk)
  const starts = {
    empty: await timeStarts(cleanup, data.emptyPath, options),
    half: data.halfStart,
    whole: await timeStarts(cleanup, data.path, options),
  }
  printStarts(starts, rows)
  return { conditions, rows, seeding, disk, starts }
}

/** One service: its memory, what it answers to lists, and an export. */
const measureRunning = async (cleanup: Cleanup, data: HistoryData, options: Options) => {
  const { workers, peers, listRequests } = options
  const rows = data.rowsEach * data.companies.length
  const empty = await openService(cleanup, data.emptyPath, workers)
  const emptyMemory = await memoryOf(empty, data.emptyPath)
  await empty.child.stop()
  const peer = peers.includes('fastify-postgres') ? await openHistoryPeer(cleanup, data, options) : null

  const service = await openService(cleanup, data.path, workers)
  const started = beyond(await memoryOf(service, data.path), emptyMemory)
  printMemory('the start', started, rows)
  const lists = await askLists(service, data, peer, listRequests)
  await peer?.close()
  const asked = beyond(await memoryOf(service, data.path), emptyMemory)
  printMemory('all lists', asked, rows)
  printAsked('list of 25 with totals', lists)
  const exported = await exportAll(service, data)
  printExport(exported)
  await service.child.stop()
  return { memory: { started, asked }, lists, exported }
}

const beyond = (memory: Memory, empty: Memory): Memory => ({
  anonBytes: memory.anonBytes - empty.anonBytes,
  heapBytes: memory.heapBytes - empty.heapBytes,
  arrayBuffersBytes: memory.arrayBuffersBytes - empty.arrayBuffersBytes,
})

/** Everything of the first company, a month at a time: one export has a maximum of rows. */
const exportAll = async (
  { child, origin }: RunningService,
  { companies, endMs }: HistoryData,
): Promise<Exported> => {
  const startMs = endMs - years * 365 * dayMs
  const dateOf = (day: number): string => new Date(startMs + day * dayMs).toISOString().slice(0, 10)
  const from = performance.now()
  const usBefore = threadsUs(child.pid)
  let rows = 0
  for (let day = 0; day <= years * 365; day += daysAtOnce) {
    const period = `from=${dateOf(day)}&to=${dateOf(day + daysAtOnce - 1)}`
    rows += await exportOnce(origin, companies[0]!, period)
  }
  const rowsPerSecond = (rows * 1000) / (performance.now() - from)
  return { rowsPerSecond, cpuUs: (threadsUs(child.pid) - usBefore) / rows }
}

const daysAtOnce = 30
const dayMs = 86_400_000
