import t from 'tap'
import { ledgerSum } from '../../../engine/ledger/postings.ts'
import { sentBy } from '../../../engine/money-out/sent.ts'
import type { TransferId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import {
  firstConnection,
  liveTransfers,
  paidByBank,
  payOutRails,
  secondConnection,
  silentBank,
} from './live-transfers.ts'

t.test('without a connection that pays out a transfer is refused, and nothing is stored', async (t) => {
  const { send, world } = await liveTransfers({ rails: ['PIX'] })
  const before = world.told.length
  const { reply, transferId } = await send(5_000)
  t.match(reply, { accepted: false, rejection: { reason: 'PROVIDER_ABSENT', rail: 'PAYOUT' } })
  t.equal(world.memory.find('transfer', transferId), undefined)
  t.equal(world.told.length, before)
})

t.test('a TED by a bank that sends PIX alone is refused in words, and nothing is stored', async (t) => {
  const { send, world } = await liveTransfers(payOutRails)
  const { reply, transferId } = await send(5_000, 'TED')
  t.match(reply, { accepted: false, rejection: { reason: 'NOT_OFFERED', rail: 'PAYOUT', offer: 'TED' } })
  t.equal(world.memory.find('transfer', transferId), undefined)
})

t.test(
  'its connection is in the journal before the bank is asked, and its id is the bank’s own',
  async (t) => {
    const { send, answers, requests, transfer, balances, facts } = await liveTransfers(payOutRails)
    answers(paidByBank)
    const { transferId } = await send(5_000)
    const routed = facts().filter(({ type }) => type === 'MoneyOutRouted' || type === 'MoneyOutSent')
    t.match(routed, [
      { type: 'MoneyOutRouted', connectionId: firstConnection },
      { type: 'MoneyOutSent', providerId: 'made-up-bank', railId: null },
    ])
    t.match(requests, [
      { connectionId: firstConnection, providerId: 'made-up-bank', endToEndId: null, asked: 0 },
    ])
    t.match(transfer(transferId), {
      status: 'COMPLETED',
      railId: `E${'1'.repeat(31)}`,
      connectionId: firstConnection,
    })
    t.match(balances(), { blocked: 0n, paidOut: 5_000n })
  },
)

t.test(
  'a bank that says nothing has the same call repeated by the same connection, though another one is primary by then',
  async (t) => {
    const { send, answers, requests, transfer, later, change, balances, unreachable } = await liveTransfers(
      payOutRails,
      {
        ...payOutRails,
        connectionId: secondConnection,
        role: 'FALLBACK',
        provider: 'other-bank',
      },
    )
    const { transferId } = await send(5_000)
    await change(1, 'SUSPENDED', 2)
    unreachable.add(firstConnection)
    for (const ms of [6_000, 16_000, 41_000]) await later(ms)
    t.equal(requests.length, 4)
    t.strictSame(
      new Set(requests.map(({ connectionId, reference }) => `${connectionId} ${reference}`)).size,
      1,
    )
    t.match(balances(), { blocked: 5_000n, paidOut: 0n })
    answers(() => ({ type: 'PENDING', endToEndId: `E${'3'.repeat(31)}` }))
    await later(121_000)
    t.match(transfer(transferId), { status: 'PROCESSING', railId: `E${'3'.repeat(31)}` })
    answers(() => ({ type: 'REFUSED', code: 'AC07' }))
    await later(181_000)
    t.match(transfer(transferId), { status: 'FAILED', failureReason: 'ACCOUNT_CLOSED', providerCode: 'AC07' })
    t.match(balances(), { blocked: 0n, paidOut: 0n })
    await later(86_400_000)
    t.equal(requests.length, 6, 'no bank is asked for it once more')
  },
)

t.test(
  'while the primary one answers nothing, what is new goes by the fallback; without one it queues, and is not refused',
  async (t) => {
    const { send, requests, unreachable } = await liveTransfers(payOutRails, {
      ...payOutRails,
      connectionId: secondConnection,
      role: 'FALLBACK',
      provider: 'other-bank',
    })
    unreachable.add(firstConnection)
    await send(5_000)
    t.match(requests, [{ connectionId: secondConnection, providerId: 'other-bank' }])
    unreachable.add(secondConnection)
    const { reply } = await send(5_001)
    t.match(reply, { accepted: true })
    t.match(requests.at(-1), { connectionId: firstConnection })
  },
)

t.test('26: while the only connection is suspended transfers wait, and go once it is active', async (t) => {
  const { send, answers, requests, transfer, later, change, balances } = await liveTransfers(payOutRails)
  answers(paidByBank)
  await change(1, 'SUSPENDED', 2)
  const { transferId } = await send(5_000)
  t.match(transfer(transferId), { status: 'SCHEDULED' })
  await later(11 * 60_000)
  t.match(transfer(transferId), { status: 'SCHEDULED' })
  t.equal(requests.length, 0)
  await change(1, 'ACTIVE', 3)
  await later(11 * 60_000)
  t.match(transfer(transferId), { status: 'COMPLETED' })
  t.equal(requests.length, 1)
  t.match(balances(), { blocked: 0n, paidOut: 5_000n })
})

t.test('what the bank takes for it is booked as its fee, on a line of its own', async (t) => {
  const { send, answers, transfer, balances, linesOf } = await liveTransfers(payOutRails)
  const { available, fees } = balances()
  answers(() => ({ type: 'DONE', endToEndId: null, tariffCents: toCents(85) }))
  const { transferId } = await send(5_000)
  t.match(transfer(transferId), { status: 'COMPLETED', feeCents: 85 })
  t.match(balances(), { available: available - 5_085n, fees: fees + 85n, paidOut: 5_000n })
  const lines = linesOf(transferId)
  t.match(
    lines.map(({ type, cents }) => [type, cents]),
    [
      ['TRANSFER', -5_000],
      ['FEE', -85],
    ],
  )
})

t.test('R11: what had arrived comes back, in parts, each once, and never more than the amount', async (t) => {
  const { send, answers, transfer, balances, report, back, linesOf } = await liveTransfers(payOutRails)
  answers(paidByBank)
  const { transferId } = await send(5_000)
  const { available } = balances()
  const part = back('D1', 2_000)
  // Also where the bank's list has it twice.
  for (let n = 0; n < 3; n++) await report(transferId, 'DONE', { returns: [part, part] })
  t.match(balances(), { available: available + 2_000n, paidOut: 3_000n })
  // A list from before the second return, and one after it, in the wrong order.
  await report(transferId, 'RETURNED', { returns: [part, back('D2', 3_000)] })
  await report(transferId, 'DONE', { returns: [part] })
  t.match(balances(), { available: available + 5_000n, paidOut: 0n })
  t.match(await report(transferId, 'RETURNED', { returns: [part, back('D3', 1)] }), { accepted: false })
  t.match(balances(), { available: available + 5_000n, paidOut: 0n })
  const returned = transfer(transferId)
  t.match(returned, { status: 'COMPLETED', returns: [part, { id: 'D2' }] })
  t.strictSame(sentBy([returned], 'BRL'), { paidCents: 0n, feeCents: 0n, plannedCents: 0n })
  const lines = linesOf(transferId)
  t.strictSame(
    lines.map(({ type, cents }) => `${type} ${cents}`),
    ['TRANSFER -5000', 'TRANSFER 2000', 'TRANSFER 3000'],
  )
  t.equal(ledgerSum(balances()), 0n)
})

t.test('R11: a return that overtakes the answer finds a transfer that has arrived', async (t) => {
  const { send, answers, transfer, balances, report, back, later, requests } =
    await liveTransfers(payOutRails)
  const { transferId } = await send(5_000)
  const { available } = balances()
  await report(transferId, 'RETURNED', { returns: [back('D1', 5_000)] })
  t.match(transfer(transferId), { status: 'COMPLETED', call: null, railId: `E${'2'.repeat(31)}` })
  t.match(balances(), { available: available + 5_000n, blocked: 0n, paidOut: 0n })
  answers(paidByBank)
  await later(6_000)
  t.equal(requests.length, 1, 'the call is over')
  t.match(balances(), { available: available + 5_000n, blocked: 0n, paidOut: 0n })
})

t.test(
  'R11: an inquiry that finds what has come back already completes it; the return is booked by its own id',
  async (t) => {
    const { send, answers, transfer, balances, report, back } = await liveTransfers(payOutRails)
    const { available } = balances()
    answers(() => ({ type: 'UNDONE', hadArrived: true }))
    const { transferId } = await send(5_000)
    t.match(transfer(transferId), { status: 'COMPLETED' })
    await report(transferId, 'RETURNED', { returns: [back('D1', 5_000)] })
    t.match(balances(), { available, blocked: 0n, paidOut: 0n })
  },
)

t.test('what a bank reports against the books is refused, so that a person looks', async (t) => {
  const { send, answers, transfer, balances, report, change } = await liveTransfers(payOutRails)
  answers(() => ({ type: 'REFUSED', code: null }))
  const { transferId: failed } = await send(5_000)
  t.match(await report(failed, 'DONE'), { accepted: false }, 'paid after all')
  t.match(await report(failed, 'REFUSED'), { accepted: true })
  answers(silentBank)
  const { transferId } = await send(5_000)
  t.match(
    await report(transferId, 'DONE', { amountCents: toCents(4_000) }),
    { accepted: false },
    'another amount',
  )
  t.match(transfer(transferId), { status: 'PROCESSING' })
  t.match(
    await report(transferId, 'DONE', {}, secondConnection),
    { accepted: true },
    'another connection says nothing of it',
  )
  t.match(transfer(transferId), { status: 'PROCESSING' })
  t.match(await report(`trf_${'9'.repeat(26)}` as TransferId, 'DONE'), {
    rejection: { reason: 'NOT_FOUND', resource: 'transfer' },
  })
  await change(1, 'RETIRED', 2)
  t.match(await report(transferId, 'REFUSED', { code: 'NAO_REALIZADO' }), { accepted: true })
  t.match(transfer(transferId), { status: 'FAILED', providerCode: 'NAO_REALIZADO' })
  t.match(await report(transferId, 'PROCESSING'), { accepted: false })
  t.match(balances(), { blocked: 0n, paidOut: 0n })
})

t.test('the number that the bank has for it is in the journal once, and in each later request', async (t) => {
  const { send, answers, requests, transfer, later, facts } = await liveTransfers(payOutRails)
  const bankNumber = 'b7f1e7c2-0001'
  answers(() => ({ type: 'SILENT', bankNumber }))
  const { transferId } = await send(5_000)
  answers(() => ({ type: 'PENDING', endToEndId: `E${'3'.repeat(31)}`, bankNumber }))
  for (const ms of [6_000, 16_000]) await later(ms)
  t.match(transfer(transferId), { status: 'PROCESSING', call: { bankNumber } })
  t.strictSame(
    requests.map((request) => request.bankNumber),
    [null, bankNumber, bankNumber],
  )
  t.match(
    facts().filter(({ type }) => type === 'MoneyOutNumbered'),
    [{ callId: `${transferId}.1`, bankNumber }],
  )
})
