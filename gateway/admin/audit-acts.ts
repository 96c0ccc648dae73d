import type { Directory } from '../../engine/directory/directory.ts'
import { membershipsOf, type Person, personByEmail } from '../../engine/people/person.ts'
import type { AuditDraft } from '../../engine/shared/audit.ts'
import { type AccountId, accountIdOf, type Environment, type PersonId } from '../../engine/shared/ids.ts'
import { delay } from '../delay.ts'
import { limits } from '../limits.ts'
import type { Asked, OperationOutcome } from '../people/asked.ts'
import { readAssertion } from '../people/passkeys.ts'
import { askerOf } from './audit-draft.ts'

/**
 * Records what leaves no fact in the directory: sessions that begin and end, and factors that were refused (dashboard, section 1.7). It is
 * told to the accounts of the companies concerned while the answer is on its way; what was refused, once a minute for each reason.
 */
export const openAuditActs = (options: {
  readonly directory: Directory
  /** Appends to the account's log. Rejects if that is not certain. */
  readonly record: (accountId: AccountId, draft: AuditDraft) => Promise<unknown>
  readonly realNow: () => number
  readonly onTrouble: (error: unknown, accountId: AccountId) => void
  readonly pause?: (ms: number) => Promise<void>
}): { readonly operated: (asked: Asked, outcome: OperationOutcome) => void } => {
  const { directory, realNow, pause = delay } = options
  /** When a failure was recorded last, by person and reason. */
  const recordedAtMs = new Map<string, number>()

  const tell = async (accountId: AccountId, draft: AuditDraft): Promise<void> => {
    let pauseMs: number = limits.accountsRetryMs
    for (let tries = 1; ; tries++) {
      try {
        await options.record(accountId, draft)
        return
      } catch (error) {
        options.onTrouble(error, accountId)
        if (tries === limits.auditTriesMax) return
        await pause(pauseMs)
        pauseMs *= 2
      }
    }
  }

  const isRecent = (personId: PersonId, reason: string): boolean => {
    const nowMs = realNow()
    for (const [key, atMs] of recordedAtMs) if (atMs <= nowMs - minuteMs) recordedAtMs.delete(key)
    const key = `${personId} ${reason}`
    if (recordedAtMs.has(key)) return true
    recordedAtMs.set(key, nowMs)
    return false
  }

  return {
    operated: (asked, outcome) => {
      const act = actOf(asked, outcome)
      if (act === null) return
      const person = personOf(directory, asked)
      if (person === null || (act.code !== null && isRecent(person.id, `${asked.operation} ${act.code}`)))
        return
      const draft: AuditDraft = {
        ...askerOf(directory, { ...asked.by, personId: person.id }),
        ...act,
        atMs: realNow(),
        object: objectOf(person, asked),
        changes: [],
      }
      for (const accountId of accountsOf(directory, person, asked)) void tell(accountId, draft)
    },
  }
}

const minuteMs = 60_000

type Act = Pick<AuditDraft, 'result' | 'code'>

/** Null for what is not recorded here. */
const actOf = ({ operation, by }: Asked, outcome: OperationOutcome): Act | null => {
  if (outcome.type === 'DONE')
    return sessionOperations.includes(operation) ? { result: 'DONE', code: null } : null
  if (outcome.type !== 'REFUSED') return null
  const isRecorded = factorOperations.includes(operation)
    ? signInFailures.includes(outcome.code)
    : by.secondFactor !== null && factorFailures.includes(outcome.code)
  return isRecorded ? { result: 'REFUSED', code: outcome.code } : null
}

/** After these a session is whole, or some have ended. */
const sessionOperations: readonly string[] = [
  'session factor',
  'session passkey',
  'session end',
  'me end-session',
  'me end-others',
  'team end-sessions',
]
const factorOperations: readonly string[] = [
  'session sign-in',
  'session factor',
  'session passkey',
  'session step-up',
]
const factorFailures: readonly string[] = ['SECOND_FACTOR_INVALID', 'FACTOR_FROZEN', 'TOO_MANY_ATTEMPTS']
const signInFailures: readonly string[] = ['UNAUTHORIZED', ...factorFailures]

/** The person who asks or is named; null for one who is not known. */
const personOf = ({ people }: Directory, { by, input }: Asked): Person | null => {
  if (by.personId !== null) return people.persons.get(by.personId) ?? null
  const { email, assertion } = input as { readonly email?: unknown; readonly assertion?: unknown }
  if (typeof email === 'string') return personByEmail(people, email.trim().toLowerCase())
  const credentialId = readAssertion(assertion)?.credentialId
  if (credentialId === undefined) return null
  const hasPasskey = ({ passkeys }: Person) =>
    passkeys.some((passkey) => passkey.credentialId === credentialId)
  return [...people.persons.values()].find(hasPasskey) ?? null
}

const objectOf = ({ id }: Person, { operation, input }: Asked): AuditDraft['object'] =>
  operation === 'team end-sessions'
    ? { type: 'membership', id: (input as { readonly id: string }).id }
    : { type: 'person', id }

/** The account that was asked about; of every company of the person that of Production, if it was none. */
const accountsOf = (
  directory: Directory,
  { id }: Person,
  { input, operation }: Asked,
): readonly AccountId[] => {
  const { company, environment } = input as { readonly company?: string; readonly environment?: Environment }
  const isCompanyWide = /^(team|company) /.test(operation)
  return membershipsOf(directory.people, id)
    .filter(({ companyId, removedAtMs }) => removedAtMs === null && (company ?? companyId) === companyId)
    .map(({ companyId }) => accountIdOf(companyId, (!isCompanyWide && environment) || 'PRODUCTION'))
}
