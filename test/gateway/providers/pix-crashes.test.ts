import t from 'tap'
import { ledgerSum } from '../../../engine/ledger/postings.ts'
import { pixOf } from '../../../engine/payments/methods/pix/pix.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import type { TransactionId } from '../../../engine/shared/ids.ts'
import { pixAtBank } from '../../../gateway/providers/answers.ts'
import type { ProviderAlert } from '../../../gateway/providers/driver.ts'
import type { ProviderInstance } from '../../../gateway/providers/port.ts'
import { aConnect, live, liveAccount } from '../../engine/connections/live.ts'
import { aLiveCancellation, aLiveCharge } from '../../engine/payments/pix/bank/at-bank.ts'
import { aRefund, opening, seeded } from '../../engine/world.ts'
import { holdTime } from './held-time.ts'
import { openPixBank, type PixBankWithBooks, type PixPaidAtBank } from './pix-bank-with-books.ts'
import { beginLife, type LifeOptions } from './service-life.ts'

/**
 * PIX charges over a bank with books of its own, on a wire that loses and delays, by a service that dies anywhere: before an ask, between
 * its effect and its outcome, between the outcome and the disk. Payments are reported by notices that may be lost, come twice or overtake
 * everything, and by polls, which tell all in the end. Then the books of both are the same.
 */
const minute = 60_000
const startMs = Date.UTC(2026, 10, 20, 12)

const simulate = (bank: PixBankWithBooks, seed: number) => {
  const random = seeded(seed)
  const below = (n: number): number => random() % n
  const time = holdTime()
  const alerts: ProviderAlert[] = []
  let isCalm = false
  const nowMs = (): number => startMs + time.now()

  /** An exchange over the wire, which cuts it before or after the effect, or holds it up. */
  const overWire = <Outcome>(isDead: () => boolean, exchange: () => Promise<Outcome>): Promise<Outcome> =>
    new Promise((resolve) => {
      if (isDead()) return
      const run = (): void => {
        const fault = isCalm ? 9 : below(8)
        if (fault === 0) return
        void exchange().then((outcome) => {
          if (fault !== 1) resolve(outcome)
        })
      }
      if (isCalm || below(3) > 0) run()
      else time.timeout(below(19_000), run)
    })

  const { connectionId } = aConnect().connection

  /** A life of the service, from what an earlier one left on the disk. */
  const begin = (left: LifeOptions['left']) =>
    beginLife({
      left,
      seed,
      time,
      nowMs,
      providersOf: (isDead) => {
        const instance: ProviderInstance = {
          ...bank.instance,
          ask: (ask) => overWire(isDead, () => bank.instance.ask(ask)),
          inquire: (ask) => overWire(isDead, () => bank.instance.inquire(ask)),
        }
        const connected = { connectionId, accountId: liveAccount, module: bank.module, instance }
        return {
          providers: { SANDBOX: {}, PRODUCTION: {} },
          byConnection: (id) => (id === connectionId ? connected : null),
        }
      },
      onFault: (error) => t.fail(String(error)),
      onAlert: (alert) => alerts.push(alert),
    })

  let life = begin(null)
  const ids: TransactionId[] = []
  const transaction = (id: TransactionId | undefined): Transaction | undefined =>
    id === undefined ? undefined : life.memory.find('transaction', id)?.state

  /** A notice, which says no more than what the bank has. */
  const report = (payment: PixPaidAtBank): void => {
    life.execute({ type: 'ReceivePixAtBank', ...live, txid: payment.txid, ...pixAtBank(payment) })
    for (const returned of payment.returns)
      life.execute({ type: 'ReportReturn', ...live, endToEndId: payment.endToEndId, returned })
  }

  const step = async (): Promise<void> => {
    const id = ids[below(Math.max(1, ids.length))]
    const charge = transaction(id)
    switch (below(10)) {
      case 0:
      case 1: {
        const command = aLiveCharge({ terms: { method: 'PIX', expiresInSeconds: 600, due: null } })
        ids.push(command.transactionId)
        life.execute(command)
        break
      }
      case 2:
      case 3: {
        const txid = charge && pixOf(charge)?.txid
        const payment = txid ? bank.pay(txid, nowMs()) : null
        if (payment !== null && below(3) === 0) report(payment)
        break
      }
      case 4:
        if (id !== undefined) life.execute(aLiveCancellation(id))
        break
      case 5:
        if (id !== undefined) life.execute({ ...aRefund(id, 1_000 + below(3_000)), ...live })
        break
      case 6: {
        const left = life.journal
        life.end(below(2) === 0 ? 'LOST' : 'DEAD')
        life = begin(left as never)
        break
      }
      case 7: {
        const payment = bank.payments[below(Math.max(1, bank.payments.length))]
        if (payment !== undefined) for (let n = below(3); n >= 0; n--) report(payment)
        break
      }
      default:
        life.journal.flush()
    }
    await time.pass(below(4) === 0 ? below(90_000) : below(3_000))
    if (below(2) === 0) life.shard.tick()
  }

  /** Nothing breaks any more, polls tell everything, and what is due happens. */
  const calmDown = async (): Promise<void> => {
    isCalm = true
    for (let passedMs = 0; passedMs < 8 * 60 * minute; ) {
      const stepMs = passedMs < 40 * minute ? 5_000 : 10 * minute
      life.journal.flush()
      life.shard.tick()
      if (passedMs % (10 * minute) === 0) for (const payment of bank.payments) report(payment)
      life.journal.flush()
      await time.pass(stepMs)
      passedMs += stepMs
    }
    life.journal.flush()
  }

  return {
    alerts,
    open: async () => {
      life.execute({ ...opening, ...live, profile: { ...opening.profile, environment: 'PRODUCTION' } })
      life.execute(aConnect())
      life.journal.flush()
      await time.settle()
    },
    step,
    calmDown,
    account: () => life.memory.find('account', liveAccount)!.state,
    received: () => life.memory.list(liveAccount, 'received', { offset: 0, limit: 10_000 }).states,
    transactions: (): readonly Transaction[] => ids.flatMap((id) => transaction(id) ?? []),
  }
}

type Simulation = ReturnType<typeof simulate>

/** What is otherwise in the bank's books than in ours. */
const differences = (world: Simulation, bank: PixBankWithBooks): readonly string[] => {
  const found: string[] = []
  const say = (isSo: boolean, what: string): void => {
    if (!isSo) found.push(what)
  }
  const { balances } = world.account()
  say(BigInt(bank.cents()) === -balances.payer, `the bank has ${bank.cents()}, the ledger ${balances.payer}`)
  say((balances.suspense ?? 0n) === 0n, `${balances.suspense} are in suspense`)
  say(ledgerSum(balances) === 0n, 'the ledger does not balance')
  const received = new Map(world.received().map((one) => [one.endToEndId, one]))
  say(
    received.size === bank.payments.length,
    `${received.size} of ${bank.payments.length} payments are known`,
  )
  for (const payment of bank.payments) {
    const { endToEndId, amountCents, returns } = payment
    const back = returns.reduce((sum, one) => sum + one.amountCents, 0)
    say(back <= amountCents, `${endToEndId} went back more than once`)
    const one = received.get(endToEndId)
    if (one !== undefined && one.returnReason !== null)
      say(
        back === amountCents && one.returning === 'RETURNED',
        `${endToEndId} is ${one.returning}, ${back} went back`,
      )
  }
  for (const { id, status, calls, timeline, paidCents, amountCents, means } of world.transactions()) {
    const paid = timeline.filter(({ type }) => type === 'ChargePaid').length
    say(calls.length === 0, `${id} is ${status}: ${calls[0]?.operation} is open`)
    say(paid === (paidCents > 0 ? 1 : 0), `${id} was approved ${paid} times`)
    say(paidCents === 0 || paidCents === amountCents, `${id} of ${amountCents} was paid with ${paidCents}`)
    say(!['CREATED', 'PENDING'].includes(status), `${id} is ${status}`)
    const charge = bank.charges.get(pixOf({ means })!.txid!)
    const { txid } = pixOf({ means })!
    const keeps = world.received().some((one) => one.txid === txid && one.returnReason === null)
    if (status === 'CANCELLED')
      say(charge?.status !== 'ACTIVE' && !keeps, `${id} is cancelled, and ${charge?.status} there`)
  }
  return found
}

t.test('over a bank both books are the same in the end, whatever breaks', async (t) => {
  const statuses = new Set<string>()
  const reasons = new Set<string>()
  for (let seed = 1; seed <= 20; seed++) {
    const bank = openPixBank()
    const world = simulate(bank, seed)
    await world.open()
    for (let n = 0; n < 90; n++) await world.step()
    await world.calmDown()
    t.strictSame(differences(world, bank), [], `seed ${seed}`)
    t.strictSame(
      world.alerts.filter(({ kind }) => kind === 'WRONG_ECHO'),
      [],
    )
    for (const { status } of world.transactions()) statuses.add(status)
    for (const { returnReason } of world.received()) if (returnReason !== null) reasons.add(returnReason)
  }
  for (const status of ['APPROVED', 'CANCELLED', 'EXPIRED', 'PARTIALLY_REFUNDED'])
    t.ok(statuses.has(status), status)
  for (const reason of ['DUPLICATE_PAYMENT', 'AMOUNT_MISMATCH']) t.ok(reasons.has(reason), reason)
})

t.test('money that went back twice is found', async (t) => {
  let found: readonly string[] = []
  for (let seed = 1; seed <= 20 && found.length === 0; seed++) {
    const bank = openPixBank({ isForgetful: true })
    const world = simulate(bank, seed)
    await world.open()
    for (let n = 0; n < 90; n++) await world.step()
    await world.calmDown()
    found = differences(world, bank)
  }
  t.ok(found.length > 0)
})
