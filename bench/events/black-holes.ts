import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { chargeBody } from '../charge-body.ts'
import type { Cleanup } from '../cleanup.ts'
import { machine } from '../conditions.ts'
import type { Options } from '../options.ts'
import { startChild, until } from '../processes.ts'
import { newRandom } from '../random.ts'
import { printConditions } from '../report.ts'
import type { Company } from '../target.ts'
import { type Merchants, openMerchants } from './merchants.ts'
import { openReceiver, type Receiver } from './open-receiver.ts'
import type { Report } from './report.ts'
import { allHeard, startEventService } from './service.ts'
import { type BenchStream, benchStreams } from './streams.ts'

/**
 * How long a first delivery to a healthy endpoint takes at 200 events a second, alone and beside endpoints of the same
 * company that have answered until then and fall silent in the moment when the measurement begins. Every event goes to all endpoints of its
 * company.
 */
export const benchBlackHoles = async (options: Options, cleanup: Cleanup): Promise<void> => {
  const { holes, workers, seed, seconds } = options
  const receiver = await openReceiver(cleanup)
  const companies = Math.ceil(holes / holesEach)
  const { ports, pid } = await openHoles(cleanup, holes)
  const healthy = (id: string): string => `${receiver.origin}/${id}`
  const alone = await openMerchants(cleanup, options, companies, (id) => [healthy(id)])
  const beside = await openMerchants(cleanup, options, companies, (id, index) => [
    healthy(id),
    ...ports
      .slice(index * holesEach, (index + 1) * holesEach)
      .map((port, n) => `http://127.0.0.1:${port}/hole/${id}/${n}`),
  ])
  printConditions({ ...machine(), workers, shards: alone.shards, companies, eventsPerSecond, seconds, seed })
  console.log('\nstream     endpoints that fall silent  deliveries   p50 ms   p99 ms   max ms')
  for (const stream of benchStreams(cleanup)) {
    const bench = { cleanup, receiver, options, stream }
    printRow(stream.name, 0, await measure(bench, alone, null))
    printRow(stream.name, holes, await measure(bench, beside, pid))
  }
}

const eventsPerSecond = 200
/** A company has twenty endpoints at most. */
const holesEach = 10

type Bench = {
  readonly cleanup: Cleanup
  readonly receiver: Receiver
  readonly options: Options
  readonly stream: BenchStream
}

const measure = async (
  { cleanup, receiver, options, stream }: Bench,
  merchants: Merchants,
  holesPid: number | null,
): Promise<Report> => {
  const service = await startEventService(cleanup, merchants, options.workers, stream, receiver)
  const hear = async (seconds: number): Promise<Report> => {
    const before = await receiver.count()
    const charges = await createCharges(service.origin, merchants.companies, seconds, options.seed)
    await allHeard(receiver, before + charges * eventsPerCharge)
    return receiver.report()
  }
  // The first requests of a process take longer, so a short run goes first.
  await hear(Math.min(2, options.seconds))
  if (holesPid !== null) process.kill(holesPid, 'SIGSTOP')
  const report = await hear(options.seconds)
  if (holesPid !== null) process.kill(holesPid, 'SIGCONT')
  await service.stop()
  return report
}

const eventsPerCharge = 2

/** An open loop: a charge is due when its time has come, however long the ones before it take. */
const createCharges = async (
  origin: string,
  companies: readonly Company[],
  seconds: number,
  seed: number,
): Promise<number> => {
  const pool = new Pool(origin, { connections: 32 })
  const random = newRandom(seed)
  const count = Math.round((seconds * eventsPerSecond) / eventsPerCharge)
  const from = performance.now()
  const created: Promise<void>[] = []
  for (let n = 0; n < count; n++) {
    const dueInMs = from + (n * 1000 * eventsPerCharge) / eventsPerSecond - performance.now()
    if (dueInMs > 0) await sleep(dueInMs)
    created.push(create(pool, companies[n % companies.length]!, chargeBody(random, `pedido-${from}-${n}`)))
  }
  await Promise.all(created)
  await pool.close()
  return count
}

const create = async (pool: Pool, { secret }: Company, charge: object): Promise<void> => {
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path: '/v1/pix/charges',
    headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(charge),
  })
  if (statusCode !== 201) throw new Error(`a charge was answered with ${statusCode}: ${await body.text()}`)
  await body.dump()
}

const openHoles = async (
  cleanup: Cleanup,
  count: number,
): Promise<{ readonly ports: readonly number[]; readonly pid: number }> => {
  const program = resolve(import.meta.dirname, 'holes.js')
  const child = startChild(cleanup, [process.execPath, program], {
    env: { HOLES: String(count) },
    stopSignal: 'SIGKILL',
  })
  await until(child, () => /PORTS .*\n/.test(child.output()))
  return { ports: /PORTS (.*)\n/.exec(child.output())![1]!.split(' ').map(Number), pid: child.pid }
}

const printRow = (stream: string, holes: number, { deliveries, p50Ms, p99Ms, maxMs }: Report): void => {
  const columns = [p50Ms, p99Ms, maxMs].map((ms) => String(ms).padStart(8))
  console.log(
    `${stream.padEnd(10)} ${String(holes).padStart(26)} ${String(deliveries).padStart(11)} ${columns.join(' ')}`,
  )
}
