import t from 'tap'
import { type OfxStatement, ofxBytesMax, readOfx } from '../../../gateway/inbox/ofx.ts'
import { anOfx, anOfxLine } from './ofx-for-test.ts'

const read = (text: string, encoding: 'utf8' | 'latin1' = 'utf8') => readOfx(Buffer.from(text, encoding))

t.test('a statement as banks export it: SGML in Windows-1252, with a comma and a zone', async (t) => {
  const file = anOfx([
    anOfxLine({
      FITID: '1',
      TRNAMT: '1234,50',
      DTPOSTED: '20261120153000[-3:BRT]',
      MEMO: 'Pix recebido: João & Cia',
    }),
    anOfxLine({ FITID: '2', TRNAMT: '-0.9', DTPOSTED: '20261121', MEMO: 'Tarifa Pix' }),
  ])
  t.match(read(file, 'latin1'), {
    bankId: '0077',
    branchId: '0001',
    accountId: '1234567',
    from: '2026-11-20',
    to: '2026-11-21',
    lines: [
      {
        id: '1',
        date: '2026-11-20',
        cents: 123450,
        atMs: Date.parse('2026-11-20T15:30:00-03:00'),
        text: 'Pix recebido: João & Cia',
      },
      { id: '2', date: '2026-11-21', cents: -90, atMs: null },
    ],
  })
})

t.test('a statement in XML with closing tags, whatever its header says of its bytes', async (t) => {
  const file = anOfx([
    '<STMTTRN><TRNTYPE>CREDIT</TRNTYPE><DTPOSTED>20261120000000</DTPOSTED><TRNAMT>+10.0000</TRNAMT><FITID>a</FITID><MEMO>São &amp; Cia &lt;1&gt;</MEMO></STMTTRN>',
    '<STMTTRN><TRNTYPE>CREDIT</TRNTYPE><DTPOSTED>20261121000000</DTPOSTED><TRNAMT>0</TRNAMT><FITID>b</FITID></STMTTRN>',
  ])
  const { lines } = read(file) as OfxStatement
  t.match(lines[0], { cents: 1000, text: 'São & Cia <1>', atMs: null })
  t.match(lines[1], { cents: 0, atMs: null, text: '' })
})

t.test('a file is read whole or not at all', async (t) => {
  const line = anOfxLine({})
  const flaws: Readonly<Record<string, string>> = {
    'a picture': 'NO_OFX',
    '': 'NO_OFX',
    [`<!DOCTYPE x [<!ENTITY a "b">]>${anOfx([line])}`]: 'DECLARATION',
    [anOfx([line]).replace('<ACCTID>1234567', '')]: 'ACCOUNT',
    [anOfx([line]) + anOfx([line]).slice(anOfx([]).indexOf('<OFX>'))]: 'ACCOUNT',
    [anOfx([line]).replace('BRL', 'USD')]: 'CURRENCY',
    [anOfx([line]).replace('<DTEND>20261121', '')]: 'PERIOD',
    [anOfx([line]).replace('<DTEND>20261121', '<DTEND>20261119')]: 'PERIOD',
    [anOfx([line]).replace('</STMTTRN>', '')]: 'LINE',
    [anOfx([`${line}</STMTTRN>`])]: 'LINE',
    [anOfx([`<STMTTRN>${line}`])]: 'LINE',
    [anOfx([anOfxLine({ TRNAMT: '1.234,50' })])]: 'LINE',
    [anOfx([anOfxLine({ TRNAMT: '1e9' })])]: 'LINE',
    [anOfx([anOfxLine({ TRNAMT: '0.001' })])]: 'LINE',
    [anOfx([anOfxLine({ DTPOSTED: '20261131' })])]: 'LINE',
    [anOfx([anOfxLine({ FITID: '' })])]: 'LINE',
    [anOfx([line, line])]: 'ID',
  }
  for (const [file, flaw] of Object.entries(flaws)) t.equal(read(file), flaw, flaw)
  t.equal(readOfx(Buffer.alloc(ofxBytesMax + 1)), 'TOO_LONG')
})

t.test('nothing in a file makes reading it take long', async (t) => {
  for (const evil of [
    '<'.repeat(500_000),
    '<STMTTRN>'.repeat(50_000),
    `<A>${' '.repeat(900_000)}`,
    '&amp'.repeat(200_000),
  ]) {
    const startMs = performance.now()
    t.type(read(`<OFX>${evil}`), 'string')
    t.ok(performance.now() - startMs < 2_000)
  }
})
