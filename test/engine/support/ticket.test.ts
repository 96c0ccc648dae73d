import t from 'tap'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import type { TicketId } from '../../../engine/shared/ids.ts'
import type { Ticket } from '../../../engine/support/ticket.ts'
import { asks, stateOf } from '../billing/catalog.ts'
import { aCharge, account, opened, refusalOf, type World } from '../world.ts'
import { aClosing, anAnswer, aTicket } from './tickets.ts'

const did = async (world: World, command: Parameters<World['execute']>[0]): Promise<Ticket> =>
  stateOf<Ticket>(await world.execute(command))

const day = 86_400_000

t.test('a ticket is a conversation: whoever wrote last waits for the other side', async (t) => {
  const world = await opened()
  const charge = await world.accepted(aCharge())
  const ticket = await did(world, aTicket({ objectIds: [charge.id] }))
  t.match(ticket, { number: 1, status: 'OPEN', objectIds: [charge.id], messages: [{ name: 'Ana' }] })
  world.pass(1000)
  const answered = await did(world, anAnswer(ticket.id))
  t.match(answered, {
    status: 'WAITING_COMPANY',
    messages: [{ name: 'Ana' }, { name: 'Bia', author: 'STAFF' }],
  })
  t.equal(answered.messages[1]!.atMs - answered.messages[0]!.atMs, 1000)
  t.match(await did(world, anAnswer(ticket.id, 'PERSON')), { status: 'OPEN', messages: { length: 3 } })
  const closed = await did(world, aClosing(ticket.id))
  t.match(closed, { status: 'CLOSED', closedAtMs: world.now() })
  world.pass(1000)
  t.strictSame(await did(world, aClosing(ticket.id)), closed, 'a second time changes nothing')
  t.equal((await did(world, aTicket())).number, 2)
})

t.test('an answer is due at the same time of the next business day, or in four hours', async (t) => {
  const world = await opened()
  const dueOf = async (priority: 'NORMAL' | 'URGENT' = 'NORMAL'): Promise<string> =>
    isoInstant((await did(world, aTicket({ priority }))).firstAnswerDueAtMs)
  t.equal(isoInstant(world.now()), '2026-11-20T12:00:00.000Z', 'a Friday, 9 in the morning')
  t.equal(await dueOf(), '2026-11-23T12:00:00.000Z')
  t.equal(await dueOf('URGENT'), '2026-11-20T16:00:00.000Z')
  world.pass(day)
  t.equal(await dueOf(), '2026-11-23T12:00:00.000Z', 'of a Saturday')
  await world.advance('P30D')
  t.equal(await dueOf(), '2026-11-23T12:00:00.000Z', 'the clock of the Sandbox does not count')
  world.pass(3 * day)
  t.equal(await dueOf(), '2026-11-25T12:00:00.000Z', 'of a Tuesday')
})

t.test('a ticket is about what the account has', async (t) => {
  const world = await opened()
  const charge = await world.accepted(aCharge())
  for (const unknown of ['txn_0', `trf_${'0'.repeat(26)}`, 'toString'])
    t.strictSame(await refusalOf(world, aTicket({ objectIds: [charge.id, unknown] })), {
      reason: 'REFERENCE_NOT_FOUND',
      field: 'objectIds[1]',
    })
  t.strictSame(world.account().ticketsOpened, undefined, 'none was opened')
})

t.test('twenty tickets are open at most, those that are opened again included', async (t) => {
  const world = await opened()
  const first = await did(world, aTicket())
  await world.execute(aClosing(first.id))
  const open: TicketId[] = []
  for (let n = 0; n < 20; n++) open.push((await did(world, aTicket())).id)
  const tooMany = { reason: 'TOO_MANY_OPEN_TICKETS', openMax: 20 }
  t.strictSame(await refusalOf(world, aTicket()), tooMany)
  t.strictSame(await refusalOf(world, anAnswer(first.id, 'PERSON')), tooMany)
  t.equal(await refusalOf(world, anAnswer(open[0]!, 'PERSON')), 'accepted', 'an open one is answered')
  t.equal(await refusalOf(world, anAnswer(first.id)), 'accepted', 'the staff may always answer')
  for (const id of open.slice(0, 2)) await world.execute(aClosing(id))
  t.equal(await refusalOf(world, aTicket()), 'accepted')
})

t.test('a message opens a closed ticket again, for thirty days', async (t) => {
  const world = await opened()
  const { id } = await did(world, aTicket())
  await world.execute(aClosing(id))
  world.pass(30 * day)
  t.match(await did(world, anAnswer(id, 'PERSON')), { status: 'OPEN', closedAtMs: null })
  await world.execute(aClosing(id))
  world.pass(30 * day + 1)
  t.strictSame(await refusalOf(world, anAnswer(id, 'PERSON')), { reason: 'TICKET_CLOSED', days: 30 })
  t.match(await did(world, anAnswer(id)), { status: 'WAITING_COMPANY' })
})

t.test('tickets are listed by status, newest first', async (t) => {
  const world = await opened()
  const [a, b] = [await did(world, aTicket()), await did(world, aTicket())]
  await world.execute(anAnswer(a.id))
  const listed = async (...statuses: Ticket['status'][]) => {
    const page = { page: 1, pageSize: 10, asOf: null, from: null, to: null }
    const { rows } = await asks(world, { type: 'ListTickets', accountId: account, ...page, statuses })
    return rows.map(({ number }) => number)
  }
  t.strictSame(await listed(), [2, 1])
  t.strictSame(await listed('WAITING_COMPANY'), [1])
  t.strictSame(await listed('CLOSED'), [])
  t.equal(await refusalOf(world, aClosing('tkt_0' as TicketId)).then(({ reason }) => reason), 'NOT_FOUND')
  t.equal(b.number, 2)
})
