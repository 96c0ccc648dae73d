import type { Listed, Paging, Question } from '../kernel/query.ts'
import type { TicketId } from '../shared/ids.ts'
import type { Ticket, TicketStatus } from './ticket.ts'

declare module '../kernel/registry.ts' {
  interface FolderQueries {
    readonly support: FindTicket | ListTickets
  }
  interface Answers {
    readonly FindTicket: Ticket | null
    readonly ListTickets: Listed<Ticket>
  }
}

export type FindTicket = Question<'FindTicket'> & { readonly ticketId: TicketId }

/** An empty list of statuses means all. */
export type ListTickets = Question<'ListTickets'> & Paging & { readonly statuses: readonly TicketStatus[] }
