import t from 'tap'
import type { BookedPix } from '../../../engine/reconciliation/commands.ts'
import { differencesMax } from '../../../engine/reconciliation/reconciliation.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { compareBooks } from '../../../gateway/inbox/day-books.ts'
import type { PixReceived, PixReturnAtBank } from '../../../gateway/providers/port.ts'

const day = { fromMs: 1_000, toMs: 2_000 }

const aReturn = (cents: number, status: PixReturnAtBank['status'] = 'DONE'): PixReturnAtBank => ({
  ...{ id: `r${cents}`, returnId: null, status, nature: 'ORIGINAL', askedAtMs: 0, doneAtMs: 0, reason: null },
  amountCents: toCents(cents),
})

const atBank = (endToEndId: string, cents: number, change: Partial<PixReceived> = {}): PixReceived => ({
  endToEndId,
  txid: null,
  pixKey: 'key',
  amountCents: toCents(cents),
  componentsCents: null,
  paidAtMs: 1_500,
  payer: null,
  returns: [],
  ...change,
})

const here = (endToEndId: string, cents: number, change: Partial<BookedPix> = {}): BookedPix => ({
  endToEndId,
  txid: null,
  amountCents: toCents(cents),
  returnedCents: toCents(0),
  paidAtMs: 1_500,
  isWrittenOff: false,
  ...change,
})

const compare = (bank: readonly PixReceived[], ours: readonly BookedPix[]) =>
  compareBooks({ bank, ours, ...day })

t.test('books that agree have the same sums and no difference', async (t) => {
  const compared = compare(
    [atBank('a', 500, { returns: [aReturn(200), aReturn(50, 'PROCESSING')] }), atBank('b', 300)],
    [here('b', 300), here('a', 500, { returnedCents: toCents(200) })],
  )
  const book = { count: 2, amountCents: 800, returnedCents: 200 }
  t.strictSame(compared, {
    bank: book,
    ours: book,
    differences: [],
    differencesCount: 0,
    differenceCents: 0,
    unbooked: [],
  })
})

t.test('each way in which a payment can differ is one, with both amounts', async (t) => {
  const compared = compare(
    [atBank('a', 500), atBank('b', 300), atBank('c', 100, { returns: [aReturn(40)] })],
    [here('b', 310), here('c', 100, { returnedCents: toCents(100) }), here('d', 70)],
  )
  t.strictSame(
    compared.differences.map(({ kind, endToEndId, bankCents, oursCents }) => [
      kind,
      endToEndId,
      bankCents,
      oursCents,
    ]),
    [
      ['MISSING_HERE', 'a', 500, null],
      ['AMOUNT', 'b', 300, 310],
      ['RETURNS', 'c', 40, 100],
      ['MISSING_AT_BANK', 'd', null, 70],
    ],
  )
  t.equal(compared.differenceCents, 500 + 10 + 60 + 70)
  // What we have more of cannot be booked by what the bank has.
  t.strictSame(
    compared.unbooked.map(({ endToEndId }) => endToEndId),
    ['a'],
  )
})

t.test('the edges of a day belong to it as the bank says', async (t) => {
  const compared = compare(
    [
      atBank('first', 1, { paidAtMs: 1_000 }),
      atBank('last', 2, { paidAtMs: 1_999 }),
      atBank('before', 4, { paidAtMs: 999 }),
      atBank('after', 8, { paidAtMs: 2_000 }),
    ],
    [here('first', 1, { paidAtMs: 1_000 }), here('last', 2, { paidAtMs: 1_999 }), here('before', 4)],
  )
  t.match(compared, { bank: { count: 2, amountCents: 3 }, ours: { count: 2, amountCents: 3 } })
  t.equal(compared.differencesCount, 0)
})

t.test('a row that the list has twice counts once, by its last state', async (t) => {
  const compared = compare(
    [atBank('a', 500), atBank('a', 500, { returns: [aReturn(500)] })],
    [here('a', 500, { returnedCents: toCents(500) })],
  )
  t.match(compared, { bank: { count: 1, amountCents: 500, returnedCents: 500 }, differencesCount: 0 })
})

t.test('what was written off is in neither book', async (t) => {
  const compared = compare([atBank('a', 500)], [here('a', 500, { isWrittenOff: true })])
  t.match(compared, { bank: { count: 0 }, ours: { count: 0 }, differencesCount: 0 })
  t.equal(compare([], [here('a', 500, { isWrittenOff: true })]).differencesCount, 0)
})

t.test('of very many differences the first are held, and all are counted', async (t) => {
  const many = Array.from({ length: differencesMax + 7 }, (_, n) => atBank(`e${n}`, 2))
  const { differences, differencesCount, differenceCents, unbooked } = compare(many, [])
  t.equal(differences.length, differencesMax)
  t.equal(differencesCount, differencesMax + 7)
  t.equal(differenceCents, 2 * (differencesMax + 7))
  t.equal(unbooked.length, differencesMax + 7)
})
