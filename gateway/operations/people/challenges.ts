import type { Challenge, ChallengeUse, SessionFact, Sessions } from '../../../engine/people/session.ts'
import type { PersonId, SessionId } from '../../../engine/shared/ids.ts'
import { bounds } from '../../base/bounds.ts'
import type { PeopleOptions } from './people-options.ts'

export type Spending = { readonly outcome: SpendingOutcome; readonly facts: readonly SessionFact[] }

/** EXPIRED: it was answered before, too late, or never issued. OTHER_USE: it was issued for something else. */
export type SpendingOutcome = 'SPENT' | 'EXPIRED' | 'OTHER_USE'

/**
 * Records a new challenge of WebAuthn (Level 3, section 13.4.3) and returns it: 32 random bytes in base64url,
 * stored with their use, so that a signature confirms one act, once (dashboard, section 1.5).
 */
export const issueChallenge = async (options: PeopleOptions, use: ChallengeUse): Promise<string> => {
  const { sessions, realNow, randomBytes } = options
  const challenge = randomBytes(32).toString('base64url')
  const lifeMs = use.purpose === 'SIGN_IN' ? bounds.signInChallengeMs : bounds.challengeMs
  await options.record(() => [
    ...withdrawn(sessions, use.sessionId),
    { type: 'ChallengeIssued', challenge, ...use, expiresAtMs: realNow() + lifeMs },
  ])
  return challenge
}

/** Spends the oldest challenges of a session that has reached its limit, to make room for one more. */
const withdrawn = ({ challenges }: Sessions, sessionId: SessionId | null): readonly SessionFact[] => {
  if (sessionId === null) return []
  const open = [...challenges].filter(([, issued]) => issued.sessionId === sessionId)
  return open
    .slice(0, Math.max(0, open.length + 1 - bounds.challengesOfSessionMax))
    .map(([challenge]) => ({ type: 'ChallengeSpent', challenge }))
}

/** Decides whether a signed challenge counts for a use; the facts spend it. */
export const spendChallenge = (
  { sessions, realNow }: PeopleOptions,
  challenge: string,
  use: ChallengeUse,
): Spending => {
  const issued = sessions.challenges.get(challenge)
  if (issued === undefined || issued.expiresAtMs <= realNow()) return { outcome: 'EXPIRED', facts: [] }
  // A person spends no challenge of another, whatever they sign.
  if (issued.personId !== null && issued.personId !== use.personId) return { outcome: 'OTHER_USE', facts: [] }
  // A signed challenge is spent even where it does not count, so that it cannot be tried elsewhere.
  const facts: readonly SessionFact[] = [{ type: 'ChallengeSpent', challenge }]
  return { outcome: isSameUse(issued, use) ? 'SPENT' : 'OTHER_USE', facts }
}

/** At a sign-in the person is not known yet when the challenge is issued. */
const isSameUse = (issued: Challenge, use: ChallengeUse): boolean =>
  issued.purpose === use.purpose &&
  (issued.personId === use.personId || (issued.purpose === 'SIGN_IN' && issued.personId === null)) &&
  issued.sessionId === use.sessionId &&
  issued.companyId === use.companyId &&
  issued.environment === use.environment &&
  issued.digest === use.digest

const nowhere = { companyId: null, environment: null, digest: null } as const

/** The use of a factor that lets a person in. */
export const signInUse = (personId: PersonId | null): ChallengeUse => ({
  purpose: 'SIGN_IN',
  personId,
  sessionId: null,
  ...nowhere,
})

/** The use of a factor that a person who is signed in gives once more. */
export const stepUpUse = (personId: PersonId, sessionId: SessionId): ChallengeUse => ({
  purpose: 'STEP_UP',
  personId,
  sessionId,
  ...nowhere,
})

/** The use of a challenge that a new passkey answers. */
export const registrationUse = (personId: PersonId, sessionId: SessionId): ChallengeUse => ({
  purpose: 'REGISTRATION',
  personId,
  sessionId,
  ...nowhere,
})
