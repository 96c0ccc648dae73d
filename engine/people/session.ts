import type { AuditDraft } from '../shared/audit.ts'
import type { AccountId, CompanyId, Environment, PersonId, SessionId } from '../shared/ids.ts'
import type { Person } from './person.ts'

/** A browser in which a person signs in or is signed in. */
export type Session = {
  readonly id: SessionId
  readonly personId: PersonId
  /** SHA-256 of the cookie's secret, in base64url. */
  readonly secretHash: string
  /**
   * SECOND_FACTOR: the password was right, and nothing but the factor can be sent. ENROL: signed in without a second factor, which has to
   * be added first.
   */
  readonly stage: 'SECOND_FACTOR' | 'ENROL' | 'FULL'
  /** When a second factor was last given; null for never. */
  readonly factorAtMs: number | null
  /** The sealed secret of an authenticator app that is being added; null for none. */
  readonly sealedPendingTotp: string | null
  /** The last time step of that app that was used; 0 for none. */
  readonly pendingTotpStep: number
  /** The person's credential generation that the session belongs to; the next one makes it void. */
  readonly credentialGeneration: number
  /** Both sealed with the person's key. */
  readonly ip: string
  readonly userAgent: string
  readonly createdAtMs: number
  readonly endsAtMs: number
}

export type SessionChanges = Partial<
  Pick<
    Session,
    | 'secretHash'
    | 'stage'
    | 'factorAtMs'
    | 'sealedPendingTotp'
    | 'pendingTotpStep'
    | 'credentialGeneration'
    | 'endsAtMs'
  >
>

/** What an answer to a challenge of WebAuthn does. */
export type ChallengePurpose = 'SIGN_IN' | 'STEP_UP' | 'OPERATION' | 'REGISTRATION'

/** What a challenge counts for: an answer to it is refused wherever any of this differs (dashboard, section 1.5). */
export type ChallengeUse = {
  readonly purpose: ChallengePurpose
  /** Null for a sign-in: the answer says who it is. */
  readonly personId: PersonId | null
  readonly sessionId: SessionId | null
  /** Where the operation takes effect; null if it is about the person alone. */
  readonly companyId: CompanyId | null
  readonly environment: Environment | null
  /** SHA-256 of the operation's verb, path, query and validated body, in base64url; null for every other purpose. */
  readonly digest: string | null
}

export type Challenge = ChallengeUse & { readonly expiresAtMs: number }

/** Whether a session or a link still counts: not if password or factors of the person were changed since. */
export const countsFor = (
  person: Pick<Person, 'credentialGeneration'>,
  given: Pick<Session | MailLink, 'credentialGeneration'>,
): boolean => given.credentialGeneration >= person.credentialGeneration

/** What a link by mail is for. */
export type LinkPurpose = 'PASSWORD_RESET' | 'EMAIL_CHANGE'

export type MailLink = {
  /** SHA-256 of its token, in base64url. */
  readonly tokenHash: string
  readonly purpose: LinkPurpose
  readonly personId: PersonId
  /**
   * Sealed with the person's key: the new address, or for a password the address that the link went to. Null in
   * password links stored before it was recorded.
   */
  readonly email: string | null
  /** The person's credential generation that the link belongs to; the next one makes it void. */
  readonly credentialGeneration: number
  readonly expiresAtMs: number
}

/** Facts about signing in. All of them are worthless after two days. */
export type SessionFact =
  | { readonly type: 'SessionOpened'; readonly session: Session }
  | { readonly type: 'SessionChanged'; readonly id: SessionId; readonly changes: SessionChanges }
  | { readonly type: 'SessionsEnded'; readonly ids: readonly SessionId[] }
  /** Sessions, challenges, links and failures that ended by then are forgotten. */
  | { readonly type: 'SessionsPruned'; readonly atMs: number }
  /** Time steps of the authenticator app up to this one are used up. */
  | { readonly type: 'CodeSpent'; readonly personId: PersonId; readonly step: number }
  /**
   * `challenge` is 32 random bytes in base64url. Challenges stored before they had a purpose count for nothing.
   */
  | ({ readonly type: 'ChallengeIssued'; readonly challenge: string } & Challenge)
  | { readonly type: 'ChallengeSpent'; readonly challenge: string }
  | { readonly type: 'LinkIssued'; readonly link: MailLink }
  | { readonly type: 'LinkUsed'; readonly tokenHash: string }
  | { readonly type: 'MailQueued'; readonly id: string; readonly sealedMail: string; readonly atMs: number }
  /** The mail was sent, or will not be. */
  | { readonly type: 'MailDone'; readonly id: string }
  | { readonly type: 'ActQueued'; readonly act: QueuedAct }
  /** The audit logs have every act up to this one. */
  | { readonly type: 'ActsRecorded'; readonly upTo: number }
  | {
      readonly type: 'AttemptsChanged'
      readonly subject: string
      readonly attempts: FailedAttempts | null
      readonly atMs: number
    }

/** A sign-in, the end of a session, or a refused factor, on its way to the audit logs of accounts. */
export type QueuedAct = {
  /** Greater than that of every earlier act, even a forgotten one: the millisecond, or one more than the last. */
  readonly sequence: number
  readonly accountIds: readonly AccountId[]
  readonly draft: AuditDraft
}

/** Failed attempts of a subject (an e-mail's passwords, a person's codes, an address). */
export type FailedAttempts = {
  /** Failures in a row. */
  readonly inRow: number
  /** When the latest ones were, the oldest first. */
  readonly recentMs: readonly number[]
  /** No attempt is taken before this time. */
  readonly blockedUntilMs: number
}

export type Sessions = {
  readonly byId: ReadonlyMap<SessionId, Session>
  readonly bySecret: ReadonlyMap<string, Session>
  /** The last time step that was used, by person. */
  readonly spentSteps: ReadonlyMap<PersonId, number>
  readonly challenges: ReadonlyMap<string, Challenge>
  readonly links: ReadonlyMap<string, MailLink>
  readonly attempts: ReadonlyMap<string, FailedAttempts>
  /** Mails that are not sent yet. */
  readonly mails: ReadonlyMap<string, { readonly sealedMail: string; readonly atMs: number }>
  /** Acts that are not in every audit log yet, by their numbers. */
  readonly acts: ReadonlyMap<number, QueuedAct>
  /** The number of the last act. */
  readonly lastAct: number
}
