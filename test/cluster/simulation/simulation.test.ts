import t from 'tap'
import { simulate } from './run.ts'
import { seedsOnceFailed } from './seeds.ts'

const seeds = 200

t.test(`a cluster is sound in ${seeds} runs with faults, and heals`, async (t) => {
  const totals = { acknowledged: 0, reads: 0, powerLosses: 0, moves: 0 }
  for (let seed = 1; seed <= seeds; seed++) {
    const { problems, acknowledged, reads, powerLosses, moves } = await simulate(seed)
    t.strictSame(problems, [], `seed ${seed}: npm run chaos -- --simulate 1 --from ${seed} --trace`)
    totals.acknowledged += acknowledged
    totals.reads += reads
    totals.powerLosses += powerLosses
    totals.moves += moves
  }
  t.ok(
    totals.acknowledged > 20_000 && totals.reads > 20_000 && totals.powerLosses > 50 && totals.moves > 30,
    JSON.stringify(totals),
  )
})

t.test('what once failed', async (t) => {
  for (const { seed, found } of seedsOnceFailed)
    t.strictSame((await simulate(seed)).problems, [], `seed ${seed}: ${found}`)
})

t.test('a seed is the same run each time', async (t) => {
  const lines: string[][] = [[], []]
  for (const told of lines) await simulate(7, { trace: (line) => told.push(line) })
  t.ok(lines[0]!.length > 50)
  t.strictSame(lines[0], lines[1])
})
