import { type CompanyMembership, membersOf, type People } from '../../../engine/people/person.ts'

/** Whether the member's company has no other owner. */
export const isLastOwner = (people: People, member: CompanyMembership): boolean =>
  isOwner(member) &&
  membersOf(people, member.companyId).every((other) => other.id === member.id || !isOwner(other))

const isOwner = ({ roles }: CompanyMembership): boolean => roles.PRODUCTION === 'OWNER'
