import { stringify } from 'csv-stringify/sync'
import t from 'tap'
import { csvHead, csvRows } from '../../../../gateway/resources/payments/transactions-csv.ts'
import { aCharge, aPayer, opened } from '../../../engine/world.ts'

t.test('an export has the 36 columns of section 26, in that order', async (t) => {
  t.equal(
    String(csvHead()),
    'id,createdAt,approvedAt,status,method,origin,product,kind,currency,amount,paidAmount,refundedAmount,disputedAmount,feeAmount,netAmount,installments,externalId,reference,description,customerId,customerName,customerDocument,customerEmail,providerId,endToEndId,txid,nsu,tid,authorizationCode,cardBrand,cardLast4,boletoOurNumber,subscriptionId,invoiceId,failureReason,splitRuleId\r\n',
  )
})

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
