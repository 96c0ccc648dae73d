import type { TicketId } from '../../../engine/shared/ids.ts'
import type { AnswerTicket, CloseTicket, OpenTicket } from '../../../engine/support/commands.ts'
import { account } from '../world.ts'

const person = { kind: 'PERSON', id: 'per_1' } as const
let tickets = 0

export const aTicket = (change: Partial<OpenTicket['ticket']> = {}): OpenTicket => ({
  type: 'OpenTicket',
  accountId: account,
  by: person,
  ticketId: `tkt_${String(++tickets).padStart(26, '0')}` as TicketId,
  ticket: { subject: 'Onde está o PIX?', category: 'PAYMENT', priority: 'NORMAL', objectIds: [], ...change },
  message: { author: 'PERSON', personId: 'per_1' as never, name: 'Ana', text: 'O cliente pagou.\nE agora?' },
})

export const anAnswer = (ticketId: TicketId, author: 'PERSON' | 'STAFF' = 'STAFF'): AnswerTicket => ({
  type: 'AnswerTicket',
  accountId: account,
  by: author === 'STAFF' ? { kind: 'OPERATOR', id: null } : person,
  ticketId,
  message: { author, personId: null, name: author === 'STAFF' ? 'Bia' : 'Ana', text: 'Chegou.' },
})

export const aClosing = (ticketId: TicketId): CloseTicket => ({
  type: 'CloseTicket',
  accountId: account,
  by: person,
  ticketId,
})
