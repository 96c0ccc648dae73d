/** Mail to payers about their charges: on request, and as reminders of the due date, which payers can stop. */
import './account-part.ts'
import './commands.ts'
import './payer-mail.ts'
import './queries.ts'
import './refusals.ts'
import './unsubscription.ts'
import { payerMailAccountPart } from './account-part.ts'
import { payerMailAnswers } from './answers.ts'
import { payerMailDeciders } from './deciders.ts'
import { payerMailKind } from './payer-mail.ts'
import { unsubscriptionKind } from './unsubscription.ts'

/** What the engine takes from this folder. The bare imports bring what it adds to the types of the kernel. */
export const payerMailModule = {
  kinds: {
    payerMail: payerMailKind,
    unsubscription: unsubscriptionKind,
  },
  accountParts: {
    payerMail: payerMailAccountPart,
  },
  deciders: payerMailDeciders,
  answers: payerMailAnswers,
}
