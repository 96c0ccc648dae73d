import t from 'tap'
import { installmentPlans, yearlyRateBps } from '../../../engine/checkout/installments.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { seeded } from '../world.ts'

const terms = { max: 12, interestFreeUpTo: 3, monthlyRateBps: 199, minInstallmentCents: toCents(500) }

t.test(
  'instalments without interest cost the amount, those with it what the table of Price says',
  async (t) => {
    const plans = installmentPlans(toCents(100_000), terms)
    t.equal(plans.length, 12)
    for (const { installments, totalCents, interestCents, installmentCents } of plans.slice(0, 3)) {
      t.equal(totalCents, 100_000)
      t.equal(interestCents, 0)
      t.equal(installmentCents, Math.ceil(100_000 / installments))
    }
    // 100,000 · 0.0199 · 1.0199^12 / (1.0199^12 - 1) = 9450.2…
    t.match(plans[11], {
      installments: 12,
      installmentCents: 9_451,
      totalCents: 113_412,
      interestCents: 13_412,
    })
  },
)

t.test('small instalments are left out, but for one payment', async (t) => {
  t.strictSame(
    installmentPlans(toCents(1_600), terms).map(({ installments }) => installments),
    [1, 2, 3],
  )
  t.strictSame(
    installmentPlans(toCents(100), terms).map(({ installments }) => installments),
    [1],
  )
})

t.test('an instalment is never a centavo short of its exact value, and never one more', async (t) => {
  const random = seeded(11)
  for (let n = 0; n < 3000; n++) {
    const amountCents = toCents(1 + (random() % 100_000_000))
    const monthlyRateBps = 1 + (random() % 500)
    const max = 2 + (random() % 11)
    const all = { max, interestFreeUpTo: 1, monthlyRateBps, minInstallmentCents: toCents(1) }
    for (const { installments, installmentCents, totalCents, interestCents } of installmentPlans(
      amountCents,
      all,
    )) {
      if (installments === 1) continue
      // What is paid is worth the amount at the beginning: exact, in ten-thousandths to the power of n.
      const [one, grown] = [10_000n, BigInt(10_000 + monthlyRateBps)]
      const worth = (cents: bigint): bigint => {
        let sum = 0n
        for (let k = 1; k <= installments; k++)
          sum += cents * one ** BigInt(k) * grown ** BigInt(installments - k)
        return sum
      }
      const asked = BigInt(amountCents) * grown ** BigInt(installments)
      if (worth(BigInt(installmentCents)) < asked || worth(BigInt(installmentCents - 1)) >= asked)
        t.fail(`${amountCents} in ${installments} at ${monthlyRateBps}: ${installmentCents}`)
      if (totalCents !== installments * installmentCents || interestCents !== totalCents - amountCents)
        t.fail(`${amountCents} in ${installments}: ${totalCents}`)
    }
  }
  t.pass('three thousand amounts, at every number of instalments')
})

t.test('the rate of a year is the compound of twelve months', async (t) => {
  t.equal(yearlyRateBps(199), 2668)
  t.equal(yearlyRateBps(0), 0)
})
