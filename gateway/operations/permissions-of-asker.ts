import type { Directory } from '../../engine/companies/directory.ts'
import { type Permission, permissionsOf } from '../../engine/people/permission.ts'
import { membershipIn } from '../../engine/people/person.ts'
import type { CompanyId, Environment } from '../../engine/shared/ids.ts'
import type { Asker } from '../identity/asked.ts'

/** The asker's permissions in a company and environment; null for an operator, who may do everything. */
export const permissionsOfAsker = (
  { people }: Pick<Directory, 'people'>,
  { kind, personId }: Asker,
  companyId: CompanyId,
  environment: Environment,
): ReadonlySet<Permission> | null => {
  if (kind === 'OPERATOR') return null
  const membership = personId === null ? null : membershipIn(people, personId, companyId)
  return membership === null ? new Set() : permissionsOf(membership.roles, environment)
}
