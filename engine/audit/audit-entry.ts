import type { ActorDefinition } from '../kernel/actor.ts'
import type { ActorFact } from '../kernel/fact.ts'
import { assert } from '../shared/assert.ts'
import type { AuditDraft } from '../shared/audit.ts'
import { isoInstant } from '../shared/calendar.ts'
import type { AccountId, AuditId } from '../shared/ids.ts'
import { sha256 } from '../shared/sha256.ts'

declare module '../kernel/registry.ts' {
  interface ActorStates {
    readonly auditEntry: AuditEntry
  }
  interface ActorFacts {
    readonly auditEntry: AuditFact
  }
}

/** An entry of an account's audit log. Never changed, and never forgotten. */
export type AuditEntry = Recorded & {
  readonly id: AuditId
  /** The instant of the act, on the real clock. */
  readonly createdAtMs: number
}

export type AuditFact = ActorFact<'auditEntry', 'AuditRecorded'> & { readonly entry: Recorded }

type Recorded = Omit<AuditDraft, 'atMs'> & {
  readonly accountId: AccountId
  /** Its place in the chain, from 1. */
  readonly number: number
  /** Null in the first entry. */
  readonly previousHash: string | null
  readonly hash: string
}

/**
 * The hash of an entry: SHA-256 of its JSON as the API shows it, without `hash`, with its members in the order of
 * their names and nothing between them (RFC 8785).
 */
export const hashOfEntry = (entry: Omit<AuditEntry, 'hash'>): string =>
  sha256(JSON.stringify(sortedMembers(hashedMembers(entry))))

const hashedMembers = (entry: Omit<AuditEntry, 'hash'>) => ({
  id: entry.id,
  at: isoInstant(entry.createdAtMs),
  actor: entry.actor,
  sessionId: entry.sessionId,
  keyId: entry.keyId,
  ip: entry.ip,
  userAgent: entry.userAgent,
  action: entry.action,
  object: entry.object,
  changes: entry.changes,
  result: entry.result,
  code: entry.code,
  requestId: entry.requestId,
  previousHash: entry.previousHash,
})

const sortedMembers = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortedMembers)
  if (value === null || typeof value !== 'object') return value
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, sortedMembers(member)]))
}

export const auditKind: ActorDefinition<AuditEntry, AuditFact> = {
  prefix: 'aud',
  isKeptByReset: true,
  evolve: (state, { id, atMs, entry }) => {
    assert(state === undefined, 'an entry is recorded once')
    return { id, createdAtMs: atMs, ...entry }
  },
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  label: labelOfEntry,
  lookupKeys: ({ object }) => (object === null ? none : [object.id]),
}

/** The label by which lists filter without reading the entry: the actor's kind and id, and the action. */
export function labelOfEntry({ actor: { kind, id }, action }: Pick<AuditEntry, 'actor' | 'action'>): string {
  return `${kind}\n${id ?? ''}\n${action}`
}

/** The parts of such a label. */
export const partsOfLabel = (label: string): readonly string[] => label.split('\n')

const none: readonly string[] = []
