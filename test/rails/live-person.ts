import { prepareDirectory } from '../e2e/prepared.ts'
import { type Call, caller, newCompany } from '../e2e/service.ts'
import { type DirectMember, publicUrl, signInDirectly } from '../e2e/sign-in-directly.ts'
import { bankFor } from './api-pix/bank-for-test.ts'
import { connectBank, type LiveScope, liveScopes, type RailHost, startRailHost } from './live-service.ts'

/** Companies with a key and a person each, in a directory that a service can be started over. */
export type PreparedPeople = {
  readonly dataDir: string
  /** The settings that people need. */
  readonly env: Readonly<Record<string, string>>
  readonly people: readonly PreparedPerson[]
}

/** A company that has a person who may do everything. */
export type PreparedPerson = {
  readonly company: { readonly id: string }
  readonly key: { readonly secret: string }
  readonly member: DirectMember
}

/** Makes companies of Production with a person each, who stays signed in for a year. */
export const preparePeople = async (t: LiveScope, count: number): Promise<PreparedPeople> => {
  const env = { WORKERS: '1', PUBLIC_URL: publicUrl }
  const prepared = await prepareDirectory(t)
  const made = []
  for (let n = 0; n < count; n++)
    made.push(await newCompany(prepared, { environment: 'production', scopes: liveScopes }))
  const roles = { SANDBOX: 'OWNER', PRODUCTION: 'OWNER' } as const
  const plans = made.map(({ company }) => ({
    companyId: company.id,
    roles,
    environment: 'PRODUCTION' as const,
    endsInMs: 365 * 86_400_000,
  }))
  const { service: first, members } = await signInDirectly(t, prepared, plans, { env })
  // The service that signs people in has no port for notices.
  await first.kill('SIGKILL')
  const people = made.map(({ company, key }, n) => ({ company, key, member: members[n]! }))
  return { dataDir: prepared.dataDir, env, people }
}

/** Asks as the person does, whose passkey confirms what needs to be confirmed, at the time of a clock. */
export const signerOf = (
  { service }: RailHost,
  { member: { headersAt, authenticator } }: PreparedPerson,
  { nowMs }: { readonly nowMs: () => number },
): Call => {
  const ask: Call = (verb, path, body, more = {}) =>
    caller(service().origin, '')(verb, path, body, { ...headersAt(nowMs()), ...more })
  return async (verb, path, body, more = {}) => {
    if (verb === 'GET') return ask(verb, path, body, more)
    const challenge = await ask('POST', '/v1/session/challenge', { verb, path, body: body ?? {} })
    const assertion = challenge.status === 200 ? authenticator.get(challenge.body) : {}
    const text = Buffer.from(JSON.stringify(assertion)).toString('base64url')
    return ask(verb, path, body, { 'Service-Second-Factor': `passkey ${text}`, ...more })
  }
}

/** The service with a company that is connected to a simulated bank, and with a person of it who sends money. */
export const startLivePerson = async (t: LiveScope) => {
  const { dataDir, env, people } = await preparePeople(t, 1)
  const [person] = people
  const host = await startRailHost(t, { env, dataDir })
  const bank = await bankFor(t, {
    profile: 'efi',
    startMs: Date.now(),
    runs: true,
    trusted: [host.authority],
  })
  await connectBank(host, person!.company.id, bank)
  const call: Call = (...request) => caller(host.service().origin, person!.key.secret)(...request)
  return { ...host, bank, call, sign: signerOf(host, person!, bank.clock) }
}

export type LivePerson = Awaited<ReturnType<typeof startLivePerson>>

/** A beneficiary by bank account, as people register one. */
export const aBeneficiary = {
  name: 'Comercial Aurora Ltda',
  document: '11444777000161',
  bankCode: '341',
  branch: '1234',
  account: '567890',
  accountType: 'CHECKING',
} as const
