import fc from 'fast-check'
import t from 'tap'
import { regressions } from './regressions.ts'
import { anyStory, type Story, storyText } from './steps.ts'
import { tellStory } from './story.ts'

/** A few hundred stories, always the same; or as many others as PROPERTY_RUNS says, of PROPERTY_SEED or of any seed. */
const { PROPERTY_RUNS, PROPERTY_SEED } = process.env
const runs = Number(PROPERTY_RUNS ?? 300)
const seed = Number(PROPERTY_SEED ?? (PROPERTY_RUNS === undefined ? 1 : Date.now() % 2 ** 31))

t.setTimeout(0)

for (const { title, environment = 'SANDBOX', day = 0, steps } of regressions) {
  t.test(title, async (t) => {
    await t.resolves(tellStory({ environment, day, steps }))
  })
}

t.test('whatever happens to the charges of an account, its books hold', async (t) => {
  const happened = new Set<string>()
  const told = fc.asyncProperty(anyStory, async (story) => {
    for (const type of await tellStory(story)) happened.add(type)
  })
  const { counterexample } = await fc.check(told, { numRuns: runs, seed })
  if (counterexample === null) {
    // Of a few stories of any seed nothing can be expected.
    const isEnough = PROPERTY_RUNS === undefined || runs >= 1000
    const missing = !isEnough ? [] : ofMoneyOut.filter((type) => !happened.has(type))
    return t.strictSame(missing, [], `${runs} stories of seed ${seed}`)
  }
  const [story, error] = await shortest(counterexample[0])
  t.fail(`seed ${seed}: ${error.message}`, { story: storyText(story), from: stackOf(error) })
})

/** What stories have to come to, or they prove nothing of it. */
const ofMoneyOut: readonly string[] = [
  ...['Created', 'Decided', 'Cancelled', 'Sent', 'Unanswered', 'SentAgain', 'Completed', 'Failed'].flatMap(
    (step) => [`transfer: MoneyOut${step}`, `withdrawal: MoneyOut${step}`],
  ),
  'transfer: MoneyOutScheduled',
  'transfer: MoneyOutRecalled',
  'withdrawal: MoneyOutBroadcast',
  'transaction: TransferSeen',
  'transaction: TransferDropped',
  'transaction: CryptoPaid',
  'cryptoDeposit: DepositOpened',
  'cryptoDeposit: DepositAccepted',
  'cryptoDeposit: ReturnSilent',
  'cryptoDeposit: ReturnSentAgain',
  'cryptoDeposit: ReturnFailed',
  'cryptoDeposit: DepositReturned',
  'conversionQuote: QuoteFailed',
  'conversion: ConversionUnanswered',
  'conversion: ConversionAskedAgain',
  'conversion: ConversionCompleted',
  'conversion: ConversionFailed',
]

/** Without the steps that do not matter: what is left can be a regression. */
const shortest = async (story: Story): Promise<readonly [Story, Error]> => {
  let shown = story
  for (let place = shown.steps.length - 1; place >= 0; place--) {
    const shorter = { ...shown, steps: shown.steps.filter((_, n) => n !== place) }
    if ((await failureOf(shorter)) === null) continue
    shown = shorter
    place = shown.steps.length
  }
  return [shown, (await failureOf(shown))!]
}

const failureOf = async (story: Story): Promise<Error | null> => {
  try {
    await tellStory(story)
    return null
  } catch (error) {
    return error as Error
  }
}

/** Where it was noticed, and where it comes from. */
const stackOf = ({ cause, stack }: Error): string | undefined =>
  cause instanceof Error ? cause.stack : stack
