import type { Test } from 'tap'
import type { Shop } from '../live-service.ts'
import type { HeldService } from './held-service.ts'
import { differencesOf } from './invariants.ts'
import { movesOf } from './moves.ts'
import { everyKill, type FaultStory, hour, type Kill, minute, type Stage } from './story.ts'

/** A shop that a story is played at, over all of its rounds. */
export type StoryShop = Pick<Stage, 'other' | 'otherConnection' | 'sign'> & {
  readonly story: FaultStory
  readonly shop: Shop
}

/** Whether a story has a point for this kill. */
export const isKilled = ({ asks, kills = everyKill }: FaultStory, kill: Kill): boolean =>
  asks !== null && kills.includes(kill)

/** How a round is played. */
export type RoundOptions = {
  readonly kill: Kill | null
  readonly seed: number
  readonly takes: 'DAY' | 'DAYS' | 'WEEKS'
}

/** Plays stories side by side, once; they are all killed at their points, and each must come to what it says. */
export const runRound = async (
  t: Test,
  held: HeldService,
  shops: readonly StoryShop[],
  { kill, seed, takes }: RoundOptions,
): Promise<void> => {
  const startedAt = performance.now()
  const players = shops.map(({ story, shop, other, otherConnection, sign }): Player => {
    const stage: Stage = {
      ...{ ...shop, host: held.host, other, otherConnection, kill, t },
      call: carefully(shop.call),
      sign: sign && carefully(sign),
      answer: Promise.resolve(),
      kept: {},
      startMs: shop.bank.clock.nowMs(),
      idempotencyKey: `${kill ?? 'none'}-${seed}`,
    }
    return { story, stage, happened: 0 }
  })
  const round: Round = { held, players, kill, seed, waiting: new Set(), passedMs: 0 }
  await few(players, ({ story, stage }) => story.begin?.(stage))
  await move(round, minute - Math.round(performance.now() - startedAt))
  await Promise.all(players.map(({ story, stage }) => story.early?.(stage)))
  await armAll(round)
  for (let n = 0; n < 7; n++) await move(round, 10_250)
  await Promise.all(players.map(({ story, stage }) => story.faults?.(stage)))
  players.forEach(turn)
  if (kill === null) await pause(300)
  else await killTogether(t, round)
  await passTime(round, takes)
  t.strictSame(faultsOf(round.waiting), [], `${kill}: every story comes to its point`)
  for (const { stage } of players) await stage.bank.hold('DELETE /faults')

  const quietFrom = players.map(({ stage: { bank } }) => bank.server.requests().length)
  await move(round, 6 * hour)
  for (const [n, { story, stage }] of players.entries()) {
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
    const { metric } = held.host.service()
    t.equal(await metric('payments_provider_notices_open'), 0)
    t.equal(await metric('payments_provider_unmatched'), 0)
  })
}

type Player = { readonly story: FaultStory; readonly stage: Stage; happened: number }

type Round = Pick<RoundOptions, 'kill' | 'seed'> & {
  readonly held: HeldService
  readonly players: readonly Player[]
  /** Those whose point is to come. */
  readonly waiting: Set<Player>
  /** How far the clock was moved since the turn. */
  passedMs: number
}

const move = async ({ held, players }: Round, ms: number): Promise<void> => {
  const banks = players.flatMap(({ stage: { bank, other } }) => (other === null ? [bank] : [bank, other]))
  await Promise.all(banks.map(({ clock }) => clock.advance(ms)))
  await held.order({ type: 'MOVE', ms })
  await Promise.race([Promise.all(banks.map(({ bank }) => bank.webhooks.idle())), pause(100)])
}

const turn = ({ story, stage }: Player): void => {
  stage.answer = Promise.resolve(story.turn?.(stage))
  stage.answer.catch(() => undefined)
}

const armAll = async ({ held, players, kill, waiting }: Round): Promise<void> => {
  if (kill === null) return
  for (const player of players) {
    const { asks } = player.story
    const { bank } = player.stage
    waiting.add(player)
    player.happened = bank.bank.faults.happened()
    if (kill === 'BEFORE_ANSWER') {
      const { verb, path } = asks!
      bank.bank.faults.add({ verb, path, does: { kind: 'silence', when: 'after' } })
    } else await hold(held, player, kill)
  }
}

const hold = async (
  held: HeldService,
  { story, stage }: Player,
  kill: Exclude<Kill, 'BEFORE_ANSWER'>,
): Promise<void> => {
  const when = kill === 'BEFORE_ASK' ? 'BEFORE' : 'ANSWERED'
  const { call } = story.asks!
  await held.order({ type: 'HOLD', connectionId: stage.connection.id, call, when })
}

/** Kills when all of the stories that come to their point by their turn are there. */
const killTogether = async (t: Test, round: Round): Promise<void> => {
  const missing = (): readonly Player[] =>
    [...round.waiting].filter((player) => player.story.comesLater !== true && !isReached(round, player))
  for (let tries = 0; missing().length > 0 && tries < 300; tries++) await pause(20)
  t.strictSame(faultsOf(missing()), [], `${round.kill}: every story comes to its point`)
  if ([...round.waiting].some((player) => isReached(round, player))) await killReached(round)
}

const isReached = ({ kill, held }: Round, { stage: { bank, connection }, happened }: Player): boolean =>
  kill === 'BEFORE_ANSWER' ? bank.bank.faults.happened() > happened : held.reached().has(connection.id)

/** Kills the service, for the stories that are at their point. Others come to theirs in its next life. */
const killReached = async (round: Round): Promise<void> => {
  const { held, waiting, kill, seed } = round
  const reached = [...waiting].filter((player) => isReached(round, player))
  await held.kill(kill === 'BEFORE_FLUSH' ? seed % 4 : null)
  for (const player of reached) {
    waiting.delete(player)
    if (player.story.isRepeated) turn(player)
  }
  if (kill !== null && kill !== 'BEFORE_ANSWER') for (const player of waiting) await hold(held, player, kill)
  await pause(100)
}

/** Moves the clock on, does what comes later at its time, and kills for who comes to the point meanwhile. */
const passTime = async (round: Round, takes: RoundOptions['takes']): Promise<void> => {
  const { players } = round
  const later = players
    .flatMap(({ story: { later }, stage }) => {
      const steps = (typeof later === 'function' ? later(stage) : later) ?? []
      return steps.map(({ afterMs, does }) => ({ afterMs, does, stage }))
    })
    .sort((one, other) => one.afterMs - other.afterMs)
  const go = async (untilMs: number): Promise<void> => {
    if (untilMs <= round.passedMs) return
    await move(round, untilMs - round.passedMs)
    round.passedMs = untilMs
    await killOnTheWay(round)
  }
  for (const ms of movesOf(takes)) {
    const untilMs = round.passedMs + ms
    for (let next = later[0]; next !== undefined && next.afterMs <= untilMs; next = later[0]) {
      later.shift()
      await go(next.afterMs)
      await next.does(next.stage).catch((error: Error) => {
        throw new Error(`${next.stage.connection.id} ${next.afterMs}: ${error.message}`)
      })
      await killOnTheWay(round)
    }
    await go(untilMs)
  }
}

/** Several come to their point at one moment of the clock: they are given a moment of the machine's to do so. */
const killOnTheWay = async (round: Round): Promise<void> => {
  if (round.waiting.size === 0) return
  await pause(80)
  if (![...round.waiting].some((player) => isReached(round, player))) return
  await pause(300)
  await killReached(round)
}

const faultsOf = (players: Iterable<Player>): readonly string[] =>
  [...players].map(({ story: { fault } }) => fault)

/**
 * Requests that are none of the regular ones: tokens, addresses for notices, lists. What a daily list names is looked at once more by a service that
 * was restarted, as is money that was sent: where that is open, its transfer says so.
 */
export const isAsk = ({ path }: { readonly path: string }): boolean =>
  !/token|webhook|infracoes$|infracoes\?|[?&]inicio=|id-envio|extrato/.test(path)

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
export const few = async <Item, Value>(
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
