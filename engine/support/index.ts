/** Support tickets between a company and the staff of the service. */
import './account-part.ts'
import './commands.ts'
import './queries.ts'
import './refusals.ts'
import './ticket.ts'
import { supportAccountPart } from './account-part.ts'
import { supportAnswers } from './answers.ts'
import { supportDeciders } from './deciders.ts'
import { ticketKind } from './ticket.ts'

/** What the engine takes from this folder. The bare imports bring what it adds to the types of the kernel. */
export const supportModule = {
  kinds: {
    ticket: ticketKind,
  },
  accountParts: {
    support: supportAccountPart,
  },
  deciders: supportDeciders,
  answers: supportAnswers,
}
