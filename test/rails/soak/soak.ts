import type { Scope } from '../../e2e/service.ts'
import { bankNames } from '../../gateway/providers/api-pix/bank-connection.ts'
import type { FaultAction } from '../api-pix/faults.ts'
import { addDays, dayOf } from '../days.ts'
import { startHeldService } from '../faults/held-service.ts'
import { differencesOf } from '../faults/invariants.ts'
import { openShop, type Shop } from '../live-service.ts'
import { type Dice, openDice } from './dice.ts'

/** What a soak did and found: nothing is left in `differences` where all is well. */
export type SoakReport = {
  readonly did: Readonly<Record<string, number>>
  readonly faults: number
  readonly kills: number
  readonly movedMs: number
  readonly differences: readonly string[]
}

/**
 * Lets shops at several banks do for some minutes what shops do, while banks, wires and the service fail at random and time runs ahead. Then nothing
 * fails any more, a day and more goes by, and the books of each bank must be those of its company.
 */
export const soak = async (
  t: Scope & { readonly fail: (message: string) => unknown },
  {
    minutes,
    seed,
    say,
  }: { readonly minutes: number; readonly seed: number; readonly say: (line: string) => void },
): Promise<SoakReport> => {
  const held = await startHeldService(t)
  held.host.service().expectLimit('SERVICE_UNAVAILABLE')
  const shops: SoakShop[] = []
  for (let n = 0; n < shopsOpened; n++) {
    const shop = await openShop(t, held.host, bankNames[n % bankNames.length]!, { pixAutomatic: false })
    shop.bank.expectViolation(/a request that was cut/)
    shops.push({ ...shop, dice: openDice(seed * 1000 + n), charges: [] })
  }
  const did: Record<string, number> = {}
  const count = (what: string): void => {
    did[what] = (did[what] ?? 0) + 1
  }
  const move = async (ms: number): Promise<void> => {
    await Promise.all(shops.map(({ bank }) => bank.clock.advance(ms)))
    await held.order({ type: 'MOVE', ms })
  }

  const dice = openDice(seed)
  const untilMs = performance.now() + minutes * 60_000
  let kills = 0
  let isOver = false
  const loads = shops.map(async (shop) => {
    while (!isOver) {
      // The service may be dead just now: the merchant does not know whether it was done.
      count(await act(shop).catch((error: Error) => `lost: ${error.message.slice(0, 40)}`))
      if (shop.dice.oneIn(12)) breakSomething(shop)
      await pause(20 + shop.dice.below(200))
    }
  })
  let saidAt = performance.now()
  while (performance.now() < untilMs) {
    await pause(300)
    await move(dice.oneIn(10) ? 60_000 + dice.below(240_000) : dice.below(6_000))
    if (dice.oneIn(12)) {
      kills += 1
      await held.kill(dice.oneIn(2) ? null : dice.below(4))
      held.host.service().expectLimit('SERVICE_UNAVAILABLE')
    }
    if (performance.now() - saidAt < 30_000) continue
    saidAt = performance.now()
    say(
      `${Math.round((untilMs - saidAt) / 1000)} s left, ${Object.values(did).reduce((a, b) => a + b, 0)} acts`,
    )
  }
  isOver = true
  await Promise.all(loads)
  for (const { bank } of shops) {
    await bank.hold('DELETE /faults')
    await bank.hold('POST /returns/settings', { settleAfterMs: 1000, refusal: null })
  }
  say('nothing fails any more')
  for (const ms of calm) await move(ms)
  const from = shops.map(({ bank }) => bank.server.requests().length)
  for (let n = 0; n < 6; n++) await move(3_600_000)

  const differences: string[] = []
  for (const [n, shop] of shops.entries()) {
    const name = `${shop.bank.bank.context.profile.name} ${shop.company.id}`
    for (const one of await differencesOf(shop)) differences.push(`${name}: ${one}`)
    for (const { verb, path } of shop.bank.server.requests().slice(from[n]!))
      if (!/token|webhook|infracoes|[?&]inicio=/.test(path))
        differences.push(`${name}: still asks ${verb} ${path}`)
  }
  for (const gauge of ['payments_provider_notices_open', 'payments_provider_unmatched']) {
    const left = await held.host.service().metric(gauge)
    if (left !== 0) differences.push(`${gauge} is ${left}`)
  }
  const faults = shops.reduce((sum, { bank }) => sum + bank.bank.faults.happened(), 0)
  return { did, faults, kills, movedMs: held.movedMs(), differences }
}

const shopsOpened = 8

type SoakShop = Shop & {
  readonly dice: Dice
  readonly charges: { readonly id: string; readonly txid: string }[]
}

/** Every repeat, and the day after which the clock says that all is over. */
const calm = [
  ...Array.from({ length: 20 }, () => 30_000),
  ...Array.from({ length: 10 }, () => 300_000),
  ...Array.from({ length: 30 }, () => 3_600_000),
  ...Array.from({ length: 16 }, () => 6 * 3_600_000),
]

/** Does one thing that a merchant, a payer or a person at the bank does. */
const act = async (shop: SoakShop): Promise<string> => {
  const { dice, bank, call, charges } = shop
  const one = charges.length === 0 ? undefined : charges[dice.below(charges.length)]
  switch (one === undefined ? 0 : dice.below(12)) {
    case 0:
    case 1:
    case 2:
    case 3: {
      const isDue = dice.oneIn(4)
      const { status, body } = await call(
        'POST',
        '/v1/pix/charges',
        {
          amount: 100 + dice.below(5_000),
          ...(isDue
            ? { dueDate: addDays(dayOf(bank.clock.nowMs()), 1 + dice.below(3)), customer }
            : { expiresInSeconds: 60 + dice.below(600) }),
        },
        { 'Idempotency-Key': `soak-${dice.below(1e9)}` },
      )
      if (status === 201) charges.push({ id: body.id, txid: body.pix.txid })
      return `charge ${status}`
    }
    case 4:
    case 5:
    case 6:
      return pay(shop, { txid: one!.txid })
    case 7:
      return pay(shop, { txid: one!.txid, force: true })
    case 8:
      return pay(shop, { txid: one!.txid, valor: `${1 + dice.below(30)}.${10 + dice.below(90)}` })
    case 9: {
      const { status } = await call('POST', `/v1/pix/charges/${one!.id}/cancel`, {})
      return `cancel ${status}`
    }
    case 10: {
      const amount = String(1 + dice.below(2_000))
      const { status } = await call('POST', `/v1/transactions/${one!.id}/refund`, { amount })
      return `refund ${status}`
    }
    default: {
      if (dice.oneIn(2))
        return pay(shop, { chave: bank.receiver.chaves[0], valor: `${1 + dice.below(50)}.00` })
      const { body } = await call('GET', `/v1/pix/charges/${one!.id}`)
      if (body.status !== 'APPROVED') return 'nothing to return'
      const cents = 1 + dice.below(Number(body.amount))
      return bank.hold('POST /returns', { endToEndId: body.pix.endToEndId, cents }).then(
        () => 'return at the bank',
        () => 'return refused',
      )
    }
  }
}

const customer = { name: 'Maria da Silva', document: '52998224725' }

const pay = ({ bank }: SoakShop, payment: object): Promise<string> =>
  bank.hold('POST /pay', payment).then(
    () => 'payment',
    () => 'payment refused',
  )

/** Has something fail at the shop's bank, or mends everything there. */
const breakSomething = ({ bank: { bank }, dice }: SoakShop): void => {
  const { faults } = bank
  const times = 1 + dice.below(4)
  switch (dice.below(6)) {
    case 0:
      faults.clear()
      return
    case 1:
      faults.addNotice(
        [
          { kind: 'lose' as const, times },
          { kind: 'repeat' as const, copies: 2 + dice.below(8), times },
          { kind: 'delay' as const, ms: dice.below(90_000), times },
        ][dice.below(3)]!,
      )
      return
    case 2:
      faults.setConnections((['silent', 'refused', 'open'] as const)[dice.below(3)]!)
      return
    default: {
      const [verb, path] = requests[dice.below(requests.length)]!
      const when = dice.oneIn(2) ? 'before' : 'after'
      const does: readonly FaultAction[] = [
        { kind: 'cut', when },
        { kind: 'cut', when: 'within' },
        { kind: 'silence', when },
        { kind: 'error', when, status: 500 },
        { kind: 'error', when: 'before', status: 429, retryAfterSeconds: 1 + dice.below(30) },
        { kind: 'text', when, status: 502, body: '<html>bad gateway</html>' },
        { kind: 'delay', when, ms: dice.below(15_000) },
        ...(path === '/cob' ? [{ kind: 'change' as const, set: { 'valor.original': '99.99' } }] : []),
      ]
      faults.add({ verb, path, times, does: does[dice.below(does.length)]! })
    }
  }
}

const requests: readonly (readonly [string, string])[] = [
  ['PUT', '/cob'],
  ['PATCH', '/cob'],
  ['GET', '/cob'],
  ['PUT', '/devolucao/'],
  ['GET', '/pix'],
  ['POST', 'token'],
]

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
