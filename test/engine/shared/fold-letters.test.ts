import t from 'tap'
import { type Alphabet, foldLetters } from '../../../engine/shared/fold-letters.ts'

const ascii: Alphabet = { has: (character) => /^[ -~]$/.test(character), unknown: '' }
const folded = (text: string): string => foldLetters(text, ascii)

t.test('no letter of the Latin alphabet is lost', async (t) => {
  t.equal(folded('Łódź Straße'), 'Lodz Strasse')
  t.equal(
    folded('Þórður Æsir Øre Œuvre İstanbul ẞ Đức Ħal Ŧ ŉ ĳ'),
    "Thordur AEsir Ore OEuvre Istanbul SS Duc Hal T 'n ij".replace('Th', 'TH'),
  )
  const lost: string[] = []
  for (const [from, to] of [
    [0xc0, 0x17f],
    [0x1e00, 0x1eff],
  ] as const)
    for (let point = from; point <= to; point++) {
      const letter = String.fromCodePoint(point)
      if (/\p{L}/u.test(letter) && !/^[A-Za-z']*[A-Za-z]+$/.test(folded(letter))) lost.push(letter)
    }
  t.strictSame(lost, [])
})

t.test('signs become those of ASCII that resemble them', async (t) => {
  t.equal(
    folded('“Açaí” – d’Ávila … 50 € «x» nº 1ª ½ № 5'),
    '"Acai" - d\'Avila ... 50 EUR "x" no 1a 1/2 No 5',
  )
  t.equal(folded('Acme® S´A ™'), "Acme S'A TM")
  t.equal(folded('constructor __proto__'), 'constructor __proto__')
})

t.test('emoji leave no spaces', async (t) => {
  t.equal(folded('🍕 Pizza 🍕🍷 da Nonna 👨‍👩‍👧 🇧🇷'), 'Pizza da Nonna')
  t.equal(folded('Loja🍕Boa'), 'LojaBoa')
  t.equal(folded('Loja🍕 Boa'), 'Loja Boa')
  t.equal(folded('Loja 🍕Boa'), 'Loja Boa')
  t.equal(folded('👍🏽'), '')
  t.equal(folded('I ❤️ SP'), 'I SP')
})

t.test('a long text takes no time', async (t) => {
  const start = process.cpuUsage().user
  for (const text of [' '.repeat(100_000), '🍕 '.repeat(50_000), `${'a '.repeat(50_000)}🍕`]) folded(text)
  t.ok(process.cpuUsage().user - start < 5_000_000)
})
