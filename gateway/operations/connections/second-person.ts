import { type CompanyConnection, paysOut } from '../../../engine/companies/connection.ts'
import type { DirectoryFact } from '../../../engine/companies/directory.ts'
import { everMembersOf, membershipIn, type People } from '../../../engine/people/person.ts'
import { isMissed, mayApprove, standingFor } from '../../../engine/people/standing.ts'
import type { Asker } from '../../identity/asked.ts'
import { refuseAs } from '../../problems/refusal.ts'

/**
 * The fact that asks another person to confirm an activation; null where it counts at once. Where reais can leave by a connection it takes
 * two people, as long as the company has two who may (dashboard, section 2.3); for an operator, the operator is the second.
 */
export const activationOf = (
  people: People,
  connection: CompanyConnection,
  { kind, personId }: Asker,
  nowMs: number,
): DirectoryFact | null => {
  const { id, companyId, requested } = connection
  if (!paysOut(connection) || kind !== 'PERSON' || personId === null) return null
  const hasOther = everMembersOf(people, companyId).some(
    (member) => member.personId !== personId && isMissed(member, 'PRODUCTION', permission, nowMs),
  )
  if (!hasOther) return null
  if (requested === null) return { type: 'ConnectionActivationRequested', id, by: personId, atMs: nowMs }
  if (requested.by === personId) refuseAs('OWN_REQUEST')
  const member = membershipIn(people, personId, companyId)
  const standing = member === null ? null : standingFor(member, 'PRODUCTION', permission)
  if (standing === null || !mayApprove(standing, requested.atMs))
    refuseAs('NO_PERMISSION', { requiredPermission: permission })
  return null
}

const permission = 'company.manage'
