import Type from 'typebox'
import type { TicketId } from '../../../engine/shared/ids.ts'
import type { MessageDraft } from '../../../engine/support/ticket.ts'
import { commandRoute, queryRoute, type RequestContext } from '../../api/route.ts'
import { bounds } from '../../base/bounds.ts'
import { notFound } from '../../problems/problem.ts'
import {
  supportTicket,
  ticketCategory,
  ticketPriority,
  ticketStatus,
} from '../../resources/account/ticket.ts'
import { listOfRows, listView } from '../../resources/list.ts'
import { oneOrMore, textUpTo } from '../../schema/schema.ts'
import { forExisting, forNew } from '../command-target.ts'
import { pagingParameters, readPaging } from '../paging.ts'

const ofSupport = { tag: 'Support', product: null } as const
const reads = { ...ofSupport, verb: 'GET', permission: 'support.read' } as const
const manages = { ...ofSupport, verb: 'POST', permission: 'support.manage' } as const

const messageText = textUpTo(bounds.ticketTextCharsMax, 'Plain text, with line breaks.', { multiline: true })

export const createTicketRoute = commandRoute({
  ...manages,
  path: '/v1/support/tickets',
  operationId: 'createTicket',
  summary: 'Open a ticket',
  description: `Asks the staff of the service, who answer by \`firstAnswerDueAt\`. At most ${bounds.ticketsOpenMax} are open at a time (409). Name what it is about by id instead of describing it.`,
  status: 201,
  idempotent: true,
  refusals: [409, 422],
  body: Type.Object(
    {
      subject: textUpTo(bounds.ticketSubjectCharsMax, 'What it is about, in one line.', { min: 3 }),
      category: ticketCategory,
      priority: Type.Optional(ticketPriority),
      objectIds: Type.Optional(
        Type.Array(
          Type.String({
            format: 'ticket-object',
            examples: ['txn_01ARZ3NDEKTSV4RRFFQ69G5FAV'],
          }),
          {
            maxItems: bounds.ticketObjectsMax,
            uniqueItems: true,
            description:
              'The transactions (`txn_…`), transfers (`trf_…`), withdrawals (`wdr_…`) and deliveries (`dlv_…`) that it is about. They must exist.',
          },
        ),
      ),
      text: messageText,
    },
    {
      examples: [
        {
          subject: 'A PIX is paid, and its charge is still open',
          category: 'PAYMENT',
          text: 'The payer sent the receipt. Where is the money?',
        },
      ],
    },
  ),
  answer: supportTicket.schema,
  read: ({ subject, category, priority, objectIds, text }) => ({
    ticket: {
      subject: subject.trim(),
      category,
      priority: priority ?? ('NORMAL' as const),
      objectIds: objectIds ?? [],
    },
    text: text.trim(),
  }),
  command: ({ ticket, text }, request) =>
    ({
      type: 'OpenTicket',
      ...forNew('ticketId', request),
      ticket,
      message: messageBy(request, text),
    }) as const,
  view: ({ state }, _, { personal }) => ({
    location: `/v1/support/tickets/${state.id}`,
    body: supportTicket.view(state, personal.open),
  }),
})

export const listTicketsRoute = queryRoute({
  ...reads,
  path: '/v1/support/tickets',
  operationId: 'listTickets',
  summary: 'List tickets',
  description: 'Newest first.',
  parameters: pagingParameters({ status: oneOrMore(ticketStatus) }),
  answer: listOfRows(supportTicket.schema),
  read: (query) => readPaging(query, { statuses: query.status ?? [] }),
  query: (input, { accountId }) => ({ type: 'ListTickets', accountId, ...input }) as const,
  view: (listed, input, { personal }) => ({
    body: listView(listed, input, (ticket) => supportTicket.view(ticket, personal.open)),
  }),
})

export const getTicketRoute = queryRoute({
  ...reads,
  path: '/v1/support/tickets/:id',
  operationId: 'getTicket',
  summary: 'Get one ticket',
  description: 'With all its messages.',
  refusals: [404],
  answer: supportTicket.schema,
  query: (_, { accountId, id }) => ({ type: 'FindTicket', accountId, ticketId: id as TicketId }) as const,
  view: (ticket, _, { personal }) =>
    ticket === null ? notFound('ticket') : { body: supportTicket.view(ticket, personal.open) },
})

export const answerTicketRoute = commandRoute({
  ...manages,
  path: '/v1/support/tickets/:id/messages',
  operationId: 'answerTicket',
  summary: 'Write into a ticket',
  description:
    'Adds a message. A ticket that was closed less than 30 days ago opens again; an older one is refused (409).',
  status: 201,
  idempotent: true,
  refusals: [404, 409],
  body: Type.Object({ text: messageText }, { examples: [{ text: 'It has arrived meanwhile. Thank you.' }] }),
  answer: supportTicket.schema,
  read: ({ text }) => text.trim(),
  command: (text, request) =>
    ({
      type: 'AnswerTicket',
      ...forExisting('ticketId', request),
      message: messageBy(request, text),
    }) as const,
  view: ({ state }, _, { personal }) => ({ body: supportTicket.view(state, personal.open) }),
})

export const closeTicketRoute = commandRoute({
  ...manages,
  path: '/v1/support/tickets/:id/close',
  operationId: 'closeTicket',
  summary: 'Close a ticket',
  description: 'Nothing is left to answer. One that is closed stays as it is.',
  refusals: [404],
  answer: supportTicket.schema,
  command: (_, request) => ({ type: 'CloseTicket', ...forExisting('ticketId', request) }) as const,
  view: ({ state }, _, { personal }) => ({ body: supportTicket.view(state, personal.open) }),
})

/** A message of the person who is signed in; no key has the permission. */
const messageBy = ({ caller, personal }: RequestContext, text: string): MessageDraft => {
  if (caller.kind !== 'PERSON') return { author: 'PERSON', personId: null, name: '', text }
  const { id, name } = caller.person
  return { author: 'PERSON', personId: id, name: personal.seal(id, name) ?? '', text }
}
