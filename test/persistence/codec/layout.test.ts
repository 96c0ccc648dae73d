import t from 'tap'
import type { PlanId } from '../../../engine/shared/ids.ts'
import type { FactLayouts } from '../../../persistence/codec/facts/fact-layouts.ts'
import {
  codecVersion,
  decode,
  encode,
  enumeration,
  type Fields,
  introducedIn,
  json,
  type Layout,
  list,
  number,
  oneOf,
  optional,
  record,
  repeatedText,
  since,
  text,
} from '../../../persistence/codec/layout.ts'
import { bytesACharacter } from '../../bytes-a-character.ts'

const again = <Value>(layout: Layout<Value>, value: Value): Value => decode(layout, encode(layout, value))

t.test('a number comes back exactly, and a small one is a byte', async (t) => {
  const powers = Array.from({ length: 54 }, (_, exponent) => 2 ** exponent)
  const values = [
    ...powers.flatMap((power) => [power - 1, power, power + 1]),
    ...[249, 250, 251, 252, 253, 254, 255, 0.5, Number.MAX_VALUE, Number.MIN_VALUE],
  ].flatMap((value) => [value, -value])
  const numbers = list(number())
  t.ok(again(numbers, values).every((value, n) => Object.is(value, values[n])))
  const sizeOf = (value: number): number =>
    encode(number(), value).length - encode(list(number()), []).length + 1
  t.strictSame([0, 249, 250, 65535, 65536, Date.UTC(2026, 0), 0.5, -1].map(sizeOf), [1, 1, 3, 3, 5, 7, 9, 2])
})

t.test('a text whose characters fit in a byte has one for each, stored and read', async (t) => {
  const names = list(text())
  const read = again(names, ['São João', 'Pedido 1'])
  t.strictSame(read, ['São João', 'Pedido 1'])
  t.strictSame(read.map(bytesACharacter), [1, 1])
  t.equal(encode(names, ['São João']).length, encode(names, ['Sao Joao']).length)
  t.strictSame(again(names, ['🦜', 'Pedido 1']).map(bytesACharacter), [2, 2], 'others are decoded')
})

t.test('texts of any length and alphabet come back', async (t) => {
  const texts = ['', 'a', 'São João', '🦜', 'x'.repeat(70_000), '\u0000"\\']
  t.strictSame(again(list(text()), texts), texts)
  for (const one of texts) t.equal(again(text(), one), one)
  const repeated = ['a', 'a', 'b', 'b', 'a', '']
  t.strictSame(again(list(repeatedText()), repeated), repeated)
  t.strictSame(again(list(repeatedText()), ['', 'a']), ['', 'a'], 'nothing is left of the value before')
})

t.test('a record written before a field was added is read with its default', async (t) => {
  type Before = { readonly name: string; readonly tags: readonly string[] }
  type Now = Before & { readonly country: string; readonly level: number }
  const next = codecVersion + 1
  const before = record<Before>({ name: text(), tags: list(text()) })
  // As a file of layouts has it: the new field is one line, and where it stands is free.
  const now = record<Now>({
    name: text(),
    country: since(next, text(), 'BR'),
    tags: list(text()),
    level: since(next, number(), 0),
  })
  const stored = encode(list(before), [
    { name: 'a', tags: ['x'] },
    { name: 'b', tags: [] },
  ])
  t.equal(codecVersion, next, 'what is written from now on is of its version')
  t.strictSame(decode(list(now), stored, next - 1), [
    { name: 'a', country: 'BR', tags: ['x'], level: 0 },
    { name: 'b', country: 'BR', tags: [], level: 0 },
  ])
  const value = { name: 'c', country: 'PT', tags: [], level: 3 }
  t.strictSame(again(now, value), value)
})

t.test('JSON written before a member was added is read with its default', async (t) => {
  const stored = encode(json<object>(), { name: 'a' })
  t.strictSame(decode(json({ name: '', level: 0 }), stored), { name: 'a', level: 0 })
  const fees = encode(json<object>(), { pix: 99, cards: { VISA: 3 }, tiers: null })
  t.strictSame(
    decode(json<object>({ late: 0, cards: { ELO: 4 }, tiers: { first: 1 } } as object), fees),
    { late: 0, pix: 99, cards: { ELO: 4, VISA: 3 }, tiers: null },
    'so is a member within a member',
  )
})

t.test('a member that was absent stays absent', async (t) => {
  type Value = { readonly name: string; readonly note?: string }
  const layout = record<Value>({ name: text(), note: optional(text()) })
  t.strictSame(again(layout, { name: 'a' }), { name: 'a' })
  t.strictSame(again(layout, { name: 'a', note: '' }), { name: 'a', note: '' })
  t.throws(() => record<Value>({ note: optional(text()), name: text() }), /name stands before/)
})

t.test('tags decide what bytes mean, not the order in which they are listed', async (t) => {
  const written = enumeration({ ONE: 1, TWO: 2 })
  const reordered = enumeration({ THREE: 3, TWO: 2, ONE: 1 })
  t.equal(decode(reordered, encode(written, 'TWO')), 'TWO')
  t.throws(() => decode(written, encode(reordered, 'THREE')), /this program knows/)
  t.throws(() => encode(written, 'THREE' as 'ONE'), /THREE has a tag/)
})

t.test('a tag that is given twice, or is no byte, is refused at the start', async (t) => {
  t.throws(() => enumeration({ ONE: 1, TWO: 1 }), /tag 1 is given once/)
  const kind = record<{ readonly type: string }>({ type: text() })
  t.throws(() => oneOf('type', { One: [7, kind], Two: [7, kind] }), /tag 7 is given once/)
  for (const tag of [-1, 0.5, 250, Number.NaN]) t.throws(() => enumeration({ ONE: tag }), /can be a tag/)
})

t.test('a layout that is missing, left over or of another type does not compile', async (t) => {
  const head = { id: text<PlanId>(), atMs: number() }
  const facts = {
    PlanCreated: [1, { ...head, plan: json() }],
    PlanChanged: [2, { ...head, changes: json() }],
    PlanUsed: [3, head],
    PlanRemoved: [4, head],
  } satisfies FactLayouts<'plan'>
  const { PlanUsed: _, ...missing } = facts
  // @ts-expect-error A fact has no layout.
  missing satisfies FactLayouts<'plan'>
  // @ts-expect-error A layout has no fact.
  const leftOver = { ...facts, PlanLost: [5, head] } satisfies FactLayouts<'plan'>
  // @ts-expect-error A field has no layout.
  const fieldless = { ...facts, PlanCreated: [1, head] } satisfies FactLayouts<'plan'>
  // @ts-expect-error A field has the layout of another type.
  const mistyped = { ...facts, PlanUsed: [3, { ...head, atMs: text() }] } satisfies FactLayouts<'plan'>
  // @ts-expect-error A word has no tag.
  const wordless: Layout<'ONE' | 'TWO'> = enumeration({ ONE: 1 })
  // @ts-expect-error A tag has no word.
  const tagless: Layout<'ONE'> = enumeration({ ONE: 1, TWO: 2 })
  t.ok([missing, leftOver, fieldless, mistyped, wordless, tagless])
})

t.test('an earlier version is written as the build of that version would', async (t) => {
  type Before = { readonly name: string; readonly tags: readonly string[] }
  type Now = Before & { readonly country: string }
  const next = codecVersion + 1
  const before = record<Before>({ name: text(), tags: list(text()) })
  const now = record<Now>({ name: text(), country: since(next, text(), 'BR'), tags: list(text()) })
  const value = { name: 'a', country: 'PT', tags: ['x'] }
  const stored = encode(now, value, next - 1)
  t.strictSame(stored, encode(before, { name: 'a', tags: ['x'] }))
  t.strictSame(decode(now, stored, next - 1), { ...value, country: 'BR' })
  t.strictSame(decode(now, encode(now, value), next), value, 'and the next value of the newest version')
})

t.test(
  'what an earlier version has no word for is refused by name, and what follows is written',
  async (t) => {
    const next = codecVersion + 1
    const words = enumeration<'OLD' | 'NEW'>({ OLD: 1, NEW: 2 }, { NEW: next })
    type Kind = { readonly type: string; readonly size: number }
    const kind = (type: string) => record<Kind>({ size: number() } as Fields<Kind>, { type })
    const kinds = oneOf('type', {
      Old: [1, kind('Old')],
      New: [2, introducedIn(next, 'New', kind('New'))],
    })
    t.throws(
      () => encode(words, 'NEW', next - 1),
      /^NEW is of version \d+, and the cluster writes \d+: finish the upgrade with payments cluster finalize$/,
    )
    t.throws(() => encode(kinds, { type: 'New', size: 1 }, next - 1), /^New is of version/)
    for (const version of [next - 1, next]) {
      t.equal(decode(words, encode(words, 'OLD', version)), 'OLD')
      t.strictSame(decode(kinds, encode(kinds, { type: 'Old', size: 2 }, version)), { type: 'Old', size: 2 })
    }
    t.equal(again(words, 'NEW'), 'NEW')
    t.strictSame(again(kinds, { type: 'New', size: 1 }), { type: 'New', size: 1 })
  },
)
