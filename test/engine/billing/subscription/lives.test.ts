import fc from 'fast-check'
import t from 'tap'
import { anyLife, type Life, live } from './lives.ts'
import { regressions } from './regressions.ts'

/** A hundred lives, always the same; or as many others as PROPERTY_RUNS says, of PROPERTY_SEED or of any seed. */
const { PROPERTY_RUNS, PROPERTY_SEED } = process.env
const runs = Number(PROPERTY_RUNS ?? 100)
const seed = Number(PROPERTY_SEED ?? (PROPERTY_RUNS === undefined ? 1 : Date.now() % 2 ** 31))

t.setTimeout(0)

for (const { title, steps } of regressions) {
  t.test(title, async (t) => {
    await t.resolves(live({ steps }))
  })
}

t.test(
  'whatever happens to the subscriptions of an account, its figures and its invoices hold',
  async (t) => {
    const { counterexample } = await fc.check(fc.asyncProperty(anyLife, live), {
      numRuns: runs,
      seed,
      endOnFailure: true,
    })
    if (counterexample === null) return t.pass(`${runs} lives of seed ${seed}`)
    const [life, error] = await shortest(counterexample[0])
    t.fail(`seed ${seed}: ${error.message}`, { life: life.steps.map((step) => JSON.stringify(step)), error })
  },
)

/** Without the steps that do not matter: what is left can be a regression. */
const shortest = async (life: Life): Promise<readonly [Life, Error]> => {
  let shown = life
  for (let place = shown.steps.length - 1; place >= 0; place--) {
    const shorter = { steps: shown.steps.filter((_, n) => n !== place) }
    if ((await failureOf(shorter)) === null) continue
    shown = shorter
    place = shown.steps.length
  }
  return [shown, (await failureOf(shown))!]
}

const failureOf = async (life: Life): Promise<Error | null> => {
  try {
    await live(life)
    return null
  } catch (error) {
    return error as Error
  }
}
