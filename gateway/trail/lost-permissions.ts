import type { Directory, DirectoryFact } from '../../engine/companies/directory.ts'
import type { Command } from '../../engine/kernel/registry.ts'
import { type Permission, permissionsOf } from '../../engine/people/permission.ts'
import type { CompanyMembership } from '../../engine/people/person.ts'
import {
  type AccountId,
  accountIdOf,
  type Environment,
  type MembershipId,
  type PersonId,
} from '../../engine/shared/ids.ts'
import { byOperator } from '../../engine/shared/initiator.ts'

/** The permissions that a person no longer has in an account. */
export type LostPermissions = {
  readonly accountId: AccountId
  readonly personId: PersonId
  readonly permissions: readonly Permission[]
}

/** The command that stops what a person has asked for by a permission that is lost (dashboard, section 2.3). */
const stops = {
  'transfers.create': { type: 'StopMoneyOutOf', kind: 'transfer' },
  'crypto.withdraw': { type: 'StopMoneyOutOf', kind: 'withdrawal' },
  'limits.manage': { type: 'DropControlChangesOf' },
  'beneficiaries.manage': { type: 'StopTrustOf' },
} as const satisfies Partial<Record<Permission, Partial<Command>>>

/** The commands that stop the pending requests of a person who has lost permissions. */
export const stopsOf = ({ accountId, personId, permissions }: LostPermissions): readonly Command[] =>
  watched
    .filter((permission) => permissions.includes(permission))
    .map((permission) => ({
      ...stops[permission],
      accountId,
      by: byOperator,
      personId,
    }))

/** The permissions that each person has lost by a fact that was applied. */
export const lostBy = ({ people }: Directory, fact: DirectoryFact): readonly LostPermissions[] => {
  switch (fact.type) {
    case 'PersonErased':
      return fact.id === null
        ? []
        : fact.companyIds.flatMap((companyId) => lostIn(companyId, fact.id!, () => watched))
    case 'MembershipRemoved': {
      const { companyId, personId } = people.memberships.get(fact.id)!
      return lostIn(companyId, personId, () => watched)
    }
    case 'MembershipChanged':
      return lostByChange(people.memberships.get(fact.id)!)
    case 'RoleChangeDecided': {
      const member = people.memberships.get(fact.membershipId as MembershipId)
      return fact.isApproved && member !== undefined ? lostByChange(member) : []
    }
    default:
      return []
  }
}

const lostByChange = ({ companyId, personId, grants }: CompanyMembership): readonly LostPermissions[] => {
  const [before, after] = [grants.at(-2)!.roles, grants.at(-1)!.roles]
  return lostIn(companyId, personId, (environment) =>
    watched.filter(
      (permission) =>
        permissionsOf(before, environment).has(permission) &&
        !permissionsOf(after, environment).has(permission),
    ),
  )
}

const lostIn = (
  companyId: CompanyMembership['companyId'],
  personId: PersonId,
  lost: (environment: Environment) => readonly Permission[],
): readonly LostPermissions[] =>
  environments
    .map((environment) => ({
      accountId: accountIdOf(companyId, environment),
      personId,
      permissions: lost(environment),
    }))
    .filter(({ permissions }) => permissions.length > 0)

const watched = Object.keys(stops) as (keyof typeof stops)[]
const environments = ['SANDBOX', 'PRODUCTION'] as const
