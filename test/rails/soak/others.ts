import { type Call, newMerchant } from '../../e2e/service.ts'
import type { RailHost } from '../live-service.ts'

/** A company that has no bank: what others' banks do must not slow it down (rails, section 7, I8). */
export const openOther = async ({ service }: RailHost): Promise<Call> =>
  (await newMerchant(service(), { scopes: 'charges.create,charges.read' })).call

/** How long a charge of a company without a bank takes: the time that one of a hundred takes longer than, in milliseconds. */
export type ComparedOthers = {
  readonly besideBanks: number
  readonly besideSilentBanks: number
  /** By what factor two halves of the turns beside banks that answer differ: less than that says nothing. */
  readonly noise: number
}

/**
 * Measures in short turns, one beside banks that answer and one beside silent ones: whatever else the machine does falls on both alike, and two
 * halves of the same kind show how much of it there is.
 */
export const compareOthers = async (
  call: Call,
  setBanks: (are: 'open' | 'silent') => void,
): Promise<ComparedOthers> => {
  await chargesFor(call, 4_000)
  const answering: number[][] = [[], []]
  const silent: number[] = []
  for (let n = 0; n < turns; n++) {
    setBanks('open')
    await chargesFor(call, settleMs)
    answering[n % 2]!.push(...(await chargesFor(call, turnMs)))
    setBanks('silent')
    await chargesFor(call, settleMs)
    silent.push(...(await chargesFor(call, turnMs)))
  }
  setBanks('open')
  const [one, other] = answering.map(p99Of) as [number, number]
  return {
    besideBanks: p99Of(answering.flat()),
    besideSilentBanks: p99Of(silent),
    noise: Number((Math.max(one, other) / Math.min(one, other)).toFixed(2)),
  }
}

const turns = 6
const settleMs = 500
const turnMs = 3_000

const p99Of = (took: readonly number[]): number => {
  const sorted = [...took].sort((a, b) => a - b)
  return Number(sorted[Math.floor(0.99 * (sorted.length - 1))]!.toFixed(1))
}

/** Makes charges for so long, a few at a time; answers how long each took. */
const chargesFor = async (call: Call, ms: number): Promise<readonly number[]> => {
  const untilMs = performance.now() + ms
  const took: number[] = []
  const makeNext = async (): Promise<void> => {
    while (performance.now() < untilMs) {
      const startedAt = performance.now()
      await call('POST', '/v1/pix/charges', { amount: 1990 })
      took.push(performance.now() - startedAt)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  await Promise.all([makeNext(), makeNext()])
  return took
}
