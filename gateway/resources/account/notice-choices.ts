import type { NoticeKind } from '../../../engine/notices/notice.ts'
import type { Environment } from '../../../engine/shared/ids.ts'

/** Kinds about security: a victim must not miss these, and a thief cannot switch them off. */
const security: ReadonlySet<NoticeKind> = new Set([
  'KEY_CREATED',
  'LIMIT_CHANGED',
  'FACTOR_RESET',
  'ROLE_PENDING',
  'ROLE_BY_OPERATOR',
  'NEW_SIGN_IN',
  'PASSKEY_COUNTER',
])

/** Whether people choose if a kind of notice comes by mail. */
export const isMailedByChoice = (kind: NoticeKind): boolean => !security.has(kind)

/** Whether a kind comes by mail unless a person has chosen. Experiments in the Sandbox fill no mailbox. */
export const mailedByDefault = (kind: NoticeKind, environment: Environment): boolean =>
  environment === 'PRODUCTION' || security.has(kind) || kind === 'TICKET_ANSWERED'

/** Whether a kind has a mail of its own, sent by the operation that it reports (`gateway/operations/people/`). */
export const hasOwnMail = (kind: NoticeKind): boolean => kind === 'FACTOR_RESET' || kind === 'NEW_SIGN_IN'
