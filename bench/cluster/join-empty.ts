import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { accountIdOf, type CompanyId } from '../../engine/shared/ids.ts'
import { shardOf } from '../../gateway/link/router.ts'
import type { Cleanup } from '../cleanup.ts'
import { machine } from '../conditions.ts'
import type { Options } from '../options.ts'
import { newRandom } from '../random.ts'
import { median, printConditions } from '../report.ts'
import { createCompaniesAt } from '../service.ts'
import { requestsOf } from '../workloads.ts'
import { findWrk } from '../wrk.ts'
import { type BenchCluster, openCluster } from './nodes.ts'
import { writeJson } from './report.ts'

/**
 * How long an empty node takes until it has all that the others have, beside creates at these: from the start of its process on, which
 * is measured for itself, with what the node had.
 */
export const benchJoin = async (options: Options, cleanup: Cleanup): Promise<void> => {
  const { joinRows, rounds, seed, seconds } = options
  const clients = options.connections[0]!
  const generator = await findWrk(cleanup, 2)
  if (generator === null) throw new Error('it needs wrk: see bench/README.md')
  const cluster = await openCluster(cleanup, 1)
  await cluster.start()
  const [joiner, ...others] = [...cluster.names].reverse() as [string, ...string[]]
  const dataDir = cluster.dataDir(others[0]!)
  const companies = await createCompaniesAt(dataDir, companiesMax, newRandom(seed))
  const shards = (await cluster.status(others[0]!)).shards.length
  const used = new Set(companies.map(({ id }) => shardOf(accountIdOf(id as CompanyId, 'SANDBOX'), shards)))
  const conditions = { ...machine(), generator: generator.name, rows: joinRows, shards, clients, rounds }
  printConditions(conditions)

  const load = (names: readonly string[], connections: number, forSeconds: number) => {
    const [origin, ...otherOrigins] = names.map(cluster.origin)
    const requests = requestsOf('create', { companies, charges: [], marketplaces: [], seed, count: 10_000 })
    return generator.load(cleanup, {
      origin: origin!,
      otherOrigins,
      requests,
      connections,
      seconds: forSeconds,
    })
  }
  let created = 0
  while (created < joinRows) {
    const { requests, statusErrors } = await load(cluster.names, seedClients, seconds)
    created += requests - statusErrors
  }
  console.log(`${created.toLocaleString('en-US')} transactions in ${used.size} of ${shards} shards`)

  const joined: Joined[] = []
  for (let round = 0; round < rounds; round++) {
    for (const isEmpty of [false, true]) {
      await cluster.end(joiner)
      if (isEmpty) rmSync(cluster.dataDir(joiner), { recursive: true })
      let isOver = false
      const loading = (async () => {
        const results = []
        while (!isOver) results.push(await load(others, clients, 2))
        return results
      })()
      await sleep(1_000)
      const startedMs = performance.now()
      await cluster.startNode(joiner)
      const answersMs = performance.now() - startedMs
      await caughtUp(cluster, joiner, others[0]!)
      const ms = performance.now() - startedMs
      isOver = true
      const p99Us = Math.max(...(await loading).map((result) => result.p99Us))
      joined.push({ isEmpty, answersMs, ms, p99Us })
      console.log(
        `${isEmpty ? 'empty' : 'with its data'}: answers after ${seconds3(answersMs)} s, has all after ${seconds3(ms)} s; p99 of the others ${(p99Us / 1000).toFixed(1)} ms`,
      )
    }
  }
  const of = (isEmpty: boolean): number =>
    median(joined.filter((one) => one.isEmpty === isEmpty).map(({ ms }) => ms))
  console.log(
    `\nan empty node has all after ${seconds3(of(true))} s (wanted: at most 4 with 105,000 transactions, 30 with 1,000,000), and one with its data after ${seconds3(of(false))} s`,
  )
  await cluster.stop()
  if (options.jsonFile !== null) writeJson(options.jsonFile, { conditions, created, joined })
}

type Joined = {
  readonly isEmpty: boolean
  readonly answersMs: number
  readonly ms: number
  readonly p99Us: number
}

const companiesMax = 24
const seedClients = 63

/** Resolves when a node lacks no more than what is on its way. */
const caughtUp = async (cluster: BenchCluster, node: string, asked: string): Promise<void> => {
  for (;;) {
    const { nodes, shards } = await cluster.status(asked)
    const joining = nodes.find((seen) => seen.node === node)?.joining ?? [0]
    if (
      joining.length === 0 &&
      shards.every(({ owner, lag }) => owner === node || (lag[node] ?? lagMax) < lagMax)
    )
      return
    await sleep(50)
  }
}

const lagMax = 50

const seconds3 = (ms: number): string => (ms / 1000).toFixed(2)
