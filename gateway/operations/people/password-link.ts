import type { Person } from '../../../engine/people/person.ts'
import type { Asker } from '../../identity/asked.ts'
import { newLink } from './links.ts'
import type { PeopleOptions } from './people-options.ts'

/** A link for a new password, which an operator hands to the person where no mail is sent. */
export const passwordLink = async (options: PeopleOptions, person: Person, by: Asker): Promise<object> => {
  let token = ''
  await options.record(() => {
    const link = newLink(options, person, 'PASSWORD_RESET', person.email)
    token = link.token
    return [...link.facts, ...options.act(by, person.id)]
  })
  const { id, email } = person
  return { object: 'password_link', personId: id, email, link: passwordLinkTo(options, token) }
}

/** The page that sets a password by a link; the token stands in the fragment, which no server logs. */
export const passwordLinkTo = ({ origin }: Pick<PeopleOptions, 'origin'>, token: string): string =>
  `${origin()}/painel/nova-senha#${token}`
