import t from 'tap'
import { ledgerSum } from '../../../engine/ledger/postings.ts'
import { cardOf } from '../../../engine/payments/methods/card/card.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import type { TransactionId } from '../../../engine/shared/ids.ts'
import type { ProviderAlert } from '../../../gateway/providers/driver.ts'
import type { AskedOperation, Repeat } from '../../../gateway/providers/port.ts'
import { aCapture, aCardCancellation } from '../../engine/payments/card/commands.ts'
import { aCardPayment, account, aRefund, opening, seeded } from '../../engine/world.ts'
import { openBankWithBooks } from './bank-with-books.ts'
import { holdTime } from './held-time.ts'
import { beginLife, type LifeOptions } from './service-life.ts'

/**
 * Card payments over an acquirer with books of its own, on a wire that loses, delays and garbles, by a service that dies anywhere: before
 * an ask, between its effect and its outcome, between the outcome and the disk. A node that has lost its shard may go on asking. In the
 * end the books of both are the same.
 */
const repeats: Readonly<Record<string, Readonly<Partial<Record<AskedOperation, Repeat>>>>> = {
  'an acquirer without idempotency keys': {
    AUTHORIZE: 'NEVER',
    CAPTURE: 'INQUIRE_FIRST',
    VOID: 'INQUIRE_FIRST',
    REFUND: 'INQUIRE_FIRST',
    REVERSE: 'SAFE',
  },
  'an acquirer that knows references': {
    AUTHORIZE: 'SAFE',
    CAPTURE: 'SAFE',
    VOID: 'SAFE',
    REFUND: 'SAFE',
    REVERSE: 'SAFE',
  },
}

const minute = 60_000
const startMs = Date.UTC(2026, 10, 20, 12)

/** What a service does wrong, to see that it is found. */
type Wrong =
  /** Its adapter says that everything may be repeated, which is not so. */
  | 'SAYS_SAFE'
  /** A call that was under way when its shard was opened is taken for a new one. */
  | 'FORGETS_THE_LIFE_BEFORE'

const simulate = (
  repeat: Readonly<Partial<Record<AskedOperation, Repeat>>>,
  seed: number,
  wrong: Wrong | null = null,
) => {
  const random = seeded(seed)
  const below = (n: number): number => random() % n
  const time = holdTime()
  const bank = openBankWithBooks(repeat, { inFlightMax: 3, waitingMax: 2, rates: [] })
  const alerts: ProviderAlert[] = []
  let isCalm = false

  /** Carries an exchange over the wire, now or up to a while later; a wire breaks in four ways. */
  const overWire = <Outcome>(isDead: () => boolean, exchange: () => Promise<Outcome>): Promise<Outcome> =>
    new Promise((resolve) => {
      if (isDead()) return
      const run = (): void => {
        const fault = isCalm ? 9 : below(10)
        if (fault === 0) bank.plan('CUT_BEFORE')
        if (fault === 1) bank.plan('CUT_AFTER')
        if (fault === 2) bank.plan('UNREADABLE')
        void exchange().then((outcome) => {
          if (fault !== 3) resolve(outcome)
        })
      }
      if (isCalm || below(3) > 0) run()
      else time.timeout(below(19_000), run)
    })

  /** A life of the service, from what an earlier one left on the disk. */
  const live = (left: LifeOptions['left']) =>
    beginLife({
      left,
      seed,
      time,
      nowMs: () => startMs + time.now(),
      providersOf: (isDead) => ({
        providers: {
          SANDBOX: {
            CARD: {
              connectionId: 'con_1',
              module: {
                ...bank.module,
                name: 'sandbox-acquirer',
                rails: ['CARD'],
                ...(wrong === 'SAYS_SAFE' && { repeat: repeats['an acquirer that knows references']! }),
              },
              instance: {
                ...bank.instance,
                ask: (ask) => overWire(isDead, () => bank.instance.ask(ask)),
                inquire: (ask) => overWire(isDead, () => bank.instance.inquire(ask)),
              },
            },
          },
          PRODUCTION: {},
        },
      }),
      resumed: ({ isResumed, ...request }) =>
        wrong === 'FORGETS_THE_LIFE_BEFORE' ? request : { ...request, isResumed: isResumed! },
      onFault: (error) => t.fail(String(error)),
      onAlert: (alert) => alerts.push(alert),
    })

  let life = live(null)
  const ids: TransactionId[] = []

  const step = async (): Promise<void> => {
    const id = ids[below(Math.max(1, ids.length))]
    switch (below(9)) {
      case 0:
      case 1: {
        const payment = aCardPayment({ captures: below(2) === 0 })
        ids.push(payment.transactionId)
        life.execute(payment)
        break
      }
      case 2:
        if (id !== undefined) life.execute(aCapture(id, below(2) === 0 ? null : 4_000))
        break
      case 3:
        if (id !== undefined) life.execute(aRefund(id, 1_000 + below(3_000)))
        break
      case 4:
        if (id !== undefined) life.execute(aCardCancellation(id))
        break
      case 5: {
        const left = life.journal
        life.end(below(2) === 0 ? 'LOST' : 'DEAD')
        life = live(left as never)
        break
      }
      default:
        life.journal.flush()
    }
    await time.pass(below(4) === 0 ? below(90_000) : below(3_000))
    if (below(2) === 0) life.shard.tick()
  }

  /** Nothing breaks any more, and everything that is due happens. */
  const calmDown = async (): Promise<void> => {
    isCalm = true
    for (let passedMs = 0; passedMs < 8 * 60 * minute; ) {
      const stepMs = passedMs < 30 * minute ? 5_000 : 10 * minute
      life.journal.flush()
      life.shard.tick()
      life.journal.flush()
      await time.pass(stepMs)
      passedMs += stepMs
    }
    life.journal.flush()
  }

  return {
    bank,
    alerts,
    open: async () => {
      life.execute(opening)
      life.journal.flush()
      await time.settle()
    },
    step,
    calmDown,
    account: () => life.memory.find('account', account)!.state,
    transactions: (): readonly Transaction[] =>
      ids.flatMap((id) => life.memory.find('transaction', id)?.state ?? []),
  }
}

/** What the acquirer's books have of a payment otherwise than ours. */
const differences = (
  { id, status, calls, amountCents, reversals, means }: Transaction,
  books: ReadonlyMap<string, number>,
): readonly string[] => {
  const found: string[] = []
  const say = (isSo: boolean, what: string): void => {
    if (!isSo) found.push(`${id} is ${status}: ${what}`)
  }
  const ulid = id.slice(4)
  const sale = `${ulid}02`
  const stands = ['AUTHORIZED', 'APPROVED', 'PARTIALLY_REFUNDED', 'REFUNDED'].includes(status)
  say(calls.length === 0, `${calls[0]?.operation} is open`)
  say(books.get(sale) === (stands ? amountCents : undefined), `the acquirer holds ${books.get(sale)}`)
  const others = [...books].filter(([reference]) => reference.startsWith(ulid) && reference !== sale)
  const moved = others.map(([, cents]) => cents).sort((a, b) => a - b)
  const { captures, capturedCents } = cardOf({ means })!
  const refunds = reversals.refunds.filter((refund) => refund.status === 'COMPLETED')
  const wanted = refunds.map((refund): number => refund.amountCents)
  if (!captures && capturedCents !== null) wanted.push(capturedCents)
  say(
    String(moved) === String(wanted.sort((a, b) => a - b)),
    `the acquirer captured and refunded ${moved}, we ${wanted}`,
  )
  return found
}

for (const [title, repeat] of Object.entries(repeats)) {
  t.test(`over ${title} both books are the same in the end, whatever breaks`, async (t) => {
    const statuses = new Set<string>()
    let exchanges = 0
    for (let seed = 1; seed <= 20; seed++) {
      const world = simulate(repeat, seed)
      await world.open()
      for (let n = 0; n < 70; n++) await world.step()
      await world.calmDown()
      const transactions = world.transactions()
      const found = transactions.flatMap((transaction) => differences(transaction, world.bank.books))
      t.strictSame(found, [], `seed ${seed}`)
      t.equal(ledgerSum(world.account().balances), 0n)
      t.strictSame(
        world.alerts.filter(({ kind }) => kind === 'WRONG_ECHO'),
        [],
      )
      for (const { status } of transactions) statuses.add(status)
      exchanges += world.bank.sent.length
    }
    t.ok(exchanges > 500, `${exchanges} exchanges`)
    for (const status of ['APPROVED', 'AUTHORIZED', 'CANCELLED', 'PARTIALLY_REFUNDED'])
      t.ok(statuses.has(status), status)
  })
}

for (const wrong of ['SAYS_SAFE', 'FORGETS_THE_LIFE_BEFORE'] as const) {
  t.test(`money that moved twice is found: ${wrong}`, async (t) => {
    const repeat = repeats['an acquirer without idempotency keys']!
    let found: readonly string[] = []
    for (let seed = 1; seed <= 20 && found.length === 0; seed++) {
      const world = simulate(repeat, seed, wrong)
      await world.open()
      for (let n = 0; n < 70; n++) await world.step()
      await world.calmDown()
      found = world.transactions().flatMap((transaction) => differences(transaction, world.bank.books))
    }
    t.ok(found.length > 0)
  })
}
