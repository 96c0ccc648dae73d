import type { Cleanup } from '../cleanup.ts'
import { machine } from '../conditions.ts'
import { exportOnce } from '../lists/requests.ts'
import type { Options } from '../options.ts'
import { median, printConditions } from '../report.ts'
import { compareCreates } from './creates.ts'
import { type HistoryData, readHistory, seedHistory } from './data.ts'
import { each, paidChargeBytes, partsOf } from './disk.ts'
import { type Memory, memoryOf, startOn } from './measure-service.ts'
import { askCold, askLists, askOne, openHistoryPeer } from './questions.ts'
import { printHistory, writeHistory } from './report.ts'
import { years } from './rows.ts'

/**
 * Companies with two years of transactions: what they take in memory, on disk and at a start, how long lists, lookups and
 * exports take, and what creates cost beside them.
 */
export const benchHistory = async (options: Options, cleanup: Cleanup): Promise<void> => {
  const { workers, rounds, listRequests, dataDir, jsonFile } = options
  const startMsOf = async (path: string): Promise<number> => {
    const starts: number[] = []
    for (let round = 0; round < rounds; round++) {
      const { child, startMs } = await startOn(cleanup, path, workers)
      await child.stop()
      starts.push(startMs)
    }
    return median(starts)
  }
  const data = dataDir === null ? await seedHistory(cleanup, options, startMsOf) : readHistory(dataDir)
  const rows = data.rowsEach * data.companies.length
  const conditions = {
    ...machine(),
    rows,
    companies: data.companies.length,
    years,
    workers,
    shards: data.shards,
    rounds,
    seed: data.seed,
  }
  printConditions(conditions)
  // Creates of this or an earlier run are not history.
  const disk = partsOf(data.path)
  const starts = {
    emptyMs: await startMsOf(data.emptyPath),
    halfMs: data.halfStartMs,
    wholeMs: await startMsOf(data.path),
  }
  const empty = await startOn(cleanup, data.emptyPath, workers)
  const emptyMemory = await memoryOf(empty, data.emptyPath)
  await empty.child.stop()

  const peer = options.peers.includes('fastify-postgres')
    ? await openHistoryPeer(cleanup, data, options)
    : null
  const service = await startOn(cleanup, data.path, workers)
  const started = beyond(await memoryOf(service, data.path), emptyMemory)
  const lists = await askLists(service, data, peer, listRequests)
  await peer?.close()
  const memory = { started, asked: beyond(await memoryOf(service, data.path), emptyMemory) }
  const exportRowsPerSecond = await exportAll(service.origin, data)
  await service.child.stop()

  const cold = await askCold(cleanup, data, options)
  const lookups = await askOne(cleanup, data, options)
  const creates = await compareCreates(cleanup, data, options)
  const paidCharge = await paidChargeBytes(cleanup, options)
  const result = {
    ...{
      conditions,
      rows,
      seeding: data.seeding,
      starts,
      memory,
      lists,
      cold,
      lookups,
      creates,
      exportRowsPerSecond,
    },
    disk: { transaction: each(disk, rows), paidCharge },
  }
  printHistory(result)
  if (jsonFile !== null) writeHistory(jsonFile, result)
}

const beyond = (memory: Memory, empty: Memory): Memory => ({
  anonBytes: memory.anonBytes - empty.anonBytes,
  heapBytes: memory.heapBytes - empty.heapBytes,
  arrayBuffersBytes: memory.arrayBuffersBytes - empty.arrayBuffersBytes,
})

/** Everything of the first company, a month at a time: one export has a maximum of rows. */
const exportAll = async (origin: string, { companies, endMs }: HistoryData): Promise<number> => {
  const dayAfter = (days: number): string =>
    new Date(endMs - years * 365 * 86_400_000 + days * 86_400_000).toISOString().slice(0, 10)
  const from = performance.now()
  let rows = 0
  for (let day = 0; day <= years * 365; day += daysAtOnce)
    rows += await exportOnce(
      origin,
      companies[0]!,
      `from=${dayAfter(day)}&to=${dayAfter(day + daysAtOnce - 1)}`,
    )
  return (rows * 1000) / (performance.now() - from)
}

const daysAtOnce = 30
