import type { Decider, Deciders } from '../kernel/decider.ts'
import type { Draft } from '../kernel/draft.ts'
import type { Rejection } from '../kernel/registry.ts'
import { bounds } from '../shared/bounds.ts'
import { addDays, dateIn, instantOf, nextBusinessDay, timeIn } from '../shared/calendar.ts'
import type { TicketId } from '../shared/ids.ts'
import type { AnswerTicket, CloseTicket, OpenTicket, SupportCommand } from './commands.ts'
import { notClosed, type TicketFact } from './ticket.ts'

/** Opens a ticket; refuses one above the limit, or about objects that the account does not have. */
const openTicket: Decider<OpenTicket> = (draft, { ticketId: id, ticket, message }) => {
  const refusal = countRefusal(draft) ?? objectsRefusal(draft, ticket.objectIds)
  if (refusal !== null) return refusal
  const { id: accountId, ticketsOpened = 0, profile } = draft.account()
  const number = ticketsOpened + 1
  const { atMs, nowMs } = draft.context
  const firstAnswerDueAtMs =
    ticket.priority === 'URGENT' ? atMs + bounds.urgentAnswerMs : onNextBusinessDay(atMs, profile.timeZone)
  draft.add(
    { actor: 'account', type: 'TicketNumbered', id: accountId, atMs: nowMs, number },
    {
      ...factAbout(draft, id),
      type: 'TicketOpened',
      ticket: { accountId, number, firstAnswerDueAtMs, ...ticket },
      message,
    },
  )
  return null
}

const answerTicket: Decider<AnswerTicket> = (draft, { ticketId: id, message }) => {
  const ticket = draft.find('ticket', id)
  if (ticket === undefined) return absent
  const { closedAtMs } = ticket
  if (closedAtMs !== null && message.author === 'PERSON') {
    if (draft.context.atMs - closedAtMs > bounds.ticketReopenedMsMax)
      return { reason: 'TICKET_CLOSED', days: bounds.ticketReopenedMsMax / 86_400_000 }
    const refusal = countRefusal(draft)
    if (refusal !== null) return refusal
  }
  draft.add({ ...factAbout(draft, id), type: 'TicketAnswered', message })
  return null
}

const closeTicket: Decider<CloseTicket> = (draft, { ticketId: id }) => {
  const ticket = draft.find('ticket', id)
  if (ticket === undefined) return absent
  if (ticket.status !== 'CLOSED') draft.add({ ...factAbout(draft, id), type: 'TicketClosed' })
  return null
}

/** Deciders for support tickets. */
export const supportDeciders: Deciders<SupportCommand> = {
  OpenTicket: openTicket,
  AnswerTicket: answerTicket,
  CloseTicket: closeTicket,
}

/** People wait for people: tickets live on the real clock, in the Sandbox as well. */
const factAbout = ({ context }: Draft, id: TicketId): Pick<TicketFact, 'actor' | 'id' | 'atMs'> => ({
  actor: 'ticket',
  id,
  atMs: context.atMs,
})

const countRefusal = ({ lookup }: Draft): Rejection | null =>
  lookup('ticket', notClosed).length < bounds.openTicketsMax
    ? null
    : { reason: 'TOO_MANY_OPEN_TICKETS', openMax: bounds.openTicketsMax }

const objectsRefusal = ({ find }: Draft, objectIds: readonly string[]): Rejection | null => {
  const unknown = objectIds.findIndex((id) => {
    const kind = kindsByPrefix[id.slice(0, 4)]
    return kind === undefined || find(kind, id) === undefined
  })
  return unknown === -1 ? null : { reason: 'REFERENCE_NOT_FOUND', field: `objectIds[${unknown}]` }
}

/** The kinds of objects that a ticket can be about. */
const kindsByPrefix: Readonly<Record<string, 'transaction' | 'delivery' | 'transfer' | 'withdrawal'>> = {
  txn_: 'transaction',
  dlv_: 'delivery',
  trf_: 'transfer',
  wdr_: 'withdrawal',
}

/** The same time on the next business day: a ticket opened on Saturday is answered on Monday. */
const onNextBusinessDay = (atMs: number, timeZone: string): number => {
  const next = nextBusinessDay(addDays(dateIn(timeZone, atMs), 1))
  return instantOf(timeZone, next, timeIn(timeZone, atMs))
}

const absent = { reason: 'NOT_FOUND', resource: 'ticket' } as const
