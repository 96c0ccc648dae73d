import t from 'tap'
import type { Answers } from '../../../engine/kernel/registry.ts'
import { ledgerSum } from '../../../engine/ledger/postings.ts'
import { boletoOf } from '../../../engine/payments/methods/boleto/boleto.ts'
import { familyOf, methodNames } from '../../../engine/payments/methods/index.ts'
import { type Transaction, transactionStatuses } from '../../../engine/payments/transaction/transaction.ts'
import type { SeedTransaction } from '../../../engine/sandbox/commands.ts'
import { type Method, origins } from '../../../engine/shared/method.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { boleto } from '../../../gateway/resources/payments/boleto.ts'
import { noPayee } from '../../../gateway/resources/payments/fiscal.ts'
import { transaction } from '../../../gateway/resources/payments/transaction.ts'
import { detail } from '../../../gateway/resources/payments/transaction-detail.ts'
import {
  aBoletoPayment,
  aChargeback,
  aMed,
  aSeed,
  booksFor,
  listener,
  scenario,
  transactionsOf,
} from '../story.ts'
import {
  aBoleto,
  aCancellation,
  account,
  aList,
  aPayer,
  aPayment,
  aRefund,
  dayMs,
  newTransactionId,
  opened,
  ours,
} from '../world.ts'

const currencyOf = (method: Method) => (method === 'CRYPTO' ? 'USDT' : 'BRL')

/** Every method with every status and origin: 480 of them. */
const everySeed = (change: Parameters<typeof aSeed>[0] = {}): readonly SeedTransaction[] =>
  methodNames.flatMap((method) =>
    transactionStatuses.flatMap((status) =>
      origins.map((origin) => aSeed({ method, status, origin, currency: currencyOf(method), ...change })),
    ),
  )

const isPaid = ({ status }: Pick<Transaction, 'status'>): boolean =>
  ['APPROVED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'CHARGEBACK'].includes(status)

const today = { date: '2026-11-20', nowMs: Date.UTC(2026, 10, 20, 12), payee: noPayee } as never

t.test('every method, status and origin can be seeded, and its amounts agree with its status', async (t) => {
  const world = await opened()
  const heard = listener(world)
  for (const command of everySeed({ customer: aPayer, externalId: 'order-1' })) {
    const { method, status, origin } = command
    const view: any = transaction.view(await world.accepted(command), today)
    const returned = { REFUNDED: 10_000, PARTIALLY_REFUNDED: 5_000 }[status as string] ?? 0
    const canGoBack = ['PIX', 'CREDIT_CARD', 'DEBIT_CARD'].includes(method)
    const isHeld = status === 'APPROVED' || status === 'PARTIALLY_REFUNDED'
    t.match(
      view,
      {
        method,
        status,
        origin,
        version: 1,
        externalId: 'order-1',
        amount: '10000',
        paidAmount: isPaid(command) ? '10000' : '0',
        netAmount: String(Number(view.paidAmount) - Number(view.feeAmount)),
        refundedAmount: String(returned),
        refundableAmount: canGoBack && isHeld ? String(10_000 - returned) : '0',
        disputedAmount: status === 'CHARGEBACK' ? '10000' : '0',
        approvedAt: isPaid(command) ? String : null,
        cancelledAt: status === 'CANCELLED' ? String : null,
        expiredAt: status === 'EXPIRED' ? String : null,
        failedAt: status === 'FAILED' || status === 'DECLINED' ? String : null,
        failureReason: /^(DECLINED|FAILED|CANCELLED|EXPIRED)$/.test(status) ? String : null,
        pix: method === 'PIX' ? { endToEndId: isPaid(command) ? /^E\d{20}\w{11}$/ : null } : null,
        card: method.endsWith('_CARD') ? Object : null,
        boleto: method === 'BOLETO' ? Object : null,
      },
      `${method} ${status} ${origin}`,
    )
  }
  t.strictSame(heard(), [], 'a seed tells nobody')
  t.equal(transactionsOf(world).length, 480)
})

t.test('the books show what the seeds say', async (t) => {
  const world = await opened()
  for (const command of everySeed()) await world.accepted(command)
  t.equal(ledgerSum(world.account().balances), 0n)
  t.strictSame(world.account().balances, booksFor(world))
  const inReais = transactionsOf(world).filter(({ currency }) => currency === 'BRL')
  t.equal(
    world.account().balances.available,
    inReais.reduce((sum, charge) => {
      const view: any = transaction.view(charge, today)
      const lost = charge.reversals.chargebacks.reduce((sum, { amountCents }) => sum + amountCents, 0)
      return sum + BigInt(view.netAmount) - BigInt(view.refundedAmount) - BigInt(lost)
    }, 0n),
  )
})

t.test('fees are those of a payment', async (t) => {
  const world = await opened()
  const fee = async (change: Partial<SeedTransaction>) => (await world.accepted(aSeed(change))).feeCents
  t.equal(await fee({ method: 'PIX' }), 99)
  t.equal(await fee({ method: 'PIX', origin: 'DEPOSIT' }), 0)
  t.equal(await fee({ method: 'PIX', amountCents: toCents(1) }), 1)
  t.equal(await fee({ method: 'BOLETO' }), 299)
  t.equal(await fee({ method: 'BOLETO', amountCents: toCents(5) }), 5)
  t.equal(await fee({ method: 'CREDIT_CARD' }), 319)
  t.equal(await fee({ method: 'CREDIT_CARD', installments: 12 }), 459)
  t.equal(await fee({ method: 'DEBIT_CARD', installments: 12 }), 199)
  t.equal(await fee({ method: 'CRYPTO', currency: 'USDC' }), 100)
})

t.test('a year passes over all of them and changes none', async (t) => {
  const world = await opened()
  const createdAtMs = world.now() - 400 * dayMs
  for (const command of [...everySeed(), ...everySeed({ createdAtMs })]) await world.accepted(command)
  const before = transactionsOf(world)
  const books = world.account().balances
  const heard = listener(world)
  await world.advance('P1Y')
  await world.advance('P1Y')
  t.strictSame(transactionsOf(world), before)
  t.strictSame(world.account().balances, books)
  t.strictSame(heard(), [])
})

t.test('no scenario makes a seed stop the clock, however old it is', async (t) => {
  const scenarios = [
    'paid',
    'never_paid',
    'paid_late',
    'paid_twice',
    'provider_error',
    'med',
    'chargeback',
    'refund_fails',
    'refund_slow',
    'paid_overdue',
    'insufficient_balance',
  ]
  for (const name of scenarios) {
    const world = await opened()
    for (const days of [0, 100, 400]) {
      const createdAtMs = world.now() - days * dayMs
      for (const command of everySeed({ createdAtMs, ...scenario(name) })) await world.execute(command)
    }
    t.match(await world.advance('P1Y'), { accepted: true }, name)
    t.strictSame(world.account().balances, booksFor(world), name)
  }
})

/** A payment in the balance, and what took it back. */
const receivableRows = (command: SeedTransaction): number =>
  isPaid(command) ? (command.status === 'APPROVED' ? 1 : 2) : 0

t.test('lists show them where they were created, the newest first', async (t) => {
  const world = await opened()
  const families = ['PIX_CHARGE', 'PIX_DEPOSIT', 'CARD', 'BOLETO'] as const
  const ages = [3, 1, 2, 0]
  for (const days of ages) {
    for (const status of transactionStatuses) {
      for (const method of methodNames)
        await world.accepted(
          aSeed({ method, status, currency: currencyOf(method), createdAtMs: world.now() - days * dayMs }),
        )
      await world.accepted(aSeed({ status, origin: 'DEPOSIT', createdAtMs: world.now() - days * dayMs }))
    }
  }
  const listed = async (family: (typeof families)[number], change: object = {}) => {
    const asked = world.shard.query(aList({ family, ...change })) as Promise<Answers['ListTransactions']>
    await world.settle()
    return asked
  }
  for (const family of families) {
    const { rows, total } = await listed(family)
    const wanted = transactionsOf(world).filter((transaction) => familyOf(transaction) === family)
    t.equal(total, wanted.length, family)
    t.equal(total, (family === 'CARD' ? 2 : 1) * ages.length * transactionStatuses.length)
    t.strictSame(rows, wanted, family)
    const times = rows.map(({ createdAtMs }) => createdAtMs)
    t.strictSame(
      times,
      [...times].sort((a, b) => b - a),
      family,
    )
    for (const status of transactionStatuses)
      t.strictSame(
        (await listed(family, { statuses: [status] })).rows.map(({ id }) => id),
        wanted.filter((transaction) => transaction.status === status).map(({ id }) => id),
      )
    const dayBefore = await listed(family, { from: '2026-11-19', to: '2026-11-19' })
    t.equal(dayBefore.total, wanted.length / ages.length, family)
  }
})

t.test('the detail of every one can be shown', async (t) => {
  const world = await opened()
  for (const command of everySeed()) {
    const { id: transactionId } = await world.accepted(command)
    const asked = world.shard.query({
      type: 'FindTransaction',
      accountId: account,
      transactionId,
      family: null,
    })
    await world.settle()
    const { status } = command
    const { receivables, refunds, chargebacks, ...others }: any = detail.view((await asked)!)
    t.match(others, { events: [{ type: 'TransactionSeeded', version: 1 }], meds: [], webhooks: [] })
    t.strictSame(
      [receivables.length, refunds.length, chargebacks.length],
      [receivableRows(command), Number(status.endsWith('REFUNDED')), Number(status === 'CHARGEBACK')],
      `${command.method} ${status}`,
    )
  }
})

t.test('a seeded boleto takes a number of the company, one that was refused none', async (t) => {
  const world = await opened()
  const seed = { method: 'BOLETO' } as const
  const first = await world.accepted(aSeed(seed))
  const failed = await world.accepted(aSeed({ ...seed, status: 'FAILED' }))
  const real = await world.accepted(aBoleto())
  t.strictSame(
    [first, failed, real].map((seeded) => boletoOf(seeded)!.numbers?.ourNumber ?? null),
    ['00000000019', null, '00000000027'],
  )
  t.match(boleto.view(failed, today), { status: 'REJECTED', boleto: { barcode: null } })
})

t.test('the payer of a seed is put into the register', async (t) => {
  const world = await opened()
  const { customerId } = await world.accepted(aSeed({ customer: aPayer }))
  const again = await world.accepted(aSeed({ customer: aPayer }))
  t.equal(again.customerId, customerId)
  t.match(world.memory.find('customer', customerId!)!.state, { customer: aPayer })
})

t.test('a seed is not of the future', async (t) => {
  const world = await opened()
  const at = (createdAtMs: number) => world.refused(aSeed({ createdAtMs }))
  t.equal(await at(world.now() + 1), 'CREATED_AT_IN_THE_FUTURE')
  t.equal(await at(world.now()), 'accepted')
  await world.advance('P1D')
  t.equal(await at(world.now() + dayMs), 'accepted', 'by the clock of the environment')
})

t.test('a pending seed can be paid, and an approved one goes back like any other', async (t) => {
  const world = await opened()
  const pix = await world.accepted(aSeed({ status: 'PENDING' }))
  await world.accepted(aPayment(pix.id))
  t.match(world.transaction(pix.id), { status: 'APPROVED', feeCents: 99 })
  const boleto = await world.accepted(aSeed({ method: 'BOLETO', status: 'PENDING' }))
  await world.accepted(aBoletoPayment(boleto.id))
  t.match(world.transaction(boleto.id), { status: 'APPROVED', feeCents: 299 })
  const med = await world.accepted(aSeed())
  await world.accepted(aMed(med.id))
  await world.advance('P7D')
  t.equal(world.transaction(med.id).status, 'REFUNDED')
  for (const method of ['PIX', 'CREDIT_CARD', 'DEBIT_CARD'] as const) {
    for (const status of ['APPROVED', 'PARTIALLY_REFUNDED'] as const) {
      const { id } = await world.accepted(aSeed({ method, status, installments: 3 }))
      await world.accepted(aRefund(id, 1_001))
      await world.accepted(aRefund(id))
      t.equal(world.transaction(id).status, 'REFUNDED', `${method} ${status}`)
    }
  }
  const card = await world.accepted(aSeed({ method: 'CREDIT_CARD', status: 'PARTIALLY_REFUNDED' }))
  await world.accepted(aChargeback(card.id))
  t.equal(world.transaction(card.id).reversals.chargebacks[0]!.amountCents, 5_000)
  await world.advance('P1Y')
  t.strictSame(world.account().balances, booksFor(world))
})

t.test('every seed that is not paid yet can be cancelled, whatever its method', async (t) => {
  const world = await opened()
  for (const method of methodNames) {
    for (const status of ['CREATED', 'PENDING', 'AUTHORIZED'] as const) {
      const { id } = await world.accepted(aSeed({ method, status, currency: currencyOf(method) }))
      const cancelled = await world.accepted(aCancellation(id))
      t.match(
        cancelled,
        { status: 'CANCELLED', failureReason: 'CANCELLED', calls: [] },
        `${method} ${status}`,
      )
    }
  }
})

t.test('an amount that no bar code holds, or a time before all bar codes, is refused', async (t) => {
  const world = await opened()
  const boleto = { method: 'BOLETO' } as const
  const most = { ...boleto, amountCents: toCents(9_999_999_999) }
  t.equal(await world.refused(aSeed(most)), 'accepted')
  t.equal(
    await world.refused(aSeed({ ...boleto, amountCents: toCents(10_000_000_000) })),
    'AMOUNT_ABOVE_METHOD_LIMIT',
  )
  const createdAtMs = Date.UTC(2000, 5, 1)
  t.equal(await world.refused(aSeed({ ...boleto, createdAtMs })), 'CREATED_AT_TOO_EARLY')
  t.equal(await world.refused(aSeed({ createdAtMs })), 'accepted', 'a PIX has none')
  const early = { ...boleto, createdAtMs: Date.UTC(2000, 5, 30, 12) }
  t.equal(await world.refused(aSeed(early)), 'accepted', 'due on the first day that a bar code can say')
})

t.test('of one centavo no part was refunded', async (t) => {
  const world = await opened()
  const part = { method: 'CREDIT_CARD', status: 'PARTIALLY_REFUNDED' } as const
  t.equal(await world.refused(aSeed({ ...part, amountCents: toCents(1) })), 'AMOUNT_TOO_SMALL')
  const { id } = await world.accepted(aSeed({ ...part, amountCents: toCents(2) }))
  t.equal(await world.refused(aChargeback(id)), 'accepted')
  t.equal(world.transaction(id).reversals.chargebacks[0]!.amountCents, 1)
  t.strictSame(world.account().balances, booksFor(world))
})

t.test('a cleared Sandbox forgets its seeds', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aSeed({ transactionId: newTransactionId() }))
  await world.execute({ type: 'ClearSandbox', ...ours })
  t.strictSame(transactionsOf(world), [])
  t.equal(await world.refused(aRefund(id)), 'NOT_FOUND')
  t.match(world.account().balances, { available: 0n, fees: 0n, payer: 0n })
})

t.test('a paid PIX was paid by its customer in the minute in which it was made', async (t) => {
  const world = await opened()
  const createdAtMs = Date.UTC(2025, 1, 3, 4, 5)
  const { means } = await world.accepted(
    aSeed({ method: 'PIX', status: 'APPROVED', customer: aPayer, createdAtMs }),
  )
  const payment = 'pix' in means ? means.pix?.payment : undefined
  t.match(payment, {
    endToEndId: /^E00000000202502030405/,
    payer: { name: aPayer.name, document: aPayer.document },
    payerMatchesCustomer: true,
    paidAtMs: createdAtMs,
  })
})
