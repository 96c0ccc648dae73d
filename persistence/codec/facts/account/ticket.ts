import type { TicketId } from '../../../../engine/shared/ids.ts'
import { json, number, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'

const head = { id: text<TicketId>(), atMs: number() }

export const ticketFacts = {
  TicketOpened: [1, { ...head, ticket: json(), message: json() }],
  TicketAnswered: [2, { ...head, message: json() }],
  TicketClosed: [3, head],
} satisfies FactLayouts<'ticket'>
