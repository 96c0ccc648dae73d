import { codeAt } from '../../gateway/identity/totp.ts'
import { contract } from './contract.ts'
import { type Answer, type Service, send } from './service.ts'

/** A person's browser: it keeps the cookie, and sends what the dashboard's page would send. */
export type Browser = {
  readonly call: (
    verb: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Answer>
  /** For which company and environment it asks. */
  readonly at: (companyId: string, environment?: 'SANDBOX' | 'PRODUCTION') => Browser
  /** At another node of a cluster: its cookie is that of all. */
  readonly via: (origin: string) => Browser
  /** With further headers. */
  readonly with: (headers: Record<string, string>) => Browser
  readonly cookie: () => string
  /** What lets it in for reading. */
  readonly headers: () => Record<string, string>
  readonly csrf: () => string
}

export const openBrowser = (origin: string, userAgent = 'Mozilla/5.0 Test'): Browser => {
  const state = { cookie: '', csrf: '' }
  const browserAt = (origin: string, place: Record<string, string>): Browser => ({
    call: async (verb, path, body, headers = {}) => {
      const response = await send(origin + path, {
        method: verb,
        headers: {
          'User-Agent': userAgent,
          'Sec-Fetch-Site': 'same-origin',
          ...(state.cookie && { Cookie: state.cookie }),
          ...(state.csrf && { 'Service-CSRF': state.csrf }),
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...place,
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const set = response.headers.get('set-cookie')
      if (set !== null) state.cookie = set.split(';')[0]!
      const text = await response.text()
      const answer = {
        status: response.status,
        headers: response.headers,
        body: text === '' ? null : parsed(text),
      }
      if (typeof answer.body?.csrfToken === 'string') state.csrf = answer.body.csrfToken
      const type = response.headers.get('content-type')
      const violations = contract().violations({ verb, path, sent: body, type, ...answer })
      if (violations.length > 0)
        throw new Error(
          `${verb} ${path} answers ${answer.status} against the OpenAPI document: ${violations.join('; ')}\n${text}`,
        )
      return answer
    },
    at: (companyId, environment = 'SANDBOX') =>
      browserAt(origin, { 'Service-Company': companyId, 'Service-Environment': environment }),
    via: (origin) => browserAt(origin, place),
    with: (headers) => browserAt(origin, { ...place, ...headers }),
    headers: () => ({ Cookie: state.cookie, ...place }),
    cookie: () => state.cookie,
    csrf: () => state.csrf,
  })
  return browserAt(origin, {})
}

const parsed = (text: string): any => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A person who has accepted an invitation and has an authenticator app. */
export type Enrolled = {
  readonly browser: Browser
  readonly email: string
  readonly password: string
  /** A code that was not used before: of the present step, or the next one. */
  readonly code: () => string
  readonly recoveryCodes: readonly string[]
}

/**
 * The codes of an authenticator app with this secret, each one once: those of the last, the present and the next half minute. A story has three:
 * on a slow machine there would be more, and on a fast one they would be refused.
 */
export const authenticatorApp = (text: string, now: () => number = Date.now): (() => string) => {
  const secret = fromBase32(text)
  let last = 0
  let count = 0
  return () => {
    if (++count > codesMax) throw new Error(`an app shows ${codesMax} codes at one time`)
    const step = Math.max(Math.floor(now() / 30_000) - 1, last + 1)
    last = step
    return codeAt(secret, step)
  }
}

const codesMax = 3

/**
 * Confirms an app with its first code. That is of the half minute before, which may count no more when it arrives: then there is another one
 * for the time that has passed.
 */
export const confirmApp = async (
  browser: Browser,
  secret: string,
): Promise<{ readonly code: () => string; readonly codes: string[] }> => {
  for (;;) {
    const startedIn = halfMinute()
    const code = authenticatorApp(secret)
    const { status, body } = await browser.call('POST', '/v1/me/totp/confirm', { code: code() })
    if (status === 200) return { code, codes: body.codes }
    if (halfMinute() === startedIn) throw new Error(JSON.stringify(body))
  }
}

const halfMinute = (): number => Math.floor(Date.now() / 30_000)

export const password = 'cavalo bateria grampo correto'

/** Joins a company by a link, as its first person does by that of the command line. */
export const enrol = async (
  service: Service,
  link: string,
  email: string,
  name = 'Ana Souza',
): Promise<Enrolled> => {
  const browser = openBrowser(service.origin)
  const token = link.slice(link.indexOf('#') + 1)
  await browser.call('POST', '/v1/invitations/accept', { token, name, password })
  await browser.call('GET', '/v1/session')
  const totp = await browser.call('POST', '/v1/me/totp')
  const { code, codes } = await confirmApp(browser, totp.body.secret)
  await browser.call('GET', '/v1/session')
  return { browser, email, password, code, recoveryCodes: codes }
}

/** The owner of a company. */
export const newOwner = async (
  service: Service,
  companyId: string,
  email = 'ana@example.com',
): Promise<Enrolled> => {
  const { link } = await service.operate('people invite', { company: companyId, email, role: 'owner' })
  return enrol(service, link, email)
}

/** RFC 4648, section 6. */
export const fromBase32 = (text: string): Buffer => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  let bits = ''
  for (const char of text) bits += alphabet.indexOf(char).toString(2).padStart(5, '0')
  return Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)))
}
