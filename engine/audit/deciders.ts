import type { Deciders } from '../kernel/decider.ts'
import type { Draft } from '../kernel/draft.ts'
import type { ActorStates, Command } from '../kernel/registry.ts'
import type { AuditAsker, AuditDraft } from '../shared/audit.ts'
import { numberedId } from '../shared/ids.ts'
import { hashOfEntry } from './audit-entry.ts'
import { type AuditedActors, effectOnObject } from './audited-object.ts'
import type { AuditSource, RecordAudit } from './commands.ts'

/** The audit log of an account. */
export const auditDeciders: Deciders<RecordAudit> = {
  RecordAudit: (draft, { source, draft: act }) => {
    if (source === null || source.sequence > lastFrom(draft.account().audit, source))
      append(draft, act, source)
    return null
  },
}

const lastFrom = (
  { directorySequence, sessionSequence }: ActorStates['account']['audit'],
  { log }: AuditSource,
): number => (log === 'DIRECTORY' ? directorySequence : sessionSequence)

/**
 * Adds the audit entry to the command's own facts, so that no effect lacks it. A command without facts has none.
 */
export const recordCommand = (
  draft: Draft,
  command: Command,
  asker: AuditAsker,
  actors: AuditedActors,
): void => {
  if (draft.steps.length === 0) return
  const { atMs } = draft.context
  append(
    draft,
    { ...asker, atMs, ...effectOnObject(draft, command, actors), result: 'DONE', code: null },
    null,
  )
}

const append = (draft: Draft, { atMs, ...act }: AuditDraft, source: AuditSource | null): void => {
  const account = draft.account()
  const { entries, headHash: previousHash } = account.audit
  const number = entries + 1
  const id = numberedId('aud', atMs, number, draft.context.entropy)
  const recorded = { ...act, accountId: account.id, number, previousHash }
  const hash = hashOfEntry({ id, createdAtMs: atMs, ...recorded })
  draft.add(
    { actor: 'auditEntry', type: 'AuditRecorded', id, atMs, entry: { ...recorded, hash } },
    {
      actor: 'account',
      type: 'AuditChained',
      id: account.id,
      atMs: draft.context.nowMs,
      hash,
      directorySequence: source?.log === 'DIRECTORY' ? source.sequence : null,
      sessionSequence: source?.log === 'SESSIONS' ? source.sequence : null,
    },
  )
}
