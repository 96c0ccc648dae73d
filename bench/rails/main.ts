import { join } from 'node:path'
import { Pool } from 'undici'
import type { Cleanup } from '../cleanup.ts'
import { machine } from '../conditions.ts'
import type { Options } from '../options.ts'
import { type Child, cpuTime, startChild, temporaryDirectory, until } from '../processes.ts'
import { newRandom, oneOf } from '../random.ts'
import { median, printConditions } from '../report.ts'
import { openService } from '../service.ts'
import type { Company } from '../target.ts'
import { createRequest } from '../workloads.ts'
import { createsAt, type Exchange, type Load, type LoadResult, run } from './loads.ts'
import { type BenchBank, openShop, startBank } from './shops.ts'

/**
 * What a bank costs that answers a charge in 50 ms (check 3): what a create over it takes beyond the bank's own time, its throughput and processor time
 * beside the Sandbox within the service and beside the least that two commits and an ask take on this disk, and what companies notice of another one's
 * dead bank. All of it in turns.
 */
export const benchRails = async (options: Options, cleanup: Cleanup): Promise<void> => {
  const { workers, seed, seconds, rounds } = options
  const random = newRandom(seed)
  const bank = await startBank(cleanup, bankMs)
  const { path } = temporaryDirectory(cleanup, 'rails')
  const service = await openService(cleanup, path, workers)
  const shops = []
  for (let n = 0; n < shopsConnected; n++) shops.push(await openShop(path, bank, random))
  const dead = await openShop(path, bank, random, true)
  const live = shops.map((shop) => shop.live)
  const sandbox = shops.map((shop) => shop.sandbox)
  printConditions({ ...machine(), workers, seconds, rounds, seed, bankMs, shops: shopsConnected })

  const floor = await startFloor(cleanup, bank)
  const createsBy = async (
    { child, origin }: { readonly child: Child; readonly origin: string },
    companies: readonly Company[],
    load: Load,
  ): Promise<Row> => {
    const takenUs = (): number => totalOf(cpuTime(child.pid))
    const before = { service: takenUs(), bank: totalOf(cpuTime(bank.child.pid)) }
    const next = () => createRequest(random, oneOf(random, companies))
    const { exchange, close } = createsAt(origin, next, loaded)
    const result = await run(exchange, load, random)
    await close()
    const each = (us: number): number => us / result.requests
    return {
      ...result,
      cpuUs: each(takenUs() - before.service),
      bankUs: each(totalOf(cpuTime(bank.child.pid)) - before.bank),
    }
  }
  const creates = (companies: readonly Company[], load: Load): Promise<Row> =>
    createsBy(service, companies, load)
  const asks = async (load: Load): Promise<Row> => {
    const { exchange, close } = asksOf(bank)
    // With connections that are open already, as the service has them.
    await run(exchange, { clients: few, seconds: 1 }, random)
    const result = await run(exchange, load, random)
    await close()
    return { ...result, cpuUs: 0, bankUs: 0 }
  }
  if (options.warmUpSeconds > 0) {
    await creates(live, { clients: loaded, seconds: options.warmUpSeconds })
    await creates(sandbox, { clients: loaded, seconds: options.warmUpSeconds })
    await createsBy(floor, live, { clients: loaded, seconds: options.warmUpSeconds })
  }
  console.log('\nload                       requests/s     p50 ms     p99 ms   cpu us  of the bank')
  const all: Record<string, Row[]> = {}
  const row = (name: string, result: Row): void => {
    all[name] = [...(all[name] ?? []), result]
    const { perSecond, p50Us, p99Us, cpuUs, bankUs, failures } = result
    console.log(
      name.padEnd(26),
      perSecond.toFixed(0).padStart(10),
      (p50Us / 1000).toFixed(2).padStart(10),
      (p99Us / 1000).toFixed(2).padStart(10),
      cpuUs.toFixed(0).padStart(8),
      bankUs.toFixed(0).padStart(10),
      failures === 0 ? '' : ` ${failures} FAILED`,
    )
  }
  for (let round = 0; round < rounds; round++) {
    const singly: Load = { perSecond: arrivalsPerSecond, seconds }
    const inStep: Load = { clients: few, seconds }
    const full: Load = { clients: loaded, seconds }
    row(`the bank itself, ${arrivals}`, await asks(singly))
    row(`the floor, ${arrivals}`, await createsBy(floor, live, singly))
    row(`over the bank, ${arrivals}`, await creates(live, singly))
    row(`in the Sandbox, ${arrivals}`, await creates(sandbox, singly))
    row('the bank itself, 16', await asks(inStep))
    row('the floor, 16', await createsBy(floor, live, inStep))
    row('over the bank, 16', await creates(live, inStep))
    row('in the Sandbox, 256', await creates(sandbox, full))
    row('the floor, 256', await createsBy(floor, live, full))
    row('over the bank, 256', await creates(live, full))
    row('beside nothing, 16', await creates(live, inStep))
    const [beside] = await Promise.all([
      creates(live, inStep),
      // What it asks for is refused once its bank is known to be dead: what counts is that others do not notice.
      creates([dead.live], inStep),
    ])
    row('beside a dead bank, 16', beside)
  }
  const of = (name: string, read: (result: Row) => number): number => median(all[name]!.map(read))
  const added = (load: string): string => {
    const ms = (what: string, read: (result: Row) => number): string =>
      ((of(`${what}, ${load}`, read) - of(`the bank itself, ${load}`, read)) / 1000).toFixed(2)
    const line = (read: (result: Row) => number, bound: number): string =>
      `${ms('over the bank', read)} ms (bound ${bound}; the floor ${ms('the floor', read)})`
    return `p50 ${line(({ p50Us }) => p50Us, 1)}, p99 ${line(({ p99Us }) => p99Us, 5)}`
  }
  const ratio = (one: string, other: string, read: (result: Row) => number): string =>
    (of(one, read) / of(other, read)).toFixed(2)
  console.log(`\na create adds to the bank's time, at random times, ${arrivals}: ${added(arrivals)}`)
  console.log(`the same by ${few} clients in step with one another: ${added('16')}`)
  console.log(
    `throughput over the bank by that of the Sandbox: ${ratio('over the bank, 256', 'in the Sandbox, 256', ({ perSecond }) => perSecond)} (bound 0.7); at most ${Math.round(loaded / (bankMs / 1000))} a second come back from a bank of ${bankMs} ms to ${loaded} connections`,
  )
  console.log(
    `processor time of a create over the bank by one in the Sandbox: ${ratio('over the bank, 256', 'in the Sandbox, 256', ({ cpuUs }) => cpuUs)}; by the floor: ${ratio('over the bank, 256', 'the floor, 256', ({ cpuUs }) => cpuUs)}`,
  )
  console.log(
    `p99 of others beside a dead bank: ${ratio('beside a dead bank, 16', 'beside nothing, 16', ({ p99Us }) => p99Us)} (bound 1.20)`,
  )
  await service.child.stop()
}

const bankMs = 50
const few = 16
const arrivalsPerSecond = 100
const arrivals = `${arrivalsPerSecond}/s`
const loaded = 256
/** A connection has at most 64 charges under way at its bank: 256 of them, and chance, need more connections than four. */
const shopsConnected = 16

/** Starts what does nothing but the two commits and the ask: on one disk, what a create can take at best. */
const startFloor = async (
  cleanup: Cleanup,
  bank: BenchBank,
): Promise<{ readonly child: Child; readonly origin: string }> => {
  const { child: _, ...known } = bank
  const { path } = temporaryDirectory(cleanup, 'floor')
  const program = join(import.meta.dirname, 'floor.js')
  const child = startChild(cleanup, [
    process.execPath,
    '--v8-pool-size=1',
    program,
    path,
    JSON.stringify(known),
  ])
  await until(child, () => child.output().includes('\n'))
  return { child, origin: child.output().trim() }
}

/** A load's result, with the processor time of a request in microseconds: of the service, and of the bank. */
type Row = LoadResult & { readonly cpuUs: number; readonly bankUs: number }

/** The same asks without the service: what the bank, the wire and this process take. */
const asksOf = ({
  url,
  cert,
  key,
  authority: ca,
}: BenchBank): { readonly exchange: Exchange; readonly close: () => Promise<void> } => {
  const pool = new Pool(url, { connections: loaded, connect: { cert, key, ca } })
  const body = JSON.stringify({
    calendario: { expiracao: 3600 },
    valor: { original: '12.34' },
    chave: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
  })
  let number = 0
  return {
    exchange: async () => {
      const path = `/v2/cob/bench${String(++number).padStart(27, '0')}`
      const answer = await pool.request({
        method: 'PUT',
        path,
        headers: { 'content-type': 'application/json' },
        body,
      })
      await answer.body.text()
      return answer.statusCode === 201
    },
    close: () => pool.close(),
  }
}

const totalOf = ({ userUs, systemUs }: { readonly userUs: number; readonly systemUs: number }): number =>
  userUs + systemUs
