import { writeFileSync } from 'node:fs'
import type { Creates } from './creates.ts'
import type { HistoryData } from './data.ts'
import type { Parts } from './disk.ts'
import type { Memory } from './measure-service.ts'
import type { Asked } from './questions.ts'

/** Everything that a run found, as it is written to a file. */
export type HistoryResult = {
  readonly conditions: object
  readonly rows: number
  readonly seeding: HistoryData['seeding']
  readonly starts: { readonly emptyMs: number; readonly halfMs: number; readonly wholeMs: number }
  /** Memory beyond that of the same service without a transaction, after the start and after all questions. */
  readonly memory: { readonly started: Memory; readonly asked: Memory }
  readonly lists: readonly Asked[]
  readonly cold: readonly Omit<Asked, 'peer' | 'cpuUs'>[]
  readonly lookups: readonly Omit<Asked, 'peer'>[]
  readonly creates: readonly Creates[]
  readonly exportRowsPerSecond: number
  readonly disk: { readonly transaction: Parts; readonly paidCharge: Parts }
}

export const printHistory = (result: HistoryResult): void => {
  const { rows, seeding, starts, memory, lists, cold, lookups, creates, disk } = result
  line(
    'seeding',
    `${whole(seeding.rowsPerSecond)} rows/s, ${seeding.cpuUs.toFixed(1)} us of processor time each; at most ${mega(seeding.peakBytes)}`,
  )
  const slopeMs = ((starts.wholeMs - starts.halfMs) * 2e6) / rows
  line(
    'start',
    `${ms(starts.wholeMs)}; with half of them ${ms(starts.halfMs)}, without any ${ms(starts.emptyMs)}: ${ms(slopeMs)} for each million`,
  )
  for (const [when, { anonBytes, heapBytes, arrayBuffersBytes }] of [
    ['memory after the start', memory.started],
    ['memory after all lists', memory.asked],
  ] as const)
    line(
      when,
      `${mega(anonBytes)} beyond an empty service, ${(anonBytes / rows).toFixed(1)} bytes a transaction; heap ${mega(heapBytes)} and array buffers ${mega(arrayBuffersBytes)}`,
    )

  console.log(
    '\nlist of 25 with totals                p50        p99   cpu us   peer p50   peer p99   ratio of p50',
  )
  for (const { title, p50, p99, cpuUs, peer } of lists)
    console.log(
      `${title.padEnd(30)} ${ms(p50).padStart(10)} ${ms(p99).padStart(10)} ${whole(cpuUs).padStart(8)}${peer ? ` ${ms(peer.p50).padStart(10)} ${ms(peer.p99).padStart(10)}   x ${(peer.p50 / p50).toFixed(1)}` : ''}`,
    )
  console.log('\nthe same after a start, cold          p50        p99')
  for (const { title, p50, p99 } of cold)
    console.log(`${title.padEnd(30)} ${ms(p50).padStart(10)} ${ms(p99).padStart(10)}`)
  console.log('\nof a year ago, cold                   p50        p99   cpu us')
  for (const { title, p50, p99, cpuUs } of lookups)
    console.log(
      `${title.padEnd(30)} ${ms(p50).padStart(10)} ${ms(p99).padStart(10)} ${whole(cpuUs).padStart(8)}`,
    )

  console.log(
    '\ncreates                           cpu us        p99   per second   cpu and p99 by those of the empty service',
  )
  const [empty] = creates
  for (const { name, cpuUs, p99Us, perSecond } of creates)
    console.log(
      `${name.padEnd(30)} ${cpuUs.toFixed(1).padStart(9)} ${ms(p99Us / 1000).padStart(10)} ${whole(perSecond).padStart(12)}   x ${(cpuUs / empty!.cpuUs).toFixed(2)}, x ${(p99Us / empty!.p99Us).toFixed(2)}`,
    )
  console.log()
  line('export of all', `${whole(result.exportRowsPerSecond)} rows/s`)
  line('disk, a transaction', partsText(disk.transaction))
  line('disk, a PIX charge, paid, told of', partsText(disk.paidCharge))
}

export const writeHistory = (file: string, result: HistoryResult): void =>
  writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`)

const line = (name: string, text: string): void => console.log(`${name.padEnd(34)} ${text}`)
const partsText = (parts: Parts): string => {
  const sum = Object.values(parts).reduce((sum, bytes) => sum + bytes, 0)
  const texts = Object.entries(parts).map(([part, bytes]) => `${part} ${whole(bytes)}`)
  return `${whole(sum)} bytes: ${texts.join(', ')}`
}
const whole = (value: number): string => Math.round(value).toLocaleString('en-US')
const mega = (bytes: number): string => `${whole(bytes / 1e6)} MB`
const ms = (value: number): string =>
  value < 1000 ? `${value.toFixed(2)} ms` : `${(value / 1000).toFixed(2)} s`
