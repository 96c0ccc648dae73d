import { type Person, personByEmail } from '../../../engine/people/person.ts'
import { linkThrottle, secondsToWait, withFailure } from '../../../engine/people/throttle.ts'
import { withAsciiDomain } from '../../base/emails.ts'
import type { Asker } from '../../identity/asked.ts'
import { refuseAs } from '../../problems/refusal.ts'
import { type Input, type Operations, operationsOn, readText } from '../input.ts'
import { knownNames } from './known-names.ts'
import { linkWith, newLink, stillLinked } from './links.ts'
import { passwordSubject } from './password-check.ts'
import { passwordLinkTo } from './password-link.ts'
import { requireGoodPassword } from './password-rules.ts'
import type { PeopleContext } from './people-context.ts'
import type { PeopleOptions } from './people-options.ts'
import { voided } from './void.ts'

/** A new password by a link (dashboard, section 1.4). */
export const forgottenPasswordOperations = (context: PeopleContext): Operations =>
  operationsOn(context, { 'password forgot': forgot, 'password reset': reset })

/** Answers alike for every address, and as fast: the mail is made after the answer. */
const forgot = async (context: PeopleContext, input: Input, by: Asker): Promise<object> => {
  context.addresses.take(by.ip)
  const email = withAsciiDomain(readText(input, 'email')).trim().toLowerCase()
  // Without mail a link would not arrive, and would end the one that an operator has handed out.
  if (!context.sendsMail) return { done: true }
  setImmediate(() => {
    const person = personByEmail(context.directory.people, email)
    if (person !== null) sendResetLink(context, person).catch(() => undefined)
  })
  return { done: true }
}

const sendResetLink = (options: PeopleOptions, person: Person): Promise<void> =>
  options.record(() => {
    const subject = `link ${person.id}`
    const before = options.sessions.attempts.get(subject)
    const atMs = options.realNow()
    if (secondsToWait(before, atMs) > 0) return null
    const { token, facts } = newLink(options, person, 'PASSWORD_RESET', person.email)
    const link = passwordLinkTo(options, token)
    return [
      ...facts,
      { type: 'AttemptsChanged', subject, attempts: withFailure(before, atMs, linkThrottle), atMs },
      options.mail(person.email, person.language, { kind: 'PASSWORD_RESET', link }),
    ]
  })

/**
 * Sets a password and ends all sessions and whatever else depends on the old one. The second factor stays, and the
 * next sign-in asks for it. The link is used up first: a crash before the password is set costs a link, and leaves
 * nothing that works.
 */
const reset = async (context: PeopleContext, input: Input, by: Asker): Promise<object> => {
  const { directory, sessions, hasher, realNow } = context
  context.addresses.take(by.ip)
  const password = readText(input, 'password')
  const link = await linkWith(context, readText(input, 'token'), 'PASSWORD_RESET')
  const { person, email } = link
  // The link went to an address that the person no longer has.
  if (email !== null && email !== person.email) refuseAs('LINK_INVALID')
  await requireGoodPassword(password, knownNames(directory, person))
  const passwordHash = await hasher.hash(password)
  await context.record(() => {
    if (!sessions.links.has(link.tokenHash)) refuseAs('LINK_INVALID')
    const subject = passwordSubject(person.email)
    return [
      ...voided(sessions, person.id, null),
      { type: 'AttemptsChanged', subject, attempts: null, atMs: realNow() },
      context.mail(person.email, person.language, { kind: 'FACTOR_CHANGED', what: 'PASSWORD' }),
    ]
  })
  await context.commit(() => {
    const { id } = stillLinked(context, link)
    const changes = { passwordHash }
    return { type: 'PersonChanged', id, changes, beginsGeneration: true, atMs: realNow() }
  }, by)
  return { done: true }
}
