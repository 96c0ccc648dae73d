import t from 'tap'
import type { PayBoletoByPix } from '../../../../engine/payments/methods/boleto/commands.ts'
import { pixOf } from '../../../../engine/payments/methods/pix/pix.ts'
import type { ReceivedPix } from '../../../../engine/payments/received/received.ts'
import type { TransactionId } from '../../../../engine/shared/ids.ts'
import { toCents } from '../../../../engine/shared/money.ts'
import { boleto } from '../../../../gateway/resources/payments/boleto.ts'
import { noPayee } from '../../../../gateway/resources/payments/fiscal.ts'
import {
  aBoletoPayment,
  advanceTo,
  booksFor,
  clockOf,
  dataOf,
  listener,
  scenario,
  typesOf,
} from '../../story.ts'
import { aBoleto, aCancellation, account, opened, ours, refusalOf, type World } from '../../world.ts'

/** A PIX by the boleto's QR code. */
const aPix = (transactionId: TransactionId, amount: number | null = null): PayBoletoByPix => ({
  type: 'PayBoletoByPix',
  ...ours,
  transactionId,
  amountCents: amount === null ? null : toCents(amount),
})

const receivedOf = (world: World): readonly ReceivedPix[] =>
  world.memory.list(account, 'received', { offset: 0, limit: 9 }).states

t.test('a PIX by the QR code pays the boleto, and is received like any other', async (t) => {
  const world = await opened()
  const charge = await world.accepted(aBoleto({}, { externalId: 'o-1' }))
  const heard = listener(world)
  const paid = await world.accepted(aPix(charge.id))
  // In time, so less the discount.
  t.match(paid, {
    status: 'APPROVED',
    paidCents: 9500,
    feeCents: 299,
    approvedAtMs: clockOf(world),
    means: {
      boleto: {
        payment: {
          paidCents: 9500,
          discountCents: 500,
          fineCents: 0,
          paidAtMs: clockOf(world),
          clearsAtMs: clockOf(world),
        },
      },
      pix: { payment: { endToEndId: /^E\d{8}\d{12}[A-Za-z0-9]{11}$/, payerMatchesCustomer: true } },
    },
  })
  t.strictSame(
    paid.timeline.map(({ type, status }) => `${type} ${status}`),
    [
      'ChargeCreated CREATED',
      'BoletoIssued PENDING',
      'BoletoPaymentReported PROCESSING',
      'ChargePaid APPROVED',
    ],
  )
  const [received] = receivedOf(world)
  t.match(received, {
    transactionId: charge.id,
    endToEndId: pixOf(paid)!.payment!.endToEndId,
    txid: pixOf(charge)!.txid,
    externalId: 'o-1',
    amountCents: 9500,
    returnReason: null,
    payer: { document: '12345678909' },
  })
  const events = heard()
  t.strictSame(typesOf(events), [
    'pix.received',
    'boleto.paid',
    'payment.approved',
    'settlement.processing',
    'settlement.completed',
  ])
  t.match(dataOf(events[0]), { object: 'received_pix', amount: '9500', transactionId: charge.id })
  t.match(dataOf(events[1]), {
    status: 'APPROVED',
    paidAmount: '9500',
    pix: { endToEndId: pixOf(paid)!.payment!.endToEndId },
    boleto: { paidAmount: '9500', discountAmount: '500', clearedAt: /Z$/ },
  })
  const shown: any = boleto.view(paid, {
    date: '2026-11-20',
    nowMs: paid.updatedAtMs,
    payee: noPayee,
  } as never)
  t.match(shown, {
    status: 'PAID',
    transactionStatus: 'APPROVED',
    pix: { registryStatus: 'CONCLUIDA', paidAt: shown.boleto.paidAt },
    boleto: { payableAmountToday: '9500', clearedAt: shown.boleto.paidAt },
  })
  t.strictSame(world.account().balances, booksFor(world))
})

t.test(
  'after the due date it costs fine and interest by PIX, too, and no other amount is taken',
  async (t) => {
    const world = await opened()
    const boleto = await world.accepted(aBoleto())
    await advanceTo(world, '2026-12-05T12:00:00.000Z')
    t.match(await refusalOf(world, aPix(boleto.id, 10_000)), {
      reason: 'AMOUNT_MISMATCH',
      payableCents: 10_216,
    })
    const paid = await world.accepted(aPix(boleto.id, 10_216))
    t.match(paid, {
      status: 'APPROVED',
      paidCents: 10_216,
      means: { boleto: { payment: { fineCents: 200, interestCents: 16 } } },
    })
    t.equal(receivedOf(world)[0]!.amountCents, 10_216)
    t.strictSame(world.account().balances, booksFor(world))
  },
)

t.test(
  'a PIX for a boleto that can take none goes back at once, and nobody is told of a payment',
  async (t) => {
    const world = await opened()
    const [byCode, byPix, cleared, cancelled, expired] = [
      await world.accepted(aBoleto()),
      await world.accepted(aBoleto()),
      await world.accepted(aBoleto()),
      await world.accepted(aBoleto()),
      await world.accepted(aBoleto()),
    ]
    await world.accepted(aBoletoPayment(byCode.id, { clearing: 'NEXT_BUSINESS_DAY' }))
    await world.accepted(aPix(byPix.id))
    await world.accepted(aBoletoPayment(cleared.id))
    await world.accepted(aCancellation(cancelled.id))
    await world.execute({ type: 'ExpireCharge', ...ours, transactionId: expired.id, method: 'BOLETO' })
    const heard = listener(world)
    const before = receivedOf(world).length
    const cases = [
      [byCode.id, 'PROCESSING', 'DUPLICATE_PAYMENT'],
      [byPix.id, 'APPROVED', 'DUPLICATE_PAYMENT'],
      [cleared.id, 'APPROVED', 'DUPLICATE_PAYMENT'],
      [cancelled.id, 'CANCELLED', 'PAID_AFTER_CANCELLATION'],
      [expired.id, 'EXPIRED', 'PAID_AFTER_EXPIRY'],
    ] as const
    for (const [id, status, returnReason] of cases) {
      t.equal((await world.accepted(aPix(id))).status, status)
      const back = receivedOf(world).filter(
        (received) => received.transactionId === id && received.returnReason !== null,
      )
      t.match(back, [{ returnReason, amountCents: 9500 }], status)
    }
    t.equal(receivedOf(world).length, before + cases.length)
    t.strictSame(heard(), [])
    t.strictSame(world.account().balances, booksFor(world))
  },
)

t.test('a boleto without a QR code cannot be paid by it', async (t) => {
  const world = await opened()
  const alone = await world.accepted(aBoleto({ withPix: false }))
  const refused = await world.accepted(aBoleto({}, scenario('provider_error')))
  for (const { id } of [alone, refused]) t.equal(await world.refused(aPix(id)), 'NO_QR_CODE')
  t.equal(await world.refused(aPix('txn_none' as TransactionId)), 'NOT_FOUND')
  const stubborn = await world.accepted(aBoleto({}, scenario('never_paid')))
  t.equal(await world.refused(aPix(stubborn.id)), 'PAYMENT_REFUSED_BY_SCENARIO')
})
