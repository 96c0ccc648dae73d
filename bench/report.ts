import { writeFileSync } from 'node:fs'
import type { Measurement } from './measure.ts'
import { sumOf } from './sum.ts'
import type { WorkloadName } from './workloads.ts'

/** A measurement of the service or of a peer. */
export type Row = Measurement & {
  readonly name: string
  readonly workload: WorkloadName
  readonly connections: number
  readonly round: number
}

type Medians = Pick<Row, 'name' | 'requestsPerSecond' | 'p50Us' | 'p99Us' | 'p999Us'> & {
  readonly cpuUs: number
}

/** One workload at one number of connections: medians over the rounds, and the service by each peer. */
type Comparison = Pick<Row, 'workload' | 'connections'> & {
  readonly medians: readonly Medians[]
  readonly ratios: readonly {
    readonly peer: string
    readonly throughput: number
    readonly p99: number
    readonly cpu: number
  }[]
}

export const printConditions = (conditions: object): void => {
  for (const [name, value] of Object.entries(conditions)) console.log(`${name.padEnd(16)} ${value}`)
}

export const printHeading = (): void => {
  console.log(
    '\nworkload    conns target            requests/s   p50 ms   p99 ms p99.9 ms cpu us   user system errors commits/s entries/commit memory MB answer B  threads us',
  )
}

export const printRow = (row: Row): void => {
  const { journal, statusErrors, socketErrors } = row
  console.log(
    [
      row.workload.padEnd(11),
      String(row.connections).padStart(5),
      row.name.padEnd(16),
      whole(row.requestsPerSecond).padStart(11),
      millis(row.p50Us).padStart(8),
      millis(row.p99Us).padStart(8),
      millis(row.p999Us).padStart(8),
      row.cpu.us.toFixed(1).padStart(6),
      row.cpu.userUs.toFixed(1).padStart(6),
      row.cpu.systemUs.toFixed(1).padStart(6),
      `${statusErrors}+${socketErrors}`.padStart(6),
      (journal ? whole(journal.commits / row.seconds) : '-').padStart(9),
      (journal ? journal.entriesPerCommit.toFixed(1) : '-').padStart(14),
      whole(row.residentBytes / 1e6).padStart(9),
      String(row.answerBytes).padStart(8),
      ` ${threadsText(row.cpu.threadsUs)}`,
    ].join(' '),
  )
}

/** The threads that take more than a twentieth of the total. */
export const threadsText = (threadsUs: readonly number[]): string => {
  const sum = sumOf(threadsUs)
  return threadsUs
    .filter((us) => us > sum / 20)
    .map((us) => us.toFixed(1))
    .join(' + ')
}

export const printComparisons = (rows: readonly Row[]): void => {
  console.log(
    '\nmedians, and the service by each peer (throughput: more is better; p99 and cpu: less is better)',
  )
  for (const { workload, connections, medians, ratios } of compare(rows)) {
    for (const { name, requestsPerSecond, p50Us, p99Us, cpuUs } of medians) {
      const ratio = ratios.find(({ peer }) => peer === name)
      console.log(
        [
          workload.padEnd(11),
          String(connections).padStart(5),
          name.padEnd(16),
          `${whole(requestsPerSecond)}/s`.padStart(11),
          `p50 ${millis(p50Us)} ms`.padStart(15),
          `p99 ${millis(p99Us)} ms`.padStart(15),
          `cpu ${cpuUs.toFixed(1)} us`.padStart(14),
          ratio
            ? `  × ${ratio.throughput.toFixed(2)} throughput, × ${ratio.p99.toFixed(2)} p99, × ${ratio.cpu.toFixed(2)} cpu`
            : '',
        ].join(' '),
      )
    }
  }
}

export const writeJson = (file: string, conditions: object, rows: readonly Row[]): void => {
  writeFileSync(file, `${JSON.stringify({ conditions, rows, comparisons: compare(rows) }, null, 2)}\n`)
}

/** The failures of a measurement. */
export type Failures = Pick<Row, 'statusErrors' | 'socketErrors'>

/** Answers that are not 2xx, and connections that broke. */
export const errorsOf = (rows: readonly Failures[]): number =>
  rows.reduce((sum, { statusErrors, socketErrors }) => sum + statusErrors + socketErrors, 0)

const compare = (rows: readonly Row[]): Comparison[] =>
  groupsOf(rows, ({ workload, connections }) => `${workload} ${connections}`).map((same) => {
    const { workload, connections } = same[0]!
    const medians = groupsOf(same, ({ name }) => name).map(mediansOf)
    const [service, ...peers] = medians
    const ratios = peers.map((peer) => ({
      peer: peer.name,
      throughput: service!.requestsPerSecond / peer.requestsPerSecond,
      p99: service!.p99Us / peer.p99Us,
      cpu: service!.cpuUs / peer.cpuUs,
    }))
    return { workload, connections, medians, ratios }
  })

/** In the order in which the groups first appear. Node 20 has no Map.groupBy. */
const groupsOf = (rows: readonly Row[], keyOf: (row: Row) => string): Row[][] => {
  const groups = new Map<string, Row[]>()
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row])
  return [...groups.values()]
}

const mediansOf = (rows: readonly Row[]): Medians => {
  const of = (read: (row: Row) => number): number => median(rows.map(read))
  return {
    name: rows[0]!.name,
    requestsPerSecond: of((row) => row.requestsPerSecond),
    p50Us: of((row) => row.p50Us),
    p99Us: of((row) => row.p99Us),
    p999Us: of((row) => row.p999Us),
    cpuUs: of((row) => row.cpu.us),
  }
}

/** The median; for an even number of values, the mean of the two in the middle. */
export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2
}

const whole = (value: number): string => Math.round(value).toLocaleString('en-US')
const millis = (micros: number): string => (micros / 1000).toFixed(2)
