import t from 'tap'
import { toCents } from '../../../../../engine/shared/money.ts'
import { noPayee } from '../../../../../gateway/resources/payments/fiscal.ts'
import { transaction } from '../../../../../gateway/resources/payments/transaction.ts'
import { live, liveAccount } from '../../../connections/live.ts'
import { aRefund } from '../../../world.ts'
import { aLiveCharge, anArrival, newShop, registered, silence } from './at-bank.ts'

const shop = () => newShop({ REGISTER: registered, RETURN: { type: 'RETURNED', returnId: 'D1' } })
type Shop = Awaited<ReturnType<typeof shop>>

const view = (of: Shop, one: Parameters<Shop['transaction']>[0]) =>
  transaction.view(of.transaction(one), {
    date: '2026-11-20' as never,
    nowMs: of.world.now(),
    payee: noPayee,
  })

const tax = { amountCents: toCents(7_350), taxWithheldCents: toCents(2_650) }

const lines = ({ world }: Shop): readonly (readonly [string, number])[] =>
  world.memory
    .list(liveAccount, 'statementLine', { offset: 0, limit: 100 })
    .states.map(({ type, cents }) => [type, cents] as const)
    .toReversed()

t.test('less than the charge pays it where the bank says that the rest is tax', async (t) => {
  const of = await shop()
  const charge = await of.world.accepted(aLiveCharge())
  await of.world.accepted(anArrival(charge, tax))
  t.match(of.transaction(charge), { status: 'APPROVED', paidCents: 10_000, feeCents: 99 })
  t.match(of.balances(), {
    payer: -10_000n,
    available: 7_251n,
    fees: 99n,
    taxesWithheld: 2_650n,
    receivable: 0n,
  })
  t.equal(of.sum(), 0n)
  t.strictSame(lines(of), [
    ['SETTLEMENT', 9_901],
    ['TAX_WITHHELD', -2_650],
  ])
  t.match(of.received(), [{ amountCents: 7_350, returnReason: null }], 'what the bank has is what arrived')
  t.match(view(of, charge), {
    paidAmount: '10000',
    taxesWithheldAmount: '2650',
    feeAmount: '99',
    netAmount: '9901',
    refundableAmount: '7350',
  })
})

t.test('parts that the bank names make up what was paid or what arrived', async (t) => {
  for (const componentsCents of [null, 10_000, 7_350]) {
    const of = await shop()
    const charge = await of.world.accepted(aLiveCharge())
    await of.world.accepted(anArrival(charge, { ...tax, componentsCents: componentsCents as never }))
    t.equal(of.transaction(charge).status, 'APPROVED', String(componentsCents))
  }
})

for (const [title, change] of Object.entries({
  'less without a word of tax': { amountCents: toCents(7_350) },
  'less by more than the tax': { amountCents: toCents(7_349), taxWithheldCents: toCents(2_650) },
  'less by less than the tax': { amountCents: toCents(7_351), taxWithheldCents: toCents(2_650) },
  'the whole amount, and tax beside it': { amountCents: toCents(10_000), taxWithheldCents: toCents(2_650) },
  'more, with a tax below zero': { amountCents: toCents(10_001), taxWithheldCents: toCents(-1) },
  'tax and parts that are neither': { ...tax, componentsCents: toCents(9_000) },
}))
  t.test(`${title} is not its amount: it goes back`, async (t) => {
    const of = await shop()
    const charge = await of.world.accepted(aLiveCharge())
    await of.world.accepted(anArrival(charge, change))
    const { reversals, status, paidCents } = of.transaction(charge)
    t.match({ status, paidCents }, { status: 'PENDING', paidCents: 0 })
    const { amountCents } = change
    t.match(reversals.returns, [{ returnReason: 'AMOUNT_MISMATCH', amountCents, status: 'RETURNED' }])
    t.match(of.balances(), { available: 0n, payer: 0n, suspense: 0n })
    t.equal(of.balances().taxesWithheld, undefined)
  })

t.test('a second payment with tax goes back as it came, and its tax is not booked', async (t) => {
  const of = await shop()
  const charge = await of.world.accepted(aLiveCharge())
  await of.world.accepted(anArrival(charge, tax))
  await of.world.accepted(anArrival(charge, tax))
  t.match(of.transaction(charge).reversals.returns, [
    { returnReason: 'DUPLICATE_PAYMENT', amountCents: 7_350 },
  ])
  t.match(of.balances(), { available: 7_251n, taxesWithheld: 2_650n, payer: -10_000n, suspense: 0n })
})

t.test('a refund gives back what arrived and no more; the tax stays withheld', async (t) => {
  const of = await shop()
  of.bank.answers = { ...of.bank.answers, REFUND: { type: 'RETURNED', returnId: 'D2' } }
  const charge = await of.world.accepted(aLiveCharge())
  await of.world.accepted(anArrival(charge, tax))
  // The fee has left the balance: what is given back is brought by another payment.
  const other = await of.world.accepted(aLiveCharge())
  await of.world.accepted(anArrival(other))
  t.equal(await of.world.refused({ ...aRefund(charge.id, 7_351), ...live }), 'REFUND_EXCEEDS_BALANCE')
  await of.world.accepted({ ...aRefund(charge.id, 350), ...live })
  t.match(view(of, charge), { status: 'PARTIALLY_REFUNDED', refundableAmount: '7000' })
  await of.world.accepted({ ...aRefund(charge.id), ...live })
  t.match(view(of, charge), {
    status: 'PARTIALLY_REFUNDED',
    refundedAmount: '7350',
    refundableAmount: '0',
    taxesWithheldAmount: '2650',
  })
  t.match(of.balances(), { taxesWithheld: 2_650n, payer: -12_650n, available: 9_802n })
  t.equal(of.sum(), 0n)
})

t.test('a refund that waits for its bank reserves of what arrived', async (t) => {
  const of = await shop()
  of.bank.answers = { ...of.bank.answers, REFUND: silence }
  const charge = await of.world.accepted(aLiveCharge())
  await of.world.accepted(anArrival(charge, tax))
  await of.world.execute({ ...aRefund(charge.id, 7_000), ...live })
  t.equal(view(of, charge).refundableAmount, '350')
  t.match(of.balances(), { blocked: 7_000n, available: 251n })
})

t.test('money to the key of which tax was withheld is a deposit of what was paid', async (t) => {
  const of = await shop()
  const { endToEndId, paidAtMs } = anArrival(await of.world.accepted(aLiveCharge()))
  const deposit = await of.world.accepted({
    type: 'ReceiveUnrequestedPix',
    ...live,
    transactionId: 'txn_0000000000000000000000000Z' as never,
    connectionId: 'con_00000000000000000000000001' as never,
    providerId: 'made-up-bank',
    endToEndId,
    paidAtMs,
    payer: null,
    ...tax,
  })
  t.match(deposit, { status: 'APPROVED', amountCents: 10_000, paidCents: 10_000 })
  t.match(of.balances(), { available: 7_350n, taxesWithheld: 2_650n, payer: -10_000n })
  t.match(of.received(), [{ amountCents: 7_350 }])
})
