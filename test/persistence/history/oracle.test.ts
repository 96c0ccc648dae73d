import t, { type Test } from 'tap'
import type { AccountId } from '../../../engine/shared/ids.ts'
import { newDataDir } from '../../e2e/service.ts'
import { dayMs, key } from '../../engine/world.ts'
import { differenceOf } from './difference.ts'
import { accounts, newDice, newKnown } from './known.ts'
import { arrivedPix, nextCommand, opening, pastCharge, type Scene } from './life.ts'
import { anyQuestion } from './questions.ts'
import { openTwins } from './twins.ts'

/** A life that a test can afford, always the same; or ones as long, and as many, as these say. */
const { HISTORY_SCALE, HISTORY_SEEDS } = process.env
const scale = Number(HISTORY_SCALE ?? 1)
const seeds = (HISTORY_SEEDS ?? '1').split(',').map(Number)

t.setTimeout(0)

const [years, setBack, reset] = accounts as readonly [AccountId, AccountId, AccountId]
const rounds = 14
const questionsMin = 5_000

/** Opens the accounts, and lets rounds of commands follow each other, each with an end of some kind and questions behind it. */
const live = async (scene: Scene): Promise<void> => {
  const { twins, dice } = scene
  for (const accountId of accounts) twins.take(opening(accountId))
  await twins.settle()
  for (let round = 0; round < rounds * Math.ceil(scale); round++) {
    await bear(scene, 900)
    for (let n = 0; n < 12; n++) await happen(scene, 30)
    for (const end of endsOf(scene, round)) {
      await end()
      for (let n = 0; n < questionsMin / rounds / 2; n++) compare(scene)
    }
    twins.pass(dice.random(2 * dayMs))
    for (const accountId of accounts) await twins.arrive(accountId)
  }
}

/** What needs only one command: most in the first account, half of it PIX that arrived, many in the second, some in every other. */
const bear = async (scene: Scene, count: number): Promise<void> => {
  const { twins, dice } = scene
  for (let n = 0; n < count; n++) {
    if (dice.chance(30)) twins.pass(dice.random(3000))
    const accountId = dice.chance(65) ? years : dice.chance(90) ? setBack : dice.pick(accounts)
    const isPix = accountId === years && dice.chance(50)
    twins.take(isPix ? arrivedPix(scene, accountId) : pastCharge(scene, accountId))
    if (n % 200 === 199) await twins.settle()
  }
  await twins.settle()
}

const happen = async (scene: Scene, count: number): Promise<void> => {
  const { twins, dice } = scene
  for (let n = 0; n < count; n++) {
    twins.pass(dice.random(2000))
    twins.take(nextCommand(scene, dice.chance(60) ? years : dice.pick(accounts)))
  }
  await twins.settle()
}

/** What is held back until a crash, or beside a snapshot that is being written. */
const hold = ({ twins, ...rest }: Scene, count: number): void => {
  const scene = { twins, ...rest }
  for (let n = 0; n < count; n++) twins.take(nextCommand(scene, scene.dice.pick(accounts)))
}

/** What comes at the end of a round: ends of the process of every kind, snapshots, and what else moves whole accounts. */
const endsOf = (scene: Scene, round: number): readonly (() => Promise<void>)[] => {
  const { twins, dice } = scene
  const snapshot = async (): Promise<void> => {
    const writing = twins.snapshot()
    hold(scene, dice.random(30))
    await writing
    await twins.settle()
  }
  const crash = (): Promise<void> => {
    hold(scene, dice.random(12))
    return twins.crash()
  }
  const interrupted = async (): Promise<void> => {
    hold(scene, 1)
    await twins.failSnapshot(dice.random(25))
    hold(scene, dice.random(10))
    await twins.crash()
  }
  const clear = async (): Promise<void> => {
    twins.take({ type: 'ClearSandbox', accountId: reset, by: key })
    await twins.settle()
  }
  const clock = async (): Promise<void> => {
    const accountId = dice.pick([setBack, setBack, reset])
    const by = { accountId, by: key } as const
    twins.take(
      dice.chance(60)
        ? { ...by, type: 'AdvanceClock', step: { by: dice.pick(['P1D', 'P7D', 'P31D']) } }
        : { ...by, type: 'ResetClock' },
    )
    await twins.arrive(accountId)
  }
  const restart = (): Promise<void> => twins.restart(dice.chance(50))
  const every = [snapshot, crash, interrupted, clock, restart, clear]
  return [every[round % every.length]!, dice.pick(every)]
}

/** One question to both. */
const compare = (scene: Scene): void => {
  const { twins } = scene
  const { text, ask } = anyQuestion(scene)
  const difference = differenceOf(ask(twins.stored()), ask(twins.oracle))
  if (difference !== null) throw new Error(`${text}: ${difference}`)
}

/** What a life has to come to, or it proves little: several segments of the kinds that have most rows. */
const demandSize = (t: Test, { known }: Scene): void => {
  for (const [kind, least] of [
    ['transaction', 8_192],
    ['delivery', 4_096],
    ['received', 4_096],
    ['customer', 300],
  ] as const)
    t.ok(known.ids(years, kind).length > least, `${known.ids(years, kind).length} of ${kind}`)
  t.ok(known.ids(setBack, 'transaction').length > 4_096)
  t.ok(known.gone.length > 0, 'a Sandbox was reset')
}

for (const seed of seeds)
  t.test(
    `whatever leaves memory and however the process ends, a shard answers as one that has everything (seed ${seed})`,
    async (t) => {
      const known = newKnown()
      const twins = openTwins(newDataDir(t), seed, known.hear)
      const scene = { twins, known, dice: newDice(seed) }
      try {
        await live(scene)
      } catch (error) {
        const at = `seed ${seed}, turn ${twins.turns()}, entry ${twins.entries()}`
        t.fail(`${at}: ${error instanceof Error ? error.message : error}`, { error })
      }
      await twins.close()
      demandSize(t, scene)
    },
  )
