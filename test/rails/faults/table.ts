import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { bankFor } from '../api-pix/bank-for-test.ts'
import { connectBank, openShop, type Shop } from '../live-service.ts'
import { type HeldService, startHeldService } from './held-service.ts'
import { differencesOf } from './invariants.ts'
import { storiesOfCharges } from './stories-of-charges.ts'
import { storiesOfMoneyBack } from './stories-of-money-back.ts'
import { everyKill, type FaultStory, hour, type Kill, minute, type Stage } from './story.ts'

/**
 * Runs stories of faults side by side, each at a shop with a bank of its own and all over one service: once as they are, and once for each kill,
 * which comes when every story has come to its point. Then the clock goes on for more than a day, and everything must be as it should.
 */
export const runFaults = async (
  t: Test,
  kills: readonly (Kill | null)[],
  seed: number,
  stories: readonly FaultStory[] = everyStory,
): Promise<void> => {
  for (const takesDays of [false, true]) {
    const some = stories.filter((story) => (story.takesDays ?? false) === takesDays)
    if (some.length > 0) await runTogether(t, some, kills, seed)
  }
}

const everyStory: readonly FaultStory[] = [...storiesOfCharges, ...storiesOfMoneyBack]

const runTogether = async (
  t: Test,
  stories: readonly FaultStory[],
  kills: readonly (Kill | null)[],
  seed: number,
): Promise<void> => {
  const held = await startHeldService(t)
  const shops = await few(stories, (story) => openStoryShop(t, held, story))
  for (const kill of kills) {
    const round = shops.filter(({ story }) => kill === null || isKilled(story, kill))
    await runRound(t, held, round, kill, seed)
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

/** Every story, as it is and killed at each of its points. */
export const everyRound: readonly (Kill | null)[] = [null, ...everyKill]

type StoryShop = {
  readonly story: FaultStory
  readonly shop: Shop
  readonly other: Shop['bank'] | null
  readonly otherConnection: { readonly id: string } | null
}

const isKilled = ({ asks, kills = everyKill }: FaultStory, kill: Kill): boolean =>
  asks !== null && kills.includes(kill)

const openStoryShop = async (t: Test, { host }: HeldService, story: FaultStory): Promise<StoryShop> => {
  const shop = await openShop(t, host, story.bankName, { pixAutomatic: false })
  if (story.fault !== '43') return { story, shop, other: null, otherConnection: null }
  const other = await bankFor(t, {
    profile: 'inter',
    startMs: Date.now(),
    runs: true,
    trusted: [host.authority],
  })
  const otherConnection = await connectBank(host, shop.company.id, other, { role: 'FALLBACK' })
  return { story, shop, other, otherConnection }
}

/** How the clock is moved on after the turn, to a day later. */
const moves = [
  ...[1, 2, 5, 5, 7, 10, 10, 20, 20, 40, 60, 120, 180, 180, 600, 600, 600, 1140].map(
    (seconds) => seconds * 1000,
  ),
  ...Array.from({ length: 5 }, () => 5 * hour + 10 * minute),
]
/** For what takes days. */
const moreMoves = Array.from({ length: 16 }, () => 6 * hour)

const runRound = async (
  t: Test,
  held: HeldService,
  shops: readonly StoryShop[],
  kill: Kill | null,
  seed: number,
): Promise<void> => {
  const { host } = held
  const startedAt = performance.now()
  const stages = shops.map(
    ({ shop, other, otherConnection }): Stage => ({
      ...{ ...shop, host, other, otherConnection, kill, t },
      call: carefully(shop.call),
      answer: Promise.resolve(),
      kept: {},
      startMs: shop.bank.clock.nowMs(),
      idempotencyKey: `${kill ?? 'none'}-${seed}`,
    }),
  )
  const each = <Value>(work: (story: FaultStory, stage: Stage) => Value): Value[] =>
    shops.map(({ story }, n) => work(story, stages[n]!))
  const banks = (): readonly Shop['bank'][] =>
    stages.flatMap(({ bank, other }) => (other === null ? [bank] : [bank, other]))
  const move = async (ms: number): Promise<void> => {
    await Promise.all(banks().map(({ clock }) => clock.advance(ms)))
    await held.order({ type: 'MOVE', ms })
    await Promise.race([Promise.all(banks().map(({ bank }) => bank.webhooks.idle())), pause(100)])
  }
  await few(shops, ({ story }, n) => story.begin?.(stages[n]!))
  await move(minute - Math.round(performance.now() - startedAt))
  await Promise.all(each((story, stage) => story.early?.(stage)))
  const happened = stages.map(({ bank }) => bank.bank.faults.happened())
  if (kill !== null) await Promise.all(each((story, stage) => arm(held, story, stage, kill)))
  for (let n = 0; n < 7; n++) await move(10_250)
  await Promise.all(each((story, stage) => story.faults?.(stage)))
  const turn = (story: FaultStory, stage: Stage): void => {
    stage.answer = Promise.resolve(story.turn?.(stage))
    stage.answer.catch(() => undefined)
  }
  each(turn)
  if (kill === null) await pause(300)
  else {
    const isReached = (stage: Stage, n: number): boolean =>
      kill === 'BEFORE_ANSWER'
        ? stage.bank.bank.faults.happened() > happened[n]!
        : held.reached().has(stage.connection.id)
    const missing = (): readonly string[] =>
      each(({ fault }) => fault).filter((_, n) => !isReached(stages[n]!, n))
    for (let tries = 0; missing().length > 0 && tries < 300; tries++) await pause(20)
    t.strictSame(missing(), [], `${kill}: every story comes to its point`)
    await held.kill(kill === 'BEFORE_FLUSH' ? seed % 4 : null)
    each((story, stage) => {
      if (story.isRepeated) turn(story, stage)
    })
    await pause(100)
  }

  const later = shops
    .flatMap(({ story }, n) =>
      (story.later ?? []).map(({ afterMs, does }) => ({ afterMs, does, stage: stages[n]! })),
    )
    .sort((one, other) => one.afterMs - other.afterMs)
  let passedMs = 0
  for (const ms of [...moves, ...(shops.some(({ story }) => story.takesDays) ? moreMoves : [])]) {
    const untilMs = passedMs + ms
    for (let next = later[0]; next !== undefined && next.afterMs <= untilMs; next = later[0]) {
      later.shift()
      if (next.afterMs > passedMs) await move(next.afterMs - passedMs)
      passedMs = Math.max(passedMs, next.afterMs)
      await next.does(next.stage).catch((error: Error) => {
        throw new Error(`${next.stage.connection.id} ${next.afterMs}: ${error.message}`)
      })
    }
    if (untilMs > passedMs) await move(untilMs - passedMs)
    passedMs = untilMs
  }
  for (const { bank } of stages) await bank.hold('DELETE /faults')

  const quietFrom = stages.map(({ bank }) => bank.server.requests().length)
  await move(6 * hour)
  for (const [n, { story }] of shops.entries()) {
    const stage = stages[n]!
    const title = kill === null ? '' : `; killed ${kill.toLowerCase().replaceAll('_', ' ')}`
    await t.test(`${story.fault}: ${story.title}${title}`, async (t) => {
      stage.t = t
      const asked = stage.bank.server.requests().slice(quietFrom[n]!)
      t.strictSame(asked.filter(isAsk), [], 'I3: no call is open')
      t.strictSame(await differencesOf(stage), [], 'I1 to I5')
      await story.end(stage)
    })
  }
  await t.test(`I3: no notice is open after ${kill ?? 'no kill'}`, async (t) => {
    t.equal(await host.service().metric('payments_provider_notices_open'), 0)
    t.equal(await host.service().metric('payments_provider_unmatched'), 0)
  })
}

/** Requests that are none of the regular ones: tokens, addresses for notices, lists. */
const isAsk = ({ path }: { readonly path: string }): boolean =>
  !/token|webhook|infracoes|[?&]inicio=/.test(path)

const arm = async (
  held: HeldService,
  { asks }: FaultStory,
  { bank, connection }: Stage,
  kill: Kill,
): Promise<void> => {
  const { call, verb, path } = asks!
  if (kill === 'BEFORE_ANSWER') bank.bank.faults.add({ verb, path, does: { kind: 'silence', when: 'after' } })
  else {
    const when = kill === 'BEFORE_ASK' ? 'BEFORE' : 'ANSWERED'
    await held.order({ type: 'HOLD', connectionId: connection.id, call, when })
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Calls as a careful merchant does: the service closes idle connections, also when the clock is moved, and what was sent on one at that moment
 * is sent once more; so is what is still under way by the same key.
 */
const carefully =
  (call: Shop['call']): Shop['call'] =>
  async (...request) => {
    for (;;) {
      const answer = await call(...request).catch((error: Error & { readonly cause?: Error }) => {
        if (!/other side closed|ECONNRESET/.test(error.cause?.message ?? '')) throw error
        return call(...request)
      })
      if (answer.body?.code !== 'IDEMPOTENCY_KEY_IN_PROGRESS') return answer
      await pause(50)
    }
  }

/** A few at a time: a busy machine makes so many handshakes with banks slow. */
const few = async <Item, Value>(
  items: readonly Item[],
  work: (item: Item, n: number) => Value | Promise<Value>,
): Promise<readonly Value[]> => {
  const done: Value[] = []
  let next = 0
  const workOff = async (): Promise<void> => {
    for (let n = next++; n < items.length; n = next++) done[n] = await work(items[n]!, n)
  }
  await Promise.all([workOff(), workOff(), workOff()])
  return done
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
