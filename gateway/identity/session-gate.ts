import type { Directory } from '../../engine/companies/directory.ts'
import { permissionsOf } from '../../engine/people/permission.ts'
import { membershipIn, type Person } from '../../engine/people/person.ts'
import { countsFor, type Session, type Sessions } from '../../engine/people/session.ts'
import { accountIdOf, type CompanyId, type Environment, type SessionId } from '../../engine/shared/ids.ts'
import { bounds } from '../base/bounds.ts'
import { invalidField, notFound, type Problem, problem } from '../problems/problem.ts'
import type { HttpRequest } from '../wire/transport.ts'
import { type Access, isAboutPerson } from './access.ts'
import type { SignedIn } from './caller.ts'
import { csrfTokenOf, isEqual, openCookieReader, type SessionKeys, setCookieOf } from './session-cookie.ts'

/** Admits people by their session, without the disk or another thread (dashboard, sections 1.1 and 1.5). */
export type SessionGate = {
  /** The person who asks, or why the request is refused; null without a session. */
  readonly admit: (request: HttpRequest, access: Access | null, nowMs: number) => Admission
  /** Whether another site's page has sent the request. */
  readonly crossesSites: (request: HttpRequest) => boolean
  /** The person in the company and environment of the headers, for a request not yet sent; or the refusal. */
  readonly placed: (caller: SignedIn, request: Pick<HttpRequest, 'headers'>) => SignedIn | Problem
  /** A person whom another thread has admitted. */
  readonly callerAt: (
    sessionId: SessionId,
    companyId: string,
    environment: Environment,
  ) => SignedIn | undefined
  /** Whether the session still exists, with the same permissions there. */
  readonly isStillIn: (caller: SignedIn) => boolean
  /** Whether a second factor was given within the last minutes. */
  readonly isFresh: (caller: SignedIn, nowMs: number) => boolean
  readonly methodsOf: (caller: SignedIn) => readonly FactorMethod[]
}

export type FactorMethod = 'totp' | 'passkey'

type Admission = {
  readonly caller: SignedIn | Problem | null
  /** A renewed cookie; null while the present one is recent. */
  readonly setCookie: string | null
  /** The cookie is ours, but its session is unknown here: another node may have opened it just now. */
  readonly isUnknown?: true
}

type Admitting = Pick<HttpRequest, 'verb' | 'query' | 'headers' | 'repeatedHeaders'>

export type SessionGateOptions = {
  readonly directory: Pick<Directory, 'people' | 'companies'>
  readonly sessions: Sessions
  readonly keys: SessionKeys
  /** The origins of the dashboard, for browsers that do not send `Sec-Fetch-Site`. */
  readonly origins: () => readonly string[]
  /** Whether session facts are arriving: without them, a person who has signed out would still be admitted. */
  readonly isCurrent: () => boolean
}

type GateState = SessionGateOptions & { readonly ourCookie: ReturnType<typeof openCookieReader> }

/** Opens the gate over the directory's people and the sessions, which are kept current. */
export const openSessionGate = (options: SessionGateOptions): SessionGate => {
  const gate: GateState = { ...options, ourCookie: openCookieReader(options.keys) }
  return {
    admit: (request, access, nowMs) => admitBySession(gate, request, access, nowMs),
    crossesSites: (request) => crossesSites(gate, request),
    placed: ({ session, person, endsAtMs }, { headers }) =>
      placedBy(gate, session, person, headers, '', endsAtMs),
    callerAt: (sessionId, companyId, environment) => callerAt(gate, sessionId, companyId, environment),
    isStillIn: ({ session, companyId, environment, permissions }) =>
      callerAt(gate, session.id, companyId!, environment!)?.permissions === permissions,
    isFresh: ({ session }, nowMs) =>
      session.factorAtMs !== null && nowMs - session.factorAtMs <= bounds.factorFreshMs,
    methodsOf: ({ person }) => factorMethodsOf(person),
  }
}

const admitBySession = (
  gate: GateState,
  request: HttpRequest,
  access: Access | null,
  nowMs: number,
): Admission => {
  const { headers, repeatedHeaders } = request
  const read = repeatedHeaders.includes('cookie') ? null : gate.ourCookie(headers.cookie)
  if (read === null || nowMs >= idleAtMs(read.usedAtMs)) return nobody
  if (!gate.isCurrent()) return { caller: problem('SERVICE_UNAVAILABLE'), setCookie: null }
  const session = gate.sessions.bySecret.get(read.secretHash)
  if (session === undefined) return { ...nobody, isUnknown: true }
  if (nowMs >= session.endsAtMs) return nobody
  const person = gate.directory.people.persons.get(session.personId)
  if (person === undefined || !countsFor(person, session)) return nobody
  const isUsedNow = nowMs - read.usedAtMs >= minuteMs && headers['service-background'] !== '1'
  const setCookie = isUsedNow ? setCookieOf(read.secret, nowMs, gate.keys) : null
  const endsAtMs = Math.min(session.endsAtMs, idleAtMs(read.usedAtMs))
  return { caller: callerOf(gate, session, person, request, access, endsAtMs), setCookie }
}

const callerOf = (
  gate: GateState,
  session: Session,
  person: Person,
  request: Admitting,
  access: Access | null,
  endsAtMs: number,
): SignedIn | Problem | null => {
  if (session.stage === 'SECOND_FACTOR' && access !== 'HALF_SESSION') return null
  const isRead = request.verb === 'GET' || request.verb === 'HEAD'
  if (!isRead && (crossesSites(gate, request) || !hasToken(gate, request, session)))
    return problem('CSRF_REJECTED')
  if (session.stage === 'ENROL' && access !== 'SELF') return problem('ENROLMENT_REQUIRED')
  if (access === null || isAboutPerson(access)) return signedIn(session, person, endsAtMs, null)
  return placedBy(gate, session, person, request.headers, isRead ? request.query : '', endsAtMs)
}

const placedBy = (
  gate: GateState,
  session: Session,
  person: Person,
  headers: HttpRequest['headers'],
  query: string,
  endsAtMs: number,
): SignedIn | Problem => {
  const place = placeOf(headers, query)
  if ('code' in place) return place
  return inCompany(gate, session, person, place.companyId, place.environment, endsAtMs) ?? notFound('company')
}

const hasToken = (gate: GateState, { headers }: Admitting, { id }: Session): boolean =>
  isEqual(headers['service-csrf'] ?? '', csrfTokenOf(id, gate.keys))

const crossesSites = (gate: GateState, { verb, headers }: Admitting): boolean => {
  if (verb === 'GET' || verb === 'HEAD') return false
  const site = headers['sec-fetch-site']
  return site === undefined ? !gate.origins().includes(headers.origin ?? '') : site !== 'same-origin'
}

const inCompany = (
  gate: GateState,
  session: Session,
  person: Person,
  companyId: CompanyId,
  environment: Environment,
  endsAtMs: number,
): SignedIn | null => {
  const membership = membershipIn(gate.directory.people, person.id, companyId)
  if (membership === null || gate.directory.companies.get(companyId)?.suspendedAtMs !== null) return null
  const permissions = permissionsOf(membership.roles, environment)
  return signedIn(session, person, endsAtMs, { companyId, environment, permissions })
}

const callerAt = (
  gate: GateState,
  sessionId: SessionId,
  companyId: string,
  environment: Environment,
): SignedIn | undefined => {
  const session = gate.sessions.byId.get(sessionId)
  const person = session && gate.directory.people.persons.get(session.personId)
  if (session === undefined || person === undefined || !countsFor(person, session)) return undefined
  return inCompany(gate, session, person, companyId as CompanyId, environment, session.endsAtMs) ?? undefined
}

const nobody: Admission = { caller: null, setCookie: null }

/** The second factors that a person has. */
export const factorMethodsOf = ({ sealedTotpSecret, passkeys }: Person): readonly FactorMethod[] => [
  ...(sealedTotpSecret === null ? [] : (['totp'] as const)),
  ...(passkeys.length === 0 ? [] : (['passkey'] as const)),
]

const idleAtMs = (usedAtMs: number): number => usedAtMs + bounds.sessionIdleMs + minuteMs

/** A cookie names the minute of its last use, and is renewed once it is a minute old. */
const minuteMs = 60_000

type Place = { readonly companyId: CompanyId; readonly environment: Environment }

/** Written out: spreading would take most of the check's time. */
const signedIn = (
  session: Session,
  person: Person,
  endsAtMs: number,
  place: (Place & Pick<SignedIn, 'permissions'>) | null,
): SignedIn => ({
  kind: 'PERSON',
  session,
  person,
  endsAtMs,
  by: { kind: 'PERSON', id: person.id },
  accountId: place && accountIdOf(place.companyId, place.environment),
  companyId: place?.companyId ?? null,
  environment: place?.environment ?? null,
  permissions: place === null ? none : place.permissions,
})

const none: ReadonlySet<never> = new Set()

/** The company and environment that a request names, in headers, or where a browser cannot set any, in the query of a read. */
const placeOf = (headers: HttpRequest['headers'], query: string): Place | Problem => {
  const parameter = (name: string): string | null =>
    query === '' ? null : new URLSearchParams(query).get(name)
  const companyId = headers['service-company'] ?? parameter('serviceCompany')
  const environment = headers['service-environment'] ?? parameter('serviceEnvironment')
  if (!companyId) return invalidField('Service-Company', 'REQUIRED', (say) => say.required('Service-Company'))
  if (environment !== 'SANDBOX' && environment !== 'PRODUCTION')
    return invalidField('Service-Environment', environment ? 'INVALID_VALUE' : 'REQUIRED', (say) =>
      say.mustBe('Service-Environment', say.wanted.oneOf(['SANDBOX', 'PRODUCTION'])),
    )
  return { companyId: companyId as CompanyId, environment }
}
