import Type from 'typebox'
import { isoInstant } from '../../../engine/shared/calendar.ts'
import {
  type Ticket,
  type TicketMessage,
  ticketCategories,
  ticketPriorities,
  ticketStatuses,
} from '../../../engine/support/ticket.ts'
import type { OpenPersonal } from '../../identity/personal-texts.ts'
import { described, named } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import {
  datedFields,
  identityFields,
  instant,
  instantOrNull,
  listOf,
  nullableField,
  nullableText,
  textOf,
} from '../fields.ts'
import { resource, same } from '../resource.ts'

export const ticketStatus = named(
  'TicketStatus',
  described(
    choice(...ticketStatuses),
    'OPEN: the staff of the service answers next. WAITING_COMPANY: the company does.',
  ),
)
export const ticketCategory = named(
  'TicketCategory',
  described(choice(...ticketCategories), 'What a ticket is about.'),
)
export const ticketPriority = named(
  'TicketPriority',
  described(
    choice(...ticketPriorities),
    'NORMAL is answered by the next business day, URGENT within 4 hours.',
  ),
)

const message = resource<TicketMessage, [OpenPersonal]>('TicketMessage', 'One message of a ticket.').with({
  author: [
    described(choice('PERSON', 'STAFF'), 'A person of the company, or the staff of the service.'),
    same,
  ],
  name: [
    described(nullableText, 'The name of the author when it was written; null for a person who was erased.'),
    ({ author, name }, open) => (author === 'PERSON' ? open(name) : name),
  ],
  text: [textOf('Plain text with line breaks.'), same],
  at: [described(instant, 'When it was written.'), ({ atMs }) => isoInstant(atMs)],
})

/** A support ticket with all its messages (dashboard, section 4.1). */
export const supportTicket = resource<Ticket, [OpenPersonal]>(
  'Ticket',
  'A conversation with the staff of the service.',
).with({
  ...identityFields('tkt', 'ticket'),
  number: [Type.Integer({ description: 'Counted from 1 in each environment of a company.' }), same],
  subject: [textOf('What it is about, in one line.'), same],
  category: [ticketCategory, same],
  priority: [ticketPriority, same],
  status: [ticketStatus, same],
  objectIds: [
    listOf(
      textOf('An id.'),
      'The transactions (`txn_…`), transfers (`trf_…`), withdrawals (`wdr_…`) and deliveries (`dlv_…`) that it is about.',
    ),
    same,
  ],
  messages: [
    listOf(message.schema, 'The oldest first.'),
    (t, open) => t.messages.map((one) => message.view(one, open)),
  ],
  firstAnswerDueAt: [
    described(instant, 'When the staff answers at the latest, by the real clock.'),
    (t) => isoInstant(t.firstAnswerDueAtMs),
  ],
  ...datedFields,
  closedAt: [
    nullableField(instant, 'When it was closed; null while it is open.'),
    (t) => instantOrNull(t.closedAtMs),
  ],
})
