/**
 * Notices for people at the dashboard: raised from the facts of commands, read per person, and sent by mail to
 * those who want them.
 */
import './account-part.ts'
import './commands.ts'
import './notice.ts'
import './queries.ts'
import { noticesAccountPart } from './account-part.ts'
import { noticeAnswers } from './answers.ts'
import { noticeDeciders } from './deciders.ts'
import { noticeKind } from './notice.ts'

/** What the engine takes from this folder. The bare imports bring what it adds to the types of the kernel. */
export const noticesModule = {
  kinds: {
    notice: noticeKind,
  },
  accountParts: {
    notices: noticesAccountPart,
  },
  deciders: noticeDeciders,
  answers: noticeAnswers,
}
