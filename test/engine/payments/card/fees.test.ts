import { readFileSync } from 'node:fs'
import t from 'tap'
import {
  type Brand,
  brands,
  cardFeeLines,
  defaultCardRates,
  installmentsMax,
} from '../../../../engine/ledger/card-rates.ts'
import { declines } from '../../../../engine/payments/methods/card/decline-codes.ts'
import { usualFee } from '../../profile.ts'

const fee = (cents: number, brand: Brand, installments: number) =>
  usualFee(cents, 'CREDIT_CARD', { brand, installments })

t.test('every brand has one fee for each number of instalments, and one for debit', async (t) => {
  for (const brand of brands) {
    for (let count = 1; count <= installmentsMax; count++)
      t.ok(fee(10_000, brand, count) > 0, `${brand} ${count}x`)
    t.equal(usualFee(10_000, 'DEBIT_CARD', { brand }), 199)
    t.throws(() => fee(1, brand, installmentsMax + 1))
    t.throws(() => usualFee(1, 'DEBIT_CARD', { brand, installments: 2 }))
  }
  t.equal(cardFeeLines(defaultCardRates).length, brands.length * 4)
})

t.test('the table of the decisions, rounded half up', async (t) => {
  t.equal(fee(10_000, 'VISA', 1), 319)
  t.equal(fee(10_000, 'ELO', 6), 449)
  t.equal(fee(10_000, 'OTHER', 12), 539)
  t.equal(fee(1990, 'VISA', 1), 63, '63.481')
  t.equal(fee(50, 'AMEX', 1), 2, '1.995')
})

t.test(
  'every decline is in the table of ABECS, and may be tried again where some brand says so',
  async (t) => {
    const { rows } = JSON.parse(
      readFileSync(new URL('../../../../../test/vectors/abecs.json', import.meta.url), 'utf8'),
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
