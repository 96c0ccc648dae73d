import t from 'tap'
import type { RailConnection } from '../../../engine/connections/rail-connection.ts'
import { ledgerSum } from '../../../engine/ledger/postings.ts'
import { owedBy } from '../../../engine/marketplace/owed.ts'
import type { PayoutRequest } from '../../../engine/marketplace/payout-request.ts'
import type { SplitTransfer } from '../../../engine/marketplace/split-transfer.ts'
import { pixOf } from '../../../engine/payments/methods/pix/pix.ts'
import type { SentMoney, TransferAnswer } from '../../../engine/payments/sent-money.ts'
import { reconciliationIdOf } from '../../../engine/reconciliation/reconciliation.ts'
import { addDays, dateIn } from '../../../engine/shared/calendar.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { aConnect, connectionIdOf, laterIn, live, liveAccount, openLive } from '../connections/live.ts'
import { ana, bia } from '../money-out/transfer-story.ts'
import { longStanding } from '../standing.ts'
import { aCharge, institution, newWorld } from '../world.ts'
import { aRecipient, aRule, percent } from './fixtures.ts'

/** Payouts to recipients in Production, by the connections of their account (rails, section 2.8). */
const payOutRails = { rails: ['PIX', 'PAYOUT'], offers: ['REFUND', 'PIX'] } as const
const first = connectionIdOf(1)
const second = connectionIdOf(2)
const fallback = {
  ...payOutRails,
  connectionId: second,
  role: 'FALLBACK',
  provider: 'other-bank',
} as const

type Bank = (request: PayoutRequest) => TransferAnswer

const silent: Bank = () => ({ type: 'SILENT' })
const paid: Bank = () => ({ type: 'DONE', endToEndId: `E${'1'.repeat(31)}` })
const refused: Bank = () => ({ type: 'REFUSED', code: 'AC03' })

/** A shop in Production with a recipient of 80 %, whose first payment of R$ 100.00 is made by `sell`. */
const begin = async (...connections: readonly Partial<RailConnection>[]) => {
  const requests: PayoutRequest[] = []
  let bank: Bank = silent
  const unreachable = new Set<string | null>()
  const world = newWorld(
    async () => ({
      type: 'REGISTERED',
      copyPaste: null,
      location: 'bank.example/qr/1',
      createdAtMs: world.now(),
    }),
    async (request) => {
      requests.push(request)
      return bank(request) as never
    },
    [],
    { ...institution, unreachableSeconds: (_, __, id) => (unreachable.has(id) ? 15 : null) },
  )
  await world.open()
  await openLive(world)
  for (const change of [...connections, { connectionId: connectionIdOf(3) }])
    await world.execute(aConnect(change))
  const seller = { ...aRecipient(), ...live }
  await world.execute(seller)
  const rule = { ...aRule(percent(seller.recipientId, 8000), percent(null, 2000)), ...live }
  await world.execute(rule)
  let paidSoFar = 0
  const sell = async () => {
    const charge = aCharge({ ...live, amountCents: toCents(10_000), splitRuleId: rule.ruleId })
    await world.execute(charge)
    await world.settle()
    const txid = pixOf(world.memory.find('transaction', charge.transactionId)!.state)!.txid!
    await world.execute({
      type: 'ReceivePixAtBank',
      ...live,
      txid,
      endToEndId: `E${String(++paidSoFar).padStart(31, '0')}`,
      amountCents: toCents(10_000),
      componentsCents: null,
      paidAtMs: world.now(),
      payer: null,
    })
    await world.settle()
    return charge.transactionId
  }
  const all = (): readonly SplitTransfer[] =>
    world.memory.list(liveAccount, 'splitTransfer', { offset: 0, limit: 99 }).states
  const transfer = (): SplitTransfer => all().at(-1)!
  const recipient = () => world.memory.find('recipient', seller.recipientId)!.state
  const balances = () => world.memory.find('account', liveAccount)!.state.balances
  const later = laterIn(world)
  const report = (
    state: SentMoney['state'],
    change: Partial<SentMoney> = {},
    { callNumber = 1, connectionId = first } = {},
  ) =>
    world.execute({
      type: 'ReportSplitPayOut',
      ...live,
      splitTransferId: transfer().id,
      callNumber,
      connectionId,
      payOut: { state, amountCents: toCents(8_000), railId: null, code: null, returns: [], ...change },
    })
  const change = (n: number, state: RailConnection['state'], revision: number) =>
    world.execute({ type: 'ChangeRail', ...live, connectionId: connectionIdOf(n), state, revision })
  const facts = () => world.told.flatMap(({ steps }) => steps.map(({ event }) => event))
  /** Whatever holds at every moment. */
  const problems = (): readonly string[] => {
    const transactions = world.memory.list(liveAccount, 'transaction', { offset: 0, limit: 99 }).states
    const owed = owedBy(all(), transactions)
    const { balanceCents, pendingCents } = owed.get(seller.recipientId)!
    const found = recipient()
    return [
      ledgerSum(balances()) === 0n ? '' : 'the ledger',
      balances().paidOut === owed.paidOutCents ? '' : `paid out ${balances().paidOut}`,
      balances().recipients === BigInt(found.balanceCents) ? '' : `owed ${balances().recipients}`,
      found.balanceCents === balanceCents ? '' : `balance ${found.balanceCents}, counted ${balanceCents}`,
      found.pendingCents === pendingCents ? '' : `pending ${found.pendingCents}, counted ${pendingCents}`,
    ].filter(Boolean)
  }
  const answers = (next: Bank) => {
    bank = next
  }
  return {
    ...{ world, requests, unreachable, answers, sell, transfer, recipient, balances, later, report, change },
    facts,
    problems,
  }
}

const back = (id: string, cents: number) => ({ id, amountCents: toCents(cents), atMs: 1 })

t.test('its connection and why it was chosen are in the entry of the intent, and stay', async (t) => {
  const { sell, answers, requests, transfer, world, balances, problems } = await begin(payOutRails)
  answers(paid)
  await sell()
  const entry = world.told.find(({ steps }) => steps.some(({ event }) => event.type === 'TransferSent'))!
  t.match(
    entry.steps.map(({ event }) => event).filter(({ actor }) => actor === 'splitTransfer'),
    [
      { type: 'TransferCreated' },
      { type: 'TransferScheduled' },
      { type: 'RouteChosen', route: { connectionId: first, providerId: 'made-up-bank', reason: 'PRIMARY' } },
      { type: 'TransferSent' },
    ],
  )
  t.match(requests, [{ connectionId: first, providerId: 'made-up-bank', amountCents: 8_000, asked: 0 }])
  t.match(transfer(), { status: 'COMPLETED', railId: `E${'1'.repeat(31)}` })
  t.match(balances(), { paidOut: 8_000n })
  t.strictSame(problems(), [])
})

t.test(
  'a bank that says nothing has the same call repeated by the same connection, though another one is primary by then',
  async (t) => {
    const { sell, answers, requests, transfer, later, change, unreachable, problems } = await begin(
      payOutRails,
      fallback,
    )
    await sell()
    await change(1, 'SUSPENDED', 2)
    unreachable.add(first)
    for (const ms of [6_000, 16_000, 61_000]) await later(ms)
    t.equal(requests.length, 4)
    t.equal(new Set(requests.map((one) => `${one.connectionId} ${one.reference}`)).size, 1)
    answers(() => ({ type: 'PENDING', endToEndId: `E${'3'.repeat(31)}` }))
    await later(181_000)
    t.match(transfer(), { status: 'PROCESSING', railId: `E${'3'.repeat(31)}` })
    answers(paid)
    await later(601_000)
    t.match(transfer(), { status: 'COMPLETED', route: { connectionId: first } })
    t.strictSame(problems(), [])
  },
)

t.test(
  'what the bank has refused is sent under a new reference, by the connection of that day',
  async (t) => {
    const { sell, answers, requests, transfer, later, change, problems } = await begin(payOutRails, fallback)
    answers(refused)
    await sell()
    t.match(transfer(), { status: 'FAILED', failures: 1 })
    await change(1, 'SUSPENDED', 2)
    answers(paid)
    await later(4 * 86_400_000)
    t.match(transfer(), { status: 'COMPLETED', route: { connectionId: second, reason: 'FALLBACK' } })
    t.match(requests, [{ connectionId: first }, { connectionId: second }])
    t.not(requests[0]!.reference, requests[1]!.reference)
    t.strictSame(problems(), [])
  },
)

t.test('while the primary one answers nothing what is new goes by the fallback', async (t) => {
  const { sell, requests, unreachable, transfer } = await begin(payOutRails, fallback)
  unreachable.add(first)
  await sell()
  t.match(requests, [{ connectionId: second, providerId: 'other-bank' }])
  t.match(transfer(), { route: { reason: 'PRIMARY_SILENT' } })
})

t.test('26: while the only connection is suspended they wait, and go once it is active', async (t) => {
  const { sell, answers, requests, transfer, later, change, problems } = await begin(payOutRails)
  answers(paid)
  await change(1, 'SUSPENDED', 2)
  await sell()
  t.match(transfer(), { status: 'SCHEDULED' })
  await later(86_400_000)
  t.match(transfer(), { status: 'SCHEDULED' })
  t.equal(requests.length, 0)
  await change(1, 'ACTIVE', 3)
  await later(11 * 60_000)
  t.match(transfer(), { status: 'COMPLETED' })
  t.equal(requests.length, 1)
  t.strictSame(problems(), [])
})

t.test('without a connection they wait ever longer, so that many that wait write little', async (t) => {
  const { sell, facts, later, world, transfer, answers } = await begin()
  await sell()
  for (let day = 0; day < 10; day++) await later(86_400_000)
  const waits = facts().filter(({ type }) => type === 'TransferWaiting')
  t.ok(waits.length < 25, `${waits.length} in ten days`)
  answers(paid)
  await world.execute(aConnect(payOutRails))
  await later(86_400_000)
  t.match(transfer(), { status: 'COMPLETED' })
})

t.test('what the bank takes for it the company pays, on a line of its own', async (t) => {
  const { sell, answers, balances, recipient, problems, facts, transfer } = await begin(payOutRails)
  answers(() => ({ type: 'DONE', endToEndId: null, tariffCents: toCents(85) }))
  await sell()
  t.match(recipient(), { balanceCents: 0, pendingCents: 0 })
  t.match(balances(), { paidOut: 8_000n })
  t.match(transfer(), { tariffCents: 85 })
  const lines = facts().flatMap((event) => (event.type === 'StatementWritten' ? [event.line] : []))
  t.match(
    lines.filter(({ objectId }) => objectId === transfer().id),
    [{ type: 'FEE', cents: -85 }],
  )
  t.strictSame(problems(), [])
})

t.test('R11: what had arrived comes back, in parts, each once, and is owed to the recipient', async (t) => {
  const { world, sell, answers, balances, recipient, report, problems, transfer, later, requests } =
    await begin(payOutRails)
  answers(paid)
  await sell()
  const part = back('D1', 2_000)
  for (let n = 0; n < 3; n++) await report('DONE', { returns: [part, part] })
  t.match(recipient(), { balanceCents: 2_000, pendingCents: 0 })
  // A list from before the second return, and one after it, in the wrong order.
  await report('RETURNED', { returns: [part, back('D2', 6_000)] })
  await report('DONE', { returns: [part] })
  t.match(recipient(), { balanceCents: 8_000, pendingCents: 0 })
  t.match(balances(), { paidOut: 0n, recipients: 8_000n })
  t.match(await report('RETURNED', { returns: [part, back('D3', 1)] }), { accepted: false })
  t.match(transfer(), { status: 'COMPLETED', returns: [part, { id: 'D2' }] })
  t.match(
    world.memory
      .list(liveAccount, 'notice', { offset: 0, limit: 9 })
      .states.filter(({ kind }) => kind === 'PAYOUT_RETURNED')
      .map(({ details }) => details.amount)
      .sort(),
    ['2000', '6000'],
  )
  t.strictSame(problems(), [])
  await later(10 * 86_400_000)
  t.equal(requests.length, 1, 'it is not sent once more by itself')
})

/** A payout whose answer is lost, and that two people say was not sent. */
const declaredUnsent = async () => {
  const begun = await begin(payOutRails)
  const { sell, answers, later, transfer, world } = begun
  await sell()
  answers(() => ({ type: 'SILENT', isLost: true }))
  await later(6_000)
  const openedAtMs = transfer().call!.openedAtMs
  const empty = { count: 0, amountCents: toCents(0), returnedCents: toCents(0) }
  const declare = (by: typeof ana) =>
    world.execute({
      type: 'DeclarePayout',
      ...live,
      ...{ by, splitTransferId: transfer().id, outcome: 'NOT_SENT', endToEndId: null, othersCount: 0 },
      ...{ reason: 'nothing there', standing: longStanding },
    })
  t.match(await declare(ana), { rejection: { reason: 'NOT_BORNE_OUT', why: 'NO_STATEMENT' } })
  for (const days of [0, 1]) {
    const date = addDays(dateIn('America/Sao_Paulo', openedAtMs), days)
    await world.execute({
      type: 'RecordComparedDay',
      ...live,
      reconciliationId: reconciliationIdOf(liveAccount, first, date),
      compared: {
        ...{ connectionId: first, providerId: 'made-up-bank', date, bank: empty, ours: empty },
        ...{ statement: empty, differences: [], differencesCount: 0, differenceCents: toCents(0) },
      },
      third: { source: 'BANK', digest: null, tariffCents: toCents(0), termsCents: null, othersCount: 0 },
    })
  }
  await declare(ana)
  t.match(transfer(), { status: 'PROCESSING', declared: { by: ana } })
  await declare(bia)
  t.match(transfer(), { status: 'FAILED', failureReason: 'NOT_SENT', unsentCalls: [1] })
  t.strictSame(begun.problems(), [])
  return begun
}

t.test('a lost payout that people say was not sent is sent on the next business day', async (t) => {
  const { answers, later, requests, transfer, balances, problems } = await declaredUnsent()
  answers(paid)
  await later(4 * 86_400_000)
  t.match(transfer(), { status: 'COMPLETED', failureReason: null })
  t.strictSame(new Set(requests.map(({ reference }) => reference.split('.')[1])), new Set(['1', '2']))
  t.equal(balances().paidOut, 8_000n)
  t.strictSame(problems(), [])
})

t.test('it had been sent after all: it is not sent once more, and booked once', async (t) => {
  const { later, requests, transfer, report, recipient, problems } = await declaredUnsent()
  const railId = `E${'6'.repeat(31)}`
  for (let n = 0; n < 2; n++) await report('DONE', { railId })
  t.match(transfer(), { status: 'COMPLETED', railId, failureReason: null })
  t.match(recipient(), { balanceCents: 0, pendingCents: 0 })
  await later(4 * 86_400_000)
  t.equal(new Set(requests.map(({ reference }) => reference)).size, 1)
  t.strictSame(problems(), [])
})

t.test('it had been sent, and the second time too: the recipient owes it', async (t) => {
  const { answers, later, transfer, report, recipient, balances, problems } = await declaredUnsent()
  answers(paid)
  await later(4 * 86_400_000)
  for (let n = 0; n < 2; n++) await report('DONE', { railId: `E${'6'.repeat(31)}` })
  t.match(transfer(), { status: 'COMPLETED', besidesCents: 8_000 })
  t.match(recipient(), { balanceCents: -8_000, pendingCents: 0 })
  t.equal(balances().paidOut, 16_000n)
  t.strictSame(problems(), [])
})

t.test('it had been sent, as is known while the second time is open: that is the last', async (t) => {
  const { answers, later, transfer, report, recipient, requests, problems } = await declaredUnsent()
  answers(silent)
  await later(4 * 86_400_000)
  await report('DONE', { railId: `E${'6'.repeat(31)}` })
  t.strictSame(problems(), [])
  answers(refused)
  await later(7 * 3_600_000)
  t.match(transfer(), { status: 'FAILED', retryAtMs: null })
  t.match(recipient(), { balanceCents: 0, pendingCents: 0 })
  t.strictSame(problems(), [])
  await later(4 * 86_400_000)
  t.equal(new Set(requests.map(({ reference }) => reference)).size, 2)
})

t.test('R11: a return that overtakes the answer finds a transfer that has arrived', async (t) => {
  const { sell, answers, recipient, report, later, requests, transfer, problems } = await begin(payOutRails)
  await sell()
  await report('RETURNED', { railId: `E${'2'.repeat(31)}`, returns: [back('D1', 8_000)] })
  t.match(transfer(), { status: 'COMPLETED', call: null, railId: `E${'2'.repeat(31)}` })
  t.match(recipient(), { balanceCents: 8_000, pendingCents: 0 })
  answers(paid)
  await later(6_000)
  t.equal(requests.length, 1, 'the call is over')
  t.strictSame(problems(), [])
})

t.test(
  'R11: an inquiry that finds what has come back completes it; the return is booked by its own id',
  async (t) => {
    const { sell, answers, recipient, report, transfer, problems } = await begin(payOutRails)
    answers(() => ({ type: 'UNDONE', hadArrived: true }))
    await sell()
    t.match(transfer(), { status: 'COMPLETED' })
    t.match(recipient(), { balanceCents: 0 })
    await report('RETURNED', { returns: [back('D1', 8_000)] })
    t.match(recipient(), { balanceCents: 8_000, pendingCents: 0 })
    t.strictSame(problems(), [])
  },
)

t.test('what a bank reports against the books is refused, so that a person looks', async (t) => {
  const { sell, answers, report, transfer, problems, later } = await begin(payOutRails)
  await sell()
  t.match(await report('DONE', { amountCents: toCents(7_999) }), { accepted: false }, 'another amount')
  t.match(await report('DONE', {}, { callNumber: 2 }), { accepted: false }, 'a call that was never made')
  t.match(await report('DONE', {}, { connectionId: second }), { accepted: true }, 'another connection')
  t.match(transfer(), { status: 'PROCESSING' })
  t.match(await report('REFUSED'), { accepted: true })
  t.match(transfer(), { status: 'FAILED', failures: 1 })
  t.match(await report('DONE'), { accepted: false }, 'paid after all')
  t.match(await report('REFUSED'), { accepted: true })
  answers(paid)
  await later(4 * 86_400_000)
  t.match(transfer(), { status: 'COMPLETED', failures: 1 })
  t.match(await report('PROCESSING', {}, { callNumber: 2 }), { accepted: false })
  t.match(await report('DONE', {}, { callNumber: 2 }), { accepted: true })
  t.match(await report('DONE', {}, { callNumber: 1 }), { accepted: false }, 'the first one too')
  t.strictSame(problems(), [])
})

t.test(
  'the number that the bank has for a call is in its later requests, and in no other call',
  async (t) => {
    const { sell, answers, requests, later, facts, problems } = await begin(payOutRails)
    const bankNumber = 'b7f1e7c2-0002'
    answers(() => ({ type: 'SILENT', bankNumber }))
    await sell()
    answers(() => ({ type: 'REFUSED', code: 'AC07' }))
    await later(6_000)
    answers(paid)
    await later(4 * 86_400_000)
    t.strictSame(
      requests.map((request) => request.bankNumber),
      [null, bankNumber, null],
    )
    t.equal(facts().filter(({ type }) => type === 'TransferNumbered').length, 1)
    t.strictSame(problems(), [])
  },
)
