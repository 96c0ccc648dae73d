import type { Answerers } from '../kernel/reader.ts'
import type { FindTicket, ListTickets } from './queries.ts'
import type { TicketStatus } from './ticket.ts'

/** Answers about support tickets. */
export const supportAnswers: Answerers<FindTicket | ListTickets> = {
  FindTicket: ({ ticketId }, { find }) => find('ticket', ticketId),
  ListTickets: function* (query, { list, result }) {
    const { statuses } = query
    const fits = (label: string): boolean => statuses.length === 0 || statuses.includes(label as TicketStatus)
    return result(yield* list('ticket', query, fits, null))
  },
}
