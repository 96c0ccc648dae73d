import t from 'tap'
import type { ReceivePix } from '../../../../engine/payments/methods/pix/commands.ts'
import type { TransactionId } from '../../../../engine/shared/ids.ts'
import { toCents } from '../../../../engine/shared/money.ts'
import { aRecipient, aRule, marketplace, percent } from '../../marketplace/fixtures.ts'
import { aMed, aMedDecision } from '../../story.ts'
import { aCharge, account, aRefund, key, opened } from '../../world.ts'

const aTaxedPayment = (
  transactionId: TransactionId,
  tax: number,
  amount: number | null = null,
): ReceivePix => ({
  type: 'ReceivePix',
  accountId: account,
  by: key,
  transactionId,
  amountCents: amount === null ? null : toCents(amount),
  payer: null,
  taxWithheldCents: toCents(tax),
})

t.test('the Sandbox pays a charge less tax: by default, or by the amount that is left', async (t) => {
  const world = await opened()
  for (const amount of [null, 7_350]) {
    const { id } = await world.accepted(aCharge({ amountCents: toCents(10_000) }))
    t.match(await world.accepted(aTaxedPayment(id, 2_650, amount)), { status: 'APPROVED', paidCents: 10_000 })
  }
  const { id } = await world.accepted(aCharge({ amountCents: toCents(10_000) }))
  for (const [tax, amount] of [
    [2_650, 10_000],
    [2_650, 7_349],
    [10_000, null],
    [10_001, null],
  ] as const)
    t.equal(await world.refused(aTaxedPayment(id, tax, amount)), 'AMOUNT_MISMATCH', `${tax} of ${amount}`)
  t.match(world.account().balances, { taxesWithheld: 5_300n, available: 14_502n })
})

t.test('a late payment of which tax was withheld goes back as it came', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCharge({ amountCents: toCents(10_000) }))
  await world.accepted(aTaxedPayment(id, 2_650))
  await world.accepted(aTaxedPayment(id, 2_650))
  const received = world.memory.list(account, 'received', { offset: 0, limit: 10 }).states
  t.strictSame(received.map(({ amountCents }) => amountCents).sort(), [7_350, 7_350])
  t.match(world.account().balances, { taxesWithheld: 2_650n, available: 7_251n })
})

t.test('recipients have their shares of what was paid, and the company bears the tax', async (t) => {
  const world = await marketplace()
  const recipient = aRecipient()
  await world.execute(recipient)
  const rule = aRule(
    percent(recipient.recipientId, 8_000, { priority: 1 }),
    percent(null, 2_000, { priority: 2 }),
  )
  await world.execute(rule)
  const { id } = await world.accepted(aCharge({ amountCents: toCents(10_000), splitRuleId: rule.ruleId }))
  const paid = await world.accepted(aTaxedPayment(id, 2_650))
  t.strictSame(
    paid.receivables.map(({ recipientId, grossCents, feeCents }) => [recipientId, grossCents, feeCents]),
    [
      [recipient.recipientId, 8_000, 0],
      [null, 2_000, 99],
    ],
  )
  const { available, taxesWithheld = 0n, recipients, paidOut } = world.account().balances
  t.equal(taxesWithheld, 2_650n)
  t.equal(available + recipients + paidOut, 7_251n)
})

t.test('a MED takes what arrived and no more', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aCharge({ amountCents: toCents(10_000) }))
  await world.accepted(aTaxedPayment(id, 2_650))
  t.equal(await world.refused(aMed(id, 7_351)), 'REFUND_EXCEEDS_BALANCE')
  const { reversals } = await world.accepted(aMed(id))
  t.match(reversals.meds, [{ amountCents: 7_350, blockedCents: 7_251 }])
  await world.accepted(aMedDecision(reversals.meds[0]!.id, 'ACCEPTED'))
  t.match(world.transaction(id), { status: 'PARTIALLY_REFUNDED' })
  t.match(world.account().balances, { available: 0n, blocked: 0n, taxesWithheld: 2_650n })
  t.equal(await world.refused(aRefund(id, 100)), 'REFUND_EXCEEDS_BALANCE')
})
