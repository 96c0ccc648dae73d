import { writeFileSync } from 'node:fs'
import type { LoadResult } from '../generator.ts'
import { median } from '../report.ts'
import type { Pause } from './handover.ts'

/** One target at one number of clients. */
export type ClusterRow = LoadResult & {
  readonly name: string
  readonly clients: number
  readonly round: number
  /** The share of requests that reached one node and were answered by another; null with a single node. */
  readonly elsewhereShare: number | null
  /** Calls to another node per message. */
  readonly callsPerBatch: number | null
  readonly entriesPerCommit: number
  /** Processor time of a request, in microseconds. */
  readonly nodesUs: number
  readonly serversUs: number
}

export const printHeading = (): void =>
  console.log(
    '\ntarget         clients requests/s   p50 ms   p99 ms errors elsewhere calls/message entries/commit nodes us servers us',
  )

export const printRow = (row: ClusterRow): void => {
  const { elsewhereShare, callsPerBatch, statusErrors, socketErrors } = row
  console.log(
    [
      row.name.padEnd(14),
      String(row.clients).padStart(7),
      whole(perSecond(row)).padStart(10),
      millis(row.p50Us).padStart(8),
      millis(row.p99Us).padStart(8),
      `${statusErrors}+${socketErrors}`.padStart(6),
      (elsewhereShare === null ? '-' : `${(100 * elsewhereShare).toFixed(0)} %`).padStart(9),
      (callsPerBatch === null ? '-' : callsPerBatch.toFixed(1)).padStart(13),
      row.entriesPerCommit.toFixed(1).padStart(14),
      whole(row.nodesUs).padStart(8),
      whole(row.serversUs).padStart(10),
    ].join(' '),
  )
}

/** Medians over the rounds, and the cluster by each of the others. */
export const printRatios = (rows: readonly ClusterRow[], cluster: string): void => {
  console.log(
    '\nmedians, and the cluster by the others (throughput: more is better; p50 and p99: less is better)',
  )
  for (const clients of new Set(rows.map((row) => row.clients))) {
    const of = (name: string, read: (row: ClusterRow) => number): number =>
      median(rows.filter((row) => row.clients === clients && row.name === name).map(read))
    for (const name of new Set(rows.map((row) => row.name))) {
      const ratio = (read: (row: ClusterRow) => number): string =>
        (of(cluster, read) / of(name, read)).toFixed(2)
      const ratios = `  × ${ratio(perSecond)} throughput, × ${ratio(p50)} p50, × ${ratio(p99)} p99, × ${ratio(allUs)} processor time`
      console.log(
        [
          name.padEnd(14),
          String(clients).padStart(7),
          `${whole(of(name, perSecond))}/s`.padStart(10),
          `p50 ${millis(of(name, p50))} ms`.padStart(14),
          `p99 ${millis(of(name, p99))} ms`.padStart(14),
          `cpu ${whole(of(name, allUs))} us`.padStart(14),
          name === cluster ? '' : ratios,
        ].join(' '),
      )
    }
  }
}

/** Processor time that the processes of a target take in each second in which nobody asks anything. */
export type Idle = { readonly nodesMs: number; readonly serversMs: number }

export const printIdle = (name: string, { nodesMs, serversMs }: Idle): void =>
  console.log(
    `${name}, idle: ${(nodesMs + serversMs).toFixed(1)} ms of processor time a second, of nodes ${nodesMs.toFixed(1)} and of servers ${serversMs.toFixed(1)} (wanted of a cluster: at most 30)`,
  )

export const printFailovers = (gapsMs: readonly number[], rounds: number): void =>
  console.log(
    `\nfailover, kill -9 of an owner to the first acknowledged write of each of its shards, ${gapsMs.length} shards in ${rounds} rounds: ` +
      `median ${whole(median(gapsMs))} ms, max ${whole(Math.max(...gapsMs))} ms (wanted: at most 3,000)`,
  )

export const printPauses = (pauses: readonly Pause[], clients: number): void => {
  const moved = pauses.map(({ movedMs }) => movedMs)
  const before = pauses.map(({ beforeMs }) => beforeMs)
  console.log(
    `handover, longest pause of a shard beside ${clients} clients, ${pauses.length} moves: ` +
      `median ${whole(median(moved))} ms, max ${whole(Math.max(...moved))} ms (wanted: at most 100); ` +
      `the same without a move: median ${whole(median(before))} ms, max ${whole(Math.max(...before))} ms`,
  )
}

export const writeJson = (file: string, result: object): void =>
  writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`)

const perSecond = ({ requests, seconds }: ClusterRow): number => requests / seconds
const p50 = ({ p50Us }: ClusterRow): number => p50Us
const allUs = ({ nodesUs, serversUs }: ClusterRow): number => nodesUs + serversUs
const p99 = ({ p99Us }: ClusterRow): number => p99Us
const whole = (value: number): string => Math.round(value).toLocaleString('en-US')
const millis = (micros: number): string => (micros / 1000).toFixed(2)
