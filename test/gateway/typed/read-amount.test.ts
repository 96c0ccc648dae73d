import t from 'tap'
import { readAmount } from '../../../gateway/typed/read-amount.ts'

const languages = ['pt-BR', 'en'] as const
const currencies = [
  ['BRL', 2],
  ['USDT', 6],
] as const

/** Every text of up to nine characters, in which 5 stands for all digits but 0. */
const typed = function* (length: number, before = ''): Generator<string> {
  if (before.length > 0) yield before
  if (before.length < length) for (const next of '05.,') yield* typed(length, before + next)
}

/** How a language writes an amount, by the platform: with fewer decimals too, and without the marks of thousands. */
const spellingsOf = (units: string, decimals: number, language: string): Set<string> => {
  const spellings = new Set<string>()
  const amount = units.padStart(decimals + 1, '0').replace(new RegExp(`(\\d{${decimals}})$`), '.$1')
  for (let shown = 0; shown <= decimals; shown++) {
    if (!/^0*$/.test(amount.slice(amount.length - decimals + shown))) continue
    for (const useGrouping of ['always', false] as const)
      spellings.add(
        new Intl.NumberFormat(language, {
          useGrouping,
          minimumFractionDigits: shown,
          maximumFractionDigits: shown,
        } as Intl.NumberFormatOptions).format(amount as never),
      )
  }
  return spellings
}

for (const language of languages)
  for (const [currency, decimals] of currencies)
    t.test(
      `${currency} in ${language}: an amount is read as the language writes it, or not at all`,
      async (t) => {
        const wrong: string[] = []
        let read = 0
        const spelt = new Set<string>()
        const missing = new Set<string>()
        for (const text of typed(9)) {
          const { units, fault } = readAmount(text, currency, decimals, language)
          if (units !== null) {
            read += 1
            if (!spellingsOf(units, decimals, language).has(text)) wrong.push(`${text} was read as ${units}`)
            for (const spelling of spellingsOf(units, decimals, language)) missing.add(spelling)
            spelt.add(text)
          } else if (fault === 'AMBIGUOUS') spelt.add(text)
        }
        for (const spelling of missing)
          if (spelling.length <= 9 && !spelt.has(spelling)) wrong.push(`${spelling} is not read`)
        t.strictSame(wrong, [])
        t.ok(read > 1000, `${read} texts are amounts`)
      },
    )

t.test('what the issue names', async (t) => {
  const reads = (text: string, currency: string, language: (typeof languages)[number]) => {
    const { units, fault } = readAmount(text, currency, currency === 'BRL' ? 2 : 6, language)
    return units ?? fault
  }
  for (const [text, currency, language, expected] of [
    ['0,500', 'BRL', 'pt-BR', 'TOO_PRECISE'],
    ['0,500', 'BRL', 'en', 'NOT_AN_AMOUNT'],
    ['10,555', 'BRL', 'pt-BR', 'TOO_PRECISE'],
    ['10,555', 'BRL', 'en', '1055500'],
    ['10.555', 'BRL', 'pt-BR', '1055500'],
    ['19.90', 'BRL', 'pt-BR', 'NOT_AN_AMOUNT'],
    ['1,234', 'USDT', 'pt-BR', '1234000'],
    ['1.234', 'USDT', 'pt-BR', 'AMBIGUOUS'],
    ['1,234', 'USDT', 'en', 'AMBIGUOUS'],
    ['1.234,5', 'USDT', 'pt-BR', '1234500000'],
    [' R$ 1.234,56 ', 'BRL', 'pt-BR', '123456'],
    ['usdt 12', 'USDT', 'pt-BR', '12000000'],
    ['R$', 'BRL', 'pt-BR', 'NOT_AN_AMOUNT'],
    ['-5', 'BRL', 'pt-BR', 'NOT_AN_AMOUNT'],
    ['1e3', 'BRL', 'en', 'NOT_AN_AMOUNT'],
    ['٣', 'BRL', 'en', 'NOT_AN_AMOUNT'],
  ] as const)
    t.equal(reads(text, currency, language), expected, `${text} (${currency}, ${language})`)
})
