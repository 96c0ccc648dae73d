import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { bankFor } from '../api-pix/bank-for-test.ts'
import { signerOf } from '../live-person.ts'
import { connectBank, openShop, openShopOf, type Shop } from '../live-service.ts'
import { type HeldService, startHeldService } from './held-service.ts'
import { few, isKilled, type RoundOptions, runRound, type StoryShop } from './round.ts'
import { everyKill, type FaultStory, type Kill } from './story.ts'

/**
 * Runs stories of faults side by side, each at a shop with a bank of its own and all over one service: once as they are, and once for each kill,
 * which comes when every story has come to its point. Then the clock goes on for more than a day, and everything must be as it should.
 */
export const runFaults = async (
  t: Test,
  {
    stories,
    kills,
    seed,
    havePeople = false,
  }: {
    readonly stories: readonly FaultStory[]
    readonly kills: readonly (Kill | null)[]
    readonly seed: number
    /** Whether each shop has a person who signs. */
    readonly havePeople?: boolean
  },
): Promise<void> => {
  for (const takes of ['DAY', 'DAYS', 'WEEKS'] as const) {
    const some = stories.filter((story) => (story.takes ?? 'DAY') === takes)
    if (some.length > 0) await runTogether(t, some, { kills, seed, takes, havePeople })
  }
}

/** What `FAULT_ROUNDS` and `FAULT_SEED` choose. */
type ChosenRounds = { readonly kills: readonly (Kill | null)[]; readonly seed: number }

/** As it is, and one kill; or all of them. */
export const chosenRounds = (): ChosenRounds =>
  chosenBy((seed) => [null, everyKill[seed % everyKill.length]!])

/** One round; or all of them: for what takes long. */
export const chosenRound = (): ChosenRounds => chosenBy((seed) => [everyRound[seed % everyRound.length]!])

const everyRound: readonly (Kill | null)[] = [null, ...everyKill]

const chosenBy = (choose: (seed: number) => readonly (Kill | null)[]): ChosenRounds => {
  const seed = Number(process.env.FAULT_SEED ?? 1)
  return { seed, kills: process.env.FAULT_ROUNDS === 'all' ? everyRound : choose(seed) }
}

const runTogether = async (
  t: Test,
  stories: readonly FaultStory[],
  {
    kills,
    seed,
    takes,
    havePeople,
  }: Omit<RoundOptions, 'kill'> & {
    readonly kills: readonly (Kill | null)[]
    readonly havePeople: boolean
  },
): Promise<void> => {
  const held = await startHeldService(t, { peopleCount: havePeople ? stories.length : 0 })
  const shops = await few(stories, (story, n) => openStoryShop(t, held, story, n))
  for (const kill of kills) {
    const round = shops.filter(({ story }) => kill === null || isKilled(story, kill))
    if (round.length > 0) await runRound(t, held, round, { kill, seed, takes })
  }
  await t.test('I7: no secret is in a log or on the disk', async (t) => {
    const secrets = shops.flatMap(({ shop }) => secretsOf(shop))
    const logs = held.logs()
    for (const secret of secrets) t.ok(!logs.includes(secret), 'in a log')
    await held.host.service().kill('SIGTERM')
    for (const file of filesIn(held.host.service().dataDir)) {
      const bytes = readFileSync(file)
      for (const secret of secrets) if (bytes.includes(secret)) t.fail(`a secret is in ${file}`)
    }
  })
}

const openStoryShop = async (
  t: Test,
  { host, people }: HeldService,
  story: FaultStory,
  n: number,
): Promise<StoryShop> => {
  const { bankName, settings = { pixAutomatic: false }, fault } = story
  const person = people[n]
  const shop =
    person === undefined
      ? await openShop(t, host, bankName, settings)
      : await openShopOf(t, host, person, { bankName, settings })
  const sign = person === undefined ? null : signerOf(host, person, shop.bank.clock)
  if (fault !== '43') return { story, shop, sign, other: null, otherConnection: null }
  const other = await bankFor(t, {
    profile: 'inter',
    startMs: Date.now(),
    runs: true,
    trusted: [host.authority],
  })
  const otherConnection = await connectBank(host, shop.company.id, other, { role: 'FALLBACK' })
  return { story, shop, sign, other, otherConnection }
}

const secretsOf = ({ bank, key }: Shop): readonly string[] => {
  const { clientSecret } = bank.client
  // The base64 of a key is on lines of 64: one of them will do.
  const [, line] = bank.clientIdentity.key.split('\n')
  return [clientSecret, line!, key.secret]
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
