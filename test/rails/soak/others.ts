import { type Call, newMerchant } from '../../e2e/service.ts'
import type { RailHost } from '../live-service.ts'

/** A company that has no bank: what others' banks do must not slow it down (rails, section 7, I8). */
export const openOther = async ({ service }: RailHost): Promise<Call> =>
  (await newMerchant(service(), { scopes: 'charges.create,charges.read' })).call

/** Makes charges for so long, a few at a time; answers the time that one of a hundred takes longer than. */
export const p99Of = async (call: Call, ms: number): Promise<number> => {
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
  took.sort((a, b) => a - b)
  return Number(took[Math.floor(0.99 * (took.length - 1))]!.toFixed(1))
}
