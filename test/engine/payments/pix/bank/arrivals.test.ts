import t from 'tap'
import { pixOf } from '../../../../../engine/payments/methods/pix/pix.ts'
import type { ProviderAnswer, ProviderRequest } from '../../../../../engine/payments/provider.ts'
import type { ReceivedPix } from '../../../../../engine/payments/received/received.ts'
import type { Transaction } from '../../../../../engine/payments/transaction/transaction.ts'
import { toCents } from '../../../../../engine/shared/money.ts'
import { askOf } from '../../../../../gateway/providers/asks.ts'
import { live, liveAccount } from '../../../connections/live.ts'
import { listener, typesOf } from '../../../story.ts'
import { aPayer, newTransactionId } from '../../../world.ts'
import {
  aLiveCancellation,
  aLiveCharge,
  anArrival,
  aPixAtBank,
  isRefused,
  newShop,
  registered,
  stateAtBank,
} from './at-bank.ts'

const minute = 60_000
const day = 86_400_000

/** The PIX that goes back. */
const returningOf = (received: readonly ReceivedPix[]): ReceivedPix | undefined =>
  received.find(({ returnReason }) => returnReason !== null)

/** A bank that sends everything back, and says by which id. */
const generous = {
  REGISTER: registered,
  CANCEL: stateAtBank('REMOVED_BY_RECEIVER'),
  RETURN: { type: 'RETURNED', returnId: 'D0000000020261120120000000000001' },
} as const

t.test('a payment is booked with the bank’s own evidence', async (t) => {
  const { world, balances, received } = await newShop()
  const charge = await world.accepted(aLiveCharge({ customer: aPayer }))
  const arrival = anArrival(charge, { payer: null })
  await world.execute(arrival)
  const { endToEndId, paidAtMs } = arrival
  const { status, means } = world.transaction(charge.id)
  t.equal(status, 'APPROVED')
  t.match(pixOf({ means })?.payment, { endToEndId, paidAtMs, payer: null, payerMatchesCustomer: null })
  t.match(received(), [
    { endToEndId, payer: null, returnReason: null, returning: null, pixKey: pixOf(charge)!.bankKey },
  ])
  t.match(balances(), { available: 9_901n, payer: -10_000n })
  t.equal(balances().suspense, undefined)
})

t.test('a payer is compared with the customer where both are known', async (t) => {
  const { world } = await newShop()
  const payer = { name: 'ANA', documentType: 'CPF', ispb: '00000000', bankName: null } as const
  for (const [document, matches] of [
    [aPayer.document, true],
    ['98765432100', false],
    [null, null],
  ] as const) {
    const charge = await world.accepted(aLiveCharge({ customer: aPayer }))
    await world.execute(anArrival(charge, { payer: { ...payer, document } }))
    t.equal(pixOf(world.transaction(charge.id))?.payment?.payerMatchesCustomer, matches)
  }
})

t.test('the same money counts once, by whatever road and for whatever charge it is reported', async (t) => {
  const { world, bank, received, balances, pass } = await newShop()
  const charge = await world.accepted(aLiveCharge())
  const other = await world.accepted(aLiveCharge())
  const payment = aPixAtBank()
  bank.answers = { ...bank.answers, READ_CHARGE: stateAtBank('PAID', payment, payment) }
  const reports = Array.from({ length: 10 }, () => world.shard.execute(anArrival(charge, payment)))
  await world.settle()
  const accepted = (await Promise.all(reports)).filter((reply) => reply.accepted)
  t.equal(accepted.length, 1)
  t.match(await world.execute(anArrival(other, payment)), { rejection: { reason: 'ALREADY_RECEIVED' } })
  const unrequested = {
    type: 'ReceiveUnrequestedPix',
    ...live,
    transactionId: newTransactionId(),
    providerId: 'made-up-bank',
    ...payment,
  } as const
  t.match(await world.execute(unrequested), { rejection: { reason: 'ALREADY_RECEIVED' } })
  await pass(3_600_000 + 2 * minute)
  t.equal(world.transaction(charge.id).status, 'APPROVED')
  t.match(
    world.transaction(other.id),
    { status: 'EXPIRED' },
    'what the bank shows of the other is not its own',
  )
  t.equal(received().length, 1)
  t.equal(balances().available, 9_901n)
})

t.test(
  'money that a charge cannot take goes back by a call, and is in suspense until it is back',
  async (t) => {
    const cases: Readonly<
      Record<string, (shop: Awaited<ReturnType<typeof newShop>>, charge: Transaction) => Promise<unknown>>
    > = {
      DUPLICATE_PAYMENT: ({ world }, charge) => world.execute(anArrival(charge)),
      PAID_AFTER_CANCELLATION: ({ world }, charge) => world.execute(aLiveCancellation(charge.id)),
      PAID_AFTER_EXPIRY: ({ bank, pass }) => {
        bank.answers = { ...generous, READ_CHARGE: stateAtBank('ACTIVE') }
        return pass(3_600_000 + minute)
      },
    }
    for (const [returnReason, before] of Object.entries(cases)) {
      const shop = await newShop(generous)
      const { world, bank, received, balances, sum } = shop
      const charge = await world.accepted(aLiveCharge())
      await before(shop, charge)
      const { status } = world.transaction(charge.id)
      const { available } = balances()
      bank.answers = { ...bank.answers, RETURN: { type: 'SILENT' } }
      const hear = listener(world)
      const arrival = anArrival(charge)
      await world.execute(arrival)
      t.equal(world.transaction(charge.id).status, status, 'the charge stays as it is')
      t.match(returningOf(received()), {
        endToEndId: arrival.endToEndId,
        returnReason,
        returning: 'RETURNING',
      })
      t.equal(balances().suspense, 10_000n)
      t.equal(balances().available, available, 'nobody can spend it')
      t.equal(sum(), 0n)
      t.match(bank.asked.at(-1), {
        operation: 'RETURN',
        amountCents: 10_000,
        pixReturn: { endToEndId: arrival.endToEndId },
      })
      bank.answers = generous
      await shop.pass(6_000)
      t.match(returningOf(received()), { returning: 'RETURNED' })
      t.equal(balances().suspense, 0n)
      t.equal(sum(), 0n)
      t.match(world.transaction(charge.id), {
        status,
        calls: [],
        reversals: { returns: [{ status: 'RETURNED', returnReason }] },
      })
      t.strictSame(typesOf(hear()), [], 'nobody ships goods for it')
    }
  },
)

t.test('another amount is never an approval', async (t) => {
  const wrong = {
    less: { amountCents: toCents(9_999) },
    more: { amountCents: toCents(10_001) },
    'parts of another sum': { componentsCents: toCents(9_000) },
  }
  for (const [what, change] of Object.entries(wrong)) {
    const { world, bank, received, balances, sum, pass } = await newShop(generous)
    const charge = await world.accepted(aLiveCharge())
    await world.execute(anArrival(charge, change))
    t.match(received(), [{ returnReason: 'AMOUNT_MISMATCH', returning: 'RETURNED' }], what)
    t.match(world.transaction(charge.id), { status: 'PENDING', paidCents: 0 })
    t.equal(
      bank.asked.at(-1)?.amountCents,
      'amountCents' in change ? change.amountCents : 10_000,
      'all of it goes back',
    )
    t.equal(balances().suspense, 0n)
    t.equal(sum(), 0n)
    await world.execute(anArrival(charge))
    t.equal(world.transaction(charge.id).status, 'APPROVED', 'the right amount still pays it')
    await pass(2 * day)
    t.equal(world.transaction(charge.id).status, 'APPROVED')
  }
})

t.test(
  'a refused return is begun on the next three days, each by an id of its own, and then stays in suspense',
  async (t) => {
    const { world, bank, received, balances, sum, pass } = await newShop({
      ...generous,
      RETURN: isRefused('conta encerrada'),
    })
    const charge = await world.accepted(aLiveCharge())
    await world.execute(anArrival(charge))
    await world.execute(anArrival(charge))
    for (let days = 1; days <= 3; days++) {
      t.match(returningOf(received()), { returning: 'RETURNING' }, `day ${days}`)
      await pass(day)
    }
    t.match(returningOf(received()), { returning: 'RETURN_FAILED', returnReason: 'DUPLICATE_PAYMENT' })
    const notices = world.memory.list(liveAccount, 'notice', { offset: 0, limit: 9 }).states
    t.match(
      notices.filter(({ kind }) => kind === 'RETURN_FAILED'),
      [{ objectId: charge.id, details: { amount: '10000', reason: 'conta encerrada' } }],
      'people who decide about money are told, once',
    )
    const references = bank.asked
      .filter(({ operation }) => operation === 'RETURN')
      .map((request: ProviderRequest) => askOf(request, 'con_1', 8_000).reference)
    t.equal(references.length, 4)
    t.equal(new Set(references).size, 4)
    for (const reference of references) t.match(reference, /^[0-9A-Za-z]{1,35}$/)
    t.equal(references[0], returningOf(received())!.id.slice(4))
    await pass(7 * day)
    t.equal(bank.asked.filter(({ operation }) => operation === 'RETURN').length, 4)
    t.equal(balances().suspense, 10_000n)
    t.equal(sum(), 0n)
  },
)

t.test('a person may have it tried once more after the last day', async (t) => {
  const { world, bank, received, balances, sum, pass } = await newShop({
    ...generous,
    RETURN: isRefused('não'),
  })
  const charge = await world.accepted(aLiveCharge())
  await world.execute(anArrival(charge))
  await world.execute(anArrival(charge))
  for (let days = 0; days < 3; days++) await pass(day)
  const { receivedPixId } = world.transaction(charge.id).reversals.returns![0]!
  const repeat = { type: 'RepeatReturn', ...live, transactionId: charge.id, receivedPixId } as const
  t.match(await world.execute({ ...repeat, by: { kind: 'CLOCK', id: null } }), {
    rejection: { reason: 'INVALID_STATE', currentStatus: 'FAILED' },
  })
  const by = { kind: 'PERSON', id: 'per_1' } as const
  await world.execute({ ...repeat, by })
  t.match(returningOf(received()), { returning: 'RETURN_FAILED' }, 'the bank refuses it still')
  bank.answers = { RETURN: { type: 'SILENT' } }
  await world.execute({ ...repeat, by })
  t.match(returningOf(received()), { returning: 'RETURNING' })
  t.match(await world.execute({ ...repeat, by }), { rejection: { reason: 'INVALID_STATE' } }, 'one at a time')
  bank.answers = generous
  await pass(6_000)
  t.match(returningOf(received()), { returning: 'RETURNED' })
  t.equal(balances().suspense, 0n)
  t.equal(sum(), 0n)
})

t.test('a return that the bank has not decided for days is not begun a second time', async (t) => {
  const pending: ProviderAnswer = { type: 'PENDING', asksAgainInMs: null }
  const { world, bank, received, pass } = await newShop({ ...generous, RETURN: pending })
  const charge = await world.accepted(aLiveCharge())
  await world.execute(anArrival(charge))
  await world.execute(anArrival(charge))
  for (let hours = 0; hours < 72; hours++) await pass(3_600_000)
  const asked = bank.asked.filter(({ operation }) => operation === 'RETURN')
  t.equal(new Set(asked.map((request) => askOf(request, 'con_1', 8_000).reference)).size, 1)
  t.match(returningOf(received()), { returning: 'RETURNING' })
  bank.answers = generous
  for (let hours = 0; hours < 7; hours++) await pass(3_600_000)
  t.match(returningOf(received()), { returning: 'RETURNED' })
})

t.test('a PIX to the key of the bank is a deposit, and is refunded by the same bank', async (t) => {
  const { world, balances } = await newShop(generous)
  const connectionId = world.memory.find('account', live.accountId)!.state.rails![0]!.connectionId
  const deposit = {
    type: 'ReceiveUnrequestedPix',
    ...live,
    transactionId: newTransactionId(),
    providerId: 'made-up-bank',
    connectionId,
    pixKey: 'shop@bank.example',
    ...aPixAtBank(),
  } as const
  t.match(await world.accepted(deposit), { status: 'APPROVED', connectionId, origin: 'DEPOSIT' })
  t.equal(balances().available, 10_000n)
  t.match(pixOf(world.transaction(deposit.transactionId)), {
    bankKey: 'shop@bank.example',
    payment: { payer: null },
  })
})

t.test('a txid that no charge has is unknown, even if a merchant calls an order so', async (t) => {
  const { world } = await newShop()
  const charge = await world.accepted(aLiveCharge())
  const namesake = await world.accepted(aLiveCharge({ externalId: pixOf(charge)!.txid }))
  const arrival = anArrival(charge)
  t.match(await world.execute({ ...arrival, txid: 'x'.repeat(32) }), { rejection: { reason: 'NOT_FOUND' } })
  await world.execute(arrival)
  t.equal(world.transaction(charge.id).status, 'APPROVED')
  t.equal(world.transaction(namesake.id).status, 'PENDING')
})
