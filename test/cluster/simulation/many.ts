import { simulate } from './run.ts'

/**
 * `npm run chaos -- --simulate 10000 --from 1`: that many seeds, one after the other. Resolves to whether all were sound; a failing one is
 * printed with how to see it again.
 */
export const simulateMany = async (count: number, from: number): Promise<boolean> => {
  const failed: number[] = []
  const totals = { events: 0, acknowledged: 0, reads: 0, powerLosses: 0, moves: 0 }
  const startedMs = performance.now()
  for (let seed = from; seed < from + count; seed++) {
    const result = await simulate(seed)
    for (const name of Object.keys(totals) as (keyof typeof totals)[]) totals[name] += result[name]
    if (result.problems.length > 0) {
      failed.push(seed)
      console.error(`seed ${seed}: ${result.problems.join('; ')}`)
      console.error(`  again, with a trace: npm run chaos -- --simulate 1 --from ${seed} --trace`)
    }
    const done = seed - from + 1
    if (done % 500 === 0 || done === count)
      console.error(
        `${done} of ${count}: ${failed.length} failed; ${totals.acknowledged} writes acknowledged, ${totals.reads} reads, ${totals.powerLosses} losses of power, ${totals.moves} moves because of load, ${totals.events} events in ${((performance.now() - startedMs) / 1000).toFixed(0)} s`,
      )
    // So that a signal is heard.
    await new Promise((resolve) => setImmediate(resolve))
  }
  console.log(
    failed.length === 0 ? `${count} seeds from ${from} are sound` : `seeds that failed: ${failed.join(', ')}`,
  )
  return failed.length === 0
}

/** Runs one seed and prints what happens in it. */
export const traceOne = async (seed: number): Promise<boolean> => {
  const { problems } = await simulate(seed, { trace: (line) => console.log(line) })
  for (const problem of problems) console.log(`PROBLEM ${problem}`)
  return problems.length === 0
}
