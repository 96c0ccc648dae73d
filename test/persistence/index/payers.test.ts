import t from 'tap'
import { finish } from '../../../engine/kernel/work.ts'
import { newColumns } from '../../../persistence/base/columns.ts'
import { newTimeSlice } from '../../../persistence/base/time-slice.ts'
import type { NumberSet } from '../../../persistence/index/number-set.ts'
import { payersNamed, payersSaying } from '../../../persistence/index/payer-search.ts'
import {
  newPayers,
  numberOfPayer,
  type Payers,
  payerBytesSchema,
  payerSchema,
} from '../../../persistence/index/payers.ts'
import { inMemory, keysInMemory } from '../paging.ts'

const paging = inMemory()
const pace = newTimeSlice(() => 0, 1)

const register = (arena: Payers['arena'] = newColumns(payerBytesSchema, paging)) => {
  const keys = keysInMemory()
  const payers = newPayers(1, newColumns(payerSchema, paging), arena, {
    find: (hash, count) => keys.find(1, hash, count),
    put: (hash, payer) => keys.put(1, hash, payer),
    remove: (hash, payer) => keys.remove(1, hash, payer),
  })
  const numbers = ({ has }: NumberSet): number[] =>
    Array.from({ length: payers.rows.count }, (_, n) => n + 1).filter(has)
  return {
    numberOf: (payer: Parameters<typeof numberOfPayer>[1]) => numberOfPayer(payers, payer),
    named: (text: string) => numbers(finish(payersNamed(payers, text, pace))),
    saying: (text: string) => numbers(finish(payersSaying(payers, text, pace))),
    few: (text: string) => finish(payersSaying(payers, text, pace)).few,
  }
}

t.test(
  'a payer is found by part of the name or e-mail and by the whole document, without case and accents',
  async (t) => {
    const { numberOf, named, saying } = register()
    const conceicao = numberOf({
      name: 'Conceição Müller',
      document: '12ABC34501DE35',
      email: 'ceia@Exemplo.com',
    })
    const jose = numberOf({ name: 'JOSÉ MULLER', document: '12345678909', email: null })
    const nobody = numberOf({ name: 'X', document: null, email: null })
    t.strictSame([conceicao, jose, nobody], [1, 2, 3])
    t.equal(numberOf(null), 0)
    t.equal(numberOf({ name: 'JOSÉ MULLER', document: '12345678909', email: null }), jose)
    t.not(numberOf({ name: 'JOSÉ MULLER', document: null, email: '12345678909' }), jose)
    t.strictSame(saying('muller'), [1, 2, 4])
    t.strictSame(saying('CEICAO mü'), [1])
    t.strictSame(saying('exemplo'), [1])
    t.strictSame(saying('@'), [1])
    t.strictSame(saying('x'), [1, 3], 'one letter too')
    t.strictSame(saying('123.456.789-09'), [2], 'a document with its punctuation')
    t.strictSame(saying('12345678909'), [2, 4])
    t.strictSame(saying('12abc34501de35'), [1])
    t.strictSame(saying('12ABC34501DE'), [], 'no part of a document')
    t.strictSame(saying('mullerceia'), [], 'nothing that begins in one field and ends in another')
    t.strictSame(saying(''), [])
    t.strictSame(named('muller'), [1, 2, 4])
    t.strictSame(named('exemplo'), [], 'no part of an e-mail')
    t.strictSame(named('CEIA@exemplo.com'), [1])
    t.strictSame(named('12345678909'), [2, 4])
  },
)

t.test('many payers, more than a segment and an arena hold', async (t) => {
  const { numberOf, saying, few } = register()
  for (let n = 0; n < 10_000; n++)
    numberOf({ name: `Ana ${n}`, document: String(10_000_000_000 + n), email: `ana.${n}@exemplo.com` })
  t.strictSame(saying('ana.7777@'), [7778])
  t.strictSame(few('ana.7777@'), [7778])
  t.equal(saying('ana.777').length, 11)
  t.equal(saying('exemplo').length, 10_000)
  t.equal(few('exemplo'), null)
  t.strictSame(saying('10000004321'), [4322])
})

t.test('payers are found whose bytes begin behind two and behind four gigabytes', async (t) => {
  const arena = newColumns(payerBytesSchema, paging)
  const { numberOf, saying } = register(arena)
  for (const gigabytes of [2, 4, 6]) {
    // As if there were as many payers: their bytes end with a segment before the boundary.
    arena.segments.length = (gigabytes * 2 ** 30) / payerBytesSchema.rowsPerSegment - 1
    arena.count = arena.segments.length * payerBytesSchema.rowsPerSegment
    const names = Array.from({ length: 5_000 }, (_, n) => `Ana ${'x'.repeat(n % 7)} ${gigabytes}-${n}.`)
    const first = numberOf({ name: names[0]!, document: null, email: null })
    for (const name of names) numberOf({ name, document: null, email: null })
    t.ok(arena.count > gigabytes * 2 ** 30)
    for (const n of [0, 1, 2_000, 4_998, 4_999])
      t.same(saying(`${gigabytes}-${n}.`), [first + n], `${n} behind ${gigabytes} gigabytes`)
  }
})

t.test('a row of another table under the hash of a payer is not looked at', async (t) => {
  const keys = keysInMemory(1)
  const foundAmongAll: (readonly number[])[] = []
  const payers = newPayers(1, newColumns(payerSchema, paging), newColumns(payerBytesSchema, paging), {
    find: (hash, count) => {
      foundAmongAll.push(keys.find(1, hash, Number.POSITIVE_INFINITY))
      return keys.find(1, hash, count)
    },
    put: (hash, payer) => keys.put(1, hash, payer),
    remove: (hash, payer) => keys.remove(1, hash, payer),
  })
  keys.put(2, 'order-771832', 9_000_000)
  const ana = { name: 'Ana 2133113', document: null, email: null }
  t.equal(numberOfPayer(payers, ana), 1)
  t.equal(numberOfPayer(payers, ana), 1)
  t.strictSame(foundAmongAll, [[9_000_000], [0, 9_000_000]], 'the hashes are the same')
})
