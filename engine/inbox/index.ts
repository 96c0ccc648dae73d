/** What banks and acquirers report unasked, as it came, and how far they were asked for what they did not report. */
import './commands.ts'
import './inbox-notice.ts'
import './poll.ts'
import { inboxAnswers } from './answers.ts'
import { inboxDeciders } from './deciders.ts'
import { inboxNoticeKind } from './inbox-notice.ts'
import { pollKind } from './poll.ts'

/** What the engine takes from this folder. The bare imports bring what it adds to the types of the kernel. */
export const inboxModule = {
  kinds: {
    inboxNotice: inboxNoticeKind,
    poll: pollKind,
  },
  deciders: inboxDeciders,
  answers: inboxAnswers,
}
