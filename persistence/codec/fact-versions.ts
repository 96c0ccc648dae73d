import type { DirectoryFact } from '../../engine/companies/directory.ts'
import type { SessionFact } from '../../engine/people/session.ts'
import { newerThanWritten } from './layout.ts'

/** Since which version types of facts exist; without those that exist since the first version with a gate. */
export type FactVersions<Fact extends { readonly type: string }> = Readonly<
  Partial<Record<Fact['type'], number>>
>

/** The types of facts that the directory has got later. */
export const directoryFactVersions: FactVersions<DirectoryFact> = {
  CopiesPlaced: 14,
  ShardBalanced: 14,
  ConnectionCreated: 14,
  ConnectionVerified: 14,
  ConnectionActivationRequested: 14,
  ConnectionActivated: 14,
  ConnectionSuspended: 14,
  ConnectionResumed: 14,
  ConnectionRotated: 14,
  ConnectionRestored: 14,
  ConnectionRetired: 14,
  ConnectionOutdated: 14,
  ConnectionRecovered: 14,
  ConnectionApplied: 14,
  ConnectionAddressNoted: 14,
}

/** The types of facts that sessions have got later. */
export const sessionFactVersions: FactVersions<SessionFact> = {}

/** Throws `UpgradeUnfinished` for a fact of a type that came with a later version than is written. */
export const requireWrittenFact = <Fact extends { readonly type: string }>(
  versions: FactVersions<Fact>,
  { type }: Fact,
  written: number,
): void => {
  const since = versions[type as Fact['type']]
  if (since !== undefined && since > written) throw newerThanWritten(type, since, written)
}
