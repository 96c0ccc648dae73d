import fc from 'fast-check'
import t from 'tap'
import { toCents } from '../../../engine/shared/money.ts'
import { aCardPayment, aRefund, ours } from '../world.ts'
import { aRecipient, aRule, fixed, type Market, marketplace, percent } from './fixtures.ts'
import { anyReversed, atOnce, positionsAfter, positionsBy } from './reversals.ts'

/** Two hundred payments, always the same; or as many others as PROPERTY_RUNS says, of PROPERTY_SEED or of any seed. */
const { PROPERTY_RUNS, PROPERTY_SEED } = process.env
const runs = Number(PROPERTY_RUNS ?? 200)
const seed = Number(PROPERTY_SEED ?? (PROPERTY_RUNS === undefined ? 1 : Date.now() % 2 ** 31))

t.setTimeout(0)

t.test(
  'however a payment goes back, every party has in the end what one reversal of all of it leaves',
  async (t) => {
    const property = fc.asyncProperty(anyReversed, async (payment) => {
      const whole = (await positionsAfter(atOnce(payment))).join()
      const parts = (await positionsAfter(payment)).join()
      if (whole !== positionsBy(payment).join()) throw new Error(`at once: ${whole}`)
      if (parts !== whole) throw new Error(`in parts: ${parts}, at once: ${whole}`)
    })
    const { counterexample, errorInstance } = await fc.check(property, { numRuns: runs, seed })
    t.equal(counterexample, null, `seed ${seed}: ${(errorInstance as Error | null)?.message}`, {
      payment: JSON.stringify(counterexample),
    })
  },
)

/** A recipient of nothing: its part is as large as the fee that it pays. */
const withCappedFee = async (market: Market) => {
  const recipient = aRecipient()
  await market.execute(recipient)
  const { recipientId } = recipient
  const rule = aRule(
    fixed(recipientId, 100, { chargeFees: true, priority: 1 }),
    percent(null, 5000, { priority: 2 }),
  )
  await market.execute(rule)
  return { recipientId, splitRuleId: rule.ruleId }
}

t.test('fifty refunds take from a small recipient what one refund would', async (t) => {
  const market = await marketplace()
  const small = aRecipient()
  await market.execute(small)
  const rule = aRule(
    percent(market.seller, 9000, { chargeFees: true, priority: 1 }),
    percent(small.recipientId, 1000, { chargeFees: true, priority: 2 }),
  )
  await market.execute(rule)
  const terms = { amountCents: toCents(1000), splitRuleId: rule.ruleId }
  const { id } = await market.accepted(aCardPayment({ installments: 12 }, terms))
  await market.execute({ ...ours, type: 'SettleTransaction', transactionId: id })
  const paid = market.account().balances.paidOut
  t.match(market.transaction(id), { split: { ruleId: rule.ruleId }, feeCents: 46 })
  for (let n = 0; n < 50; n++) await market.execute(aRefund(id, 20))
  t.equal(market.balance(small.recipientId), -95, 'a tenth, less its part of the fee')
  t.equal(BigInt(-95 + market.balance(market.seller)), -paid)
  t.strictSame(market.bookProblems(), [])
})

t.test('who received nothing, because the fee took all, owes nothing after many refunds', async (t) => {
  const market = await marketplace()
  const { recipientId, splitRuleId } = await withCappedFee(market)
  const { id } = await market.accepted(aCardPayment({}, { splitRuleId }))
  await market.advance('P32D')
  for (let n = 0; n < 200; n++) await market.execute(aRefund(id, 50))
  t.equal(market.balance(recipientId), 0)
  const nothing = { available: 0n, receivable: 0n, recipients: 0n, paidOut: 0n, fees: 0n, payer: 0n }
  t.match(market.account().balances, nothing)
})

t.test('an instalment whose fee is more than its part is owed, and the others pay it', async (t) => {
  const market = await marketplace()
  const { recipientId, splitRuleId } = await withCappedFee(market)
  const { id } = await market.accepted(aCardPayment({ installments: 12 }, { splitRuleId }))
  const nets = market
    .transaction(id)
    .receivables.filter((row) => row.recipientId === recipientId)
    .map(({ grossCents, feeCents }) => grossCents - feeCents)
  const owed = nets.reduce((sum, net) => sum + Math.min(net, 0), 0)
  t.ok(owed < 0, 'rounding gives an instalment more fee than it is')
  t.equal(market.balance(recipientId), owed, 'no bank can be asked for that')
  await market.advance('P380D')
  t.equal(market.balance(recipientId), 0)
  t.match(market.account().balances, { available: 9541n, recipients: 0n, paidOut: 0n })
  t.strictSame(market.bookProblems(), [])
})
