import { type Permission, permissionsOf } from '../../engine/people/permission.ts'
import { membersOf } from '../../engine/people/person.ts'
import type { RequestContext } from '../http/route.ts'

/** How many other people of the company may do something in the request's environment. */
export const othersWho = (
  permission: Permission,
  { directory, company, environment, by }: RequestContext,
): number =>
  membersOf(directory.people, company.id).filter(
    ({ personId, roles }) => personId !== by.id && permissionsOf(roles, environment).has(permission),
  ).length

/** The person who decides about a payment; no key has the permission. */
export const decider = ({ caller, personal }: RequestContext) => {
  if (caller.kind !== 'PERSON') return { personId: null, name: null }
  const { id, name } = caller.person
  return { personId: id, name: personal.seal(id, name) }
}
