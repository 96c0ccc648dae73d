import { createHash } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { fingerprintOf } from '../../../gateway/schema/fingerprint.ts'

const of = (input: unknown): string => fingerprintOf('POST', '/v1/pix/charges', input)

t.test('a field that is null and one that is missing are the same request', (t) => {
  const before = of({ amountCents: 1990, customer: { name: 'Ana' }, details: {} })
  for (const later of [
    { campaign: null, amountCents: 1990, customer: { name: 'Ana' }, details: {} },
    { campaign: null, season: null, amountCents: 1990, customer: { name: 'Ana' }, details: {} },
    { amountCents: 1990, campaign: null, season: null, customer: { name: 'Ana' }, details: {} },
    { amountCents: 1990, customer: { phone: null, name: 'Ana', email: null }, details: { note: null } },
    { amountCents: 1990, customer: { name: 'Ana' }, details: {}, campaign: null },
  ])
    t.equal(of(later), before, JSON.stringify(later))
  t.equal(of({ note: null }), of({}))
  t.end()
})

t.test('everything else tells requests apart', (t) => {
  const fingerprints = [
    fingerprintOf('POST', '/v1/boletos', { a: 1 }),
    fingerprintOf('PUT', '/v1/pix/charges', { a: 1 }),
    ...[{ a: 1 }, { b: 1 }, { a: 0 }, { a: '' }, { a: [null] }, { a: [] }, { a: 'null' }, { a: { b: 1 } }],
    ...[
      { a: ['1', '2'] },
      { a: ['12'] },
      { ab: 'c' },
      { a: 'bc' },
      { a: true },
      { a: 'true' },
      { a: 11 },
      { a: [1, 1] },
    ],
    ...[{ a: '1"b' }, { a: '1', b: 'b' }, { a: '}1:b1"c' }, { a: { b: 'c' } }, { a: {}, b: 'c' }],
    ...['{"b":null,', ',"b":null', '{"b":null}', '{', ','].map((text) => ({ a: text })),
  ].map((of2) => (typeof of2 === 'string' ? of2 : of(of2)))
  t.equal(new Set(fingerprints).size, fingerprints.length)
  t.end()
})

t.test(
  'fingerprints of earlier versions stay the same: keys of the last day are compared with them',
  async (t) => {
    const meaningOf = (value: unknown): string => {
      if (typeof value === 'string') return `${value.length}"${value}`
      if (typeof value !== 'object' || value === null) return `${value};`
      if (Array.isArray(value)) return `[${value.map(meaningOf).join('')}]`
      const members = Object.entries(value).filter(([, member]) => member !== null && member !== undefined)
      return `{${members.map(([name, member]) => `${name.length}:${name}${meaningOf(member)}`).join('')}}`
    }
    const asText = (input: unknown): string =>
      createHash('sha256')
        .update(`POST /v1/x\n${meaningOf(input)}`)
        .digest('base64url')
        .slice(0, 22)
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (input) => {
        t.equal(fingerprintOf('POST', '/v1/x', input), asText(input))
      }),
      { numRuns: 200, seed: 1 },
    )
    for (const text of ['', 'ç', `${'a'.repeat(50)}ç😀`, 'é'.repeat(3000), 'x'.repeat(20_000)])
      t.equal(fingerprintOf('POST', '/v1/x', { text: [text] }), asText({ text: [text] }))
  },
)
