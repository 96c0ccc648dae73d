import type { RecordAudit } from '../../engine/audit/commands.ts'
import { type AuditAsker, type AuditDraft, auditChanges } from '../../engine/shared/audit.ts'
import { bounds } from '../base/bounds.ts'
import type { KnownKey } from '../identity/caller.ts'
import type { PersonalTexts } from '../identity/personal-texts.ts'
import type { Admitted } from '../link/relay.ts'
import type { RequestContext, Route } from './route.ts'

/** Who the audit log names for a request; undefined for a stranger, who changes nothing in a company. */
export const auditAskerOf = (
  { request, caller, requestId }: Admitted,
  { operationId }: Pick<Route, 'operationId'>,
  { seal }: Pick<PersonalTexts, 'seal'>,
): AuditAsker | undefined => {
  const from = {
    ip: request.remoteAddress || null,
    userAgent: auditedAgent(request.headers['user-agent']),
    action: operationId,
    requestId,
  }
  switch (caller.kind) {
    case 'KEY': {
      const { id, name } = caller.key
      return { actor: { kind: 'KEY', id, name }, sessionId: null, keyId: id, ...from }
    }
    case 'PERSON': {
      const { id, name } = caller.person
      const sealed = (text: string | null): string | null => (text === null ? null : seal(id, text))
      return {
        actor: { kind: 'PERSON', id, name: sealed(name) },
        sessionId: caller.session.id,
        keyId: null,
        ...from,
        ip: sealed(from.ip),
        userAgent: sealed(from.userAgent),
      }
    }
    case 'STRANGER':
      return undefined
  }
}

/** The command that records a download in the audit log of the account: what was downloaded, and of which time. */
export const downloadRecordOf = (
  admitted: Admitted,
  { operationId }: Pick<Route, 'operationId'>,
  input: unknown,
  { id, personal }: Pick<RequestContext, 'id' | 'personal'>,
): RecordAudit => {
  const { accountId, companyId, by } = admitted.caller as KnownKey
  const { from, to, format } = (input ?? {}) as Readonly<Record<string, unknown>>
  const draft: AuditDraft = {
    ...auditAskerOf(admitted, { operationId }, personal)!,
    atMs: admitted.startedAtMs,
    object: id === '' ? { type: 'company', id: companyId } : { type: typeOfPaper(id), id },
    // Filters by payer or text are left out: they are personal, and the log keeps them for ever.
    changes: auditChanges({}, { from, to, format }),
    result: 'DONE',
    code: null,
  }
  return { type: 'RecordAudit', accountId, by, source: null, draft }
}

/** What the log calls that which has a receipt. */
const typeOfPaper = (id: string): string =>
  id.startsWith('trf_') ? 'outgoing_transfer' : 'crypto_withdrawal'

/** The `User-Agent` as the audit log keeps it, cut to its limit; null if there is none. */
export const auditedAgent = (userAgent: string | undefined): string | null =>
  userAgent ? userAgent.slice(0, bounds.auditedAgentCharsMax).toWellFormed() : null
