/**
 * The audit log of an account: a chain of hashed entries that say who did what, added to the facts of the act
 * itself.
 */
import './account-part.ts'
import './audit-entry.ts'
import './commands.ts'
import './queries.ts'
import { auditAccountPart } from './account-part.ts'
import { auditAnswers } from './answers.ts'
import { auditKind } from './audit-entry.ts'
import { auditDeciders } from './deciders.ts'

/** What the engine takes from this folder. The bare imports bring what it adds to the types of the kernel. */
export const auditModule = {
  kinds: {
    auditEntry: auditKind,
  },
  accountParts: {
    audit: auditAccountPart,
  },
  deciders: auditDeciders,
  answers: auditAnswers,
}
