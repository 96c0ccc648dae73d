import { readFileSync } from 'node:fs'
import t from 'tap'
import { dynamicBrCode } from '../../../../engine/payments/methods/pix/br-code.ts'
import { crc16 } from '../../../../engine/shared/crc16.ts'
import { toCents } from '../../../../engine/shared/money.ts'
import { bytesACharacter } from '../../../bytes-a-character.ts'
import { parseBrCode } from './parse-br-code.ts'

type Vector = { id: string; kind: string; valid: boolean; payload: string; fields: Record<string, unknown> }

const { vectors } = JSON.parse(
  readFileSync(new URL('../../../../../test/vectors/brcode.json', import.meta.url), 'utf8'),
) as { vectors: Vector[] }

t.test('every valid vector is parsed to its kind and its fields', async (t) => {
  for (const { id, kind, payload, fields } of vectors.filter(({ valid }) => valid)) {
    t.same(parseBrCode(payload), { ok: true, kind, fields }, id)
  }
})

t.test('every invalid vector is refused', async (t) => {
  for (const { id, payload } of vectors.filter(({ valid }) => !valid)) t.notOk(parseBrCode(payload).ok, id)
})

const receiver = { merchant: { name: 'Fulano de Tal', city: 'BRASILIA' } }
const evp = '123e4567-e12b-12d1-a456-426655440000'

const location = 'pix.example.com/v2/cobv/6dFzQ1Wk0aV9xLrT3YbN8uHsE2mPjC5o'

t.test(
  'a dynamic code has the fields of the decisions in ascending order, and the amount with two decimals',
  async (t) => {
    const payload = dynamicBrCode({ ...receiver, location, amountCents: toCents(1990) })
    t.same(parseBrCode(payload), {
      ok: true,
      kind: 'dynamic',
      fields: {
        '00': '01',
        '01': '12',
        '26': { '00': 'br.gov.bcb.pix', '25': location },
        '52': '0000',
        '53': '986',
        '54': '19.90',
        '58': 'BR',
        '59': 'Fulano de Tal',
        '60': 'BRASILIA',
        '62': { '05': '***' },
        '63': payload.slice(-4),
      },
    })
    t.ok(payload.startsWith(`00020101021226${22 + location.length}0014br.gov.bcb.pix25`))
  },
)

t.test('amounts are written in reais from one centavo to the largest of twelve digits', async (t) => {
  const amountOf = (cents: number) =>
    /5303986(54.*?)5802BR/.exec(dynamicBrCode({ ...receiver, location, amountCents: toCents(cents) }))![1]
  t.equal(amountOf(1), '54040.01')
  t.equal(amountOf(10), '54040.10')
  t.equal(amountOf(100), '54041.00')
  t.equal(amountOf(999_999_999_999), '54139999999999.99')
  t.throws(() => amountOf(0))
  t.throws(() => amountOf(1_000_000_000_000))
})

t.test('a name that cannot be written in plain ASCII still gives a code that parses', async (t) => {
  const names = [
    'Açaí & Cia – Ltda',
    '日本料理',
    '   ',
    '',
    'Ünïcödé '.repeat(9),
    'ﬁﬃ №5 ½',
    'a\u0000\u001bb',
    '😀',
    '𝒜',
  ]
  for (const name of names) {
    const payload = dynamicBrCode({ location, amountCents: toCents(1), merchant: { name, city: name } })
    t.ok(parseBrCode(payload).ok, JSON.stringify(name))
    t.match(payload, /^[ -~]+$/)
  }
})

t.test('names are cut after folding, which can make them longer', async (t) => {
  const payload = dynamicBrCode({
    location,
    amountCents: toCents(1),
    merchant: { name: `${'Ã'.repeat(24)}ﬃ`, city: 'São José dos Campos' },
  })
  t.match(payload, `5925${'A'.repeat(24)}f6015Sao Jose dos Ca62`)
})

t.test('a payer reads every letter of a name, and no gap where a picture was', async (t) => {
  const merchant = { name: '🍕 Łódź 🍷 Straße', city: 'Þorlákshöfn' }
  const payload = dynamicBrCode({ location, amountCents: toCents(1), merchant })
  t.match(payload, '5912Lodz Strasse6012THorlakshofn62')
})

t.test('a location with a scheme or of more than 77 characters is not made into a code', async (t) => {
  const build = (location: string) => () => dynamicBrCode({ ...receiver, location, amountCents: toCents(1) })
  t.ok(parseBrCode(build(`a.co/${'x'.repeat(72)}`)()).ok)
  t.throws(build(`a.co/${'x'.repeat(73)}`))
  t.throws(build('https://pix.example.com/a'))
  t.throws(build('pix.example.com'))
})

/** Puts a text in shape of a code: fields as given, and the CRC that belongs to them. */
const sealed = (fields: string) => `${fields}6304${crc16(`${fields}6304`)}`
const tlv = (id: string, value: string) => id + String(value.length).padStart(2, '0') + value
const gui = tlv('00', 'br.gov.bcb.pix')
const parts = {
  '00': '000201',
  '26': tlv('26', gui + tlv('01', evp)),
  '52': '52040000',
  '53': '5303986',
  '58': '5802BR',
  '59': tlv('59', 'Fulano de Tal'),
  '60': tlv('60', 'BRASILIA'),
  '62': tlv('62', tlv('05', '***')),
}
const codeWith = (changes: Record<string, string>) =>
  sealed(
    Object.entries({ ...parts, ...changes })
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([, field]) => field)
      .join(''),
  )

t.test('each way to break a code has its reason', async (t) => {
  const recurrence = (host: string) => tlv('80', gui + tlv('25', `${host}/rec/1`))
  const broken: readonly [reason: string, field: string | null, payload: string][] = [
    ['TOO_LONG', null, codeWith({ '61': tlv('61', '0'.repeat(99)), ...bulk(5) })],
    ['BROKEN_TLV', null, ''.padEnd(3, '0')],
    ['BROKEN_TLV', null, 'hello, world'],
    ['BROKEN_TLV', null, sealed(`${parts['00']}5900`)],
    ['BROKEN_TLV', '26', codeWith({ '26': tlv('26', `${gui}0199x`) })],
    ['BROKEN_TLV', null, codeWith({ '62': '62080503***' })],
    ['BROKEN_TLV', '62', codeWith({ '62': tlv('62', '0504***') })],
    ['WRONG_ORDER', null, ''],
    ['WRONG_ORDER', null, sealed(parts['26'] + parts['00'])],
    ['WRONG_ORDER', null, codeWith({}) + tlv('99', 'x')],
    ['DUPLICATE_FIELD', '59', codeWith({ '59': parts['59'] + parts['59'] })],
    ['DUPLICATE_FIELD', '26', codeWith({ '26': tlv('26', gui + gui + tlv('01', evp)) })],
    ['DUPLICATE_FIELD', '27', codeWith({ '27': parts['26'].replace('26', '27') })],
    ['MISSING_FIELD', '52', codeWith({ '52': '' })],
    ['MISSING_FIELD', '60', codeWith({ '60': '' })],
    ['MISSING_FIELD', '62', codeWith({ '62': '' })],
    ['MISSING_FIELD', '62-05', codeWith({ '62': tlv('62', tlv('01', 'x')) })],
    ['MISSING_FIELD', '80-25', codeWith({ '80': tlv('80', gui) })],
    ['INVALID_FIELD', '00', sealed('000202')],
    ['INVALID_FIELD', '01', codeWith({ '01': tlv('01', '13') })],
    ['INVALID_FIELD', '52', codeWith({ '52': tlv('52', '000') })],
    ['INVALID_FIELD', '53', codeWith({ '53': tlv('53', '840') })],
    ['INVALID_FIELD', '54', codeWith({ '54': tlv('54', '1,00') })],
    ['INVALID_FIELD', '54', codeWith({ '54': tlv('54', '12345678901.00') })],
    ['INVALID_FIELD', '58', codeWith({ '58': tlv('58', 'US') })],
    ['INVALID_FIELD', '59', codeWith({ '59': tlv('59', 'x'.repeat(26)) })],
    ['INVALID_FIELD', '60', codeWith({ '60': tlv('60', 'x'.repeat(16)) })],
    [
      'INVALID_FIELD',
      '26-01',
      codeWith({ '26': tlv('26', gui + tlv('01', 'x'.repeat(77).replace('x', ' '))) }),
    ],
    ['INVALID_FIELD', '26-02', codeWith({ '26': tlv('26', gui + tlv('02', 'note') + tlv('25', location)) })],
    ['INVALID_FIELD', '26-03', codeWith({ '26': tlv('26', gui + tlv('01', evp) + tlv('03', '1234567')) })],
    ['INVALID_FIELD', '26-25', codeWith({ '26': tlv('26', gui + tlv('25', `https://${location}`)) })],
    ['INVALID_FIELD', '62-05', codeWith({ '62': tlv('62', tlv('05', 'x'.repeat(26))) })],
    ['INVALID_FIELD', '62-05', codeWith({ '62': tlv('62', tlv('05', 'a-b')) })],
    ['NOT_PIX', null, codeWith({ '26': tlv('26', tlv('00', 'com.example')) })],
    ['NOT_PIX', null, codeWith({ '26': '' })],
    [
      'KEY_AND_LOCATION',
      '26',
      codeWith({ '26': tlv('26', gui + tlv('01', 'a@b.co') + tlv('25', location.slice(0, 40))) }),
    ],
    ['NO_KEY_OR_LOCATION', '26', codeWith({ '26': tlv('26', gui) })],
    [
      'HOSTS_DIFFER',
      '80',
      codeWith({ '26': tlv('26', gui + tlv('25', location)), '80': recurrence('a.co') }),
    ],
    ['CRC_MISMATCH', '63', `${codeWith({}).slice(0, -4)}0000`],
  ]
  for (const [reason, field, payload] of broken) {
    t.same(parseBrCode(payload), { ok: false, reason, field }, `${reason} ${field}`)
  }
})

/** Fields of an id each that only make a code longer. */
const bulk = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => [String(65 + n), tlv(String(65 + n), 'x'.repeat(99))]),
  )

t.test('any single character changed in a code is noticed', async (t) => {
  const payload = codeWith({ '54': tlv('54', '10.00') })
  const unnoticed = Array.from(payload, (character, i) => {
    const other = character === '1' ? '2' : '1'
    return payload.slice(0, i) + other + payload.slice(i + 1)
  }).filter((text) => parseBrCode(text).ok)
  t.same(unnoticed, [])
})

t.test(
  'fields between the first and the last may come in any order, and a CRC in small letters',
  async (t) => {
    const shuffled = [
      parts['00'],
      parts['62'],
      parts['60'],
      parts['58'],
      parts['26'],
      parts['59'],
      parts['53'],
      parts['52'],
    ]
    const payload = sealed(shuffled.join(''))
    t.ok(parseBrCode(payload).ok)
    t.ok(parseBrCode(payload.slice(0, -4) + payload.slice(-4).toLowerCase()).ok)
  },
)

t.test('the account of PIX is found beside others and in any case of letters', async (t) => {
  const upper = tlv('27', tlv('00', 'BR.GOV.BCB.PIX') + tlv('01', evp))
  t.match(parseBrCode(codeWith({ '26': tlv('26', tlv('00', 'com.example')), '27': upper })), {
    ok: true,
    kind: 'static',
  })
})

t.test('names with accents are read, and their CRC is over UTF-8', async (t) => {
  t.match(parseBrCode(codeWith({ '59': tlv('59', 'João Açaí') })), {
    ok: true,
    fields: { '59': 'João Açaí' },
  })
})

t.test('a label that a location makes meaningless is not held against the code', async (t) => {
  const dynamic = { '26': tlv('26', gui + tlv('25', location)) }
  t.ok(parseBrCode(codeWith({ ...dynamic, '62': tlv('62', tlv('05', 'PEDIDO-42')) })).ok)
})

t.test('a code has one byte a character in memory, whoever is paid', async (t) => {
  const merchant = { name: 'São João – Comércio', city: 'SÃO PAULO' }
  t.equal(bytesACharacter(merchant.name.normalize('NFKD')), 2)
  t.equal(bytesACharacter(dynamicBrCode({ location, amountCents: toCents(100), merchant })), 1)
})
