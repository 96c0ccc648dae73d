import { randomBytes } from 'node:crypto'
import t from 'tap'
import { evolveDirectory } from '../../../engine/companies/evolve.ts'
import { evolveSessions } from '../../../engine/people/evolve.ts'
import type { Access } from '../../../gateway/identity/access.ts'
import {
  csrfTokenOf,
  sessionKeysOf,
  setCookieOf,
  tokenHash,
} from '../../../gateway/identity/session-cookie.ts'
import { openSessionGate } from '../../../gateway/identity/session-gate.ts'
import { openDesk } from '../operations/people/desk.ts'

const minuteMs = 60_000

const requestOf = (headers: Record<string, string>, { verb = 'GET', query = '' }) => ({
  verb,
  path: '/v1/x',
  query,
  headers,
  repeatedHeaders: [],
  body: Buffer.alloc(0),
  remoteAddress: '192.0.2.1',
})

/** A person who is signed in, at a gate, with the cookie that the browser has. */
const atGate = async () => {
  const desk = openDesk()
  const company = await desk.newCompany()
  const { by } = await desk.member(company, 'ana@example.com', { SANDBOX: 'DEVELOPER', PRODUCTION: 'VIEWER' })
  const session = desk.sessions.byId.get(by.sessionId!)!
  const secret = randomBytes(32).toString('base64url')
  evolveSessions(desk.sessions, {
    type: 'SessionChanged',
    id: session.id,
    changes: { secretHash: tokenHash(secret) },
  })
  let isCurrent = true
  const gate = openSessionGate({
    directory: desk.directory,
    sessions: desk.sessions,
    keys: desk.keys,
    origins: () => ['https://pay.example.com'],
    isCurrent: () => isCurrent,
  })
  const cookieAt = (ms: number): string => setCookieOf(secret, ms, desk.keys).split(';')[0]!
  const ask = (
    headers: Record<string, string>,
    { verb = 'GET', query = '', access = 'transactions.read' as Access | null } = {},
  ) => {
    const { caller, setCookie } = gate.admit(requestOf(headers, { verb, query }), access, desk.now())
    return {
      outcome: caller === null ? null : 'code' in caller ? caller.code : caller.kind,
      caller,
      setCookie,
    }
  }
  const place = { 'service-company': company, 'service-environment': 'SANDBOX' }
  const csrf = { 'service-csrf': csrfTokenOf(session.id, desk.keys), 'sec-fetch-site': 'same-origin' }
  return { desk, company, session, gate, ask, cookieAt, place, csrf, lose: () => (isCurrent = false) }
}

t.test('a session ends when it is idle, and after a working day', async (t) => {
  const { desk, ask, cookieAt, place } = await atGate()
  const cookie = cookieAt(desk.now())
  desk.passMs(15 * minuteMs)
  t.match(
    ask({ cookie, ...place }),
    { outcome: 'PERSON', setCookie: /^__Host-sid=/ },
    'used in time, it is renewed',
  )
  desk.passMs(minuteMs)
  t.equal(ask({ cookie, ...place }).outcome, null, 'sixteen minutes without use')
  desk.passMs(8 * 60 * minuteMs - 16 * minuteMs - 1)
  t.equal(ask({ cookie: cookieAt(desk.now()), ...place }).outcome, 'PERSON')
  desk.passMs(1)
  t.equal(ask({ cookie: cookieAt(desk.now()), ...place }).outcome, null, 'eight hours, however busy')
})

t.test('polls renew nothing, and a cookie is renewed once a minute', async (t) => {
  const { desk, ask, cookieAt, place } = await atGate()
  const cookie = cookieAt(desk.now())
  t.equal(ask({ cookie, ...place }).setCookie, null)
  desk.passMs(2 * minuteMs)
  t.equal(ask({ cookie, ...place, 'service-background': '1' }).setCookie, null)
  t.match(ask({ cookie, ...place }).setCookie, /SameSite=Strict/)
})

t.test('a cookie that we have not signed names nobody', async (t) => {
  const { desk, ask, cookieAt, place } = await atGate()
  const cookie = cookieAt(desk.now())
  const [name, secret, minute, mac] = /^(.*)=(.*)\.(.*)\.(.*)$/.exec(cookie)!.slice(1)
  const other = setCookieOf(secret!, desk.now(), sessionKeysOf(randomBytes(32))).split(';')[0]!
  for (const forged of [
    `${name}=${secret}.${Number(minute) + 1}.${mac}`,
    `${name}=${'A'.repeat(43)}.${minute}.${mac}`,
    other,
    `${name}=${secret}`,
    cookie.replace('__Host-', ''),
  ])
    t.equal(ask({ cookie: forged, ...place }).outcome, null, forged)
  t.equal(ask({ cookie: `a=b; ${cookie}; c=d`, ...place }).outcome, 'PERSON')
})

t.test('a request says for whom, and a role is that of the environment', async (t) => {
  const { desk, company, ask, cookieAt, place } = await atGate()
  const cookie = cookieAt(desk.now())
  t.equal(ask({ cookie }).outcome, 'VALIDATION_ERROR')
  t.equal(
    ask({ cookie, 'service-company': company, 'service-environment': 'TEST' }).outcome,
    'VALIDATION_ERROR',
  )
  t.equal(ask({ cookie, ...place, 'service-company': 'cmp_x' }).outcome, 'NOT_FOUND')
  const byQuery = ask({ cookie }, { query: `serviceCompany=${company}&serviceEnvironment=PRODUCTION` })
  t.equal(byQuery.outcome, 'PERSON')
  t.notOk((byQuery.caller as any).permissions.has('charges.create'), 'a viewer there')
  t.ok((ask({ cookie, ...place }).caller as any).permissions.has('charges.create'), 'a developer here')
  t.equal(ask({ cookie }, { access: 'SELF' }).outcome, 'PERSON', 'about oneself no company is named')
  const [membership] = desk.directory.people.memberships.keys()
  evolveDirectory(desk.directory, { type: 'MembershipRemoved', id: membership!, atMs: desk.now() })
  t.equal(ask({ cookie, ...place }).outcome, 'NOT_FOUND', 'a member who was removed')
})

t.test('what changes something needs the page’s own token', async (t) => {
  const { desk, ask, cookieAt, place, csrf } = await atGate()
  const cookie = cookieAt(desk.now())
  const post = (headers: Record<string, string>) =>
    ask({ cookie, ...place, ...headers }, { verb: 'POST' }).outcome
  t.equal(post(csrf), 'PERSON')
  t.equal(post({}), 'CSRF_REJECTED')
  t.equal(
    post({ 'service-csrf': csrf['service-csrf'] }),
    'CSRF_REJECTED',
    'without a site, the origin has to be ours',
  )
  t.equal(post({ 'service-csrf': csrf['service-csrf'], origin: 'https://pay.example.com' }), 'PERSON')
  t.equal(post({ 'service-csrf': csrf['service-csrf'], origin: 'https://evil.example' }), 'CSRF_REJECTED')
  for (const site of ['cross-site', 'same-site', 'none'])
    t.equal(post({ ...csrf, 'sec-fetch-site': site }), 'CSRF_REJECTED', site)
})

t.test('half a session reaches the factor alone, and one without a factor only what adds one', async (t) => {
  const { desk, session, ask, cookieAt, place, csrf } = await atGate()
  const cookie = cookieAt(desk.now())
  const staged = (stage: 'SECOND_FACTOR' | 'ENROL'): void =>
    void evolveSessions(desk.sessions, { type: 'SessionChanged', id: session.id, changes: { stage } })
  staged('SECOND_FACTOR')
  t.equal(ask({ cookie, ...place }).outcome, null)
  t.equal(ask({ cookie }, { access: 'SELF' }).outcome, null)
  t.equal(ask({ cookie, ...csrf }, { verb: 'POST', access: 'HALF_SESSION' }).outcome, 'PERSON')
  staged('ENROL')
  t.equal(ask({ cookie, ...place }).outcome, 'ENROLMENT_REQUIRED')
  t.equal(ask({ cookie }, { access: 'SELF' }).outcome, 'PERSON')
})

t.test(
  'a cookie of ours that names no known session may be of one that another node has just opened',
  async (t) => {
    const { desk, gate, cookieAt } = await atGate()
    const cookie = setCookieOf('A'.repeat(43), desk.now(), desk.keys).split(';')[0]!
    const isUnknown = (cookie: string) =>
      gate.admit(requestOf({ cookie }, {}), 'SELF', desk.now()).isUnknown ?? false
    t.equal(isUnknown(cookie), true)
    t.equal(isUnknown(`${cookie}x`), false, 'a forged one')
    t.equal(isUnknown(cookieAt(desk.now())), false)
    desk.passMs(17 * minuteMs)
    t.equal(isUnknown(cookie), false, 'it was idle for too long')
  },
)

t.test('without news of the sessions nobody is let in, because any of them may have ended', async (t) => {
  const { desk, ask, cookieAt, place, lose } = await atGate()
  const unknown = setCookieOf('A'.repeat(43), desk.now(), desk.keys).split(';')[0]!
  t.equal(ask({ cookie: unknown, ...place }).outcome, null)
  lose()
  t.equal(ask({ cookie: cookieAt(desk.now()), ...place }).outcome, 'SERVICE_UNAVAILABLE')
  t.equal(ask({ cookie: unknown, ...place }).outcome, 'SERVICE_UNAVAILABLE', 'it may have begun elsewhere')
  t.equal(ask({ cookie: cookieAt(desk.now() - 20 * minuteMs), ...place }).outcome, null)
})
