import type { Directory } from '../../../engine/companies/directory.ts'
import type { SessionFact, Sessions } from '../../../engine/people/session.ts'
import type { Entropy } from '../../../engine/shared/ids.ts'
import type { CommitBy } from '../../identity/asked.ts'
import type { Passkeys } from '../../identity/passkeys.ts'
import type { PasswordHasher } from '../../identity/password-hash.ts'
import type { PersonalTexts } from '../../identity/personal-texts.ts'
import type { SessionKeys } from '../../identity/session-cookie.ts'
import type { MailText } from '../../mail/texts.ts'
import type { AuditActs } from '../../trail/audit-acts.ts'

/** The dependencies of operations of people. */
export type PeopleOptions = {
  readonly directory: Directory
  readonly commit: CommitBy
  readonly sessions: Sessions
  /** Records facts about sessions, decided on exactly the state before them; null records nothing. */
  readonly record: (decide: () => readonly SessionFact[] | null) => Promise<void>
  /** Resolves once every thread here has what other nodes recorded. */
  readonly catchUp: () => Promise<void>
  readonly realNow: () => number
  readonly entropy: Entropy
  readonly randomBytes: (count: number) => Buffer
  readonly masterKey: Buffer
  /** Seals and opens stored personal texts. */
  readonly personal: PersonalTexts
  readonly keys: SessionKeys
  /** Comparing a password is left to the one check that counts (`gateway/operations/people/password-check.ts`). */
  readonly hasher: Pick<PasswordHasher, 'hash'>
  readonly passkeys: Passkeys
  /** Queues an act for the audit logs: returns the facts to record with its effect. */
  readonly act: AuditActs['done']
  /** Records the refusal of a person, or of a stranger who named the person's address. */
  readonly refused: AuditActs['refusedOf']
  /** The origin of the dashboard. */
  readonly origin: () => string
  /** The fact that queues a mail. */
  readonly mail: (to: string, language: 'pt' | 'en', text: MailText) => SessionFact
  /** Whether mail reaches people; otherwise links are in the answers of those who may hand them out. */
  readonly sendsMail: boolean
}
