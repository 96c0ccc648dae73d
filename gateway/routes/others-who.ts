import type { DecidingPerson } from '../../engine/approval-and-limits/approver.ts'
import { type Permission, permissionsOf } from '../../engine/people/permission.ts'
import { everMembersOf, membershipIn, membersOf } from '../../engine/people/person.ts'
import { isMissed, type Standing, standingFor } from '../../engine/people/standing.ts'
import type { RequestContext } from '../api/route.ts'

/** How many other people of the company may do something in the request's environment. */
export const othersWho = (
  permission: Permission,
  { directory, company, environment, by }: RequestContext,
): number =>
  membersOf(directory.people, company.id).filter(
    ({ personId, roles }) => personId !== by.id && permissionsOf(roles, environment).has(permission),
  ).length

/** How many others of the company may approve payments, including those who could within the last day. */
export const otherApprovers = ({ directory, company, environment, by, atMs }: RequestContext): number =>
  everMembersOf(directory.people, company.id).filter(
    (member) => member.personId !== by.id && isMissed(member, environment, 'transfers.approve', atMs),
  ).length

/** The standing of the person who asks, for a permission in the request's environment; null for none. */
export const standingOfAsker = (
  permission: Permission,
  { caller, directory, company, environment }: RequestContext,
): Standing | null => {
  if (caller.kind !== 'PERSON') return null
  const member = membershipIn(directory.people, caller.person.id, company.id)
  return member && standingFor(member, environment, permission)
}

/** The person who decides about a payment; no key has the permission. */
export const decider = (request: RequestContext): DecidingPerson => {
  const { caller, personal } = request
  if (caller.kind !== 'PERSON') return { personId: null, name: null, standing: null }
  const { id, name } = caller.person
  const standing = standingOfAsker('transfers.approve', request)
  return { personId: id, name: personal.seal(id, name), standing }
}
