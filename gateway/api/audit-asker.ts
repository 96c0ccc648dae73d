import type { RecordAudit } from '../../engine/audit/commands.ts'
import type { AuditAsker, AuditDraft } from '../../engine/shared/audit.ts'
import { bounds } from '../base/bounds.ts'
import type { KnownKey } from '../identity/caller.ts'
import type { PersonalTexts } from '../identity/personal-texts.ts'
import type { Admitted } from '../link/relay.ts'
import type { Route } from './route.ts'

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

/** The command that records an export in the audit log of the account. */
export const exportRecordOf = (
  admitted: Admitted,
  route: Pick<Route, 'operationId'>,
  personal: Pick<PersonalTexts, 'seal'>,
): RecordAudit => {
  const { accountId, companyId, by } = admitted.caller as KnownKey
  const draft: AuditDraft = {
    ...auditAskerOf(admitted, route, personal)!,
    atMs: admitted.startedAtMs,
    object: { type: 'company', id: companyId },
    changes: [],
    result: 'DONE',
    code: null,
  }
  return { type: 'RecordAudit', accountId, by, source: null, draft }
}

/** The `User-Agent` as the audit log keeps it, cut to its limit; null if there is none. */
export const auditedAgent = (userAgent: string | undefined): string | null =>
  userAgent ? userAgent.slice(0, bounds.auditedAgentCharsMax).toWellFormed() : null
