import Type, { type Static } from 'typebox'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import {
  type Ticket,
  ticketCategories,
  ticketPriorities,
  ticketStatuses,
} from '../../../engine/support/ticket.ts'
import type { OpenPersonal } from '../../identity/personal-texts.ts'
import { described, named, namedObject } from '../../schema/named-schema.ts'
import {
  dated,
  enumeration,
  identity,
  instant,
  instantOrNull,
  listOf,
  nullable,
  text,
  textOf,
} from '../fields.ts'

export const ticketStatus = named(
  'TicketStatus',
  described(
    enumeration(...ticketStatuses),
    'OPEN: the staff of the service answers next. WAITING_COMPANY: the company does.',
  ),
)
export const ticketCategory = named(
  'TicketCategory',
  described(enumeration(...ticketCategories), 'What a ticket is about.'),
)
export const ticketPriority = named(
  'TicketPriority',
  described(
    enumeration(...ticketPriorities),
    'NORMAL is answered by the next business day, URGENT within 4 hours.',
  ),
)

const message = namedObject('TicketMessage', 'One message of a ticket.', {
  author: described(enumeration('PERSON', 'STAFF'), 'A person of the company, or the staff of the service.'),
  name: described(text, 'The name of the author when it was written; null for a person who was erased.'),
  text: textOf('Plain text with line breaks.'),
  at: described(instant, 'When it was written.'),
})

/** A support ticket (dashboard, section 4.1). */
export const supportTicket = namedObject('Ticket', 'A conversation with the staff of the service.', {
  ...identity('tkt', 'ticket'),
  number: Type.Integer({ description: 'Counted from 1 in each environment of a company.' }),
  subject: textOf('What it is about, in one line.'),
  category: ticketCategory,
  priority: ticketPriority,
  status: ticketStatus,
  objectIds: listOf(
    textOf('An id.'),
    'The transactions (`txn_…`), transfers (`trf_…`), withdrawals (`wdr_…`) and deliveries (`dlv_…`) that it is about.',
  ),
  messages: listOf(message, 'The oldest first.'),
  firstAnswerDueAt: described(instant, 'When the staff answers at the latest, by the real clock.'),
  ...dated,
  closedAt: nullable(instant, 'When it was closed; null while it is open.'),
})

/** A ticket with all its messages. */
export const ticketView = (ticket: Ticket, open: OpenPersonal): Static<typeof supportTicket> => ({
  id: ticket.id,
  object: 'ticket',
  number: ticket.number,
  subject: ticket.subject,
  category: ticket.category,
  priority: ticket.priority,
  status: ticket.status,
  objectIds: ticket.objectIds,
  messages: ticket.messages.map(({ author, name, text, atMs }) => ({
    author,
    name: author === 'PERSON' ? open(name) : name,
    text,
    at: isoInstant(atMs),
  })),
  firstAnswerDueAt: isoInstant(ticket.firstAnswerDueAtMs),
  createdAt: isoInstant(ticket.createdAtMs),
  updatedAt: isoInstant(ticket.updatedAtMs),
  closedAt: instantOrNull(ticket.closedAtMs),
})
