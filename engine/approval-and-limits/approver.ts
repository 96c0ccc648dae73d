import type { Rejection } from '../kernel/registry.ts'
import { mayApprove, type Standing } from '../people/standing.ts'
import type { PersonId } from '../shared/ids.ts'

/** The person who decides about money out or a change that waits. */
export type DecidingPerson = {
  /** Null for the Sandbox's second person. */
  readonly personId: PersonId | null
  readonly name: string | null
  /** For approving it; null for none. */
  readonly standing: Standing | null
}

/** Who approves in the Sandbox as a second person would, where there is none. */
export const secondPersonOfSandbox: DecidingPerson = {
  personId: null,
  name: 'Sandbox',
  standing: { sinceMs: 0, isConfirmed: true },
}

/** Why a person may not approve what has waited since a time: the role came after it, from one person alone. */
export const approverRefusal = (standing: Standing | null, waitsSinceMs: number): Rejection | null =>
  standing !== null && mayApprove(standing, waitsSinceMs) ? null : { reason: 'APPROVER_TOO_NEW' }
