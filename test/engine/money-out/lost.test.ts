import t from 'tap'
import type { DeclareTransfer } from '../../../engine/reconciliation/commands.ts'
import { reconciliationIdOf } from '../../../engine/reconciliation/reconciliation.ts'
import type { StrangePix } from '../../../engine/reconciliation/statement.ts'
import { addDays, type CalendarDate, dateIn, isoInstant } from '../../../engine/shared/calendar.ts'
import type { Initiator } from '../../../engine/shared/initiator.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { live, liveAccount } from '../connections/live.ts'
import { longStanding } from '../standing.ts'
import { firstConnection, liveTransfers, payOutRails, type TransferBank } from './live-transfers.ts'
import { ana, bia, caio } from './transfer-story.ts'

/** Transfers about which their bank can be asked no more (rails, section 1.2: a guess is double money). */
const lost: TransferBank = () => ({ type: 'SILENT', isLost: true })

const empty = { count: 0, amountCents: toCents(0), returnedCents: toCents(0) }

/** One that was sent, whose answer is lost. */
const lostTransfer = async () => {
  const begun = await liveTransfers(payOutRails)
  const { world, send, answers, transfer } = begun
  const openedAtMs = world.now()
  const { transferId } = await send(5_000)
  answers(lost)
  await begun.later(6_000)
  const today = dateIn('America/Sao_Paulo', openedAtMs)
  /** The id of a PIX that was made so long after the transfer. */
  const idAfter = (ms: number, suffix = 'A'): string => {
    const minute = isoInstant(openedAtMs + ms)
      .replace(/\D/g, '')
      .slice(0, 12)
    return `E00416968${minute}${suffix.padEnd(11, '0')}`
  }
  return {
    ...begun,
    transferId,
    today,
    idAfter,
    now: () => transfer(transferId),
    /** The bank's statement of a day, with what of it is none of ours. */
    compared: (date: CalendarDate, strange: readonly StrangePix[] = []) =>
      world.execute({
        type: 'RecordComparedDay',
        ...live,
        reconciliationId: reconciliationIdOf(liveAccount, firstConnection, date),
        compared: {
          ...{ connectionId: firstConnection, providerId: 'made-up-bank', date },
          ...{ bank: empty, ours: empty, statement: empty, differences: [] },
          ...{ differencesCount: 0, differenceCents: toCents(0) },
        },
        third: {
          source: 'BANK',
          digest: null,
          tariffCents: toCents(0),
          termsCents: null,
          othersCount: strange.length,
        },
        strange,
      }),
    declare: (by: Initiator, change: Partial<DeclareTransfer>) =>
      world.execute({
        type: 'DeclareTransfer',
        ...live,
        ...{ by, transferId, outcome: 'NOT_SENT', endToEndId: null, othersCount: 0 },
        ...{ reason: 'nothing in the statement', standing: longStanding },
        ...change,
      }),
    notices: () =>
      world.memory
        .list(liveAccount, 'notice', { offset: 0, limit: 50 })
        .states.map(({ kind, objectId }) => `${kind} ${objectId}`),
  }
}

const refused = (why: string, date: string | null = null) => ({
  accepted: false,
  rejection: { reason: 'NOT_BORNE_OUT', why, date },
})

t.test('people hear of it once, and until it is lost no one declares anything', async (t) => {
  const { send, declare, answers, later, notices, now, transferId } = await lostTransfer()
  t.match(now(), { status: 'PROCESSING', lostAtMs: Number })
  await later(16_000)
  await later(86_400_000)
  t.strictSame(
    notices().filter((one) => one.startsWith('TRANSFER_LOST')),
    [`TRANSFER_LOST ${transferId}`],
  )
  answers(() => ({ type: 'SILENT' }))
  const { transferId: another } = await send(5_001)
  t.match(await declare(ana, { transferId: another }), { rejection: { reason: 'INVALID_STATE' } })
})

t.test('NOT_SENT needs the statement of each day on which it may have left, and two people', async (t) => {
  const { declare, compared, today, now, balances, transferId } = await lostTransfer()
  const before = balances().available
  t.match(await declare(ana, {}), refused('NO_STATEMENT', today))
  await compared(today)
  t.match(await declare(ana, {}), refused('NO_STATEMENT', addDays(today, 1)))
  await compared(addDays(today, 1))
  t.match(await declare({ kind: 'KEY', id: 'key_1' }, {}), { rejection: { reason: 'OWN_REQUEST' } })
  t.match(await declare(ana, {}), { accepted: true })
  t.match(now(), { status: 'PROCESSING', declared: { outcome: 'NOT_SENT', by: ana, confirmedBy: null } })
  t.match(await declare(ana, { reason: 'once more' }), { rejection: { reason: 'OWN_REQUEST' } })
  const tooNew = { sinceMs: Date.now() + 1e12, isConfirmed: false }
  t.match(await declare(bia, { standing: tooNew }), { rejection: { reason: 'APPROVER_TOO_NEW' } })
  t.match(await declare(bia, {}), { accepted: true })
  t.match(now(), {
    id: transferId,
    status: 'FAILED',
    failureReason: 'NOT_SENT',
    declared: { confirmedBy: bia },
  })
  t.match(balances(), { available: before + 5_000n, blocked: 0n, paidOut: 0n })
  t.match(await declare(caio, {}), { rejection: { reason: 'INVALID_STATE' } })
})

t.test('other PIX of the amount in these statements have to be looked at, each of them', async (t) => {
  const { declare, compared, today, idAfter } = await lostTransfer()
  const strange = { endToEndId: idAfter(60_000), amountCents: toCents(5_000) }
  await compared(today, [strange, { ...strange, amountCents: toCents(5_001) }])
  await compared(addDays(today, 1), [{ ...strange, endToEndId: null }])
  t.match(await declare(ana, {}), refused('OTHERS_COUNT'))
  t.match(await declare(ana, { othersCount: 1 }), refused('OTHERS_COUNT'))
  t.match(await declare(ana, { othersCount: 2 }), { accepted: true })
})

t.test('SENT needs the PIX in the statement of its day, under an id that is nothing else’s', async (t) => {
  const { declare, compared, today, now, balances, idAfter, send, answers } = await lostTransfer()
  const sent = (endToEndId: string | null) => ({ outcome: 'SENT', endToEndId, reason: 'line 7' }) as const
  const own = idAfter(60_000)
  t.match(await declare(ana, sent(null)), refused('ID_UNREADABLE'))
  t.match(await declare(ana, sent(`D${own.slice(1)}`)), refused('ID_UNREADABLE'))
  t.match(await declare(ana, sent(idAfter(-3_600_000))), refused('ID_OF_OTHER_TIME'))
  t.match(await declare(ana, sent(idAfter(90_000_000))), refused('ID_OF_OTHER_TIME'))
  t.match(await declare(ana, sent(own)), refused('NO_STATEMENT', today))
  await compared(today, [
    { endToEndId: own, amountCents: toCents(4_999) },
    { endToEndId: idAfter(60_000, 'B'), amountCents: toCents(5_000) },
  ])
  t.match(await declare(ana, sent(own)), refused('NOT_IN_STATEMENT', today))
  await compared(today, [
    { endToEndId: own, amountCents: toCents(5_000) },
    { endToEndId: idAfter(60_000, 'C'), amountCents: toCents(5_000) },
  ])
  // Another transfer of this amount, of which the bank has said its id.
  answers(() => ({ type: 'DONE', endToEndId: idAfter(60_000, 'C') }))
  await send(5_000)
  t.match(await declare(ana, sent(idAfter(60_000, 'C'))), refused('ID_KNOWN'))
  t.match(await declare(ana, sent(own)), { accepted: true })
  t.match(await declare(bia, sent(own)), { accepted: true })
  t.match(now(), { status: 'COMPLETED', railId: own, declared: { by: ana, confirmedBy: bia } })
  t.match(balances(), { blocked: 0n, paidOut: 10_000n })
})

t.test('a second person who says something else confirms nothing: it waits for another one', async (t) => {
  const { declare, compared, today, now, idAfter } = await lostTransfer()
  const own = idAfter(60_000)
  await compared(today, [{ endToEndId: own, amountCents: toCents(5_000) }])
  await compared(addDays(today, 1))
  await declare(ana, { othersCount: 1 })
  await declare(bia, { outcome: 'SENT', endToEndId: own })
  t.match(now(), { status: 'PROCESSING', declared: { outcome: 'SENT', by: bia, confirmedBy: null } })
  t.match(await declare(bia, { outcome: 'SENT', endToEndId: own }), { rejection: { reason: 'OWN_REQUEST' } })
  await declare(caio, { outcome: 'SENT', endToEndId: own })
  t.match(now(), { status: 'COMPLETED', declared: { by: bia, confirmedBy: caio } })
})

t.test('a bank that answers after all comes before what a person has said', async (t) => {
  const { declare, compared, today, now, answers, later } = await lostTransfer()
  await compared(today)
  await compared(addDays(today, 1))
  await declare(ana, {})
  answers(() => ({ type: 'DONE', endToEndId: `E${'4'.repeat(31)}` }))
  await later(16_000)
  t.match(now(), { status: 'COMPLETED', railId: `E${'4'.repeat(31)}` })
  t.match(await declare(bia, {}), { rejection: { reason: 'INVALID_STATE' } })
})

const declaredUnsent = async () => {
  const begun = await lostTransfer()
  await begun.compared(begun.today)
  await begun.compared(addDays(begun.today, 1))
  await begun.declare(ana, {})
  await begun.declare(bia, {})
  return begun
}

t.test(
  'declared NOT_SENT, and the bank shows it later: it is booked, also below zero, and once',
  async (t) => {
    const { report, now, balances, transferId, send, answers } = await declaredUnsent()
    answers(() => ({ type: 'DONE', endToEndId: `E${'5'.repeat(31)}` }))
    // All that is there is sent meanwhile.
    const all = Number(balances().available)
    await send(all)
    t.equal(balances().available, 0n)
    for (let n = 0; n < 2; n++) t.match(await report(transferId, 'DONE'), { accepted: true })
    t.match(now(), { status: 'COMPLETED', failureReason: null, railId: `E${'2'.repeat(31)}` })
    t.match(balances(), { available: -5_000n, blocked: 0n, paidOut: BigInt(all + 5_000) })
  },
)

t.test('declared NOT_SENT, sent after all, and returned: both are booked', async (t) => {
  const { report, now, balances, transferId, back } = await declaredUnsent()
  const before = balances().available
  await report(transferId, 'RETURNED', { returns: [back('D1', 5_000)] })
  t.match(now(), { status: 'COMPLETED', returns: [{ amountCents: 5_000 }] })
  t.match(balances(), { available: before, blocked: 0n, paidOut: 0n })
})

t.test('declared SENT, and the bank says that it never left: it is back in the balance, once', async (t) => {
  const { declare, compared, today, idAfter, report, now, balances, transferId } = await lostTransfer()
  const endToEndId = idAfter(60_000)
  await compared(today, [{ endToEndId, amountCents: toCents(5_000) }])
  for (const by of [ana, bia]) await declare(by, { outcome: 'SENT', endToEndId })
  const before = balances().available
  for (let n = 0; n < 2; n++) t.match(await report(transferId, 'REFUSED'), { accepted: true })
  t.match(now(), { status: 'COMPLETED', returns: [{ amountCents: 5_000 }] })
  t.match(balances(), { available: before + 5_000n, blocked: 0n, paidOut: 0n })
})

t.test('declared SENT under a wrong id: the bank’s own takes its place', async (t) => {
  const { declare, compared, today, idAfter, report, now, balances, transferId } = await lostTransfer()
  const endToEndId = idAfter(60_000)
  await compared(today, [{ endToEndId, amountCents: toCents(5_000) }])
  for (const by of [ana, bia]) await declare(by, { outcome: 'SENT', endToEndId })
  await report(transferId, 'DONE')
  t.match(now(), { status: 'COMPLETED', railId: `E${'2'.repeat(31)}` })
  t.match(balances(), { blocked: 0n, paidOut: 5_000n })
})
