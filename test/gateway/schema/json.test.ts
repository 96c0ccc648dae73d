import t from 'tap'
import { messages } from '../../../gateway/problems/messages/messages.ts'
import { readJson } from '../../../gateway/schema/json.ts'

const read = (text: string | Buffer) => readJson(Buffer.from(text as string))
const isRefused = (text: string | Buffer): boolean => !read(text).ok
const nested = (levels: number): string => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`
const nestedLists = (levels: number): string => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
const keys = (count: number): string => `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join()}}`

t.test('an object is read as it is', async (t) => {
  const value = { amount: '1000', n: -1.5e3, yes: true, no: null, list: [1, 'é €😀', { a: {} }], '': '' }
  t.strictSame(read(JSON.stringify(value)), { ok: true, value })
  t.strictSame(read(' \t\r\n{ "a" : 1 } '), { ok: true, value: { a: 1 } })
  t.strictSame(read('{"a":"\\u00e9\\ud83d\\ude00\\n"}'), { ok: true, value: { a: 'é😀\n' } })
})

t.test('what is no JSON object is refused', async (t) => {
  const wrong = [
    '',
    ' ',
    '[]',
    '[{}]',
    'null',
    '1',
    '"a"',
    'true',
    '{',
    '{"a"}',
    '{"a":1,}',
    "{'a':1}",
    '{}{}',
  ]
  for (const text of [...wrong, '{"a":01}', '{"a":NaN}', '{"a":.5}', '{"a":"\n"}'])
    t.ok(isRefused(text), text)
})

t.test('the reason never quotes the body', async (t) => {
  for (const text of ['{"document": 12345678909x}', 'secret', '{"a":"secret']) {
    const result = read(text)
    t.notOk(result.ok)
    t.notMatch(JSON.stringify(result), /secret|1234/)
  }
})

t.test('what is not UTF-8 is refused, and so is a byte order mark', async (t) => {
  for (const bytes of [[0xff], [0xc3], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80]]) {
    t.ok(isRefused(Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, ...bytes, 0x22, 0x7d])))
  }
  t.ok(isRefused('\ufeff{}'))
  t.ok(isRefused(Buffer.from('{}', 'utf16le')))
})

t.test('a byte order mark is named', async (t) => {
  const marked = [
    Buffer.from('\ufeff{"amount":1}'),
    Buffer.from('\ufeff{"amount":1}', 'utf16le'),
    Buffer.from('\ufeff{"amount":1}', 'utf16le').swap16(),
    Buffer.from('\ufeff'),
  ]
  for (const body of marked) {
    const result = readJson(body)
    t.match(result.ok ? '' : result.reason(messages.en), /byte order mark/, body.toString('hex'))
  }
  const other = readJson(Buffer.from('{\ufeff"amount":1}'))
  t.match(
    other.ok ? '' : other.reason(messages.en),
    /line 1, column 2/,
    'elsewhere it is a fault like others',
  )
  t.ok(readJson(Buffer.from('{"a":"\ufeff"}')).ok, 'and in a string it is a character')
})

t.test('32 levels are allowed, and no more, however deep', async (t) => {
  t.notOk(isRefused(nested(32)))
  t.ok(isRefused(nested(33)))
  t.notOk(isRefused(nestedLists(32)))
  t.ok(isRefused(nestedLists(33)))
  t.ok(isRefused(nestedLists(100_000)))
  t.ok(isRefused('['.repeat(100_000)))
})

t.test('1000 keys are allowed in all, and no more', async (t) => {
  t.notOk(isRefused(keys(1000)))
  t.ok(isRefused(keys(1001)))
  t.notOk(isRefused(`{"a":[${keys(500)},${keys(499)}]}`))
  t.ok(isRefused(`{"a":[${keys(500)},${keys(500)}]}`))
  t.notOk(isRefused(keys(1000)), 'counted anew for each body')
})

t.test('__proto__ is refused as a key, and allowed as a value', async (t) => {
  t.ok(isRefused('{"__proto__":{"admin":true}}'))
  t.ok(isRefused('{"a":[{"__proto__":1}]}'))
  t.ok(isRefused('{"\\u005f_proto__":1}'))
  t.notOk(isRefused('{"a":"__proto__"}'))
  t.strictSame(read('{"constructor":1}'), { ok: true, value: { constructor: 1 } })
})

t.test('a number is one that a double can hold', async (t) => {
  for (const number of ['1e400', '-1e400', '1E+309', `1${'0'.repeat(400)}`]) {
    t.ok(isRefused(`{"a":${number}}`), number)
    t.ok(isRefused(`{"a":[[${number}]]}`), number)
  }
  t.strictSame(read('{"a":1e308,"b":1e-400}'), { ok: true, value: { a: 1e308, b: 0 } })
})

t.test('half a surrogate pair and U+0000 are refused, in keys too', async (t) => {
  for (const half of ['\\ud800', '\\udc00', '\\ude00\\ud83d', '\\u0000']) {
    t.ok(isRefused(`{"a":"x${half}"}`), half)
    t.ok(isRefused(`{"a":["x",["${half}"]]}`), half)
    t.ok(isRefused(`{"x${half}":1}`), half)
  }
  t.notOk(isRefused('{"a":"\\\\ud800"}'), 'an escaped backslash is none')
})

t.test('of a repeated key the last value counts', async (t) => {
  t.strictSame(read('{"amount":"1","amount":"2"}'), { ok: true, value: { amount: '2' } })
})
