import t from 'tap'
import { messages } from '../../../gateway/problems/messages/messages.ts'
import { readPathSegments, readQuery } from '../../../gateway/schema/query.ts'

const valuesOf = (raw: string): Record<string, string[]> | null => {
  const read = readQuery(raw)
  return read.ok ? { ...read.values } : null
}

const fieldsOf = (raw: string): string[] => {
  const read = readQuery(raw)
  return read.ok ? [] : read.problems.map(({ field }) => field)
}

t.test('a query is read as forms are written', async (t) => {
  t.strictSame(valuesOf(''), {})
  t.strictSame(valuesOf('page=2'), { page: ['2'] })
  t.strictSame(valuesOf('q=Jos%C3%A9+da%20Silva%2B'), { q: ['José da Silva+'] })
  t.strictSame(valuesOf('n%61me=x'), { name: ['x'] })
  t.strictSame(valuesOf('q=a=b=?/'), { q: ['a=b=?/'] })
  t.strictSame(valuesOf('q=%25zz'), { q: ['%zz'] }, 'decoded once')
})

t.test('the values of a repeated name keep their order', async (t) => {
  t.strictSame(valuesOf('a=2&b=x&a=1&%61=3'), { a: ['2', '1', '3'], b: ['x'] })
})

t.test('a name can be any word, those of Object.prototype too', async (t) => {
  const values = valuesOf('__proto__=1&constructor=2&toString=3')!
  t.strictSame(Object.entries(values), [
    ['__proto__', ['1']],
    ['constructor', ['2']],
    ['toString', ['3']],
  ])
})

t.test('what is no whole percent sequence is refused', async (t) => {
  for (const value of ['%', '%4', '%zz', '%%', '%u0041', 'a%'])
    t.strictSame(fieldsOf(`q=${value}`), ['query.q'])
  t.strictSame(fieldsOf('%zz=1'), ['query'])
})

t.test('what is not UTF-8 is refused', async (t) => {
  const wrong = ['%ff', '%c3', '%c0%af', '%ed%a0%80', '%f5%80%80%80', 'é', '\ufffd']
  for (const value of wrong) t.strictSame(fieldsOf(`q=${value}`), ['query.q'], value)
})

t.test('control characters, spaces and fragments are refused', async (t) => {
  const wrong = ['%00', '%0A', '%1f', '%7F', '%C2%85', ' ', '\t', '\0', '#']
  for (const value of wrong) t.strictSame(fieldsOf(`q=${value}`), ['query.q'], JSON.stringify(value))
})

t.test('a parameter without a value is as if it were absent, and so is an empty part', async (t) => {
  for (const raw of ['page=', 'page', 'page=&page', '&', '&&&']) t.strictSame(valuesOf(raw), {}, raw)
  for (const raw of ['a=1&', '&a=1', 'a=1&&b=', 'b&a=1']) t.strictSame(valuesOf(raw), { a: ['1'] }, raw)
  t.strictSame(valuesOf('a=&a=1&a=2'), { a: ['1', '2'] })
})

t.test('a parameter has a name', async (t) => {
  for (const raw of ['=1', '=', 'a=1&=']) t.strictSame(fieldsOf(raw), ['query'], raw)
})

t.test('every problem is told, but not thousands', async (t) => {
  t.strictSame(fieldsOf('a=%ff&b=1&c=%zz&%00=1'), ['query.a', 'query.c', 'query'])
  t.equal(fieldsOf('=&'.repeat(4000)).length, 10)
  const read = readQuery('page=%zz')
  t.match(read, { ok: false, problems: [{ code: 'INVALID_FORMAT' }] })
  const [problem] = read.ok ? [] : read.problems
  t.match(problem!.message(messages.en), /^query\.page /)
})

t.test('a path is its segments, decoded once', async (t) => {
  t.strictSame(readPathSegments('/v1/pix/charges'), ['v1', 'pix', 'charges'])
  t.strictSame(readPathSegments('/v1/c%C3%B3digo%20a'), ['v1', 'código a'])
  t.strictSame(readPathSegments('/%252e%252e'), ['%2e%2e'])
  t.strictSame(readPathSegments('/a;x=1/...'), ['a;x=1', '...'])
})

t.test('a path that somebody else could read differently is none', async (t) => {
  const wrong = [
    '',
    'v1',
    '/',
    '//',
    '/v1/',
    '/v1//pix',
    '/v1/../admin',
    '/v1/./pix',
    '/v1/%2e%2e',
    '/v1/%2E',
    '/v1/.%2e/x',
    '/v1/a%2Fb',
    '/v1/a%5cb',
    '/v1/a\\b',
    '/v1/a%00',
    '/v1/a%0d%0a',
    '/v1/a%7f',
    '/v1/a b',
    '/v1/é',
    '/v1/a%ff',
    '/v1/a%c0%af',
    '/v1/a%',
    '/v1/a%zz',
    '/v1/a#b',
    '*',
    'http://a/v1',
  ]
  for (const path of wrong) t.equal(readPathSegments(path), null, JSON.stringify(path))
})
