import t from 'tap'
import type { BookedOut, BookedPix } from '../../../engine/reconciliation/commands.ts'
import type { MovementKind, StatementMovement } from '../../../engine/reconciliation/statement.ts'
import type { TransferId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { bookableFees, feesOfDay } from '../../../gateway/inbox/day-fees.ts'
import { compareStatement, type StatementBooks } from '../../../gateway/inbox/third-book.ts'
import type { PixReceived } from '../../../gateway/providers/port.ts'
import { endToEndIdIn, kindOfLine } from '../../../gateway/providers/statement-text.ts'

const line = (
  kind: MovementKind,
  cents: number,
  endToEndId: string | null = null,
  atMs: number | null = null,
): StatementMovement => ({ kind, cents: toCents(cents), endToEndId, atMs })

const here = (endToEndId: string, cents: number, change: Partial<BookedPix> = {}): BookedPix => ({
  ...{ endToEndId, txid: null, amountCents: toCents(cents), returnedCents: toCents(0) },
  ...{ paidAtMs: 1_500, isWrittenOff: false },
  ...change,
})

const out = (cents: number, ids: readonly string[] = [], change: Partial<BookedOut> = {}): BookedOut => ({
  ...{ ids, amountCents: toCents(cents), isTransfer: false, sentId: null, atMs: 1_500 },
  ...change,
})

const compare = (change: Partial<StatementBooks>) => {
  const compared = compareStatement({
    ...{ source: 'BANK', digest: null, movements: [], ours: [], outs: [], terms: null, isPartial: false },
    ...{ fromMs: 1_000, toMs: 2_000 },
    ...change,
  })
  const differences = compared.differences.map(({ kind, endToEndId, bankCents, oursCents, distance }) => [
    kind,
    endToEndId,
    bankCents,
    oursCents,
    distance,
  ])
  return { ...compared, differences }
}

t.test(
  'payments are found by their ids: alone there, alone here, twice there, and another amount',
  async (t) => {
    const { differences, statement } = compare({
      movements: [
        line('PIX_IN', 500, 'a'),
        line('PIX_IN', 300, 'b'),
        line('PIX_IN', 300, 'b'),
        line('PIX_IN', 90, 'c'),
        line('PIX_IN', 70, 'x'),
      ],
      ours: [here('a', 500), here('b', 300), here('c', 100), here('d', 40)],
    })
    t.strictSame(differences, [
      ['STATEMENT_ONLY', 'b', 300, null, 300],
      ['STATEMENT_AMOUNT', 'c', 90, 100, 10],
      ['STATEMENT_ONLY', 'x', 70, null, 70],
      ['MISSING_IN_STATEMENT', 'd', null, 40, 40],
    ])
    t.strictSame(statement, { count: 5, amountCents: 1260, returnedCents: 0 })
  },
)

t.test('what was written off, or is of another day, is missing in no statement', async (t) => {
  const { differences } = compare({
    movements: [line('PIX_IN', 5, 'yesterday')],
    ours: [
      here('gone', 100, { isWrittenOff: true }),
      here('yesterday', 5, { paidAtMs: 900 }),
      here('tomorrow', 7, { paidAtMs: 2_000 }),
    ],
  })
  t.strictSame(differences, [])
})

t.test(
  'without ids the nearest of the same amount is it, and lines of many payments are compared by their sum',
  async (t) => {
    const ours = [
      here('early', 100, { paidAtMs: 1_100 }),
      here('late', 100, { paidAtMs: 1_900 }),
      here('other', 250),
    ]
    t.strictSame(compare({ movements: [line('PIX_IN', 100, null, 1_890)], ours }).differences, [
      ['MISSING_IN_STATEMENT', 'early', null, 100, 100],
      ['MISSING_IN_STATEMENT', 'other', null, 250, 250],
    ])
    t.strictSame(compare({ movements: [line('PIX_IN', 200), line('PIX_IN', 250)], ours }).differences, [])
    t.strictSame(compare({ movements: [line('PIX_IN', 450)], ours }).differences, [])
    t.equal(compare({ movements: [line('PIX_IN', 451)], ours }).differences.length, 4)
  },
)

t.test(
  'what leaves: refunds and transfers have to be there, and what a company sends by itself is no difference',
  async (t) => {
    const outs = [
      out(300, ['Dreturn', 'Epaid']),
      out(900, ['Esent'], { isTransfer: true }),
      out(50, ['Eold'], { atMs: null }),
    ]
    const { differences, statement, third } = compare({
      movements: [
        line('RETURN', -300, 'Epaid'),
        line('RETURN', -50),
        line('PIX_OUT', -900, 'Esent'),
        line('PIX_OUT', -12_345),
        line('OTHER', -99),
        line('RETURN', 20),
      ],
      outs,
    })
    t.strictSame(differences, [])
    t.equal(third.othersCount, 3)
    t.equal(statement.returnedCents, 350)
    t.strictSame(
      compare({ movements: [line('RETURN', -310, 'Dreturn'), line('RETURN', -7, 'Dx')], outs }).differences,
      [
        ['STATEMENT_AMOUNT', 'Dreturn', 310, 300, 10],
        ['STATEMENT_ONLY', 'Dx', 7, null, 7],
        ['MISSING_IN_STATEMENT', 'Esent', null, 900, 900],
      ],
    )
  },
)

t.test('on the day on which a connection begins, money of before is none of its', async (t) => {
  const { differences } = compare({
    movements: [line('PIX_IN', 70, 'x'), line('PIX_IN', 5), line('PIX_IN', 90, 'c')],
    ours: [here('c', 100)],
    isPartial: true,
  })
  t.strictSame(differences, [['STATEMENT_AMOUNT', 'c', 90, 100, 10]])
})

t.test('tariffs are held against the terms, by payment and transfer', async (t) => {
  const terms = {
    PIX: { percentBps: 100, fixedCents: toCents(0) },
    PAYOUT: { percentBps: 0, fixedCents: toCents(150) },
  }
  const books = {
    ours: [here('a', 1000)],
    outs: [out(900, ['Esent'], { isTransfer: true })],
    terms,
  }
  const moved = [line('PIX_IN', 1000, 'a'), line('PIX_OUT', -900, 'Esent')]
  t.strictSame(compare({ ...books, movements: [...moved, line('TARIFF', -160)] }).differences, [])
  const more = compare({ ...books, movements: [...moved, line('TARIFF', -200), line('TARIFF', 15)] })
  t.strictSame(more.differences, [['TARIFF', null, 185, 160, 25]])
  t.match(more.third, { tariffCents: 185, termsCents: 160 })
  t.equal(compare({ movements: [line('TARIFF', -200)] }).third.termsCents, null)
})

t.test(
  'what is booked of fees is what the bank itself says, and less than the terms makes no balance',
  async (t) => {
    const third = {
      source: 'BANK',
      digest: null,
      tariffCents: toCents(25),
      termsCents: toCents(10),
      othersCount: 0,
    } as const
    const none = { terms: null, otherDaysCents: 0 }
    t.strictSame(feesOfDay(third, [], none), { takenCents: 25, termsCents: 10 })
    t.equal(feesOfDay({ ...third, source: 'FILE' }, [], none), null)
    t.equal(feesOfDay({ ...third, termsCents: null }, [], none), null)
    t.equal(bookableFees({ takenCents: 25, termsCents: 10 }, none), 15)
    t.equal(bookableFees({ takenCents: 0, termsCents: 1_000_000 }, none), 0)
    t.equal(bookableFees({ takenCents: 0, termsCents: 100 }, { terms: null, otherDaysCents: 15 }), -15)
    t.equal(bookableFees({ takenCents: 90, termsCents: 100 }, { terms: null, otherDaysCents: 15 }), -10)

    const pix = (tariffCents?: number) =>
      ({ amountCents: toCents(1000), ...(tariffCents !== undefined && { tariffCents }) }) as PixReceived
    const terms = { PIX: { percentBps: 100, fixedCents: toCents(0) } }
    t.strictSame(feesOfDay(undefined, [pix(12), pix(10)], { terms, otherDaysCents: 0 }), {
      takenCents: 22,
      termsCents: 20,
    })
    t.equal(feesOfDay(undefined, [pix(12), pix()], { terms, otherDaysCents: 0 }), null)
  },
)

t.test('lines say in words what they are', async (t) => {
  for (const [text, cents, kind] of [
    ['PIX RECEBIDO - Cp :00416968-MARIA', 100, 'PIX_IN'],
    ['Pix-Recebido QR Code', 100, 'PIX_IN'],
    ['RECEBIMENTO QRCODE DINAMICO', 100, 'PIX_IN'],
    ['PIX EMIT.OUTRA IF', -100, 'PIX_OUT'],
    ['Tarifa Pix Recebido', -1, 'TARIFF'],
    ['TAR PIX QR CODE', -1, 'TARIFF'],
    ['Pix-Devolução enviada', -100, 'RETURN'],
    ['Pix - Rejeitado', 100, 'RETURN'],
    ['TARIFA PACOTE DE SERVIÇOS', -1, 'OTHER'],
    ['Pagamento de boleto', -100, 'OTHER'],
    ['PIXEL STUDIO', 100, 'OTHER'],
  ] as const)
    t.equal(kindOfLine(text, cents), kind, text)
  const id = 'E00416968202611201436ghzKRVgnb7A'
  t.equal(endToEndIdIn(`Recebimento Pix |${id}| Maria`), id)
  t.equal(endToEndIdIn('E0041696820261120'), null)
})

t.test(
  'what left under our reference is ours, where the bank itself shows it, and nothing else explains it',
  (t) => {
    const reference = `${'7'.repeat(26)}01`
    const sent = { ...line('PIX_OUT', -500, 'E9'), reference }
    const found = { reference, amountCents: 500, endToEndId: 'E9' }
    t.match(compare({ movements: [sent] }), { sent: [found], strange: [], third: { othersCount: 0 } })
    // Files can be written by anyone, and references of another form are none of ours.
    const strange = [{ endToEndId: 'E9', amountCents: 500 }]
    t.match(compare({ source: 'FILE', movements: [sent] }), { sent: [], strange, third: { othersCount: 1 } })
    t.match(compare({ movements: [{ ...sent, reference: 'x' }] }), { sent: [], strange })
    // One of the same amount, and one that is booked without its id.
    t.match(compare({ movements: [sent], outs: [out(500)] }), { sent: [found] })
    const booked = out(500, [], { isTransfer: true, sentId: `trf_${'7'.repeat(26)}` as TransferId })
    t.match(compare({ movements: [sent], outs: [booked] }), { sent: [], differences: [] })
    t.match(compare({ movements: [{ ...sent, cents: toCents(-400) }], outs: [booked] }), {
      sent: [],
      differences: [['STATEMENT_AMOUNT', 'E9', 400, 500, 100]],
    })
    t.end()
  },
)

t.test('what came back names what was sent by its id alone, and never by a text', async (t) => {
  const sent = `E${'1'.repeat(31)}`
  const movements = [
    line('RETURN', 400, sent),
    line('RETURN', 400, sent),
    line('RETURN', 300, `D${'2'.repeat(31)}`),
    line('RETURN', 200),
    { ...line('RETURN', 100), reference: '01JDH3K4M5N6P7Q8R9S0T1V2W301' },
    line('PIX_IN', 50, sent),
  ]
  t.strictSame(compare({ movements }).back, [
    { endToEndId: sent, amountCents: 400, nth: 1 },
    { endToEndId: sent, amountCents: 400, nth: 2 },
  ])
  t.strictSame(compare({ movements, source: 'FILE' }).back, [], 'a person may write a file')
  t.equal(compare({ movements }).third.othersCount, 3)
})
