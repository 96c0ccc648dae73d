import t from 'tap'
import { flaws } from './flaws.ts'
import { simulate } from './run.ts'

/** What finds a flaw today is tried first; a change that moves it may need some more seeds. */
const seedsToFindFlaw = 120

for (const [name, flaw] of Object.entries(flaws))
  t.test(`the simulation finds the flaw that ${name}`, async (t) => {
    for (const seed of [flaw.foundBy, ...Array.from({ length: seedsToFindFlaw }, (_, n) => n + 1)]) {
      const { problems } = await simulate(seed, { flaw })
      if (problems.length > 0) return t.pass(`seed ${seed}: ${problems[0]}`)
    }
    return t.fail(`${seedsToFindFlaw} seeds found nothing`)
  })
