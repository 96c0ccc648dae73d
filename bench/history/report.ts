import { sumOf } from '../sum.ts'
import type { Creates } from './creates.ts'
import type { HistoryData } from './data.ts'
import type { Parts } from './disk.ts'
import type { Memory, Start } from './measure-service.ts'
import type { Asked } from './questions.ts'

/** Everything that a run found, as it is written to a file. */
export type HistoryResult = {
  readonly conditions: object
  readonly rows: number
  readonly seeding: HistoryData['seeding']
  readonly disk: Parts
  readonly starts: Starts
  /** Memory beyond that of the same service without a transaction, after the start and after all questions. */
  readonly memory: { readonly started: Memory; readonly asked: Memory }
  readonly lists: readonly Asked[]
  readonly exported: Exported
  readonly cold: readonly Omit<Asked, 'peer' | 'cpuUs'>[]
  readonly lookups: readonly Omit<Asked, 'peer'>[]
  readonly creates: readonly Creates[]
  readonly paidCharge: { readonly disk: Parts; readonly writtenBytes: number }
}

/** All rows of the first company, with the processor time of the service for each. */
export type Exported = { readonly rowsPerSecond: number; readonly cpuUs: number }

export type Starts = { readonly empty: Start; readonly half: Start; readonly whole: Start }

export const printSeeding = ({ rowsPerSecond, cpuUs, peakBytes }: HistoryData['seeding']): void =>
  line(
    'seeding',
    `${whole(rowsPerSecond)} rows/s, ${cpuUs.toFixed(1)} us of processor time each; a process took at most ${mega(peakBytes)}`,
  )

export const printStarts = (starts: Starts, rows: number): void => {
  const text = ({ ms, cpuMs }: Start): string => `${inMs(ms)} (${inMs(cpuMs)} of processor time)`
  const each = (of: (start: Start) => number): number => ((of(starts.whole) - of(starts.half)) * 2e6) / rows
  line('start', `${text(starts.whole)}; with half ${text(starts.half)}, without rows ${text(starts.empty)}`)
  line('start, each further million', text({ ms: each(({ ms }) => ms), cpuMs: each(({ cpuMs }) => cpuMs) }))
}

export const printMemory = (when: string, memory: Memory, rows: number): void => {
  const { anonBytes, heapBytes, arrayBuffersBytes } = memory
  line(
    `memory after ${when}`,
    `${mega(anonBytes)} beyond an empty service, ${(anonBytes / rows).toFixed(1)} bytes a transaction; heap ${mega(heapBytes)}, array buffers ${mega(arrayBuffersBytes)}`,
  )
}

/** Rows of questions, with what was measured of them. */
export const printAsked = (
  title: string,
  asked: readonly (Pick<Asked, 'title' | 'p50' | 'p99'> & Partial<Asked>)[],
): void => {
  const hasPeer = asked.some(({ peer }) => peer)
  const heads = ['p50', 'p99', 'cpu us', ...(hasPeer ? ['peer p50', 'peer p99', 'ratio of p50'] : [])]
  console.log(`\n${title.padEnd(36)}${heads.map((head) => head.padStart(13)).join('')}`)
  for (const { title, p50, p99, cpuUs, peer } of asked) {
    const ours = [inMs(p50), inMs(p99), cpuUs === undefined ? '-' : whole(cpuUs)]
    const theirs = peer ? [inMs(peer.p50), inMs(peer.p99), `x ${(peer.p50 / p50).toFixed(1)}`] : []
    console.log(`${title.padEnd(36)}${[...ours, ...theirs].map((text) => text.padStart(13)).join('')}`)
  }
}

export const printCreates = (creates: readonly Creates[]): void => {
  const [empty] = creates
  console.log(
    `\n${'creates'.padEnd(36)}${['per second', 'p99', 'cpu us', 'ratio of p99', 'of cpu'].map((head) => head.padStart(13)).join('')}`,
  )
  for (const { name, perSecond, p99Us, cpuUs } of creates) {
    const ratios = [p99Us / empty!.p99Us, cpuUs / empty!.cpuUs].map((ratio) => `x ${ratio.toFixed(2)}`)
    const texts = [whole(perSecond), inMs(p99Us / 1000), cpuUs.toFixed(1), ...ratios]
    console.log(`${name.padEnd(36)}${texts.map((text) => text.padStart(13)).join('')}`)
  }
}

export const printDisk = (of: string, parts: Parts): void => {
  const sum = sumOf(Object.values(parts))
  const texts = Object.entries(parts).map(([part, bytes]) => `${part} ${whole(bytes)}`)
  line(`disk, ${of}`, `${whole(sum)} bytes: ${texts.join(', ')}`)
}

export const printWritten = (bytes: number): void =>
  line('of which was written to its journal', `${whole(bytes)} bytes`)

export const printExport = ({ rowsPerSecond, cpuUs }: Exported): void =>
  line('\nexport of all', `${whole(rowsPerSecond)} rows/s, ${cpuUs.toFixed(1)} us of processor time each`)

const line = (name: string, text: string): void => console.log(`${name.padEnd(36)} ${text}`)
const whole = (value: number): string => Math.round(value).toLocaleString('en-US')
const mega = (bytes: number): string => `${whole(bytes / 1e6)} MB`
const inMs = (ms: number): string =>
  Math.abs(ms) < 1000 ? `${ms.toFixed(2)} ms` : `${(ms / 1000).toFixed(2)} s`
