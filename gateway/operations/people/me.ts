import { isEnrolled, type Person, type PersonChanges, personByEmail } from '../../../engine/people/person.ts'
import { bounds } from '../../base/bounds.ts'
import { withAsciiDomain } from '../../base/emails.ts'
import type { Asker } from '../../identity/asked.ts'
import { refuseAs } from '../../problems/refusal.ts'
import { personResource } from '../../resources/people/session.ts'
import { type Input, lineOf, type Operations, operationsOn, readText } from '../input.ts'
import { changeAskingPerson, changeCredentials } from './credentials.ts'
import { knownNames } from './known-names.ts'
import { linkWith, newLink, stillLinked } from './links.ts'
import { requireGoodPassword } from './password-rules.ts'
import type { PeopleContext } from './people-context.ts'
import type { PeopleOptions } from './people-options.ts'
import { confirmByFactor } from './second-factor.ts'
import { askingPerson, renewSession, sessionAnswer } from './sessions-of.ts'

/** The operations by which people change their own name, e-mail and password (dashboard, section 2.2). */
export const meOperations = (context: PeopleContext): Operations =>
  operationsOn(context, {
    'me show': async (options, _, by) => personResource.view(askingPerson(options, by)),
    'me update': update,
    'me confirm-email': confirmEmail,
    'me password': changePassword,
  })

const update = async (options: PeopleOptions, input: Input, by: Asker): Promise<object> => {
  const person = askingPerson(options, by)
  const { name, language, theme } = input
  const changes: PersonChanges = {
    ...(name !== undefined && { name: lineOf(name, 'name', bounds.nameCharsMax) }),
    ...(language !== undefined && { language: language as Person['language'] }),
    ...(theme !== undefined && { theme: theme as Person['theme'] }),
  }
  if (input.email !== undefined) await startEmailChange(options, person, readText(input, 'email'), by)
  return personResource.view(await changeAskingPerson(options, by, person, () => changes))
}

/** Sends a link that confirms the new address, and a notice to the present one. */
const startEmailChange = async (
  options: PeopleOptions,
  person: Person,
  text: string,
  by: Asker,
): Promise<void> => {
  const email = withAsciiDomain(text).trim().toLowerCase()
  if (email === person.email) return
  if (!options.sendsMail) refuseAs('SERVICE_UNAVAILABLE')
  // After a reset the person has no factor: this refuses until the freeze is over.
  if (isEnrolled(person) || person.factorFrozenUntilMs !== null) await confirmByFactor(options, by)
  await options.record(() => {
    const { token, facts } = newLink(options, person, 'EMAIL_CHANGE', email)
    const link = `${options.origin()}/painel/email#${token}`
    return [
      ...facts,
      options.mail(email, person.language, { kind: 'EMAIL_CHANGE', link }),
      options.mail(person.email, person.language, { kind: 'EMAIL_CHANGE_ASKED', email }),
    ]
  })
}

/** Takes the link that went to the new address. An address taken since is refused like an invalid link. */
const confirmEmail = async (options: PeopleOptions, input: Input, by: Asker): Promise<object> => {
  const { directory, sessions, realNow } = options
  const link = await linkWith(options, readText(input, 'token'), 'EMAIL_CHANGE')
  const { person, email } = link
  if (email === null) return refuseAs('LINK_INVALID')
  await options.record(() => {
    const isTaken = personByEmail(directory.people, email) !== null
    if (isTaken || !sessions.links.has(link.tokenHash)) refuseAs('LINK_INVALID')
    const { id, language } = stillLinked(options, link)
    return [
      // All of the person's links end, those for a password, too: they went to the former address.
      ...[...sessions.links.values()].flatMap(({ personId, tokenHash }) =>
        personId === id ? [{ type: 'LinkUsed', tokenHash } as const] : [],
      ),
      options.mail(person.email, language, { kind: 'EMAIL_CHANGED', email }),
    ]
  })
  await options.commit(() => {
    const { id } = stillLinked(options, link)
    if (personByEmail(directory.people, email) !== null) refuseAs('LINK_INVALID')
    return { type: 'PersonChanged', id, changes: { email }, atMs: realNow() }
  }, by)
  return { done: true }
}

const changePassword = async (context: PeopleContext, input: Input, by: Asker): Promise<object> => {
  const person = askingPerson(context, by)
  const current = typeof input.current === 'string' ? input.current : ''
  if (person.passwordHash !== null)
    await context.checkPassword(by, { email: person.email, password: current, refusal: 'PASSWORD_WRONG' })
  const password = readText(input, 'new')
  await requireGoodPassword(password, knownNames(context.directory, person))
  const passwordHash = await context.hasher.hash(password)
  const opened = await changeCredentials(
    context,
    by,
    'PASSWORD',
    () => ({ passwordHash }),
    (session) => renewSession(context, session, {}),
  )
  return { setCookie: sessionAnswer(context, opened).setCookie, body: { done: true } }
}
