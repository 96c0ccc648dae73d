import t from 'tap'
import type { ReadNotices } from '../../../engine/notices/commands.ts'
import { type NoticeKind, noticeKinds } from '../../../engine/notices/notice.ts'
import type { ListNotices, ReadableNotice } from '../../../engine/notices/queries.ts'
import type { NoticeId, PersonId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { asks, happened } from '../billing/catalog.ts'
import { aChargeback, aDefense } from '../payments/card/commands.ts'
import { anAnswer, aTicket } from '../support/tickets.ts'
import { aCardPayment, aCharge, account, aPayment, opened, ours, refusalOf, type World } from '../world.ts'

const [ana, bia] = ['per_a', 'per_b'] as PersonId[] as [PersonId, PersonId]
const kinds = Object.keys(noticeKinds).filter((kind) => kind !== 'NEW_SIGN_IN') as NoticeKind[]
const day = 86_400_000

const listed = async (
  world: World,
  change: Partial<ListNotices> = {},
): Promise<readonly ReadableNotice[]> => {
  const page = { page: 1, pageSize: 100, asOf: null, from: null, to: null }
  const query = { type: 'ListNotices', accountId: account, ...page, personId: ana, kinds } as const
  const { rows, total } = await asks(world, { ...query, isUnreadOnly: false, ...change })
  if (rows.length !== total) throw new Error('all are on the page')
  return rows
}
const kindsIn = async (world: World, change: Partial<ListNotices> = {}): Promise<string[]> =>
  (await listed(world, change)).map(({ kind }) => kind)

const aReading = (change: Partial<ReadNotices> = {}): ReadNotices => ({
  type: 'ReadNotices',
  accountId: account,
  by: { kind: 'PERSON', id: ana },
  personId: ana,
  noticeIds: null,
  kinds,
  ...change,
})

/** Lets the attempts of a new delivery to an endpoint fail. */
const fail = async (world: World, attempts: number, endpointId = 'whk_1'): Promise<void> => {
  world.pass(1)
  const charge = await world.accepted(aCharge())
  const eventId = `evt_${charge.id.slice(4)}` as never
  await world.execute({
    type: 'ScheduleDeliveries',
    ...ours,
    events: [
      {
        eventId,
        eventType: 'payment.created',
        objectId: charge.id,
        body: new Uint8Array(1),
        endpointIds: [endpointId as never],
      },
    ],
  })
  const [delivery] = world.memory.list(account, 'delivery', { offset: 0, limit: 1 }).states
  for (let n = 0; n < attempts; n++) {
    world.pass(1)
    await world.execute({
      type: 'RecordAttempts',
      ...ours,
      attempts: [
        {
          deliveryId: delivery!.id,
          outcome: {
            url: 'https://example.com',
            startedAtMs: world.now() + n,
            latencyMs: 1,
            statusCode: n % 2 === 0 ? 500 : null,
            error: n % 2 === 0 ? null : 'TIMEOUT',
            responseSnippet: '',
          },
        },
      ],
    })
  }
}

t.test(
  'a delivery is told of at its fifth failure and at its end, once an hour for each endpoint',
  async (t) => {
    const world = await opened()
    await fail(world, 4)
    t.strictSame(await kindsIn(world), [])
    await fail(world, 12)
    const first = await listed(world)
    t.match(first, [
      { kind: 'DELIVERY_EXHAUSTED', count: 1, details: { endpointId: 'whk_1', reason: 'TIMEOUT' } },
      { kind: 'DELIVERY_FAILING', count: 1, details: { reason: '500', type: 'payment.created' } },
    ])
    await fail(world, 12)
    await fail(world, 5, 'whk_2')
    t.match(await listed(world), [
      { kind: 'DELIVERY_FAILING', count: 1, details: { endpointId: 'whk_2' } },
      { kind: 'DELIVERY_EXHAUSTED', count: 2, id: first[0]!.id },
      { kind: 'DELIVERY_FAILING', count: 2, id: first[1]!.id },
    ])
    world.pass(59 * 60_000)
    await fail(world, 5)
    t.equal((await listed(world)).length, 3, 'in the next hour of the clock, and not an hour later')
    world.pass(60_000)
    await fail(world, 5)
    t.equal((await listed(world)).length, 4)
  },
)

t.test('a chargeback is told of when it is opened, and three days before its defense is due', async (t) => {
  const world = await opened()
  const [a, b] = [await world.accepted(aCardPayment()), await world.accepted(aCardPayment())]
  for (const { id } of [a, b]) {
    world.pass(1)
    await world.execute(aChargeback(id))
  }
  const [chargeback] = world.transaction(a.id).reversals.chargebacks
  t.match(await listed(world), [
    { kind: 'CHARGEBACK_OPENED', objectId: b.id },
    { kind: 'CHARGEBACK_OPENED', objectId: a.id, details: { chargebackId: chargeback!.id } },
  ])
  await world.execute(aDefense(world.transaction(b.id).reversals.chargebacks[0]!.id))
  const untilThen = chargeback!.defenseDueAtMs - 3 * day - world.now()
  await world.advance(`PT${Math.floor(untilThen / 1000) - 1}S`)
  t.equal((await listed(world)).length, 2)
  await world.advance('PT2S')
  const reminded = (await listed(world)).filter(({ kind }) => kind === 'DEFENSE_DUE')
  t.match(reminded, [{ objectId: a.id, details: { chargebackId: chargeback!.id } }])
  t.equal(reminded.length, 1, 'what was defended needs none')
})

t.test('a MED and an answered ticket are told of', async (t) => {
  const world = await opened()
  const charge = await world.accepted(aCharge())
  await world.accepted(aPayment(charge.id))
  await world.execute({ type: 'OpenMed', ...ours, transactionId: charge.id, amountCents: null, reason: null })
  world.pass(1)
  const ticket = aTicket()
  await world.execute(ticket)
  await world.execute(anAnswer(ticket.ticketId, 'PERSON'))
  await world.execute(anAnswer(ticket.ticketId))
  t.match(await listed(world, { kinds: ['MED_OPENED', 'TICKET_ANSWERED'] }), [
    { kind: 'TICKET_ANSWERED', objectId: ticket.ticketId, details: { number: 1, name: 'Bia' } },
    { kind: 'MED_OPENED', objectId: charge.id },
  ])
})

t.test('a balance is told of when it falls below zero, and not again while it stays there', async (t) => {
  const world = await opened()
  const paid = []
  for (let n = 0; n < 3; n++) paid.push(await world.accepted(aCardPayment()))
  await world.advance('P60D')
  const { available } = world.account().balances
  t.ok(available > 0n, 'all of them are settled')
  // The money was paid out meanwhile.
  const postings = [
    { account: 'available', cents: toCents(-Number(available)) },
    { account: 'paidOut', cents: toCents(Number(available)) },
  ] as const
  const atMs = world.now()
  const transactionId = paid[0]!.id
  const booked = { actor: 'account', type: 'SharesBooked', id: account, atMs } as const
  happened(world, { ...booked, transactionId, postings, awaited: [] })
  for (const { id } of paid) await world.execute(aChargeback(id))
  t.ok(world.account().balances.available < 0n)
  t.match(await listed(world, { kinds: ['BALANCE_NEGATIVE'] }), { length: 1 })
})

t.test('each person reads for themselves, one by one or all together', async (t) => {
  const world = await opened()
  const ticket = aTicket()
  await world.execute(ticket)
  for (let n = 0; n < 3; n++) {
    world.pass(1)
    await world.execute(anAnswer(ticket.ticketId))
  }
  const unread = async (personId: PersonId): Promise<number> =>
    (await listed(world, { personId, isUnreadOnly: true })).length
  const [newest] = await listed(world)
  world.pass(5)
  await world.execute(aReading({ noticeIds: [newest!.id] }))
  t.strictSame([await unread(ana), await unread(bia)], [2, 3])
  t.equal((await listed(world))[0]!.readAtMs, world.now())
  world.pass(5)
  await world.execute(aReading())
  t.strictSame([await unread(ana), await unread(bia)], [0, 3])
  t.equal((await listed(world))[0]!.readAtMs, world.now() - 5, 'it was read before')
  world.pass(5)
  await world.execute(anAnswer(ticket.ticketId))
  t.strictSame([await unread(ana), await unread(bia)], [1, 4])
  const absent = { reason: 'NOT_FOUND', resource: 'notice' }
  t.strictSame(await refusalOf(world, aReading({ noticeIds: ['ntf_0' as NoticeId] })), absent)
  t.strictSame(await refusalOf(world, aReading({ noticeIds: [newest!.id], kinds: ['MED_OPENED'] })), absent)
})

t.test('people see what they can act on, for 90 days', async (t) => {
  const world = await opened()
  const raised = (n: number, kind: NoticeKind, personId: PersonId | null) =>
    world.execute({
      type: 'RaiseNotice',
      ...ours,
      noticeId: `ntf_${String(n).padStart(26, '0')}` as NoticeId,
      notice: { kind, personId, objectId: null, details: {} },
    })
  await raised(1, 'KEY_CREATED', null)
  await raised(1, 'KEY_CREATED', null)
  world.pass(1)
  await raised(2, 'NEW_SIGN_IN', ana)
  t.strictSame(await kindsIn(world), ['NEW_SIGN_IN', 'KEY_CREATED'], 'what is told twice is there once')
  t.strictSame(await kindsIn(world, { kinds: [] }), ['NEW_SIGN_IN'])
  t.strictSame(await kindsIn(world, { personId: bia }), ['KEY_CREATED'])
  world.pass(90 * day - 1)
  t.equal((await listed(world)).length, 2)
  world.pass(1)
  t.strictSame(await kindsIn(world), ['NEW_SIGN_IN'])
})

t.test('mails are due for each notice once, by what people have chosen', async (t) => {
  const world = await opened()
  const ticket = aTicket()
  await world.execute(ticket)
  await world.execute(anAnswer(ticket.ticketId))
  const choose = (mail: object) => world.execute({ type: 'ChooseNoticeMail', ...ours, personId: ana, mail })
  await choose({ MED_OPENED: true, TICKET_ANSWERED: true })
  await choose({ TICKET_ANSWERED: false })
  await world.execute(aReading())
  const unmailed = () => asks(world, { type: 'ListUnmailedNotices', accountId: account })
  const { notices, readers } = await unmailed()
  t.match(notices, [{ kind: 'TICKET_ANSWERED' }])
  t.strictSame(readers[ana], {
    readUpToMs: world.now(),
    mail: { MED_OPENED: true, TICKET_ANSWERED: false },
  })
  await world.execute({ type: 'RecordNoticesMailed', ...ours, noticeIds: notices.map(({ id }) => id) })
  t.strictSame((await unmailed()).notices, [])
})
