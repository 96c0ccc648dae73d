import { autocannonGenerator } from './autocannon.ts'
import type { Cleanup } from './cleanup.ts'
import { machine } from './conditions.ts'
import { type FloorStep, floorSteps } from './floor-steps.ts'
import { type Measurement, measure } from './measure.ts'
import type { Options } from './options.ts'
import { startBareUws, startFloor } from './peers.ts'
import { newRandom } from './random.ts'
import { median, printConditions } from './report.ts'
import { createCompanies, startService } from './service.ts'
import type { Target } from './target.ts'
import { findWrk } from './wrk.ts'

const meanings: Readonly<Record<FloorStep, string>> = {
  turn: 'requests of a turn are answered together',
  request: 'three headers and the body, parsed',
  meaning: 'caller and key looked up, the meaning hashed',
  decision: 'a charge with an id and a PIX code, kept',
  journal: 'written as JSON, one flush for a batch, answered after it',
  image: 'the QR code drawn, by the function of the service',
  answer: 'the charge with its image as JSON',
}

/**
 * Prints the processor time of a create from the bare handler upwards, a step more each time, and of the service: in turns, medians of all rounds.
 */
export const benchFloor = async (options: Options, cleanup: Cleanup): Promise<void> => {
  const { seed, rounds } = options
  const connections = options.connections[0]!
  const generator = (await findWrk(cleanup)) ?? autocannonGenerator
  const fresh = await createCompanies(cleanup, {
    count: options.companies,
    workers: 1,
    random: newRandom(seed),
  })
  printConditions({ ...machine(), generator: generator.name, workers: 1, connections, rounds, seed })
  const setup = { ...options, generator, companies: fresh.companies }
  const taken = new Map<string, number[]>()
  const run = async (name: string, target: Target): Promise<Measurement> => {
    const measured = await measure(cleanup, target, 'create-one', connections, setup)
    taken.set(name, [...(taken.get(name) ?? []), measured.cpu.us])
    return measured
  }
  for (let round = 0; round < rounds; round++) {
    const { answerBytes } = await run('service', await startService(cleanup, fresh, 1))
    await run('bare', await startBareUws(cleanup, 1, answerBytes))
    for (const step of floorSteps) await run(step, await startFloor(cleanup, step, answerBytes))
  }
  const usOf = (name: string): number => median(taken.get(name)!)
  const bareUs = usOf('bare')
  const line = (name: string, us: number, before: number, text: string): string =>
    [
      name.padEnd(10),
      us.toFixed(1).padStart(8),
      `× ${(us / bareUs).toFixed(2)}`.padStart(9),
      (Number.isNaN(before) ? '' : `${us < before ? '' : '+'}${(us - before).toFixed(1)}`).padStart(8),
      ` ${text}`,
    ].join('')
  console.log('\nup to       cpu us    × bare    adds')
  let before = Number.NaN
  for (const [name, text] of [
    ['bare', 'a constant'] as const,
    ...floorSteps.map((step) => [step, meanings[step]] as const),
  ]) {
    console.log(line(name, usOf(name), before, text))
    before = usOf(name)
  }
  console.log(line('service', usOf('service'), before, 'every rule and every route'))
}
