import { stringify } from 'csv-stringify/sync'
import t from 'tap'
import { cellsOf } from '../../../../gateway/resources/csv-format.ts'
import { csvHead, csvRows } from '../../../../gateway/resources/payments/transactions-csv.ts'
import { aCharge, aPayer, opened } from '../../../engine/world.ts'

t.test(
  'an export has the 36 columns of section 26, in that order, and then those that came later',
  async (t) => {
    t.equal(
      String(csvHead()),
      'id,createdAt,approvedAt,status,method,origin,product,kind,currency,amount,paidAmount,refundedAmount,disputedAmount,feeAmount,netAmount,installments,externalId,reference,description,customerId,customerName,customerDocument,customerEmail,providerId,endToEndId,txid,nsu,tid,authorizationCode,cardBrand,cardLast4,boletoOurNumber,subscriptionId,invoiceId,failureReason,splitRuleId,taxesWithheldAmount,fiscalDocuments\r\n',
    )
  },
)

t.test('a text that a spreadsheet would take for a formula gets an apostrophe', async (t) => {
  const world = await opened()
  const customer = { ...aPayer, name: '=1+1' }
  const charge = await world.accepted(aCharge({ customer, description: '-2', reference: 'a, "b"\r\nc' }))
  const row = String(csvRows([charge]))
  t.match(row, `,"a, ""b""\r\nc",'-2,${charge.customerId},'=1+1,`)
  t.ok(row.endsWith('\r\n'))
})

t.test('every text is written as csv-stringify writes it', async (t) => {
  const world = await opened()
  const charge = await world.accepted(aCharge())
  const place = String(csvHead()).split(',').indexOf('description')
  const texts = [
    '',
    ' ',
    'a',
    ' a',
    '=1',
    '+1',
    '-1',
    '@a',
    '\t',
    '\ta',
    '\r',
    '\n',
    'a\rb',
    'a,b',
    '"',
    '""',
    'a"b',
    '=",',
    '＝1',
    '＋',
    '－',
    '＠',
    'é',
    '–',
    '=',
    "'",
    '.5',
    '_',
    '😀',
    'a\u2028b',
  ]
  for (const description of texts) {
    const row = String(csvRows([{ ...charge, details: { ...charge.details, description } }]))
    const before = String(csvRows([{ ...charge, details: { ...charge.details, description: null } }]))
    const cells = before.split(',')
    const [cell] = stringify([[description, '']], {
      record_delimiter: 'windows',
      escape_formulas: true,
      quoted_match: /[\r\n]/,
    }).split(',\r\n')
    t.equal(
      row,
      [...cells.slice(0, place), cell, ...cells.slice(place + 1)].join(),
      encodeURIComponent(description),
    )
  }
})

t.test('for Excel in Brazil amounts have commas, codes are texts, and times are of the zone', async (t) => {
  const cells = cellsOf({ dialect: 'excel-br', zone: 'America/Manaus' })
  t.ok(String(csvHead(cells)).startsWith('\ufeffCódigo;Criado em;'))
  t.strictSame(
    [0, 5, 100, 123456, -7, 999_999_999_999].map((cents) => cells.amount(cents, 'BRL')),
    ['0,00', '0,05', '1,00', '1234,56', '-0,07', '9999999999,99'],
  )
  t.equal(cells.amount('-12345678901234567890', 'BRL'), '-123456789012345678,90')
  t.equal(cells.amount(18_450_000, 'USDT'), '18,450000')
  t.equal(cells.decimal('5.43'), '5,43')
  t.equal(cells.instant(Date.UTC(2026, 0, 1, 3, 59, 58, 999)), '31/12/2025 23:59:58')
  t.equal(cells.instant(null), '')
  for (const code of ['01234567890', '12345678901234567', '1E5', '2026-01-02', '1/2', '1.234', '.5'])
    t.equal(cells.code(code), `"=""${code}"""`)
  for (const [code, cell] of [
    ['E1234', 'E1234'],
    ['order-1', 'order-1'],
    ['=1+1', "'=1+1"],
    ['1"&A1', '"1""&A1"'],
    ['1;2', '"1;2"'],
    ['', ''],
  ] as const)
    t.equal(cells.code(code), cell)
  t.equal(cells.text('a,b'), 'a,b')
  t.equal(cells.text('a;"b"'), '"a;""b"""')
  t.equal(cells.text('@a'), "'@a")
})
