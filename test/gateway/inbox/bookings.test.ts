import t from 'tap'
import type { CalendarDate } from '../../../engine/shared/calendar.ts'
import type { SuspenseId, TransactionId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { bookingsOf, unmatchedOf } from '../../../gateway/inbox/bookings.ts'
import type { PixReturnAtBank, RailObject } from '../../../gateway/providers/port.ts'
import { account } from '../../engine/world.ts'
import { connectionOf } from './hooks.ts'

const reporting = {
  ...{
    connectionId: connectionOf(1),
    accountId: account,
    provider: 'a-bank',
    instance: {},
    sinceMs: 0,
    retiredAtMs: null,
    hookAddress: null,
  },
}
const aReturn = (amountCents: number, status: PixReturnAtBank['status']): PixReturnAtBank => ({
  ...{ id: 'r1', returnId: 'D1', status, nature: 'ORIGINAL', askedAtMs: 0, doneAtMs: 0, reason: null },
  amountCents: toCents(amountCents),
})
const aPix = (txid: string | null, ...returns: readonly PixReturnAtBank[]): RailObject => ({
  ...{
    kind: 'PIX',
    endToEndId: 'E12345678202611201200abcdefghijk',
    txid,
    pixKey: 'key',
    paidAtMs: 5,
    returns,
  },
  amountCents: toCents(1000),
  componentsCents: toCents(1000),
  payer: { name: 'Ana', document: '12345678909' },
})
const booked = (object: RailObject) => bookingsOf(object, reporting, () => 'txn_1' as TransactionId)
const unmatched = (object: RailObject) => unmatchedOf(object, reporting, () => 'ssp_1' as SuspenseId)

t.test('money is booked before what went back of it', async (t) => {
  t.match(booked(aPix('tx1', aReturn(400, 'DONE'))), [
    { type: 'ReceivePixAtBank', txid: 'tx1', amountCents: 1000, paidAtMs: 5, payer: { ispb: '12345678' } },
    { type: 'ReportReturn', returned: { id: 'r1', amountCents: 400, status: 'DONE' } },
  ])
  t.match(booked(aPix(null)), [
    {
      type: 'ReceiveUnrequestedPix',
      connectionId: reporting.connectionId,
      pixKey: 'key',
      providerId: 'a-bank',
    },
  ])
})

t.test('money in suspense is followed by what went back of it at the bank', async (t) => {
  const opened = { type: 'ReceiveUnmatchedPix', amountCents: 1000, txid: 'tx1' }
  t.match(unmatched(aPix('tx1')), [opened])
  t.match(unmatched(aPix('tx1', aReturn(400, 'DONE'))), [
    opened,
    { type: 'ReportReturn', returned: { id: 'r1', amountCents: 400, status: 'DONE' } },
  ])
})

t.test(
  'money that was sent is reported by the transfer that its reference names, and by none for what is not ours',
  async (t) => {
    const returns = [{ id: 'D1', amountCents: toCents(500), atMs: null }]
    const payout = {
      kind: 'PAYOUT',
      endToEndId: 'E1',
      reason: null,
      amountCents: toCents(500),
      returns,
    } as const
    const ulid = '0123456789ABCDEFGHJKMNPQRS'
    t.match(booked({ ...payout, reference: `${ulid}01`, state: 'RETURNED' }), [
      {
        type: 'ReportPayOut',
        transferId: `trf_${ulid}`,
        payOut: { state: 'RETURNED', amountCents: 500, railId: 'E1', returns },
      },
    ])
    // A recipient's part may have been refused by the bank before, and sent under another reference.
    t.match(booked({ ...payout, reference: `${ulid}S2`, state: 'DONE' }), [
      {
        type: 'ReportSplitPayOut',
        splitTransferId: `spt_${ulid}`,
        callNumber: 2,
        payOut: { state: 'DONE', amountCents: 500 },
      },
    ])
    // Another program at the same account, the app of the bank, and a second call that no transfer ever makes.
    for (const reference of ['r', 'folha-2026', `${ulid}02`, `${ulid.slice(1)}01`, `${ulid}S0`, `${ulid}SS`])
      t.strictSame(booked({ ...payout, reference, state: 'DONE' }), [], reference)
  },
)

t.test('mandates and their charges are reported as they are at the bank', async (t) => {
  t.match(
    booked({ kind: 'MANDATE', mandateId: 'RR1', state: 'CANCELLED', code: 'ACCL', closedBy: 'PAYER' }),
    [{ type: 'ReportMandate', idRec: 'RR1', status: 'CANCELLED', closedBy: 'PAYER', code: 'ACCL' }],
  )
  const attempt = {
    endToEndId: null,
    state: 'REJECTED',
    dueDate: '2026-12-01' as CalendarDate,
    code: 'AM04',
  } as const
  const { kind: _, ...pix } = aPix('tx1') as Extract<RailObject, { readonly kind: 'PIX' }>
  t.match(
    booked({ kind: 'MANDATE_CHARGE', txid: 'tx1', state: 'ACTIVE', attempts: [attempt], payments: [pix] }),
    [
      {
        type: 'ReportMandateCharge',
        txid: 'tx1',
        attempts: [{ on: '2026-12-01', state: 'REJECTED', code: 'AM04' }],
        payments: [{ endToEndId: pix.endToEndId, amountCents: 1000, paidAtMs: 5 }],
      },
    ],
  )
})
