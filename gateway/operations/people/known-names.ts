import type { Company } from '../../../engine/companies/company.ts'
import type { Directory } from '../../../engine/companies/directory.ts'
import { membershipsOf, type Person } from '../../../engine/people/person.ts'

/** Names that others know and a guesser tries first: those of the person, the address, and the companies. */
export const knownNames = (
  { people, companies }: Directory,
  { id, name, email }: Pick<Person, 'id' | 'name' | 'email'>,
): readonly string[] => [
  name,
  email,
  ...membershipsOf(people, id).flatMap(({ companyId }) => namesOfCompany(companies.get(companyId)!)),
]

/** The legal name and the trade name. */
export const namesOfCompany = ({ name, tradeName }: Company): readonly string[] =>
  tradeName === null ? [name] : [name, tradeName]
