import t from 'tap'
import type { PayoutRequest } from '../../../engine/marketplace/payout-request.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { aCardPayment, aCharge, account, aPayment, aRefund, askSandbox, ours } from '../world.ts'
import { aRecipient, aRule, fixed, type Market, marketplace, percent } from './fixtures.ts'

const paidPix = async (market: Market, cents = 10_000): Promise<Transaction> => {
  const charge = await market.accepted(aCharge({ amountCents: toCents(cents), splitRuleId: market.rule }))
  await market.execute(aPayment(charge.id))
  return market.transaction(charge.id)
}

t.test('a PIX is divided when it is paid, and the recipient is paid right after it settles', async (t) => {
  const market = await marketplace()
  const charge = await market.accepted(aCharge({ amountCents: toCents(10_000), splitRuleId: market.rule }))
  t.match(charge.split, { ruleId: market.rule })
  t.strictSame(market.transfers(), [], 'before it is paid there is no transfer')
  const from = market.told.length
  await market.execute(aPayment(charge.id))
  t.strictSame(market.heard(from), [
    'pix.received',
    'payment.approved',
    'settlement.processing',
    'settlement.completed',
    'transfer.scheduled',
    'transfer.completed',
  ])
  const { receivables } = market.transaction(charge.id)
  t.match(receivables, [
    { recipientId: market.seller, grossCents: 8000, feeCents: 99, status: 'SETTLED' },
    { recipientId: null, grossCents: 2000, feeCents: 0, status: 'SETTLED' },
  ])
  t.match(market.transfers(), [
    {
      recipientId: market.seller,
      ruleId: market.rule,
      transactionId: charge.id,
      receivableId: receivables[0]!.id,
      grossCents: 8000,
      feeCents: 99,
      dueCents: 7901,
      status: 'COMPLETED',
      bank: { bankCode: '341' },
    },
  ])
  const { balances } = market.account()
  t.match(balances, { available: 2000n, recipients: 0n, paidOut: 7901n, fees: 99n, payer: -10_000n })
  t.equal(market.balance(market.seller), 0)
  t.strictSame(market.bookProblems(), [])
})

t.test('a refund takes from both; what was paid out is a debt that the next transfer pays', async (t) => {
  const market = await marketplace()
  const { id } = await paidPix(market)
  await market.execute(aRefund(id, 3000))
  t.equal(market.balance(market.seller), -2400)
  t.match(market.transfers(), [{ status: 'COMPLETED', reversedCents: 2400 }])
  t.match(market.transaction(id).reversals.refunds[0]!.split, [
    { recipientId: market.seller, amountCents: 2400 },
    { recipientId: null, amountCents: 600 },
  ])
  t.match(market.account().balances, { available: 1400n, recipients: -2400n, blocked: 0n, paidOut: 7901n })
  await paidPix(market, 1000)
  t.match(market.transfers()[1], {
    status: 'COMPLETED',
    grossCents: 800,
    debtRecoveredCents: 790,
    dueCents: 0,
  })
  t.equal(market.balance(market.seller), -1610, 'the full transfer amount')
  await paidPix(market)
  t.match(market.transfers()[2], { status: 'COMPLETED', debtRecoveredCents: 1610, dueCents: 7901 - 1610 })
  t.equal(market.balance(market.seller), 0)
  t.match(market.account().balances, { recipients: 0n, paidOut: BigInt(7901 + 7901 - 1610) })
  t.strictSame(market.bookProblems(), [])
})

t.test(
  'all of it goes back: the transfer is reversed, and the kept fee is owed by who paid it',
  async (t) => {
    const market = await marketplace()
    const { id } = await paidPix(market)
    await market.execute(aRefund(id, 5000))
    await market.execute(aRefund(id))
    t.match(market.transfers(), [{ status: 'REVERSED', reversedCents: 7901 }])
    t.equal(market.balance(market.seller), -8000)
    t.match(market.account().balances, {
      available: 0n,
      recipients: -8000n,
      paidOut: 7901n,
      payer: 0n,
      fees: 99n,
    })
  },
)

t.test('of a card each instalment has its transfer, paid when its batch is settled', async (t) => {
  const market = await marketplace()
  const payment = await market.accepted(aCardPayment({ installments: 3 }, { splitRuleId: market.rule }))
  t.strictSame(market.statuses(), ['AWAITING_FUNDS', 'AWAITING_FUNDS', 'AWAITING_FUNDS'])
  t.strictSame(
    market.transfers().map(({ grossCents, feeCents, installment }) => [installment, grossCents, feeCents]),
    [
      [1, 2667, 133],
      [2, 2667, 133],
      [3, 2666, 133],
    ],
  )
  const from = market.told.length
  await market.advance('P32D')
  t.strictSame(market.statuses(), ['COMPLETED', 'AWAITING_FUNDS', 'AWAITING_FUNDS'])
  t.strictSame(market.heard(from), [
    'settlement.processing',
    'settlement.completed',
    'transfer.scheduled',
    'transfer.completed',
  ])
  const [first] = market.transfers()
  t.equal(first!.scheduledAtMs, market.memory.find('batch', first!.settlementId!)!.state.settledAtMs)
  t.equal(first!.completedAtMs, first!.scheduledAtMs, 'banks answer at the time at which they are asked')
  await market.execute(aRefund(payment.id, 5000))
  t.match(market.transfers(), [
    { status: 'COMPLETED', reversedCents: 1267 },
    { status: 'AWAITING_FUNDS', grossCents: 1334 },
    { status: 'AWAITING_FUNDS', grossCents: 1333 },
  ])
  t.equal(market.balance(market.seller), -1267)
  await market.advance('P100D')
  t.strictSame(market.statuses(), ['COMPLETED', 'COMPLETED', 'COMPLETED'])
  t.equal(market.balance(market.seller), 0)
  t.match(market.account().balances, { recipients: 0n, receivable: 0n, available: 1000n })
  t.strictSame(market.bookProblems(), [])
})

t.test('a chargeback cancels what waits and owes what was paid; won, everything comes back', async (t) => {
  const market = await marketplace()
  const payment = await market.accepted(aCardPayment({ installments: 2 }, { splitRuleId: market.rule }))
  await market.advance('P32D')
  const paid = market.account().balances.paidOut
  const opening = { ...ours, type: 'OpenChargeback', transactionId: payment.id, amountCents: null } as const
  await market.execute({ ...opening, reason: null })
  t.strictSame(market.statuses(), ['REVERSED', 'CANCELLED'])
  t.equal(market.balance(market.seller), -Number(paid))
  t.match(market.account().balances, { available: 0n, receivable: 0n })
  const reversalId = market.transaction(payment.id).reversals.chargebacks[0]!.id
  const text = 'it was delivered: winning_evidence'
  await market.execute({ ...ours, type: 'DisputeChargeback', reversalId, text })
  await market.advance('PT10S')
  t.strictSame(market.statuses(), ['REVERSED', 'CANCELLED', 'AWAITING_FUNDS', 'COMPLETED'])
  t.match(market.transfers()[3], { debtRecoveredCents: Number(paid), dueCents: 0 })
  t.equal(market.balance(market.seller), 0)
  await market.advance('P60D')
  t.strictSame(market.statuses(), ['REVERSED', 'CANCELLED', 'COMPLETED', 'COMPLETED'])
  t.match(market.account().balances, { recipients: 0n, receivable: 0n, blocked: 0n, available: 2000n })
  t.strictSame(market.bookProblems(), [])
})

t.test('a chargeback that is lost leaves the debt', async (t) => {
  const market = await marketplace()
  const payment = await market.accepted(aCardPayment({}, { splitRuleId: market.rule }))
  await market.advance('P32D')
  const opening = { ...ours, type: 'OpenChargeback', transactionId: payment.id, amountCents: null } as const
  await market.execute({ ...opening, reason: null })
  const balance = market.balance(market.seller)
  await market.advance('P12D')
  t.equal(market.transaction(payment.id).status, 'CHARGEBACK')
  t.equal(market.balance(market.seller), balance)
  t.strictSame(market.statuses(), ['REVERSED'])
  t.strictSame(market.bookProblems(), [])
})

t.test('settled ahead of its batches, every instalment is paid out at once', async (t) => {
  const market = await marketplace()
  const payment = await market.accepted(aCardPayment({ installments: 2 }, { splitRuleId: market.rule }))
  await market.execute({ ...ours, type: 'SettleTransaction', transactionId: payment.id })
  t.strictSame(market.statuses(), ['COMPLETED', 'COMPLETED'])
  await market.advance('P90D')
  t.strictSame(market.statuses(), ['COMPLETED', 'COMPLETED'])
  t.strictSame(market.bookProblems(), [])
})

t.test('a MED that is accepted takes from the recipients as a refund does', async (t) => {
  const market = await marketplace()
  const { id } = await paidPix(market)
  await paidPix(market, 100_000)
  await market.execute({ ...ours, type: 'OpenMed', transactionId: id, amountCents: null, reason: null })
  await market.advance('P8D')
  t.equal(market.transaction(id).status, 'REFUNDED')
  t.equal(market.balance(market.seller), -8000)
  t.match(market.account().balances, { available: 20_000n, blocked: 0n })
  t.strictSame(market.bookProblems(), [])
})

t.test('bank code 000 refuses: tried again on three business days, then the money stays', async (t) => {
  const market = await marketplace({ bankCode: '000' })
  const from = market.told.length
  await paidPix(market)
  t.strictSame(market.heard(from).slice(-2), ['transfer.scheduled', 'transfer.failed'])
  const [failed] = market.transfers()
  t.match(failed, { status: 'FAILED', failures: 1, failureReason: 'REFUSED_BY_BANK' })
  // The story begins on a Friday: the next business day is Monday, at six.
  t.equal(failed!.retryAtMs, Date.UTC(2026, 10, 23, 9))
  await market.advance('P3D')
  t.match(market.transfers(), [{ status: 'FAILED', failures: 2 }])
  await market.advance('P10D')
  t.match(market.transfers(), [{ status: 'FAILED', failures: 4, retryAtMs: null }])
  t.match(market.recipient(market.seller), { balanceCents: 7901, pendingCents: 0 })
  await market.execute({
    ...ours,
    type: 'ChangeRecipient',
    recipientId: market.seller,
    changes: { bank: { bankCode: '341' } },
  })
  await paidPix(market, 100)
  t.match(market.transfers()[1], { status: 'COMPLETED', bank: { bankCode: '341', branch: '1234' } })
  t.equal(market.balance(market.seller), 7901)
  t.strictSame(market.bookProblems(), [])
})

t.test('a refund before the next try is not paid out first', async (t) => {
  const market = await marketplace({ bankCode: '000' })
  const { id } = await paidPix(market)
  await market.execute(aRefund(id, 5000))
  t.match(market.transfers(), [{ status: 'FAILED', reversedCents: 4000, dueCents: 3901 }])
  t.match(market.recipient(market.seller), { balanceCents: 3901, pendingCents: 3901 })
  await market.execute(aRefund(id))
  t.match(market.transfers(), [{ status: 'REVERSED', reversedCents: 7901, dueCents: 0, retryAtMs: null }])
  await market.advance('P10D')
  t.equal(market.account().balances.paidOut, 0n)
  t.equal(market.balance(market.seller), -99)
  t.strictSame(market.bookProblems(), [])
})

t.test('a bank that says nothing is asked again with the same reference', async (t) => {
  const asked: PayoutRequest[] = []
  const market = await marketplace({}, undefined, async (request) => {
    asked.push(request)
    return asked.length < 3 ? { type: 'SILENT' } : askSandbox(request)
  })
  await paidPix(market)
  t.strictSame(market.statuses(), ['PROCESSING'])
  await market.advance('PT5S')
  t.strictSame(market.statuses(), ['PROCESSING'])
  await market.advance('PT1M')
  t.strictSame(market.statuses(), ['COMPLETED'])
  t.equal(asked.length, 3)
  t.strictSame(
    [...new Set(asked.map(({ reference, amountCents }) => `${reference} ${amountCents}`))].length,
    1,
  )
  t.equal(market.account().balances.paidOut, 7901n)
})

t.test('of less than was authorized priority decides', async (t) => {
  const market = await marketplace()
  const [first, second] = [aRecipient(), aRecipient()]
  await market.execute(first)
  await market.execute(second)
  const rule = aRule(
    fixed(second.recipientId, 6000, { priority: 2 }),
    fixed(first.recipientId, 3000, { priority: 1 }),
  )
  await market.execute(rule)
  const { id } = await market.accepted(aCardPayment({ captures: false }, { splitRuleId: rule.ruleId }))
  t.strictSame(market.transfers(), [])
  await market.execute({ ...ours, type: 'CaptureCharge', transactionId: id, amountCents: toCents(5000) })
  t.strictSame(
    market
      .transaction(id)
      .receivables.map(({ recipientId, grossCents, feeCents }) => [recipientId, grossCents, feeCents]),
    [
      [first.recipientId, 3000, 0],
      [second.recipientId, 2000, 0],
      [null, 0, 160],
    ],
    'the company pays the fee of what others got',
  )
})

t.test('later changes of the rule do not touch a charge that exists', async (t) => {
  const market = await marketplace()
  const { id } = await market.accepted(aCharge({ splitRuleId: market.rule }))
  const items = [percent(market.seller, 100), percent(null, 100)]
  await market.execute({
    ...ours,
    type: 'ChangeSplitRule',
    ruleId: market.rule,
    changes: { items, isActive: false },
  })
  await market.execute({
    ...ours,
    type: 'ChangeRecipient',
    recipientId: market.seller,
    changes: { isActive: false },
  })
  await market.execute(aPayment(id))
  t.match(market.transfers(), [{ grossCents: 1592, status: 'COMPLETED' }])
})

t.test('pages of one payment’s transfers do not shift: what came since is hidden', async (t) => {
  const market = await marketplace()
  const installments = { installments: 3 }
  const payment = await market.accepted(aCardPayment(installments, { splitRuleId: market.rule }))
  const list = async (page: number, asOf: number | null) => {
    const query = { type: 'ListSplitTransfers', accountId: account, transactionId: payment.id } as const
    const rest = { recipientId: null, statuses: [], from: null, to: null, page, pageSize: 2, asOf }
    const { rows, ...told } = await market.shard.query({ ...query, ...rest })
    return { ids: rows.map(({ id }) => id), ...told }
  }
  const first = await list(1, null)
  t.equal(first.total, 3)
  // A refund of what was transferred, and a chargeback that is won, bring more.
  await market.advance('P35D')
  const chargeback = { type: 'OpenChargeback', ...ours, transactionId: payment.id } as const
  await market.execute({ ...chargeback, amountCents: null, reason: null })
  const reversalId = market.transaction(payment.id).reversals.chargebacks[0]!.id
  await market.execute({
    type: 'DisputeChargeback',
    ...ours,
    reversalId,
    text: 'winning_evidence, as they say',
  })
  await market.advance('PT10S')
  const now = await list(1, null)
  t.ok(now.total > 3, 'there are more')
  const second = await list(2, first.asOf)
  t.equal(second.total, 3)
  t.equal(new Set([...first.ids, ...second.ids]).size, 3, 'each is on one page')
  t.match(await list(1, first.asOf), { ids: first.ids, total: 3 })
})
