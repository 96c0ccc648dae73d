import { readFileSync } from 'node:fs'
import t from 'tap'
import { declines } from '../../../engine/methods/card/declines.ts'
import { brands, cardFee, cardFees, installmentsMax } from '../../../engine/methods/card/fees.ts'
import { toCents } from '../../../engine/money.ts'

t.test('every brand has one fee for each number of instalments, and one for debit', async (t) => {
  for (const brand of brands) {
    for (let count = 1; count <= installmentsMax; count++)
      t.ok(cardFee(toCents(10_000), brand, 'CREDIT', count) > 0, `${brand} ${count}x`)
    t.equal(cardFee(toCents(10_000), brand, 'DEBIT', 1), 199)
    t.throws(() => cardFee(toCents(1), brand, 'CREDIT', installmentsMax + 1))
    t.throws(() => cardFee(toCents(1), brand, 'DEBIT', 2))
  }
  t.equal(cardFees.length, brands.length * 4)
})

t.test('the table of the decisions, rounded half up', async (t) => {
  t.equal(cardFee(toCents(10_000), 'VISA', 'CREDIT', 1), 319)
  t.equal(cardFee(toCents(10_000), 'ELO', 'CREDIT', 6), 449)
  t.equal(cardFee(toCents(10_000), 'OTHER', 'CREDIT', 12), 539)
  t.equal(cardFee(toCents(1990), 'VISA', 'CREDIT', 1), 63, '63.481')
  t.equal(cardFee(toCents(50), 'AMEX', 'CREDIT', 1), 2, '1.995')
})

t.test(
  'every decline is in the table of ABECS, and may be tried again where some brand says so',
  async (t) => {
    const { rows } = JSON.parse(
      readFileSync(new URL('../../../../test/vectors/abecs.json', import.meta.url), 'utf8'),
    ) as { rows: { retry: string; elo: string[]; visa: string[]; mastercardHiper: string[] }[] }
    for (const [code, { retryable }] of Object.entries(declines)) {
      const published = String(Number(code))
      const found = rows.filter(({ elo, visa, mastercardHiper }) =>
        [...elo, ...visa, ...mastercardHiper].includes(published),
      )
      t.ok(
        found.some(({ retry }) => (retry === 'reversible') === retryable),
        `${code}: ${found.map(({ retry }) => retry)}`,
      )
    }
  },
)
