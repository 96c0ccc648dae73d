import type { MailLink, SessionFact } from '../../engine/people/session.ts'
import { limits } from '../limits.ts'
import type { PeopleOptions } from './people-options.ts'
import { tokenHash } from './session-cookie.ts'

/** A new link: its token, which goes into the mail alone, and the fact that records its hash. */
export const linkTo = (
  { randomBytes, realNow }: Pick<PeopleOptions, 'randomBytes' | 'realNow'>,
  of: Pick<MailLink, 'purpose' | 'personId' | 'email'>,
): { readonly token: string; readonly fact: SessionFact } => {
  const token = randomBytes(32).toString('base64url')
  const expiresAtMs = realNow() + limits.mailLinkMs
  return { token, fact: { type: 'LinkIssued', link: { ...of, tokenHash: tokenHash(token), expiresAtMs } } }
}
