import fc from 'fast-check'
import t from 'tap'
import { messages } from '../../../gateway/problems/messages/messages.ts'
import { readJson } from '../../../gateway/schema/json.ts'
import { jsonFault } from '../../../gateway/schema/json-fault.ts'

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

t.test('the place is that of the first token that cannot stand where it is', async (t) => {
  const wanted: readonly [string, number, number][] = [
    ['', 1, 1],
    ['{', 1, 2],
    ['{"a":1,}', 1, 8],
    ['{"a" 1}', 1, 6],
    ['{"a":1 "b":2}', 1, 8],
    ["{'a':1}", 1, 2],
    ['{"a":01}', 1, 7],
    ['{"a":NaN}', 1, 6],
    ['{"a":.5}', 1, 6],
    ['{"a":tru}', 1, 6],
    ['{"a":[1,2}', 1, 10],
    ['{"a":1}}', 1, 8],
    ['{}{}', 1, 3],
    ['{\n  "amount": 19,90\n}', 2, 16],
    ['{\r\n  "a": "x\r\n"}', 2, 10],
    ['{"a":"\\x"}', 1, 7],
    ['{"a":"endless', 1, 14],
    ['{"ação":"ação", x}', 1, 17],
    ['{"🦜🦜":x}', 1, 7],
  ]
  for (const [text, line, column] of wanted) t.strictSame(jsonFault(text), { line, column }, text)
})

t.test('a text has a fault where JSON.parse refuses it, and nowhere else', async () => {
  const ascii = fc.constantFrom(...'{}[]:,"\\ \n0123456789.eE+-truefalsn\u0001é')
  const damaged = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('delete', 'insert', 'cut'), ascii)
    .map(([text, at, what, character]) => {
      const place = at % (text.length + 1)
      if (what === 'cut') return text.slice(0, place)
      return text.slice(0, place) + (what === 'insert' ? character : '') + text.slice(place + 1)
    })
  const any = fc.oneof(damaged, fc.string({ unit: ascii, maxLength: 30 }), fc.json())
  fc.assert(
    fc.property(any, (text) => isJson(text) === (jsonFault(text) === null)),
    { numRuns: 20_000, seed: 5 },
  )
})

t.test('what stands before the place is not at fault: only its end is', async () => {
  const text = fc.string({ unit: fc.constantFrom(...'{}[]:,"\\u0a1-. truefalsn'), maxLength: 40 })
  fc.assert(
    fc.property(text, (text) => {
      const fault = jsonFault(text)
      if (fault === null) return true
      const before = text.slice(0, fault.column - 1)
      const earlier = jsonFault(before)
      return earlier === null || earlier.column === fault.column
    }),
    { numRuns: 20_000, seed: 6 },
  )
})

t.test('a body of any depth is looked through', async (t) => {
  t.strictSame(jsonFault('['.repeat(65_536)), { line: 1, column: 65_537 })
})

t.test('the answer names line and column, and nothing of the body', async (t) => {
  const read = readJson(Buffer.from('{\n  "document": 12345678909x\n}'))
  t.notOk(read.ok)
  if (read.ok) return
  t.equal(read.reason(messages.en), 'The body is not valid JSON: it goes wrong at line 2, column 26.')
  t.equal(read.reason(messages.pt), 'O corpo não é um JSON válido: o erro está na linha 2, coluna 26.')
})
