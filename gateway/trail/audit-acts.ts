import type { Directory } from '../../engine/companies/directory.ts'
import { membershipsOf, type Person } from '../../engine/people/person.ts'
import type { SessionFact, Sessions } from '../../engine/people/session.ts'
import type { AuditDraft } from '../../engine/shared/audit.ts'
import {
  type AccountId,
  accountIdOf,
  type CompanyId,
  type Environment,
  type PersonId,
} from '../../engine/shared/ids.ts'
import type { Asked, Asker, OperationOutcome } from '../identity/asked.ts'
import { readAssertion } from '../identity/passkeys.ts'
import { type Audited, askerOf } from './audit-draft.ts'

/** Acts without a fact in the directory: sessions and refused factors (dashboard, section 1.7). */
export type AuditActs = {
  /** The facts that queue an act, to be recorded with its effect: for one company, or all of the person. */
  readonly done: (by: Asker, personId: PersonId, about?: ActAbout) => readonly SessionFact[]
  /** Queues a refusal, once a minute for each reason. Does not reject. */
  readonly refused: (asked: Asked, outcome: OperationOutcome) => Promise<void>
  /** Queues a refusal that concerns a person, who need not be the asker. */
  readonly refusedOf: (by: Asker, personId: PersonId, code: string) => Promise<void>
}

export type ActAbout = { readonly companyId: CompanyId; readonly object: AuditDraft['object'] }

/** Acts wait among the facts about sessions until the audit logs of the accounts concerned have them. */
export const openAuditActs = (
  options: Audited & {
    readonly sessions: Pick<Sessions, 'lastAct'>
    readonly record: (decide: () => readonly SessionFact[]) => Promise<void>
    readonly realNow: () => number
    readonly onTrouble: (error: unknown) => void
  },
): AuditActs => {
  const { directory, sessions, realNow } = options
  /** When a failure was recorded last, by person and reason. */
  const recordedAtMs = new Map<string, number>()

  const isRecent = (personId: PersonId, reason: string): boolean => {
    const nowMs = realNow()
    for (const [key, atMs] of recordedAtMs) if (atMs <= nowMs - minuteMs) recordedAtMs.delete(key)
    const key = `${personId} ${reason}`
    if (recordedAtMs.has(key)) return true
    recordedAtMs.set(key, nowMs)
    return false
  }

  const queued = (
    accountIds: readonly AccountId[],
    by: Asker,
    act: Pick<AuditDraft, 'result' | 'code' | 'object'>,
  ): readonly SessionFact[] => {
    if (accountIds.length === 0) return []
    const atMs = realNow()
    const draft = { ...askerOf(options, by), ...act, atMs, changes: [] }
    return [{ type: 'ActQueued', act: { sequence: Math.max(sessions.lastAct + 1, atMs), accountIds, draft } }]
  }

  const queueRefused = async (
    by: Asker,
    personId: PersonId,
    code: string,
    accountIds: readonly AccountId[],
  ): Promise<void> => {
    if (isRecent(personId, `${by.operation} ${code}`)) return
    const object = { type: 'person', id: personId }
    await options
      .record(() => queued(accountIds, { ...by, personId }, { object, result: 'REFUSED', code }))
      .catch(options.onTrouble)
  }

  return {
    done: (by, personId, about) => {
      const object = about?.object ?? { type: 'person', id: personId }
      const accountIds = accountsOf(directory, personId, about?.companyId)
      return queued(accountIds, { ...by, personId }, { object, result: 'DONE', code: null })
    },
    refused: async (asked, outcome) => {
      const code = refusedCode(asked, outcome)
      const person = code === null ? null : personOf(directory, asked)
      if (person === null) return
      const { company, environment } = asked.input as Place
      const isCompanyWide = /^(team|company) /.test(asked.operation)
      const accountIds = accountsOf(directory, person.id, company, isCompanyWide ? undefined : environment)
      await queueRefused(asked.by, person.id, code!, accountIds)
    },
    refusedOf: (by, personId, code) => queueRefused(by, personId, code, accountsOf(directory, personId)),
  }
}

type Place = { readonly company?: CompanyId; readonly environment?: Environment }

const minuteMs = 60_000

/** The code to record; null for outcomes that are not recorded here. */
const refusedCode = ({ operation, by }: Asked, outcome: OperationOutcome): string | null => {
  if (outcome.type !== 'REFUSED') return null
  const isRecorded = factorOperations.includes(operation)
    ? signInFailures.includes(outcome.code)
    : by.secondFactor !== null && factorFailures.includes(outcome.code)
  if (!isRecorded) return null
  // A passkey that may have been copied is no wrong code.
  return outcome.extra.reason === 'PASSKEY_COUNTER' ? 'PASSKEY_COUNTER' : outcome.code
}

/** The check of a password records its refusals by itself. */
const factorOperations: readonly string[] = ['session factor', 'session passkey', 'session step-up']
const factorFailures: readonly string[] = ['SECOND_FACTOR_INVALID', 'FACTOR_FROZEN', 'TOO_MANY_ATTEMPTS']
const signInFailures: readonly string[] = ['UNAUTHORIZED', ...factorFailures]

/** The person who asks or is named; null for one who is not known. */
const personOf = ({ people }: Directory, { by, input }: Asked): Person | null => {
  if (by.personId !== null) return people.persons.get(by.personId) ?? null
  const { assertion } = input as { readonly assertion?: unknown }
  const credentialId = readAssertion(assertion)?.credentialId
  if (credentialId === undefined) return null
  const hasPasskey = ({ passkeys }: Person) =>
    passkeys.some((passkey) => passkey.credentialId === credentialId)
  return [...people.persons.values()].find(hasPasskey) ?? null
}

/** The accounts of one company, or of all of the person's; in Production unless the request says otherwise. */
const accountsOf = (
  { people }: Directory,
  id: PersonId,
  company?: CompanyId,
  environment: Environment = 'PRODUCTION',
): readonly AccountId[] =>
  membershipsOf(people, id)
    .filter(({ companyId, removedAtMs }) => removedAtMs === null && (company ?? companyId) === companyId)
    .map(({ companyId }) => accountIdOf(companyId, environment))
