import type { Request } from '../kernel/command.ts'
import type { TicketId } from '../shared/ids.ts'
import type { MessageDraft, NewTicket } from './ticket.ts'

declare module '../kernel/registry.ts' {
  interface FolderCommands {
    readonly support: SupportCommand
  }
}

export type SupportCommand = OpenTicket | AnswerTicket | CloseTicket

/** Opens a ticket with its first message. */
export type OpenTicket = Request<'OpenTicket'> & {
  readonly ticketId: TicketId
  readonly ticket: Omit<NewTicket, 'accountId' | 'number' | 'firstAnswerDueAtMs'>
  readonly message: MessageDraft
}

/** Adds a message of the company or the staff, which opens a closed ticket again. */
export type AnswerTicket = Request<'AnswerTicket'> & {
  readonly ticketId: TicketId
  readonly message: MessageDraft
}

export type CloseTicket = Request<'CloseTicket'> & { readonly ticketId: TicketId }
