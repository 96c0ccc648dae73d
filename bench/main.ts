import { autocannonGenerator } from './autocannon.ts'
import { benchBackup } from './backup.ts'
import { benchBilling } from './billing/main.ts'
import { benchBudget } from './budget.ts'
import { benchCheckout } from './checkout/main.ts'
import { type Cleanup, newCleanup } from './cleanup.ts'
import { benchJoin } from './cluster/join-empty.ts'
import { benchCluster } from './cluster/main.ts'
import { benchCodec } from './codec.ts'
import { benchCommands } from './commands.ts'
import { machine } from './conditions.ts'
import { type Contender, contendersFor } from './contenders.ts'
import { benchBlackHoles } from './events/black-holes.ts'
import { benchEvents } from './events/main.ts'
import { benchFloor } from './floor.ts'
import { benchHistory } from './history/main.ts'
import { benchLists } from './lists/main.ts'
import { benchPages } from './lists/pages.ts'
import { measure } from './measure.ts'
import { type Options, readOptions } from './options.ts'
import { openPostgres } from './postgres.ts'
import { benchRails } from './rails/main.ts'
import { newRandom } from './random.ts'
import { benchRelay } from './relay/main.ts'
import {
  errorsOf,
  type Failures,
  printComparisons,
  printConditions,
  printHeading,
  printRow,
  type Row,
  writeJson,
} from './report.ts'
import { createCompanies } from './service.ts'
import { benchSessions } from './sessions/main.ts'
import { divides, type WorkloadName } from './workloads.ts'
import { findWrk } from './wrk.ts'

/** Measures every workload at every number of connections, the service and its peers in turns: A B C, A B C. */
const bench = async (options: Options, cleanup: Cleanup): Promise<readonly Row[]> => {
  const { workers, seed, peers } = options
  const generator = (await findWrk(cleanup)) ?? autocannonGenerator
  if (generator === autocannonGenerator)
    console.log('wrk is not installed: autocannon takes its place, see bench/README.md')
  const fresh = await createCompanies(cleanup, {
    count: options.companies,
    workers,
    random: newRandom(seed),
    ...(options.workloads.some(divides) && { scopes: 'charges.create,charges.read,marketplace.manage' }),
  })
  const conditions = {
    ...machine(),
    generator: generator.name,
    workers,
    shards: fresh.shards,
    companies: options.companies,
    connections: options.connections.join(','),
    seconds: options.seconds,
    rounds: options.rounds,
    seed,
  }
  printConditions(conditions)
  const postgresUrl = peers.includes('fastify-postgres') ? await openPostgres(cleanup) : null
  const setup = { ...options, generator, companies: fresh.companies }

  const rows: Row[] = []
  printHeading()
  for (const workload of options.workloads) {
    for (const connections of options.connections) {
      const contenders = await contendersFor(cleanup, workload, connections, options, {
        fresh,
        setup,
        postgresUrl,
      })
      let answerBytes = 0
      for (const { round, name, start } of turns(contenders, options.rounds)) {
        const measurement = await measure(cleanup, await start(answerBytes), workload, connections, setup)
        const row = { name, workload, connections, round, ...measurement }
        if (name === 'service') ({ answerBytes } = measurement)
        printRow(row)
        rows.push(row)
      }
    }
  }
  if (options.rounds > 1 || peers.length > 0) printComparisons(rows)
  if (options.jsonFile !== null) writeJson(options.jsonFile, conditions, rows)
  return rows
}

const turns = (
  contenders: readonly Contender[],
  rounds: number,
): (Contender & { readonly round: number })[] =>
  Array.from({ length: rounds }, (_, round) => round + 1).flatMap((round) =>
    contenders.map((contender) => ({ ...contender, round })),
  )

/** Runs the benches that the options select. Those that send requests return their failures. */
const run = async (options: Options): Promise<readonly Failures[]> => {
  if (options.lists) await benchLists(options, cleanup)
  else if (options.rails) await benchRails(options, cleanup)
  else if (options.history) return benchHistory(options, cleanup)
  else if (options.pages) await benchPages(options, cleanup)
  else if (options.backup) await benchBackup(options, cleanup)
  else if (options.billing) await benchBilling(options, cleanup)
  else if (options.cluster) return benchCluster(options, cleanup)
  else if (options.join) await benchJoin(options, cleanup)
  else if (options.checkout) return benchCheckout(options, cleanup)
  else if (options.sessions) return benchSessions(options, cleanup)
  else if (options.codec) await benchCodec(options)
  else if (options.relay) await benchRelay(options, cleanup)
  else if (options.budget) await checkBudget(options, options.workloads)
  else if (options.floor) await benchFloor(options, cleanup)
  else if (options.commands) await benchCommands(options, cleanup)
  else if (options.events) await benchEvents(options, cleanup)
  else if (options.blackHoles) await benchBlackHoles(options, cleanup)
  else {
    const rows = await bench(options, cleanup)
    if (!options.toy) return rows
    await checkBudget({ ...options, ...toyBudget }, ['create', 'read'])
    await benchCodec(options)
    const history = await benchHistory({ ...options, jsonFile: null }, cleanup)
    return [...rows, ...history, ...(await benchSessions(options, cleanup))]
  }
  return []
}

/** Long enough for a profile that does not only show the start. */
const toyBudget = { connections: [64], seconds: 3, warmUpSeconds: 2, workers: 1 }

const checkBudget = async (options: Options, workloads: readonly WorkloadName[]): Promise<void> => {
  const grown = await benchBudget(options, workloads, cleanup)
  if (grown.size === 0) return
  // Beside other work on the machine a stage can double by chance, but seldom twice.
  const again = await benchBudget(options, workloads, cleanup)
  for (const [stage, text] of again) {
    if (!grown.has(stage)) continue
    console.error(`bench: ${text}`)
    process.exitCode = 1
  }
}

const cleanup = newCleanup()
let interrupted = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    interrupted = true
    void cleanup.run().then(() => process.exit(1))
  })
}

try {
  const options = readOptions(process.argv)
  const rows = await run(options)
  const errors = errorsOf(rows)
  if (errors > 0) {
    console.error(`bench: ${errors} requests failed`)
    process.exitCode = 1
  }
} catch (error) {
  if (!interrupted) console.error('bench:', error)
  process.exitCode = 1
} finally {
  await cleanup.run()
}
