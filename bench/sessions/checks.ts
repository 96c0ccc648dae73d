import { evolveDirectory, newDirectory } from '../../engine/companies/evolve.ts'
import { evolveSessions, newSessions } from '../../engine/people/evolve.ts'
import { authenticate, newKeyring } from '../../gateway/identity/authenticate.ts'
import { newKeyUsage } from '../../gateway/identity/key-usage.ts'
import { sessionKeysOf } from '../../gateway/identity/session-cookie.ts'
import { openSessionGate } from '../../gateway/identity/session-gate.ts'
import type { HttpRequest } from '../../gateway/wire/transport.ts'
import type { Registers, Visitor } from './people.ts'

/** Microseconds to authenticate a request by key and by session: the best of some rounds over all of both. */
export const checkCosts = (
  { facts, sessions: sessionFacts }: Registers,
  visitors: readonly Visitor[],
  masterKey: Uint8Array,
  checks: number,
): { readonly keyUs: number; readonly sessionUs: number } => {
  const directory = newDirectory()
  for (const fact of facts) evolveDirectory(directory, fact)
  const keyring = newKeyring(directory)
  const usage = newKeyUsage()
  const gate = openSessionGate({
    directory,
    sessions: sessionFacts.reduce(evolveSessions, newSessions()),
    keys: sessionKeysOf(masterKey),
    origins: () => [],
    isCurrent: () => true,
  })
  const nowMs = Date.now()
  const byKey = visitors.map(({ company }) => requestWith({ authorization: `Bearer ${company.secret}` }))
  const bySession = visitors.map(({ headers }) => requestWith(lowerCase(headers())))
  const checkKey = (request: HttpRequest): boolean => authenticate(request, keyring, usage, nowMs) !== null
  const checkSession = (request: HttpRequest): boolean => {
    const { caller } = gate.admit(request, 'charges.read', nowMs)
    return caller !== null && 'kind' in caller
  }
  const [keyUs, sessionUs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  const best = { keyUs, sessionUs }
  for (let turn = 0; turn < turns; turn++) {
    best.keyUs = Math.min(best.keyUs, usEach(byKey, checkKey, checks))
    best.sessionUs = Math.min(best.sessionUs, usEach(bySession, checkSession, checks))
  }
  return best
}

const turns = 5

const usEach = (
  requests: readonly HttpRequest[],
  check: (request: HttpRequest) => boolean,
  times: number,
): number => {
  let admitted = 0
  const before = process.cpuUsage()
  for (let n = 0; n < times; n++) if (check(requests[n % requests.length]!)) admitted += 1
  const { user, system } = process.cpuUsage(before)
  if (admitted !== times) throw new Error(`${times - admitted} of ${times} checks let nobody in`)
  return (user + system) / times
}

const requestWith = (headers: Readonly<Record<string, string>>): HttpRequest => ({
  verb: 'GET',
  path: '/v1/pix/charges/txn_0',
  query: '',
  headers,
  repeatedHeaders: [],
  body: Buffer.alloc(0),
  remoteAddress: '127.0.0.1',
})

const lowerCase = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
