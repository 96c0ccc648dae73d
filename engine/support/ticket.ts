import type { ActorDefinition } from '../kernel/actor.ts'
import type { ActorFact } from '../kernel/fact.ts'
import { assert, unreachable } from '../shared/assert.ts'
import type { AccountId, PersonId, TicketId } from '../shared/ids.ts'

declare module '../kernel/registry.ts' {
  interface ActorStates {
    readonly ticket: Ticket
  }
  interface ActorFacts {
    readonly ticket: TicketFact
  }
}

export const ticketCategories = ['PAYMENT', 'TRANSFER', 'BILLING', 'INTEGRATION', 'ACCOUNT', 'OTHER'] as const
export const ticketPriorities = ['NORMAL', 'URGENT'] as const
/** OPEN waits for the staff of the service, WAITING_COMPANY for the company. */
export const ticketStatuses = ['OPEN', 'WAITING_COMPANY', 'CLOSED'] as const
export type TicketStatus = (typeof ticketStatuses)[number]

/** A conversation of a company with the staff of the service (dashboard, section 4.1). All times are real. */
export type Ticket = NewTicket & {
  readonly id: TicketId
  readonly status: TicketStatus
  readonly messages: readonly TicketMessage[]
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly closedAtMs: number | null
}

/** The terms that a ticket is opened with. */
export type NewTicket = {
  readonly accountId: AccountId
  /** Counted from 1 in each account, for people to name it. */
  readonly number: number
  readonly subject: string
  readonly category: (typeof ticketCategories)[number]
  readonly priority: (typeof ticketPriorities)[number]
  /** The objects that it is about: transactions, deliveries, transfers and withdrawals. */
  readonly objectIds: readonly string[]
  /** The time by which staff has to answer. */
  readonly firstAnswerDueAtMs: number
}

export type TicketMessage = MessageDraft & { readonly atMs: number }

/** A message without its time. */
export type MessageDraft = {
  readonly author: 'PERSON' | 'STAFF'
  readonly personId: PersonId | null
  /** The author's name at the time. */
  readonly name: string
  readonly text: string
}

export type TicketFact =
  | (Fact<'TicketOpened'> & { readonly ticket: NewTicket; readonly message: MessageDraft })
  | (Fact<'TicketAnswered'> & { readonly message: MessageDraft })
  | Fact<'TicketClosed'>

type Fact<Type extends string> = ActorFact<'ticket', Type>

const evolveTicket = (ticket: Ticket | undefined, event: TicketFact): Ticket => {
  const { atMs } = event
  if (event.type === 'TicketOpened') {
    assert(ticket === undefined, 'a ticket is opened once')
    return {
      id: event.id,
      status: 'OPEN',
      messages: [{ atMs, ...event.message }],
      createdAtMs: atMs,
      updatedAtMs: atMs,
      closedAtMs: null,
      ...event.ticket,
    }
  }
  assert(ticket !== undefined, `${event.type} follows TicketOpened`)
  switch (event.type) {
    case 'TicketAnswered':
      return {
        ...ticket,
        status: event.message.author === 'STAFF' ? 'WAITING_COMPANY' : 'OPEN',
        messages: [...ticket.messages, { atMs, ...event.message }],
        updatedAtMs: atMs,
        closedAtMs: null,
      }
    case 'TicketClosed':
      return { ...ticket, status: 'CLOSED', updatedAtMs: atMs, closedAtMs: atMs }
    default:
      return unreachable(event)
  }
}

export const ticketKind: ActorDefinition<Ticket, TicketFact> = {
  prefix: 'tkt',
  namedBy: 'ticketId',
  evolve: evolveTicket,
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  label: ({ status }) => status,
  lookupKeys: ({ status }) => (status === 'CLOSED' ? none : [notClosed]),
  isKeptByReset: true,
  auditedFields: ({ status, subject, category, priority }) => ({ status, subject, category, priority }),
}

/** The lookup key of an account's tickets that are not closed. */
export const notClosed = 'open'

const none: readonly string[] = []
