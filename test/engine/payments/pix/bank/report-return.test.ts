import t from 'tap'
import type { Command } from '../../../../../engine/kernel/registry.ts'
import type { ReportMed, ReportReturn } from '../../../../../engine/payments/methods/pix/commands.ts'
import type { ReturnAtBank } from '../../../../../engine/payments/methods/pix/pix.ts'
import { refundableCents } from '../../../../../engine/payments/transaction/refundable.ts'
import type { RefundId } from '../../../../../engine/shared/ids.ts'
import { toCents } from '../../../../../engine/shared/money.ts'
import { aConnect, live } from '../../../connections/live.ts'
import { dataOf, listener, typesOf } from '../../../story.ts'
import { aRefund } from '../../../world.ts'
import { aLiveCharge, anArrival, aPixAtBank, isRefused, newShop, registered, silence } from './at-bank.ts'

const day = 86_400_000

const aReturn = (endToEndId: string, change: Partial<ReturnAtBank> = {}): ReportReturn => ({
  type: 'ReportReturn',
  ...live,
  endToEndId,
  returned: {
    id: 'app7',
    returnId: 'D0000000020261120120000000000007',
    amountCents: toCents(4_000),
    status: 'DONE',
    nature: 'ORIGINAL',
    reason: null,
    ...change,
  },
})

const aReport = (
  endToEndId: string,
  state: ReportMed['med']['state'],
  hasReturn: boolean | null = null,
): ReportMed => ({
  type: 'ReportMed',
  ...live,
  endToEndId,
  med: {
    ...{ bankMedId: 'infraction-1', state, amountCents: toCents(10_000), reason: 'FRAUD', details: null },
    hasReturn,
  },
})

/** A shop with a paid charge of 10,000 centavos. */
const paidShop = async () => {
  const shop = await newShop()
  const { id } = await shop.world.accepted(aLiveCharge())
  const arrival = anArrival(shop.world.transaction(id))
  await shop.world.execute(arrival)
  const { endToEndId } = arrival
  return { ...shop, id, endToEndId, charge: () => shop.world.transaction(id), hear: listener(shop.world) }
}

/** The id by which the bank knows a refund. */
const atBank = (refundId: RefundId): string => refundId.slice(4)

t.test('a refund waits for its bank for days, and its amount is reserved throughout', async (t) => {
  const { world, bank, id, pass, charge, balances, hear } = await paidShop()
  bank.answers = { REFUND: { type: 'PENDING', asksAgainInMs: null } }
  t.match(await world.accepted({ ...aRefund(id, 6_000), ...live }), {
    reversals: { refunds: [{ status: 'PROCESSING', amountCents: 6_000 }] },
  })
  for (let n = 0; n < 3; n++) {
    t.match(balances(), { available: 3_901n, blocked: 6_000n })
    t.match(await world.execute({ ...aRefund(id, 4_001), ...live }), {
      rejection: { reason: 'REFUND_EXCEEDS_BALANCE' },
    })
    await pass(day)
  }
  bank.answers = { REFUND: { type: 'RETURNED', returnId: 'D0000000020261123120000000000001' } }
  await pass(day)
  t.match(charge(), {
    status: 'PARTIALLY_REFUNDED',
    reversals: { refunds: [{ status: 'COMPLETED', returnId: 'D0000000020261123120000000000001' }] },
  })
  t.match(balances(), { available: 3_901n, blocked: 0n, payer: -4_000n })
  t.strictSame(typesOf(hear()), ['payment.refunded'])
})

t.test('a refund of ours of which the bank says another amount is for a person', async (t) => {
  const { world, bank, id, endToEndId, charge } = await paidShop()
  bank.answers = { REFUND: { type: 'PENDING', asksAgainInMs: null } }
  const { reversals } = await world.accepted({ ...aRefund(id, 6_000), ...live })
  const ours = { id: atBank(reversals.refunds[0]!.id) }
  t.match(await world.execute(aReturn(endToEndId, ours)), { rejection: { reason: 'AMOUNT_MISMATCH' } })
  t.match(charge(), { status: 'APPROVED', reversals: { refunds: [{ status: 'PROCESSING' }] } })
  await world.execute(aReturn(endToEndId, { ...ours, amountCents: toCents(6_000) }))
  t.match(charge(), { status: 'PARTIALLY_REFUNDED' })
})

t.test('what the bank refuses is free again, and says why', async (t) => {
  const { world, bank, id, charge, balances } = await paidShop()
  bank.answers = { REFUND: isRefused('conta encerrada') }
  await world.accepted({ ...aRefund(id, 5_000), ...live })
  t.match(charge(), {
    status: 'APPROVED',
    reversals: {
      refunds: [
        { status: 'FAILED', failureReason: 'REFUSED_BY_PROVIDER', failureMessage: 'conta encerrada' },
      ],
    },
  })
  t.match(balances(), { available: 9_901n, blocked: 0n })
})

t.test('the report of a refund of ours decides it before its answer, once', async (t) => {
  for (const status of ['DONE', 'NOT_DONE'] as const) {
    const { world, bank, id, endToEndId, charge, balances, sum, pass, hear } = await paidShop()
    bank.answers = { REFUND: silence }
    const command = { ...aRefund(id, 4_000), ...live }
    await world.accepted(command)
    const report = aReturn(endToEndId, { id: atBank(command.refundId), status, reason: 'sem saldo' })
    await world.execute(aReturn(endToEndId, { id: atBank(command.refundId), status: 'PROCESSING' }))
    t.match(charge().reversals.refunds, [{ status: 'PROCESSING' }])
    await world.execute(report)
    bank.answers = { REFUND: { type: 'RETURNED', returnId: 'D2' } }
    for (let n = 0; n < 3; n++) await world.execute(report)
    await pass(day)
    t.equal(charge().reversals.refunds.length, 1)
    t.match(charge().reversals.refunds, [
      status === 'DONE'
        ? { status: 'COMPLETED', origin: 'API' }
        : { status: 'FAILED', failureMessage: 'sem saldo' },
    ])
    t.equal(balances().available, status === 'DONE' ? 5_901n : 9_901n)
    t.equal(balances().blocked, 0n)
    t.equal(sum(), 0n)
    t.equal(typesOf(hear()).length, 1)
  }
})

t.test('what was given back in the bank’s app is a refund, once', async (t) => {
  const { world, endToEndId, charge, balances, sum, hear } = await paidShop()
  await world.execute(aReturn(endToEndId, { status: 'PROCESSING', returnId: null }))
  t.strictSame(charge().reversals.refunds, [], 'nothing has gone yet')
  for (let n = 0; n < 3; n++) await world.execute(aReturn(endToEndId, { reason: 'a pedido' }))
  t.match(charge(), {
    status: 'PARTIALLY_REFUNDED',
    reversals: {
      refunds: [
        {
          origin: 'BANK',
          status: 'COMPLETED',
          amountCents: 4_000,
          reason: 'a pedido',
          returnId: 'D0000000020261120120000000000007',
        },
      ],
    },
  })
  t.match(balances(), { available: 5_901n, blocked: 0n, payer: -6_000n })
  t.equal(sum(), 0n)
  t.equal(refundableCents(charge(), world.now()), 6_000)
  const events = hear()
  t.strictSame(typesOf(events), ['payment.refunded'])
  t.match(dataOf(events[0]), { refund: { origin: 'BANK', amount: '4000' } })
  await world.execute(aReturn(endToEndId, { id: 'app8', amountCents: toCents(6_000) }))
  t.equal(charge().status, 'REFUNDED')
  t.match(await world.execute(aReturn(endToEndId, { id: 'app9', amountCents: toCents(1) })), {
    rejection: { reason: 'REFUND_EXCEEDS_BALANCE', refundableCents: 0 },
  })
})

t.test('a balance that was spent goes below zero for what the bank has given back', async (t) => {
  const { world, endToEndId, balances, bank, id } = await paidShop()
  bank.answers = { REFUND: silence }
  await world.accepted({ ...aRefund(id, 9_000), ...live })
  await world.execute(aReturn(endToEndId))
  t.match(balances(), { available: -3_099n, blocked: 9_000n })
})

t.test('a MED that was never reported is opened and accepted by its return, in one step', async (t) => {
  for (const [nature, reason] of [
    ['MED_FRAUD', 'FRAUD'],
    ['MED_OPERATIONAL', 'OPERATIONAL_FAILURE'],
    ['MED_PIX_AUTOMATICO', 'FRAUD'],
  ] as const) {
    const { world, endToEndId, charge, balances, sum, hear } = await paidShop()
    for (let n = 0; n < 2; n++) await world.execute(aReturn(endToEndId, { nature }))
    t.match(charge(), {
      status: 'PARTIALLY_REFUNDED',
      reversals: {
        meds: [{ status: 'CLOSED', result: 'ACCEPTED', reason, amountCents: 4_000, returnedCents: 4_000 }],
        refunds: [{ origin: 'MED', status: 'COMPLETED' }],
      },
    })
    t.equal(charge().reversals.meds.length, 1)
    t.match(balances(), { available: 5_901n, blocked: 0n, payer: -6_000n })
    t.equal(sum(), 0n)
    t.equal(world.memory.find('account', live.accountId)!.state.shortMeds, undefined)
    t.strictSame(typesOf(hear()), ['pix.med_opened', 'pix.med_closed', 'payment.refunded'])
  }
})

t.test('a MED at a bank is closed by the bank alone', async (t) => {
  const { world, endToEndId, charge, balances, pass, sum } = await paidShop()
  for (let n = 0; n < 2; n++) await world.execute(aReport(endToEndId, 'OPEN'))
  t.match(charge().reversals.meds, [{ status: 'OPEN', blockedCents: 9_901 }])
  t.equal(charge().reversals.meds.length, 1)
  await pass(30 * day)
  t.match(charge().reversals.meds, [{ status: 'OPEN' }], 'the clock accepts nothing')
  await world.execute(aReport(endToEndId, 'ACCEPTED'))
  t.match(charge().reversals.meds, [{ status: 'OPEN' }], 'no money has gone yet')
  for (let n = 0; n < 2; n++)
    await world.execute(aReturn(endToEndId, { nature: 'MED_FRAUD', amountCents: toCents(10_000) }))
  t.match(charge(), {
    status: 'REFUNDED',
    reversals: {
      meds: [{ status: 'CLOSED', result: 'ACCEPTED', returnedCents: 10_000 }],
      refunds: [{ origin: 'MED' }],
    },
  })
  t.equal(charge().reversals.refunds.length, 1)
  t.match(balances(), { available: -99n, blocked: 0n, payer: 0n, fees: 99n })
  t.equal(sum(), 0n)
  t.equal(world.memory.find('account', live.accountId)!.state.shortMeds, undefined)
})

t.test('a MED that the bank rejects lets the money go', async (t) => {
  const { world, endToEndId, charge, balances } = await paidShop()
  await world.execute(aReport(endToEndId, 'OPEN'))
  for (let n = 0; n < 2; n++) await world.execute(aReport(endToEndId, 'REJECTED'))
  t.match(charge(), {
    status: 'APPROVED',
    reversals: { meds: [{ status: 'CLOSED', result: 'REJECTED', returnedCents: 0 }] },
  })
  t.match(balances(), { available: 9_901n, blocked: 0n })
  await world.execute(aReport(endToEndId, 'OPEN'))
  t.equal(charge().reversals.meds.length, 1, 'what comes too late opens nothing')
})

t.test('a MED that the bank accepts and returns nothing of lets the money go', async (t) => {
  const { world, endToEndId, charge, balances } = await paidShop()
  await world.execute(aReport(endToEndId, 'OPEN'))
  await world.execute(aReport(endToEndId, 'ACCEPTED'))
  await world.execute(aReport(endToEndId, 'ACCEPTED', true))
  t.match(charge().reversals.meds, [{ status: 'OPEN' }], 'its return closes it')
  t.match(balances(), { available: 0n, blocked: 9_901n })
  await world.execute(aReport(endToEndId, 'ACCEPTED', false))
  t.match(charge(), {
    status: 'APPROVED',
    reversals: { meds: [{ status: 'CLOSED', result: 'ACCEPTED', returnedCents: 0 }], refunds: [] },
  })
  t.match(balances(), { available: 9_901n, blocked: 0n })
})

t.test('money on its way back that a person sends in the bank’s app is back', async (t) => {
  const { world, bank, id, charge, received, balances, pass, sum } = await paidShop()
  bank.answers = { REGISTER: registered, RETURN: isRefused('não') }
  const second = anArrival(charge(), aPixAtBank())
  await world.execute(second)
  t.equal(balances().suspense, 10_000n)
  t.match(await world.execute(aReturn(second.endToEndId, { amountCents: toCents(10_001) })), {
    rejection: { reason: 'AMOUNT_MISMATCH' },
  })
  await world.execute(aReturn(second.endToEndId, { amountCents: toCents(10_000) }))
  t.equal(balances().suspense, 0n)
  t.match(
    received().find(({ returnReason }) => returnReason !== null),
    { returning: 'RETURNED' },
  )
  const { length } = bank.asked
  await pass(5 * day)
  t.equal(bank.asked.length, length, 'nothing is sent a second time')
  t.equal(world.transaction(id).status, 'APPROVED')
  t.equal(sum(), 0n)
})

t.test('what is left is sent back, when a part of money on its way back has gone without us', async (t) => {
  const { world, bank, charge, balances, pass, sum } = await paidShop()
  bank.answers = { REGISTER: registered, RETURN: isRefused('valor acima do saldo a devolver') }
  const second = anArrival(charge(), aPixAtBank())
  await world.execute(second)
  const parts = [
    { id: 'app7', amountCents: toCents(3_000) },
    { id: 'med8', amountCents: toCents(1_000), nature: 'MED_FRAUD' },
  ] as const
  for (const part of [...parts, ...parts]) await world.execute(aReturn(second.endToEndId, part))
  t.equal(balances().suspense, 6_000n, 'each part is booked once')
  t.match(await world.execute(aReturn(second.endToEndId, { id: 'app9', amountCents: toCents(6_001) })), {
    rejection: { reason: 'AMOUNT_MISMATCH', payableCents: 6_000 },
  })
  t.match(charge().reversals.meds, [], 'a MED of money that was not kept contests nothing')
  bank.answers = { RETURN: { type: 'RETURNED', returnId: null } }
  await pass(day)
  t.match(
    bank.asked.at(-1),
    { operation: 'RETURN', amountCents: 6_000 },
    'the next attempt is about the rest',
  )
  t.match(charge().reversals.returns, [{ status: 'RETURNED', parts: [{ bankReturnId: 'app7' }, {}] }])
  t.equal(balances().suspense, 0n)
  for (const part of parts) await world.execute(aReturn(second.endToEndId, part))
  t.equal(balances().suspense, 0n)
  t.equal(sum(), 0n)
})

t.test('people hear of what is left, where the bank refuses the rest on all of its days', async (t) => {
  const { world, bank, charge, balances, pass } = await paidShop()
  bank.answers = { REGISTER: registered, RETURN: isRefused('não') }
  const second = anArrival(charge(), aPixAtBank())
  await world.execute(second)
  await world.execute(aReturn(second.endToEndId, { amountCents: toCents(3_000) }))
  for (let n = 0; n < 4; n++) await pass(day)
  t.equal(balances().suspense, 7_000n)
  const notices = world.memory.list(live.accountId, 'notice', { offset: 0, limit: 9 }).states
  t.match(
    notices.filter(({ kind }) => kind === 'RETURN_FAILED'),
    [{ details: { amount: '7000' } }],
  )
})

t.test('money on its way back may go in parts, the last of which ends it', async (t) => {
  const { world, bank, charge, received, balances, pass } = await paidShop()
  bank.answers = { REGISTER: registered, RETURN: silence }
  const second = anArrival(charge(), aPixAtBank())
  await world.execute(second)
  for (const id of ['app7', 'app8'])
    await world.execute(aReturn(second.endToEndId, { id, amountCents: toCents(5_000) }))
  t.match(charge(), { calls: [], reversals: { returns: [{ status: 'RETURNED' }] } })
  t.match(received().at(-1) ?? received()[0], { returning: 'RETURNED' })
  t.equal(balances().suspense, 0n)
  const { length } = bank.asked
  await pass(5 * day)
  t.equal(bank.asked.length, length)
})

t.test('a return of a PIX that is not known is reported once more, later', async (t) => {
  const { world } = await paidShop()
  t.match(await world.execute(aReturn(aPixAtBank().endToEndId)), { rejection: { reason: 'NOT_FOUND' } })
})

/** A shop whose charge is contested, at a bank that takes so much. */
const contestedShop = async (...offers: readonly ('DEFEND_MED' | 'CONTEST_MED')[]) => {
  const shop = await paidShop()
  await shop.world.execute(aConnect({ offers: ['REFUND', ...offers], revision: 2 }))
  await shop.world.execute(aReport(shop.endToEndId, 'OPEN'))
  const reversalId = shop.charge().reversals.meds[0]!.id
  const stated = { ...live, reversalId, text: 'entregue em 19/11', files: [] } as const
  return { ...shop, stated, med: () => shop.charge().reversals.meds[0]! }
}

t.test('a defence goes to the bank, is repeated until it is taken, and is said once', async (t) => {
  const { world, bank, stated, charge, med, pass } = await contestedShop('DEFEND_MED')
  const { version } = charge()
  await world.execute({ type: 'DefendMed', ...stated })
  t.equal(charge().version, version + 2 + 1, 'the silence is a version, too')
  t.match(bank.asked.at(-1), {
    operation: 'DEFEND_MED',
    connectionId: aConnect().connection.connectionId,
    defense: { medId: 'infraction-1', text: stated.text },
  })
  t.match(await world.execute({ type: 'DefendMed', ...stated }), {
    rejection: { reason: 'ALREADY_DEFENDED' },
  })
  bank.answers = { DEFEND_MED: { type: 'DONE', evidence: null } }
  await pass(10_000)
  t.match(charge(), { calls: [] })
  t.match(med(), { status: 'OPEN', defense: { text: stated.text } })
  const { length } = bank.asked
  await pass(day)
  t.equal(bank.asked.length, length)
})

t.test('a defence that the bank refuses says why, and can be said otherwise', async (t) => {
  const { world, bank, stated, charge, med } = await contestedShop('DEFEND_MED')
  bank.answers = { DEFEND_MED: isRefused('prazo encerrado') }
  await world.execute({ type: 'DefendMed', ...stated })
  t.match(charge(), { calls: [] })
  t.match(med(), { status: 'OPEN', defense: undefined, defenseRefusal: 'prazo encerrado' })
  bank.answers = { DEFEND_MED: { type: 'DONE', evidence: null } }
  t.match(await world.execute({ type: 'DefendMed', ...stated, text: 'outra' }), { accepted: true })
  t.match(med(), { defense: { text: 'outra' } })
})

t.test('what a bank would never hear is refused in words, and nothing is stored', async (t) => {
  const file = { name: 'a.pdf', mediaType: 'application/pdf', base64: 'AA==' } as const
  const refusalOf = async (shop: Awaited<ReturnType<typeof contestedShop>>, command: Command) => {
    const before = shop.charge()
    const reply = await shop.world.execute(command)
    t.equal(shop.charge(), before)
    return reply
  }
  const deaf = await contestedShop()
  const notOffered = (offer: string) => ({ rejection: { reason: 'NOT_OFFERED', rail: 'PIX', offer } })
  t.match(await refusalOf(deaf, { type: 'DefendMed', ...deaf.stated }), notOffered('DEFEND_MED'))
  const text = await contestedShop('DEFEND_MED')
  t.match(
    await refusalOf(text, { type: 'DefendMed', ...text.stated, files: [file] }),
    notOffered('MED_FILES'),
  )
  await text.world.execute(
    aReturn(text.endToEndId, { nature: 'MED_FRAUD', amountCents: toCents(10_000), id: 'med1' }),
  )
  t.match(text.med(), { status: 'CLOSED', result: 'ACCEPTED' })
  t.match(await refusalOf(text, { type: 'ContestMed', ...text.stated }), notOffered('CONTEST_MED'))
})
