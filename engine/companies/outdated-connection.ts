import {
  knownConnection,
  type RailConnection,
  type Railed,
  type RailState,
} from '../connections/rail-connection.ts'
import { type CompanyConnection, type ConnectionFact, railConnectionIn } from './connection.ts'

type Outdated = Omit<Extract<ConnectionFact, { readonly type: 'ConnectionOutdated' }>, 'atMs'>

/**
 * What the directory has lost of a connection, because it was restored to an earlier moment than the log of the account; null where the account
 * knows nothing that the directory does not. One that either of them has stopped takes nothing until a person resumes it, nor does one whose
 * credentials were replaced later, and what was retired stays so.
 */
export const outdatedBy = (connection: CompanyConnection, account: Railed): Outdated | null => {
  const known = knownConnection(account, connection.id)
  if (known === null) return null
  const own = railConnectionIn(connection)
  const isRevived = known.state === 'RETIRED' && connection.state !== 'RETIRED'
  const isOlder = areOlder(connection, known)
  if (!isRevived && !isOlder && !isAhead(known, connection.revision, own)) return null
  return {
    type: 'ConnectionOutdated',
    id: connection.id,
    state: safestOf(known, own, isOlder),
    knownRevision: known.revision,
    ...(isOlder && { areCredentialsOlder: true }),
  }
}

/** Whether these credentials came before those of another moment of the same connection. */
export const areOlder = (own: CredentialsAge, other: CredentialsAge): boolean =>
  (own.credentialsRevision ?? 1) < (other.credentialsRevision ?? 1)

type CredentialsAge = Pick<CompanyConnection, 'credentialsRevision'>

/** Whether the account has it by a revision that the directory has not reached, or has used for something else. */
const isAhead = (known: RailConnection, revision: number, own: RailConnection | null): boolean =>
  known.revision > revision || (known.revision === revision && known.state !== own?.state)

const safestOf = (known: RailConnection, own: RailConnection | null, isOlder: boolean): RailState => {
  if (known.state === 'RETIRED' || own?.state === 'RETIRED') return 'RETIRED'
  return known.state === 'ACTIVE' && own?.state === 'ACTIVE' && !isOlder ? 'ACTIVE' : 'SUSPENDED'
}
