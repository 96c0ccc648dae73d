import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { serialize } from 'node:v8'
import { natsServer } from '../../gateway/local-cluster/nats-server.ts'
import { newMerchant } from '../../test/gateway/merchant.ts'
import { autocannonGenerator } from '../autocannon.ts'
import type { Cleanup } from '../cleanup.ts'
import { machine } from '../conditions.ts'
import type { Generator } from '../generator.ts'
import { createCharges } from '../measure.ts'
import type { Options } from '../options.ts'
import { type Child, cpuTime, freePort, startChild, temporaryDirectory, until } from '../processes.ts'
import { median, printConditions } from '../report.ts'
import type { Target } from '../target.ts'
import { type LoadRequest, requestsOf } from '../workloads.ts'
import { findWrk } from '../wrk.ts'
import { relayCounts } from './open-worker.ts'

/**
 * Prints the processor time that a request costs more where another thread or node owns its shard than where the one that takes it does: in all
 * threads, processes and the NATS server together. Medians of rounds, in which the three take turns.
 */
export const benchRelay = async (options: Options, cleanup: Cleanup): Promise<void> => {
  const { seed, rounds, connections, seconds } = options
  const generator = (await findWrk(cleanup)) ?? autocannonGenerator
  printConditions({ ...machine(), generator: generator.name, seconds, rounds, seed })
  const merchant = newMerchant()
  const { path } = temporaryDirectory(cleanup, 'relay')
  const file = join(path, 'merchant')
  writeFileSync(file, serialize(merchant), { mode: 0o600 })
  const ways = await openWays(cleanup, file)

  const companies = [{ id: merchant.company.id, secret: merchant.secret }]
  const taken = new Map<string, Taken[]>()
  const loads: Load[] = []
  for (const way of ways) {
    const charges = await createCharges(way, companies, seed, chargesToRead)
    for (const workload of ['create', 'read'] as const) {
      const requests = requestsOf(workload, { companies, charges, marketplaces: [], seed, count: 10_000 })
      loads.push({ way, workload, requests })
    }
  }
  for (let n = 0; n < warmUps; n++)
    for (const load of loads)
      await measureLoad(cleanup, generator, load, connections.at(-1)!, options.warmUpSeconds)
  for (let round = 0; round < rounds; round++)
    for (const clients of connections)
      for (const load of loads) {
        const one = await measureLoad(cleanup, generator, load, clients, seconds)
        const name = nameOf(load.way.name, load.workload, clients)
        taken.set(name, [...(taken.get(name) ?? []), one])
      }
  printTable(ways, connections, taken)
}

const chargesToRead = 500
const warmUps = 2

type Load = {
  readonly way: Way
  readonly workload: 'create' | 'read'
  readonly requests: readonly LoadRequest[]
}

/** Microseconds of a request, and how many requests a frame of each side stood for. */
type Taken = { readonly us: number; readonly callsAFrame: number; readonly answersAFrame: number }

const nameOf = (way: string, workload: string, clients: number): string => `${way} ${workload} ${clients}`

const measureLoad = async (
  cleanup: Cleanup,
  generator: Generator,
  { way, requests }: Load,
  connections: number,
  seconds: number,
): Promise<Taken> => {
  const before = await way.read()
  const { statusErrors, socketErrors } = await generator.load(cleanup, {
    origin: way.origin,
    requests,
    connections,
    seconds,
  })
  if (statusErrors + socketErrors > 0) throw new Error(`${way.name}: ${statusErrors}+${socketErrors} failed`)
  const after = await way.read()
  const count = after.requests - before.requests
  return {
    us: (after.us - before.us) / count,
    callsAFrame: count / (after.asking - before.asking),
    answersAFrame: count / (after.answering - before.answering),
  }
}

/** One way of a request to its shard. */
type Way = Target & {
  readonly name: 'local' | 'threads' | 'nodes'
  readonly read: () => Promise<Readonly<Record<'us' | (typeof relayCounts)[number], number>>>
}

const openWays = async (cleanup: Cleanup, merchantFile: string): Promise<readonly Way[]> => {
  const open = (env: Readonly<Record<string, string>>): Promise<Child> =>
    openProcess(cleanup, { MERCHANT_FILE: merchantFile, ...env })
  const dataDir = (): string => temporaryDirectory(cleanup, 'relay-shard').path
  const local = await freePort()
  const alone = await open({ THREADS: '1', PORT: String(local), DATA_DIR: dataDir(), NATS_URL: '' })
  const shared = await freePort()
  const threads = await open({ THREADS: '2', PORT: String(shared), DATA_DIR: dataDir(), NATS_URL: '' })
  const natsPort = await freePort()
  const server = startChild(cleanup, [natsServer(), '-a', '127.0.0.1', '-p', String(natsPort)])
  await until(server, () => server.output().includes('Server is ready'))
  const natsUrl = `nats://127.0.0.1:${natsPort}`
  const owner = await open({ THREADS: '1', PORT: '', DATA_DIR: dataDir(), NATS_URL: natsUrl })
  const taking = await freePort()
  const entry = await open({ THREADS: '1', PORT: String(taking), DATA_DIR: '', NATS_URL: natsUrl })
  return [
    wayOver('local', local, [alone]),
    wayOver('threads', shared, [threads]),
    wayOver('nodes', taking, [entry, owner], server),
  ]
}

const openProcess = async (cleanup: Cleanup, env: Readonly<Record<string, string>>): Promise<Child> => {
  const file = resolve(import.meta.dirname, 'process.js')
  const child = startChild(cleanup, [process.execPath, '--v8-pool-size=1', file], { env })
  await until(child, () => child.output().includes('ready'))
  const port = env.PORT
  if (port !== '')
    await until(child, async () => (await fetch(`http://127.0.0.1:${port}/v1/nowhere`)).status > 0)
  return child
}

const wayOver = (name: Way['name'], port: number, processes: readonly Child[], server?: Child): Way => {
  const all = server === undefined ? processes : [...processes, server]
  const usOf = ({ pid }: Child): number => [...cpuTime(pid).threads.values()].reduce((sum, us) => sum + us, 0)
  const sumOf = (counted: readonly (readonly number[])[], name: (typeof relayCounts)[number]): number =>
    counted.reduce((sum, values) => sum + values[relayCounts.indexOf(name)]!, 0)
  return {
    name,
    origin: `http://127.0.0.1:${port}`,
    journal: async () => null,
    residentBytes: () => 0,
    cpuTime: () => cpuTime(processes[0]!.pid),
    stop: async () => undefined,
    read: async () => {
      const us = all.reduce((sum, child) => sum + usOf(child), 0)
      const counted = await Promise.all(processes.map(countsOf))
      return {
        us,
        requests: sumOf(counted, 'requests'),
        asking: sumOf(counted, 'asking'),
        answering: sumOf(counted, 'answering'),
      }
    },
  }
}

/** What a process has counted. */
const countsOf = async (child: Child): Promise<readonly number[]> => {
  const said = (): readonly string[] => child.output().match(/^counted .*$/gm) ?? []
  const before = said().length
  process.kill(child.pid, 'SIGUSR2')
  await until(child, () => said().length > before)
  return said().at(-1)!.split(' ').slice(1).map(Number)
}

const printTable = (
  ways: readonly Way[],
  connections: readonly number[],
  taken: ReadonlyMap<string, readonly Taken[]>,
): void => {
  console.log('\nway      workload clients  cpu us  more us  calls/frame  answers/frame')
  for (const workload of ['create', 'read'])
    for (const clients of connections) {
      const of = (way: string, name: keyof Taken): number =>
        median(taken.get(nameOf(way, workload, clients))!.map((one) => one[name]))
      const localUs = of('local', 'us')
      for (const { name } of ways)
        console.log(
          [
            name.padEnd(8),
            workload.padEnd(8),
            String(clients).padStart(7),
            of(name, 'us').toFixed(1).padStart(8),
            (name === 'local' ? '' : (of(name, 'us') - localUs).toFixed(1)).padStart(8),
            (name === 'local' ? '' : of(name, 'callsAFrame').toFixed(1)).padStart(12),
            (name === 'local' ? '' : of(name, 'answersAFrame').toFixed(1)).padStart(14),
          ].join(' '),
        )
    }
}
