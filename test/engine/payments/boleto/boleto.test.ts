import t from 'tap'
import type { Answers } from '../../../../engine/kernel/registry.ts'
import { digitableLine } from '../../../../engine/payments/methods/boleto/bar-code.ts'
import { type Boleto, boletoOf } from '../../../../engine/payments/methods/boleto/boleto.ts'
import type { BoletoTerms } from '../../../../engine/payments/methods/boleto/terms.ts'
import { pixOf } from '../../../../engine/payments/methods/pix/pix.ts'
import type { CreateCharge } from '../../../../engine/payments/transaction/commands.ts'
import type { Transaction } from '../../../../engine/payments/transaction/transaction.ts'
import {
  addDays,
  type CalendarDate,
  dateIn,
  daysBetween,
  endOfDay,
  startOfDay,
} from '../../../../engine/shared/calendar.ts'
import { accountIdOf, type CompanyId, type TransactionId } from '../../../../engine/shared/ids.ts'
import { toCents } from '../../../../engine/shared/money.ts'
import { boleto } from '../../../../gateway/resources/payments/boleto.ts'
import { noPayee } from '../../../../gateway/resources/payments/fiscal.ts'
import type { Today } from '../../../../gateway/resources/payments/transaction.ts'
import {
  aBoletoPayment,
  advanceTo,
  booksFor,
  clockOf,
  dataOf,
  listener,
  plainTerms,
  scenario,
  typesOf,
} from '../../story.ts'
import {
  aBoleto,
  aCancellation,
  aCharge,
  account,
  aList,
  aPayer,
  aRefund,
  key,
  opened,
  refusalOf,
  type World,
} from '../../world.ts'
import { parseBrCode } from '../pix/parse-br-code.ts'
import { dueDateOfFactor, readDigitableLine } from './read-boleto.ts'

/** The clock of a new world shows Friday 20 November 2026, a holiday, 09:00 in São Paulo. */
const zone = 'America/Sao_Paulo'
const day = (text: string): CalendarDate => text as CalendarDate

const todayOf = (world: World): CalendarDate => dateIn(zone, clockOf(world))

const on = (date: CalendarDate): Today => ({ date, nowMs: startOfDay(zone, date), payee: noPayee })

/** As its own routes show it. */
const seen = (world: World, { id }: Pick<Transaction, 'id'>): any =>
  boleto.view(world.transaction(id), on(todayOf(world)))

const numbersOf = (transaction: Transaction) => boletoOf(transaction)!.numbers!

const clearedEvents = ['boleto.paid', 'payment.approved', 'settlement.processing', 'settlement.completed']

t.test(
  'a boleto keeps whom it named when it was issued, whatever happens to it and the company',
  async (t) => {
    const world = await opened()
    const before = { name: 'Loja Demo', city: 'Sao Paulo', address: null, timeZone: zone }
    const old = await world.accepted(aBoleto())
    t.strictSame(boletoOf(old)!.issuer, before)
    const renamed = {
      ...world.account().profile,
      name: 'Outro Nome',
      timeZone: 'America/Manaus',
      revision: 2,
    }
    await world.execute({ type: 'OpenAccount', accountId: account, by: key, profile: renamed })
    const later = await world.accepted(aBoleto())
    t.match(boletoOf(later)!.issuer, { name: 'Outro Nome', timeZone: 'America/Manaus' })
    await world.accepted(aBoletoPayment(old.id))
    t.strictSame(boletoOf(world.transaction(old.id))!.issuer, before)
    await world.advance('P3M')
    t.match(world.transaction(later.id), { status: 'EXPIRED' })
    t.match(boletoOf(world.transaction(later.id))!.issuer, { name: 'Outro Nome' })
  },
)

t.test('a boleto that the bank refused has no issuer', async (t) => {
  const world = await opened()
  const refused = await world.accepted(aBoleto({}, scenario('provider_error')))
  t.equal(refused.status, 'FAILED')
  t.notOk('issuer' in boletoOf(refused)!)
})

t.test('an issued boleto is REGISTERED, created and pending in one commit', async (t) => {
  const world = await opened()
  const heard = listener(world)
  const boleto = await world.accepted(aBoleto())
  t.match(boleto, { status: 'PENDING', version: 2, method: 'BOLETO', paidCents: 0, feeCents: 0 })
  t.equal(boleto.expiresAtMs, endOfDay(zone, day('2027-01-28')), 'the end of the 59th day after it is due')
  const events = heard()
  t.strictSame(typesOf(events), ['payment.created', 'payment.pending'])
  t.match(dataOf(events[0]), {
    status: 'CREATED',
    version: 1,
    boleto: { digitableLine: null, dueDate: '2026-11-30' },
    pix: null,
  })
  t.match(dataOf(events[1]), {
    status: 'PENDING',
    version: 2,
    boleto: { digitableLine: /^\d{47}$/, dueDate: '2026-11-30' },
    pix: { txid: /^[A-Za-z0-9]{32}$/, endToEndId: null },
  })
  t.match(seen(world, boleto), {
    status: 'REGISTERED',
    transactionStatus: 'PENDING',
    amount: '10000',
    product: 'BOLETO',
    kind: 'BOLETO',
    providerId: 'sandbox-bank',
    boleto: {
      bankCode: '999',
      dueDate: '2026-11-30',
      effectiveDueDate: '2026-11-30',
      payableUntil: '2027-01-28',
      discountAmount: '500',
      payableAmountToday: '9500',
      fineAmount: '0',
      interestAmount: '0',
      daysOverdue: 0,
      paidAt: null,
      clearedAt: null,
      pdfUrl: `/v1/boletos/${boleto.id}/pdf`,
    },
  })
})

t.test(
  'the bar code says bank, amount, due date and our number, and the line says the bar code',
  async (t) => {
    const world = await opened()
    const amounts = [1, 10_000, 9_999_999_999]
    const dueDates = ['2026-11-20', '2026-11-30', '2031-11-20'].map(day)
    for (const amount of amounts) {
      for (const dueDate of dueDates) {
        const terms = { dueDate, discountCents: toCents(0) }
        const boleto = await world.accepted(aBoleto(terms, { amountCents: toCents(amount) }))
        const { barCode, ourNumber, bankCode } = numbersOf(boleto)
        t.match(barCode, /^\d{44}$/)
        t.equal(barCode.slice(0, 3), bankCode)
        t.equal(barCode[3], '9', 'reais')
        t.equal(dueDateOfFactor(barCode.slice(5, 9), day('2026-11-20')), dueDate)
        t.equal(barCode.slice(9, 19), String(amount).padStart(10, '0'))
        t.ok(barCode.endsWith(ourNumber))
        t.equal(readDigitableLine(digitableLine(barCode)), barCode, 'with every check digit right')
        t.equal(seen(world, boleto).boleto.digitableLine, digitableLine(barCode))
        t.equal(seen(world, boleto).boleto.barcode, barCode)
      }
    }
  },
)

t.test('a company counts its own boletos; one that is refused takes no number', async (t) => {
  const world = await opened()
  const other = accountIdOf('cmp_00000000000000000000000002' as CompanyId, 'SANDBOX')
  const profile = { ...world.account().profile, name: 'Outra Loja' }
  await world.execute({ type: 'OpenAccount', accountId: other, by: key, profile })
  const first = await world.accepted(aBoleto())
  await world.accepted(aBoleto({}, scenario('provider_error')))
  await world.refused(aBoleto({ dueDate: day('2026-11-19') }))
  const together = [aBoleto(), aBoleto()].map((command) => world.shard.execute(command))
  await world.settle()
  await Promise.all(together)
  const theirs = await world.accepted(aBoleto({}, { accountId: other }))
  const ours = world.memory
    .list(account, 'transaction', { offset: 0, limit: 9 })
    .states.flatMap((state) => boletoOf(state)?.numbers?.ourNumber ?? [])
  // The digit by hand: 1 has weight 2 and leaves 9, 2 leaves 7, 3 leaves 5.
  t.strictSame([...ours].sort(), ['00000000019', '00000000027', '00000000035'])
  t.equal(numbersOf(first).ourNumber, '00000000019')
  t.equal(numbersOf(theirs).ourNumber, '00000000019')
})

t.test('where PIX is wanted the boleto has a QR code of its own, and none where it is not', async (t) => {
  const world = await opened()
  const both = await world.accepted(aBoleto())
  const parsed = parseBrCode(pixOf(both)!.copyPaste!)
  t.match(parsed, { ok: true, kind: 'dynamic', fields: { '54': '100.00' } })
  t.match(pixOf(both), { type: 'DUE_DATE', dueDate: '2026-11-30', txid: /^[A-Za-z0-9]{32}$/ })
  const qrCodeUrl = `/v1/boletos/${both.id}/qr-code`
  t.match(seen(world, both), { qrCodeUrl, pix: { qrCodeUrl, registryStatus: 'ATIVA' } })
  const alone = await world.accepted(aBoleto({ withPix: false }))
  t.equal(pixOf(alone), null)
  t.equal(seen(world, alone).pix, null)
})

t.test('a registration that the bank refuses is REJECTED and says why', async (t) => {
  const world = await opened()
  const refusedPayer = { ...aPayer, document: '00000000272' }
  for (const more of [{ customer: refusedPayer }, scenario('provider_error')]) {
    const heard = listener(world)
    const boleto = await world.accepted(aBoleto({}, more))
    t.match(boleto, {
      status: 'FAILED',
      version: 2,
      failureReason: 'REGISTRATION_REJECTED',
      failedAtMs: world.now(),
      expiresAtMs: null,
      means: { boleto: { numbers: null } },
      pix: null,
    })
    const events = heard()
    t.strictSame(typesOf(events), ['payment.created', 'payment.failed'])
    t.match(dataOf(events[1]), {
      status: 'FAILED',
      failureReason: 'REGISTRATION_REJECTED',
      boleto: { digitableLine: null },
    })
    t.match(seen(world, boleto), {
      status: 'REJECTED',
      transactionStatus: 'FAILED',
      boleto: { ourNumber: null, barcode: null, pdfUrl: null },
    })
    t.equal(await world.refused(aBoletoPayment(boleto.id)), 'INVALID_STATE')
    t.equal(await world.refused(aCancellation(boleto.id)), 'INVALID_STATE')
  }
})

t.test('a scenario of the metadata comes before what the document would do', async (t) => {
  const world = await opened()
  const customer = { ...aPayer, document: '00000000272' }
  const boleto = await world.accepted(aBoleto({}, { customer, ...scenario('paid') }))
  t.equal(boleto.status, 'PENDING')
  await world.advance('PT2S')
  t.equal(world.transaction(boleto.id).status, 'APPROVED')
})

t.test('it is due today or later, and at most five years ahead', async (t) => {
  const world = await opened()
  const due = (date: string) => world.refused(aBoleto({ dueDate: day(date) }))
  t.equal(await due('2026-11-19'), 'DUE_DATE_IN_THE_PAST')
  t.equal(await due('2026-11-20'), 'accepted', 'today')
  t.equal(await due('2031-11-20'), 'accepted', 'five years')
  t.equal(await due('2031-11-21'), 'DUE_DATE_TOO_FAR')
  await advanceTo(world, '2026-11-21T02:59:59.999Z')
  t.equal(await due('2026-11-20'), 'accepted', 'the last moment of that day in the company zone')
  await world.advance('PT1S')
  t.equal(await due('2026-11-20'), 'DUE_DATE_IN_THE_PAST')
  await advanceTo(world, '2028-02-29T12:00:00.000Z')
  t.equal(await due('2033-02-28'), 'accepted', 'five years after a leap day')
  t.equal(await due('2033-03-01'), 'DUE_DATE_TOO_FAR')
})

t.test('it needs a payer with a document', async (t) => {
  const world = await opened()
  const wanted = (customer: CreateCharge['customer']) => world.refused(aBoleto({}, { customer }))
  t.equal(await wanted(null), 'CUSTOMER_DOCUMENT_REQUIRED')
  t.equal(await wanted({ ...aPayer, document: null, documentType: null }), 'CUSTOMER_DOCUMENT_REQUIRED')
})

t.test(
  'it is OVERDUE from the day after its effective due date, which a weekend or holiday moves',
  async (t) => {
    const cases = [
      ['2026-11-24', '2026-11-24', 'a Tuesday'],
      ['2026-11-20', '2026-11-23', 'a holiday before a weekend'],
      ['2026-11-28', '2026-11-30', 'a Saturday'],
      ['2026-12-25', '2026-12-28', 'Christmas, a Friday'],
      ['2027-01-01', '2027-01-04', 'New Year, a Friday'],
      ['2027-02-06', '2027-02-10', 'the Saturday of Carnival'],
      ['2027-03-26', '2027-03-29', 'Good Friday'],
      ['2027-05-27', '2027-05-28', 'Corpus Christi'],
    ] as const
    for (const [dueDate, effective, why] of cases) {
      const world = await opened()
      const heard = listener(world)
      const boleto = await world.accepted(aBoleto({ dueDate: day(dueDate) }))
      t.equal(seen(world, boleto).boleto.effectiveDueDate, effective, why)
      const lateAtMs = startOfDay(zone, addDays(day(effective), 1))
      await world.execute({
        type: 'AdvanceClock',
        accountId: account,
        by: key,
        step: { toMs: lateAtMs - 1 },
      })
      const { version } = world.transaction(boleto.id)
      t.match(seen(world, boleto), { status: 'REGISTERED', boleto: { payableAmountToday: '9500' } }, why)
      heard()
      await world.advance('PT1S')
      const late = world.transaction(boleto.id)
      t.match(seen(world, boleto), { status: 'OVERDUE', transactionStatus: 'PENDING' }, why)
      t.equal(late.version, version + 1, why)
      t.equal(late.timeline.at(-1)!.atMs, lateAtMs, why)
      t.strictSame(heard(), [], 'no event tells it')
      const daysOverdue = daysBetween(day(dueDate), day(effective)) + 1
      t.equal(seen(world, boleto).boleto.daysOverdue, daysOverdue, 'counted from the due date')
    }
  },
)

/** Section 14, by hand. */
const payable = (
  terms: Pick<Boleto, 'dueDate' | 'fineBps' | 'interestBps'>,
  effective: string,
  on: string,
) => {
  const amount = 10_000
  const discount = 500
  if (on <= effective) return { payable: amount - discount, fine: 0, interest: 0, discount }
  const n = daysBetween(terms.dueDate, day(on))
  const fine = Math.floor((amount * terms.fineBps) / 10_000)
  const interest = Math.floor((amount * terms.interestBps * n) / 300_000)
  return { payable: amount + fine + interest, fine, interest, discount: 0 }
}

t.test('what it costs follows from the day, from the first to the last', async (t) => {
  const world = await opened()
  const terms = { dueDate: day('2026-11-28'), fineBps: 199, interestBps: 333 }
  const last = day('2027-01-26')
  const days: CalendarDate[] = []
  for (let date = day('2026-11-20'); date <= last; date = addDays(date, 1)) days.push(date)
  const boletos: Transaction[] = []
  for (const _ of days) boletos.push(await world.accepted(aBoleto(terms)))
  await world.execute({
    type: 'AdvanceClock',
    accountId: account,
    by: key,
    step: { toMs: endOfDay(zone, last) - 1 },
  })
  for (const [n, date] of days.entries()) {
    const { id } = boletos[n]!
    const expected = payable(terms, '2026-11-30', date)
    const shown: any = boleto.view(boletos[n]!, on(date))
    t.match(
      shown.boleto,
      {
        payableAmountToday: String(expected.payable),
        fineAmount: String(expected.fine),
        interestAmount: String(expected.interest),
      },
      date,
    )
    // Its last moment is still that day.
    const paidAtMs = endOfDay(zone, date) - 1
    t.match(
      await refusalOf(world, aBoletoPayment(id, { paidAtMs, amountCents: toCents(expected.payable - 1) })),
      { reason: 'AMOUNT_MISMATCH', payableCents: expected.payable },
      date,
    )
    const paid = await world.accepted(
      aBoletoPayment(id, { paidAtMs, amountCents: toCents(expected.payable) }),
    )
    t.match(
      paid,
      {
        status: 'APPROVED',
        amountCents: 10_000,
        paidCents: expected.payable,
        approvedAtMs: clockOf(world),
        means: {
          boleto: {
            payment: {
              paidAtMs,
              fineCents: expected.fine,
              interestCents: expected.interest,
              discountCents: expected.discount,
            },
          },
        },
      },
      date,
    )
  }
  t.strictSame(world.account().balances, booksFor(world))
})

t.test('the example of section 14: 10,000, a fine of 2 % and 1 % a month, five days late', async (t) => {
  const world = await opened()
  const boleto = await world.accepted(aBoleto({ dueDate: day('2026-11-24') }))
  await advanceTo(world, '2026-11-29T12:00:00.000Z')
  t.match(seen(world, boleto), {
    status: 'OVERDUE',
    boleto: { payableAmountToday: '10216', fineAmount: '200', interestAmount: '16', daysOverdue: 5 },
  })
  const heard = listener(world)
  await world.accepted(aBoletoPayment(boleto.id, { amountCents: toCents(10_216) }))
  const [paid, approved, , completed] = heard()
  t.strictSame(dataOf(paid).boleto, {
    digitableLine: digitableLine(numbersOf(boleto).barCode),
    dueDate: '2026-11-24',
    paidAt: '2026-11-29T12:00:00.000Z',
    clearedAt: '2026-11-29T12:00:00.000Z',
    paidAmount: '10216',
    fineAmount: '200',
    interestAmount: '16',
    discountAmount: '0',
  })
  t.match(dataOf(approved), {
    status: 'APPROVED',
    amount: '10000',
    paidAmount: '10216',
    feeAmount: '299',
    netAmount: '9917',
    refundableAmount: '0',
  })
  t.notOk('paidAt' in dataOf(approved).boleto, 'only boleto.paid tells of the payment')
  t.match(dataOf(completed), { grossAmount: '10216', feeAmount: '299', netAmount: '9917' })
  t.match(seen(world, boleto), {
    status: 'PAID',
    transactionStatus: 'APPROVED',
    boleto: { payableAmountToday: '10216', paidAt: '2026-11-29T12:00:00.000Z' },
  })
})

t.test('a payment that clears at once is told in order and is in the balance less the fee', async (t) => {
  const world = await opened()
  const boleto = await world.accepted(aBoleto())
  const heard = listener(world)
  const paid = await world.accepted(aBoletoPayment(boleto.id))
  t.match(paid, { status: 'APPROVED', version: 3, paidCents: 9500, feeCents: 299 })
  const events = heard()
  t.strictSame(typesOf(events), clearedEvents)
  t.match(dataOf(events[0]), { version: 3, status: 'APPROVED', boleto: { discountAmount: '500' } })
  const settlement = {
    object: 'settlement',
    method: 'BOLETO',
    transactionId: boleto.id,
    grossAmount: '9500',
    feeAmount: '299',
    netAmount: '9201',
    receivablesCount: 1,
    date: '2026-11-20',
  }
  t.match(dataOf(events[2]), { ...settlement, status: 'PROCESSING', completedAt: null })
  t.match(dataOf(events[3]), { ...settlement, status: 'COMPLETED' })
  t.equal(dataOf(events[2]).id, dataOf(events[3]).id)
  t.match(paid.receivables, [
    {
      type: 'CREDIT',
      status: 'SETTLED',
      grossCents: 9500,
      feeCents: 299,
      settlementId: dataOf(events[3]).id,
    },
  ])
  t.strictSame(world.account().balances, {
    available: 9201n,
    receivable: 0n,
    blocked: 0n,
    fees: 299n,
    payer: -9500n,
    recipients: 0n,
    paidOut: 0n,
  })
})

t.test('one that clears on the next business day is PROCESSING until six in the morning of it', async (t) => {
  const cases = [
    ['2026-11-26T12:00:00.000Z', '2026-11-27T09:00:00.000Z', 'Thursday to Friday'],
    ['2026-11-27T12:00:00.000Z', '2026-11-30T09:00:00.000Z', 'Friday to Monday'],
    ['2026-11-28T12:00:00.000Z', '2026-11-30T09:00:00.000Z', 'Saturday to Monday'],
    ['2026-11-30T08:59:59.000Z', '2026-12-01T09:00:00.000Z', 'before the batch of its own day'],
    ['2026-12-24T12:00:00.000Z', '2026-12-28T09:00:00.000Z', 'the eve of Christmas'],
    ['2026-12-31T12:00:00.000Z', '2027-01-04T09:00:00.000Z', 'the eve of New Year'],
    ['2027-02-05T12:00:00.000Z', '2027-02-10T09:00:00.000Z', 'the Friday before Carnival'],
    ['2027-02-06T02:30:00.000Z', '2027-02-10T09:00:00.000Z', 'a Friday night there, Saturday in UTC'],
  ] as const
  for (const [paidAt, clearsAt, why] of cases) {
    const world = await opened()
    const boleto = await world.accepted(aBoleto({ ...plainTerms, dueDate: day('2027-02-10') }))
    await advanceTo(world, paidAt)
    const heard = listener(world)
    const before = world.account().balances
    const reported = await world.accepted(aBoletoPayment(boleto.id, { clearing: 'NEXT_BUSINESS_DAY' }))
    t.match(reported, { status: 'PROCESSING', paidCents: 0, approvedAtMs: null, version: 3 }, why)
    t.strictSame(heard(), [], why)
    t.strictSame(world.account().balances, before, 'nothing is in the books')
    t.match(seen(world, boleto), {
      status: 'PROCESSING',
      transactionStatus: 'PROCESSING',
      boleto: { paidAt, clearedAt: null },
    })
    await world.execute({
      type: 'AdvanceClock',
      accountId: account,
      by: key,
      step: { toMs: Date.parse(clearsAt) - 1 },
    })
    t.equal(world.transaction(boleto.id).status, 'PROCESSING', why)
    await world.advance('PT1S')
    const events = heard()
    t.strictSame(typesOf(events), clearedEvents, why)
    t.match(dataOf(events[0]).boleto, { paidAt, clearedAt: clearsAt, paidAmount: '10000' }, why)
    t.match(dataOf(events[3]), { date: clearsAt.slice(0, 10), createdAt: clearsAt }, why)
    t.match(seen(world, boleto), { status: 'PAID', boleto: { paidAt, clearedAt: clearsAt } }, why)
  }
})

t.test('what was paid in time stays in time, though it clears when it would be late', async (t) => {
  const world = await opened()
  const boleto = await world.accepted(aBoleto({ dueDate: day('2026-11-27') }))
  await advanceTo(world, '2026-11-27T23:00:00.000Z')
  await world.accepted(aBoletoPayment(boleto.id, { clearing: 'NEXT_BUSINESS_DAY' }))
  await advanceTo(world, '2026-12-02T12:00:00.000Z')
  t.match(world.transaction(boleto.id), {
    status: 'APPROVED',
    paidCents: 9500,
    approvedAtMs: Date.parse('2026-11-30T09:00:00.000Z'),
    means: { boleto: { overdue: false, payment: { fineCents: 0, interestCents: 0 } } },
  })
})

t.test('one that is being cleared is not written off with the others', async (t) => {
  const world = await opened()
  // Its last day is a Friday, so that the money comes after it would be written off.
  const boleto = await world.accepted(aBoleto({ dueDate: day('2026-11-24') }))
  await advanceTo(world, '2027-01-22T12:00:00.000Z')
  await world.accepted(aBoletoPayment(boleto.id, { clearing: 'NEXT_BUSINESS_DAY' }))
  await advanceTo(world, '2027-01-25T08:59:59.999Z')
  t.equal(world.transaction(boleto.id).status, 'PROCESSING')
  await world.advance('P1Y')
  t.match(world.transaction(boleto.id), {
    status: 'APPROVED',
    approvedAtMs: Date.parse('2027-01-25T09:00:00.000Z'),
  })
})

t.test('a payment is not before the boleto and not after now', async (t) => {
  const world = await opened()
  const createdAtMs = world.now()
  const boleto = await world.accepted(aBoleto())
  await world.advance('P1D')
  const paidAt = (paidAtMs: number) => world.refused(aBoletoPayment(boleto.id, { paidAtMs }))
  t.equal(await paidAt(createdAtMs - 1), 'PAID_AT_OUT_OF_RANGE')
  t.equal(await paidAt(clockOf(world) + 1), 'PAID_AT_OUT_OF_RANGE')
  t.equal(await paidAt(createdAtMs), 'accepted')
})

t.test('it can be paid now whatever the clock showed when it was issued', async (t) => {
  const world = await opened()
  await world.advance('P30D')
  const boleto = await world.accepted(aBoleto({ dueDate: day('2027-01-04') }))
  await world.execute({ type: 'ResetClock', accountId: account, by: key })
  t.match(await world.accepted(aBoletoPayment(boleto.id)), { status: 'APPROVED', paidCents: 9500 })
})

t.test('a boleto can be cancelled until its payment is reported, and only then', async (t) => {
  const world = await opened()
  const cancelled = async ({ id }: Transaction) => {
    const reply = await world.execute({ ...aCancellation(id), family: 'BOLETO', reason: 'wrong' } as never)
    return reply.accepted ? 'accepted' : reply.rejection
  }
  const registered = await world.accepted(aBoleto())
  const overdue = await world.accepted(aBoleto({ dueDate: day('2026-11-23') }))
  const processing = await world.accepted(aBoleto({ dueDate: day('2026-11-23') }))
  const paid = await world.accepted(aBoleto())
  const expired = await world.accepted(aBoleto())
  const rejected = await world.accepted(aBoleto({}, scenario('provider_error')))
  await world.accepted(aBoletoPayment(paid.id))
  await world.accepted({
    type: 'ExpireCharge',
    accountId: account,
    by: key,
    transactionId: expired.id,
    method: 'BOLETO',
  })
  await advanceTo(world, '2026-11-24T12:00:00.000Z')
  await world.accepted(aBoletoPayment(processing.id, { clearing: 'NEXT_BUSINESS_DAY' }))
  t.equal(seen(world, overdue).status, 'OVERDUE')

  const heard = listener(world)
  for (const boleto of [registered, overdue]) {
    const { version } = world.transaction(boleto.id)
    t.equal(await cancelled(boleto), 'accepted')
    const events = heard()
    t.strictSame(typesOf(events), ['payment.failed'])
    t.match(dataOf(events[0]), {
      status: 'CANCELLED',
      failureReason: 'CANCELLED',
      version: version + 1,
    })
    t.match(seen(world, boleto), {
      status: 'CANCELLED',
      transactionStatus: 'CANCELLED',
      cancelReason: 'wrong',
      cancelledAt: '2026-11-24T12:00:00.000Z',
    })
  }
  const allowedStatuses = ['CREATED', 'PENDING', 'AUTHORIZED']
  for (const [boleto, currentStatus] of [
    [registered, 'CANCELLED'],
    [processing, 'PROCESSING'],
    [paid, 'APPROVED'],
    [expired, 'EXPIRED'],
    [rejected, 'FAILED'],
  ] as const)
    t.strictSame(await cancelled(boleto), { reason: 'INVALID_STATE', currentStatus, allowedStatuses })
  t.strictSame(heard(), [])
  await world.advance('P1Y')
  t.equal(world.transaction(overdue.id).status, 'CANCELLED', 'the clock leaves it alone')
})

t.test('nobody pays a boleto that is not open', async (t) => {
  const world = await opened()
  const cancelled = await world.accepted(aBoleto())
  await world.execute(aCancellation(cancelled.id))
  const paid = await world.accepted(aBoleto())
  await world.execute(aBoletoPayment(paid.id))
  const processing = await world.accepted(aBoleto())
  await world.execute(aBoletoPayment(processing.id, { clearing: 'NEXT_BUSINESS_DAY' }))
  for (const [{ id }, currentStatus] of [
    [cancelled, 'CANCELLED'],
    [paid, 'APPROVED'],
    [processing, 'PROCESSING'],
  ] as const) {
    // The state is looked at before the amount.
    const wrong = aBoletoPayment(id, { amountCents: toCents(1), paidAtMs: 0 })
    t.strictSame(await refusalOf(world, wrong), {
      reason: 'INVALID_STATE',
      currentStatus,
      allowedStatuses: ['PENDING'],
    })
  }
  const pix = await world.accepted(aCharge())
  t.strictSame(await refusalOf(world, aBoletoPayment(pix.id)), { reason: 'NOT_FOUND', resource: 'boleto' })
  t.strictSame(await refusalOf(world, { ...aCancellation(pix.id), family: 'BOLETO' } as never), {
    reason: 'NOT_FOUND',
    resource: 'transaction',
  })
})

t.test('it is written off at the end of the 59th day after its due date, business day or not', async (t) => {
  const cases = [
    ['2026-11-24', '2027-01-22'],
    ['2026-11-28', '2027-01-26'],
    ['2027-02-10', '2027-04-10'],
  ] as const
  for (const [dueDate, lastDay] of cases) {
    const world = await opened()
    const kept = await world.accepted(aBoleto({ dueDate: day(dueDate) }))
    const paid = await world.accepted(aBoleto({ dueDate: day(dueDate) }))
    const end = endOfDay(zone, day(lastDay))
    await world.execute({ type: 'AdvanceClock', accountId: account, by: key, step: { toMs: end - 1 } })
    t.equal(seen(world, kept).status, 'OVERDUE', lastDay)
    t.equal(await world.refused(aBoletoPayment(paid.id)), 'accepted', 'its last millisecond')
    const heard = listener(world)
    await world.advance('PT1S')
    const events = heard()
    t.strictSame(typesOf(events), ['payment.failed'])
    t.match(dataOf(events[0]), { id: kept.id, status: 'EXPIRED', failureReason: 'CHARGE_EXPIRED' })
    t.match(world.transaction(kept.id), { status: 'EXPIRED', expiredAtMs: end })
    t.match(seen(world, kept), { status: 'EXPIRED', transactionStatus: 'EXPIRED' })
    t.equal(await world.refused(aBoletoPayment(kept.id)), 'INVALID_STATE')
  }
})

t.test('the Sandbox can write it off before its time', async (t) => {
  const world = await opened()
  const expire = { type: 'ExpireCharge', accountId: account, by: key, method: 'BOLETO' } as const
  const boleto = await world.accepted(aBoleto())
  const heard = listener(world)
  await world.accepted({ ...expire, transactionId: boleto.id })
  t.strictSame(typesOf(heard()), ['payment.failed'])
  t.equal(await world.refused({ ...expire, transactionId: boleto.id }), 'INVALID_STATE')
  const pix = await world.accepted(aCharge())
  t.equal(await world.refused({ ...expire, transactionId: pix.id }), 'NOT_FOUND')
})

t.test('a scenario pays it two seconds after it was issued', async (t) => {
  const world = await opened()
  const boleto = await world.accepted(aBoleto({}, scenario('paid')))
  const heard = listener(world)
  await world.execute({
    type: 'AdvanceClock',
    accountId: account,
    by: key,
    step: { toMs: world.now() + 1999 },
  })
  t.equal(world.transaction(boleto.id).status, 'PENDING')
  await world.advance('PT1S')
  t.strictSame(typesOf(heard()), clearedEvents)
  t.match(world.transaction(boleto.id), {
    status: 'APPROVED',
    paidCents: 9500,
    approvedAtMs: boleto.createdAtMs + 2000,
  })
})

t.test('a scenario pays it five days after its due date, with fine and interest', async (t) => {
  for (const dueDate of ['2026-11-24', '2026-11-20', '2027-02-06']) {
    const world = await opened()
    const boleto = await world.accepted(aBoleto({ dueDate: day(dueDate) }, scenario('paid_overdue')))
    const heard = listener(world)
    await world.advance('P1Y')
    t.strictSame(typesOf(heard()), clearedEvents, dueDate)
    const paid = world.transaction(boleto.id)
    t.match(paid, { status: 'APPROVED', paidCents: 10_216, means: { boleto: { overdue: true } } }, dueDate)
    t.equal(dateIn(zone, boletoOf(paid)!.payment!.paidAtMs), addDays(day(dueDate), 5))
  }
})

t.test('a scenario refuses every payment, so that it is written off', async (t) => {
  const world = await opened()
  const boleto = await world.accepted(aBoleto({}, scenario('never_paid')))
  t.equal(await world.refused(aBoletoPayment(boleto.id)), 'PAYMENT_REFUSED_BY_SCENARIO')
  await world.advance('P1Y')
  t.equal(world.transaction(boleto.id).status, 'EXPIRED')
  t.equal(await world.refused(aBoletoPayment(boleto.id)), 'INVALID_STATE')
})

t.test('the fee is 299 centavos, and never more than was paid', async (t) => {
  const world = await opened()
  for (const [amount, fee] of [
    [1, 1],
    [298, 298],
    [299, 299],
    [300, 299],
    [9_999_999_999, 299],
  ] as const) {
    const boleto = await world.accepted(aBoleto(plainTerms, { amountCents: toCents(amount) }))
    const heard = listener(world)
    const paid = await world.accepted(aBoletoPayment(boleto.id))
    t.equal(paid.feeCents, fee, String(amount))
    t.match(dataOf(heard()[3]), { feeAmount: String(fee), netAmount: String(amount - fee) })
  }
  const discounted = await world.accepted(
    aBoleto({ ...plainTerms, discountCents: toCents(9_900) }, { amountCents: toCents(10_000) }),
  )
  t.equal((await world.accepted(aBoletoPayment(discounted.id))).feeCents, 100, 'of what was paid')
  t.strictSame(world.account().balances, booksFor(world))
})

t.test('a paid boleto is not refunded through the API, and an open one neither', async (t) => {
  const world = await opened()
  const { id } = await world.accepted(aBoleto())
  t.equal(await world.refused(aRefund(id)), 'REFUND_NOT_SUPPORTED')
  await world.execute(aBoletoPayment(id))
  t.equal(await world.refused(aRefund(id)), 'REFUND_NOT_SUPPORTED')
  t.equal(seen(world, { id }).refundableAmount, '0')
})

t.test('a list of several statuses shows every boleto that has one of them', async (t) => {
  const world = await opened()
  const terms: Partial<BoletoTerms> = { dueDate: day('2026-11-23') }
  const overdue = await world.accepted(aBoleto(terms))
  const paidLate = await world.accepted(aBoleto(terms))
  const registered = await world.accepted(aBoleto())
  const paidInTime = await world.accepted(aBoleto())
  await world.execute(aBoletoPayment(paidInTime.id))
  await advanceTo(world, '2026-11-24T12:00:00.000Z')
  await world.execute(aBoletoPayment(paidLate.id))
  const listed = async (statuses: readonly string[], late: boolean | null): Promise<TransactionId[]> => {
    const asked = world.shard.query(
      aList({ family: 'BOLETO', statuses: statuses as never, overdue: late }),
    ) as Promise<Answers['ListTransactions']>
    await world.settle()
    const { rows, total } = await asked
    t.equal(total, rows.length)
    return rows.map(({ id }) => id).sort()
  }
  const ids = (...boletos: Transaction[]) => boletos.map(({ id }) => id).sort()
  t.strictSame(await listed(['PENDING'], true), ids(overdue))
  t.strictSame(await listed(['PENDING'], false), ids(registered))
  t.strictSame(await listed(['PENDING'], null), ids(registered, overdue))
  t.strictSame(await listed(['PENDING', 'APPROVED'], false), ids(registered, paidInTime, paidLate))
  t.strictSame(await listed(['PENDING', 'APPROVED'], true), ids(overdue, paidInTime, paidLate))
})
