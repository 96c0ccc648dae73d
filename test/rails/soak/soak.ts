import { declareAll } from '../declared.ts'
import type { HeldService } from '../faults/held-service.ts'
import { startHeldService } from '../faults/held-service.ts'
import { differencesOf } from '../faults/invariants.ts'
import { isAsk } from '../faults/round.ts'
import { beneficiaryOf, makeSplitRule } from '../faults/stories-of-money-out.ts'
import { signerOf } from '../live-person.ts'
import { type LiveScope, openShopOf } from '../live-service.ts'
import { act } from './acts.ts'
import { breakSomething, mendAll } from './breaks.ts'
import { openDice } from './dice.ts'
import { endSubscriptions, makePlans } from './mandate-acts.ts'
import { type ComparedOthers, compareOthers, openOther } from './others.ts'
import type { SoakShop } from './soak-shop.ts'

/** What a soak did and found: nothing is left in `differences` where all is well. */
export type SoakReport = {
  readonly did: Readonly<Record<string, number>>
  readonly faults: number
  readonly kills: number
  readonly movedMs: number
  /** What is in suspense in the end, by companies, in centavos. */
  readonly suspenseCents: number
  /** I8: the p99 of a company without a bank, in milliseconds, while banks answer and while none does. */
  readonly othersMs: ComparedOthers
  readonly differences: readonly string[]
}

export type SoakOptions = {
  readonly minutes: number
  readonly seed: number
  readonly say: (line: string) => void
}

/**
 * Lets shops at several banks do for some minutes what shops do, while banks, wires and the service fail at random and time runs ahead. Then nothing
 * fails any more, weeks go by, and the books of each bank must be those of its company.
 */
export const soak = async (t: LiveScope, { minutes, seed, say }: SoakOptions): Promise<SoakReport> => {
  const held = await startHeldService(t, { workers: 2, peopleCount: banksOfShops.length, inPairs: true })
  held.host.service().expectLimit('SERVICE_UNAVAILABLE')
  const shops: SoakShop[] = []
  for (const n of banksOfShops.keys()) shops.push(await openSoakShop(t, held, n, seed))
  const other = await openOther(held.host)
  const did: Record<string, number> = {}
  const load: Load = { held, shops, isOver: false, did, breaks: false, dice: openDice(seed), kills: 0 }
  const loads = shops.map((shop) => keepActing(load, shop))
  const others = await compareOthers(other, (are) => {
    for (const { bank } of shops) bank.bank.faults.setConnections(are)
  })
  say(
    `I8: p99 of others is ${others.besideBanks} ms beside banks, ${others.besideSilentBanks} ms beside silent ones; in the same turns beside banks it differs by ${others.noise} ×`,
  )

  load.breaks = true
  await runAhead(load, minutes, say)
  load.isOver = true
  await Promise.all(loads)
  say('nothing fails any more')
  await calmDown(load, say)
  await untilQuiet(shops)
  const from = shops.map(({ bank }) => bank.server.requests().length)
  for (let n = 0; n < 6; n++) await move(load, 3_600_000)
  await untilQuiet(shops)

  const differences: string[] = []
  for (const [n, shop] of shops.entries()) {
    const name = `${shop.bank.bank.context.profile.name} ${shop.company.id}`
    for (const one of await differencesOf(shop)) differences.push(`${name}: ${one}`)
    for (const request of shop.bank.server.requests().slice(from[n]!))
      if (isAsk(request)) differences.push(`${name}: still asks ${request.verb} ${request.path}`)
  }
  const { metric } = held.host.service()
  for (const gauge of ['payments_provider_notices_open', 'payments_provider_unmatched']) {
    const left = await metric(gauge)
    if (left !== 0) differences.push(`${gauge} is ${left}`)
  }
  return {
    did,
    faults: shops.reduce((sum, { bank }) => sum + bank.bank.faults.happened(), 0),
    kills: load.kills,
    movedMs: held.movedMs(),
    suspenseCents: (await metric('payments_provider_suspense_cents')) ?? 0,
    othersMs: others,
    differences,
  }
}

/** Efí and Inter send money, and Efí reports MED: they have more of what is to be tried. */
const banksOfShops = ['efi', 'inter', 'banco-do-brasil', 'itau', 'sicoob', 'efi', 'inter'] as const

/** One shop at Inter reads its statement; of the other one people upload it. */
const settingsOf = (n: number): object =>
  banksOfShops[n] === 'inter'
    ? { receiverBranch: '0001', receiverAccount: '1234567', readsStatement: n === 1 }
    : {}

type Load = {
  readonly held: HeldService
  readonly shops: readonly SoakShop[]
  readonly did: Record<string, number>
  readonly dice: ReturnType<typeof openDice>
  isOver: boolean
  /** Whether things fail. */
  breaks: boolean
  kills: number
}

const openSoakShop = async (
  t: LiveScope,
  { host, people }: HeldService,
  n: number,
  seed: number,
): Promise<SoakShop> => {
  const person = people[n]!
  const shop = await openShopOf(t, host, person, { bankName: banksOfShops[n]!, settings: settingsOf(n) })
  shop.bank.expectViolation(/a request that was cut/)
  const sign = signerOf(host, person, shop.bank.clock)
  const colleague = signerOf(host, { member: person.colleague! }, shop.bank.clock)
  const sends = shop.bank.bank.context.profile.sends !== null
  return {
    ...shop,
    sign,
    colleague,
    splitRuleId: sends ? await makeSplitRule(shop.call) : null,
    dice: openDice(seed * 1000 + n),
    beneficiaryId: await beneficiaryOf(sign),
    planIds: await makePlans(shop.call),
    charges: [],
    subscriptions: [],
    foreign: new Set(),
  }
}

const keepActing = async (load: Load, shop: SoakShop): Promise<void> => {
  while (!load.isOver) {
    // The service may be dead just now: the merchant does not know whether it was done.
    const what = await act(shop).catch((error: Error) => `lost: ${error.message.slice(0, 40)}`)
    load.did[what] = (load.did[what] ?? 0) + 1
    if (load.breaks && shop.dice.oneIn(12)) breakSomething(shop)
    await pause(20 + shop.dice.below(200))
  }
}

const move = async ({ held, shops }: Load, ms: number): Promise<void> => {
  await Promise.all(shops.map(({ bank }) => bank.clock.advance(ms)))
  await held.order({ type: 'MOVE', ms })
}

/** Moves the clock on, at times by hours, and kills the service at random. */
const runAhead = async (load: Load, minutes: number, say: (line: string) => void): Promise<void> => {
  const { dice, held } = load
  const untilMs = performance.now() + minutes * 60_000
  let saidAt = performance.now()
  while (performance.now() < untilMs) {
    await pause(300)
    if (dice.oneIn(12)) await move(load, (1 + dice.below(10)) * 3_600_000)
    else await move(load, dice.oneIn(10) ? 60_000 + dice.below(240_000) : dice.below(6_000))
    if (dice.oneIn(12)) {
      load.kills += 1
      await held.kill(dice.oneIn(2) ? null : dice.below(4))
      held.host.service().expectLimit('SERVICE_UNAVAILABLE')
    }
    if (performance.now() - saidAt < 30_000) continue
    saidAt = performance.now()
    const acts = Object.values(load.did).reduce((a, b) => a + b, 0)
    const days = (held.movedMs() / 86_400_000).toFixed(1)
    say(`${Math.round((untilMs - saidAt) / 1000)} s left, ${acts} acts, ${load.kills} kills, ${days} days`)
  }
}

/** Waits until the banks were asked nothing for two seconds: a slow machine has not done at once what a day brings. A minute at most. */
const untilQuiet = async (shops: readonly SoakShop[]): Promise<void> => {
  const asked = (): number => shops.reduce((sum, { bank }) => sum + bank.server.requests().length, 0)
  const endMs = performance.now() + 60_000
  for (let before = -1; before !== asked() && performance.now() < endMs; ) {
    before = asked()
    await pause(2_000)
  }
}

/** Nothing fails and nothing new begins: every repeat, and the weeks after which the clock says that all is over. */
const calmDown = async (load: Load, say: (line: string) => void): Promise<void> => {
  for (const shop of load.shops) {
    mendAll(shop)
    const { meds } = shop.bank.bank
    for (const { id, status } of meds.all())
      if (status === 'ABERTA' || status === 'EM_DEFESA') meds.close(id, 'REJEITADA')
  }
  for (const ms of calm.slice(0, 10)) await move(load, ms)
  for (const shop of load.shops) await endSubscriptions(shop)
  for (const [n, ms] of calm.slice(10).entries()) {
    await move(load, ms)
    // What is lost is so within a day and a half; the statements of its days are there two days later.
    if (n === declaredAt) {
      let declared = 0
      for (const shop of load.shops) declared += await declareAll(shop)
      say(`people have declared what became of ${declared} lost transfers`)
    }
    if (n % 10 === 9) say(`calm: ${n + 1} of ${calm.length - 10} moves`)
  }
}

/** After so many moves of the calm, which is some days. */
const declaredAt = 34
const calm = [
  ...Array.from({ length: 14 }, () => 30_000),
  ...Array.from({ length: 10 }, () => 300_000),
  ...Array.from({ length: 12 }, () => 3_600_000),
  ...Array.from({ length: 20 }, () => 21 * 3_600_000),
]

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
