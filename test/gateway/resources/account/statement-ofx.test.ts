import t from 'tap'
import type { StatementLineId } from '../../../../engine/shared/ids.ts'
import { toCents } from '../../../../engine/shared/money.ts'
import type { StatementPage, ToldLine } from '../../../../engine/statement/read.ts'
import { statementOfx } from '../../../../gateway/resources/account/statement-ofx.ts'
import { readOfx } from '../../../read-ofx.ts'

const line = (more: Partial<ToldLine>): ToldLine => ({
  id: 'stl_1' as StatementLineId,
  accountId: 'acc_1' as ToldLine['accountId'],
  type: 'SETTLEMENT',
  cents: toCents(1990),
  balanceAfter: '1990',
  objectId: 'txn_1',
  counterpart: 'Ana Souza',
  method: 'PIX',
  description: 'Pedido 7',
  endToEndId: 'E00000000202611201200123456789ab',
  createdAtMs: Date.parse('2026-11-26T02:59:59Z'),
  ...more,
})

const page = (lines: readonly ToldLine[], more: Partial<StatementPage> = {}): StatementPage => ({
  from: '2026-11-01' as StatementPage['from'],
  to: '2026-11-25' as StatementPage['to'],
  days: [{ date: '2026-11-25' as StatementPage['to'], openingBalance: 0n, closingBalance: 0n, lines }],
  openingBalance: 0n,
  closingBalance: 9_007_199_254_740_993_07n,
  total: lines.length,
  asOf: 1,
  nowMs: Date.parse('2026-12-01T12:00:00Z'),
  ...more,
})

const brasilia = { document: '11444777000161', timeZone: 'America/Sao_Paulo' }
const whole = { isFirst: true, isLast: true }

t.test('a line says when, how much, who and why, in the zone of the company', async (t) => {
  const { header, lines, balance } = readOfx(statementOfx(page([line({})]), brasilia, whole))
  t.match(header, { OFXHEADER: '100', VERSION: '102', ENCODING: 'USASCII', CHARSET: '1252' })
  t.strictSame(lines, [
    {
      TRNTYPE: 'CREDIT',
      DTPOSTED: '20261125235959[-3:BRT]',
      TRNAMT: '19.90',
      FITID: 'stl_1',
      REFNUM: 'E00000000202611201200123456789ab',
      NAME: 'Ana Souza',
      MEMO: 'Liquidação - PIX - Ana Souza - Pedido 7',
    },
  ])
  t.equal(balance, '9007199254740993.07', 'no number of JavaScript holds it')
  const inManaus = statementOfx(page([line({})]), { ...brasilia, timeZone: 'America/Manaus' }, whole)
  t.equal(readOfx(inManaus).lines[0]!.DTPOSTED, '20261125225959[-4:AMT]')
  const inKathmandu = statementOfx(page([line({})]), { ...brasilia, timeZone: 'Asia/Kathmandu' }, whole)
  t.equal(readOfx(inKathmandu).lines[0]!.DTPOSTED, '20261126084459[5.75:GMT]')
})

t.test('the period ends with its last second, or now where it goes on', async (t) => {
  const text = (one: StatementPage) => statementOfx(one, brasilia, whole).toString('latin1')
  t.match(
    text(page([])),
    '<DTSTART>20261101000000[-3:BRT]</DTSTART>\r\n<DTEND>20261125235959[-3:BRT]</DTEND>',
  )
  const today = page([], { nowMs: Date.parse('2026-11-25T15:00:00Z') })
  t.match(text(today), '<DTASOF>20261125120000[-3:BRT]</DTASOF>')
})

t.test('what left is negative, and what is missing is left out', async (t) => {
  const gone = line({ type: 'FEE', cents: toCents(-5), counterpart: null, method: null, description: null })
  const [first] = readOfx(statementOfx(page([{ ...gone, endToEndId: null }]), brasilia, whole)).lines
  t.strictSame(Object.keys(first!), ['TRNTYPE', 'DTPOSTED', 'TRNAMT', 'FITID', 'MEMO'])
  t.match(first, { TRNTYPE: 'FEE', TRNAMT: '-0.05', MEMO: 'Tarifa' })
  const back = readOfx(statementOfx(page([line({ type: 'FEE' })]), brasilia, whole)).lines[0]!
  t.equal(back.TRNTYPE, 'CREDIT', 'a fee that comes back')
})

t.test('no text is taken for markup, breaks a line, or leaves Windows-1252', async (t) => {
  const odd = line({
    counterpart: 'Pão & Cia </NAME><TRNAMT>1 Ltda – filial “São João”',
    description: 'a\r\nb\u0000c Łódź ação 漢 e\u0301',
  })
  const bytes = statementOfx(page([odd]), brasilia, whole)
  const [read] = readOfx(bytes).lines
  t.equal(read!.NAME, 'Pão & Cia </NAME><TRNAMT>1 Ltda')
  t.match(read!.MEMO, /- filial "São João" - a bc \?ódz ação \? é$/)
  t.notOk(bytes.some((byte) => byte >= 0x80 && byte < 0xa0))
  t.equal(read!.TRNAMT, '19.90')
})

t.test('pieces make one file', async (t) => {
  const pieces = [0, 1, 2].map((n) =>
    statementOfx(page([line({ id: `stl_${n}` as StatementLineId })]), brasilia, {
      isFirst: n === 0,
      isLast: n === 2,
    }),
  )
  t.strictSame(
    readOfx(Buffer.concat(pieces)).lines.map(({ FITID }) => FITID),
    ['stl_0', 'stl_1', 'stl_2'],
  )
})
