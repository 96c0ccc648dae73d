import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { shardOf } from '../../gateway/link/router.ts'
import type { Cleanup } from '../cleanup.ts'
import { sandboxOf } from '../company-host.ts'
import { inParallel } from '../in-parallel.ts'
import type { Options } from '../options.ts'
import { run, temporaryDirectory } from '../processes.ts'
import { newRandom } from '../random.ts'
import { clockBehind, createCompanies, type FreshData } from '../service.ts'
import { type Start, timeStarts } from './measure-service.ts'
import { years } from './rows.ts'
import type { Sample, Seeded, SliceOfShard } from './slice.ts'

/** Companies with years of transactions, and beside them the same companies without any. */
export type HistoryData = FreshData & {
  /** The data directory as it was before the first transaction. */
  readonly emptyPath: string
  readonly rowsEach: number
  readonly seed: number
  readonly endMs: number
  /** Transactions of the first company from a year ago, by which they are looked up. */
  readonly samples: readonly Sample[]
  readonly seeding: { readonly rowsPerSecond: number; readonly cpuUs: number; readonly peakBytes: number }
  /** What a start took with the first half of the rows. */
  readonly halfStart: Start
}

/** Makes the companies and seeds them, in two slices, with a start between them. */
export const seedHistory = async (cleanup: Cleanup, options: Options): Promise<HistoryData> => {
  const { historyRows, historyCompanies: count, workers, seed, keepDir, listRequests } = options
  const root = keepDir === null ? temporaryDirectory(cleanup, 'history').path : resolve(keepDir)
  if (existsSync(join(root, 'data'))) throw new Error(`${root} has data: measure it with --data`)
  const fresh = await createCompanies(cleanup, {
    count,
    workers,
    random: newRandom(seed),
    scopes: 'charges.create,charges.read,transactions.read,transactions.export',
    daysAgo: years * 365 + 1,
  })
  mkdirSync(root, { recursive: true })
  const path = join(root, 'data')
  const emptyPath = join(root, 'empty')
  for (const copy of [path, emptyPath]) cpSync(fresh.path, copy, { recursive: true })

  const rowsEach = Math.ceil(historyRows / count)
  const half = rowsEach >> 1
  const endMs = Date.now() - 60_000
  const samples = 4 * listRequests
  const common = { path, ...{ rowsEach, seed, endMs, samples } }
  const first = await seedSlice(cleanup, fresh, { ...common, from: 0, to: half })
  // By the clock of then: a shard that has seen a later time gives all that follow the ids of that moment.
  const halfStart = await timeStarts(cleanup, path, options, clockBehind((years * 365) / 2))
  const second = await seedSlice(cleanup, fresh, { ...common, from: half, to: rowsEach })
  const ms = first.ms + second.ms
  const data: HistoryData = {
    ...fresh,
    path,
    emptyPath,
    ...{ rowsEach, seed, endMs, halfStart },
    samples: second.samples,
    seeding: {
      rowsPerSecond: (rowsEach * count * 1000) / ms,
      cpuUs: (first.cpuUs + second.cpuUs) / (rowsEach * count),
      peakBytes: Math.max(first.peakBytes, second.peakBytes),
    },
  }
  writeFileSync(join(root, file), JSON.stringify(data))
  return data
}

/** Data that an earlier run kept. What is created while it is measured stays in it. */
export const readHistory = (dir: string): HistoryData => {
  const root = resolve(dir)
  const data = JSON.parse(readFileSync(join(root, file), 'utf8')) as HistoryData
  return { ...data, path: join(root, 'data'), emptyPath: join(root, 'empty') }
}

const file = 'history.json'

/** Every shard lives through its companies' rows in a process of its own, as many at once as there are cores. */
const seedSlice = async (
  cleanup: Cleanup,
  { companies, shards }: FreshData,
  slice: Omit<SliceOfShard, 'shards' | 'shard' | 'accounts' | 'resultFile'>,
) => {
  const numbers = [...new Set(companies.map((company) => shardOf(sandboxOf(company), shards)))]
  const results = temporaryDirectory(cleanup, 'seeded').path
  const from = performance.now()
  const seeded = await inParallel(availableParallelism(), numbers, async (shard) => {
    const accounts = companies
      .map((company, index) => ({ accountId: sandboxOf(company), index }))
      .filter(({ accountId }) => shardOf(accountId, shards) === shard)
    const resultFile = join(results, String(shard))
    const work: SliceOfShard = { ...slice, shards, shard, accounts, resultFile }
    await run(cleanup, [process.execPath, '--v8-pool-size=1', program, JSON.stringify(work)])
    return JSON.parse(readFileSync(resultFile, 'utf8')) as Seeded
  })
  return {
    ms: performance.now() - from,
    cpuUs: seeded.reduce((sum, { cpuUs }) => sum + cpuUs, 0),
    peakBytes: Math.max(...seeded.map(({ peakBytes }) => peakBytes)),
    samples: seeded.flatMap(({ samples }) => samples),
  }
}

const program = resolve(import.meta.dirname, 'seed-shard.js')
