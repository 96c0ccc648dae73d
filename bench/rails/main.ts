import { Pool } from 'undici'
import type { Cleanup } from '../cleanup.ts'
import { machine } from '../conditions.ts'
import type { Options } from '../options.ts'
import { cpuTime, temporaryDirectory } from '../processes.ts'
import { newRandom, oneOf } from '../random.ts'
import { median, printConditions } from '../report.ts'
import { openService } from '../service.ts'
import type { Company } from '../target.ts'
import { createRequest } from '../workloads.ts'
import { type LoopResult, loop } from './closed-loop.ts'
import { type BenchBank, openShop, startBank } from './shops.ts'

/**
 * What a bank costs that answers a charge in 50 ms (check 3): what a create over it takes beyond the bank's own time, its throughput and processor time
 * beside the Sandbox within the service, and what companies notice of another one's dead bank. All of it on one service, in turns.
 */
export const benchRails = async (options: Options, cleanup: Cleanup): Promise<void> => {
  const { workers, seed, seconds, rounds } = options
  const random = newRandom(seed)
  const bank = await startBank(cleanup, bankMs)
  const { path } = temporaryDirectory(cleanup, 'rails')
  const { child, origin } = await openService(cleanup, path, workers)
  const shops = []
  for (let n = 0; n < shopsConnected; n++) shops.push(await openShop(path, bank, random))
  const dead = await openShop(path, bank, random, true)
  const live = shops.map((shop) => shop.live)
  const sandbox = shops.map((shop) => shop.sandbox)
  printConditions({ ...machine(), workers, seconds, rounds, seed, bankMs, shops: shopsConnected })

  const serviceUs = (): number => totalOf(cpuTime(child.pid))
  const creates = async (companies: readonly Company[], connections: number, forSeconds = seconds) => {
    const before = { service: serviceUs(), bank: totalOf(cpuTime(bank.child.pid)) }
    const next = () => createRequest(random, oneOf(random, companies))
    const result = await loop(origin, next, { connections, seconds: forSeconds })
    const each = (us: number): number => us / result.requests
    return {
      ...result,
      cpuUs: each(serviceUs() - before.service),
      bankUs: each(totalOf(cpuTime(bank.child.pid)) - before.bank),
    }
  }
  if (options.warmUpSeconds > 0) {
    await creates(live, loaded, options.warmUpSeconds)
    await creates(sandbox, loaded, options.warmUpSeconds)
  }
  console.log('\nload                       requests/s     p50 ms     p99 ms   cpu us  of the bank')
  const all: Record<string, (LoopResult & { readonly cpuUs: number; readonly bankUs: number })[]> = {}
  const row = (name: string, result: (typeof all)[string][number]): void => {
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
    row('the bank itself, 16', { ...(await asksOfBank(bank, few, seconds)), cpuUs: 0, bankUs: 0 })
    row('over the bank, 16', await creates(live, few))
    row('in the Sandbox, 256', await creates(sandbox, loaded))
    row('over the bank, 256', await creates(live, loaded))
    const alone = await creates(live, few)
    row('beside nothing, 16', alone)
    const [beside] = await Promise.all([
      creates(live, few),
      // What it asks for is refused once its bank is known to be dead: what counts is that others do not notice.
      creates([dead.live], few),
    ])
    row('beside a dead bank, 16', beside)
  }
  const of = (name: string, read: (result: (typeof all)[string][number]) => number): number =>
    median(all[name]!.map(read))
  const added = (read: (result: LoopResult) => number): string =>
    ((of('over the bank, 16', read) - of('the bank itself, 16', read)) / 1000).toFixed(2)
  const p99 = (name: string): number => of(name, ({ p99Us }) => p99Us)
  const ratio = (
    one: string,
    other: string,
    read: (result: (typeof all)[string][number]) => number,
  ): string => (of(one, read) / of(other, read)).toFixed(2)
  console.log(
    `\na create adds to the bank's time: p50 ${added(({ p50Us }) => p50Us)} ms (bound 1), p99 ${added(({ p99Us }) => p99Us)} ms (bound 5)`,
  )
  console.log(
    `throughput over the bank by that of the Sandbox: ${ratio('over the bank, 256', 'in the Sandbox, 256', ({ perSecond }) => perSecond)} (bound 0.7); at most ${Math.round(loaded / (bankMs / 1000))} a second come back from a bank of ${bankMs} ms to ${loaded} connections`,
  )
  console.log(
    `processor time of a create over the bank by one in the Sandbox: ${ratio('over the bank, 256', 'in the Sandbox, 256', ({ cpuUs }) => cpuUs)}`,
  )
  console.log(
    `p99 of others beside a dead bank: ${(p99('beside a dead bank, 16') / p99('beside nothing, 16')).toFixed(2)} (bound 1.20)`,
  )
  await child.stop()
}

const bankMs = 50
const few = 16
const loaded = 256
/** A connection has at most 64 charges under way at its bank: 256 of them, and chance, need more connections than four. */
const shopsConnected = 16

/** The same asks without the service: what the bank, the wire and this process take. */
const asksOfBank = async (bank: BenchBank, connections: number, seconds: number): Promise<LoopResult> => {
  const { cert, key, authority: ca } = bank
  const pool = new Pool(bank.url, { connections, connect: { cert, key, ca } })
  const body = JSON.stringify({
    calendario: { expiracao: 3600 },
    valor: { original: '12.34' },
    chave: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
  })
  const took: number[] = []
  const untilMs = performance.now() + seconds * 1000
  let number = 0
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < untilMs) {
        const path = `/v2/cob/bench${String(++number).padStart(27, '0')}`
        const from = performance.now()
        const answer = await pool.request({
          method: 'PUT',
          path,
          headers: { 'content-type': 'application/json' },
          body,
        })
        await answer.body.text()
        took.push(performance.now() - from)
      }
    }),
  )
  await pool.close()
  took.sort((one, other) => one - other)
  const at = (share: number): number => 1000 * took[Math.floor(share * (took.length - 1))]!
  return {
    perSecond: took.length / seconds,
    p50Us: at(0.5),
    p99Us: at(0.99),
    requests: took.length,
    failures: 0,
  }
}

const totalOf = ({ userUs, systemUs }: { readonly userUs: number; readonly systemUs: number }): number =>
  userUs + systemUs
