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
  /** A second one, where people are prepared in pairs. */
  readonly colleague?: DirectMember
}

/** Makes companies of Production with a person each, or with two, who stay signed in for a year. */
export const preparePeople = async (
  t: LiveScope,
  count: number,
  { inPairs = false }: { readonly inPairs?: boolean } = {},
): Promise<PreparedPeople> => {
  const env = { WORKERS: '1', PUBLIC_URL: publicUrl }
  const prepared = await prepareDirectory(t)
  const made = []
  for (let n = 0; n < count; n++)
    made.push(await newCompany(prepared, { environment: 'production', scopes: liveScopes }))
  const roles = { SANDBOX: 'OWNER', PRODUCTION: 'OWNER' } as const
  const each = inPairs ? 2 : 1
  const plans = made.flatMap(({ company }) =>
    Array.from({ length: each }, () => ({
      companyId: company.id,
      roles,
      environment: 'PRODUCTION' as const,
      endsInMs: 365 * 86_400_000,
    })),
  )
  const { service: first, members } = await signInDirectly(t, prepared, plans, { env })
  // The service that signs people in has no port for notices.
  await first.kill('SIGKILL')
  const people = made.map(({ company, key }, n) => ({
    ...{ company, key, member: members[each * n]! },
    ...(inPairs && { colleague: members[each * n + 1]! }),
  }))
  return { dataDir: prepared.dataDir, env, people }
}

/** Asks as the person does, whose passkey confirms what needs to be confirmed, at the time of a clock. */
export const signerOf = (
  { service }: RailHost,
  { member: { headersAt, authenticator } }: Pick<PreparedPerson, 'member'>,
  { nowMs }: { readonly nowMs: () => number },
): Call => {
  let secret: string | undefined
  const ask: Call = (verb, path, body, more = {}) =>
    caller(service().origin, '')(verb, path, body, { ...headersAt(nowMs(), secret), ...more })
  const confirmed: Call = async (verb, path, body, more = {}) => {
    const challenge = await ask('POST', '/v1/session/challenge', { verb, path, body: body ?? {} })
    const assertion = challenge.status === 200 ? authenticator.get(challenge.body) : {}
    const text = Buffer.from(JSON.stringify(assertion)).toString('base64url')
    return ask(verb, path, body, { 'Service-Second-Factor': `passkey ${text}`, ...more })
  }
  return async (verb, path, body, more = {}) => {
    if (verb === 'GET') return ask(verb, path, body, more)
    const answer = await confirmed(verb, path, body, more)
    // A factor of some minutes ago is too old for some of what people do.
    if (answer.body?.code !== 'STEP_UP_REQUIRED') return answer
    const challenge = await ask('POST', '/v1/session/challenge', {})
    const given = await ask('POST', '/v1/session/step-up', { assertion: authenticator.get(challenge.body) })
    // A session gets another secret with each factor.
    secret = /=([\w-]{43})\./.exec(given.headers.get('set-cookie') ?? '')?.[1] ?? secret
    return confirmed(verb, path, body, more)
  }
}

/** The service with a company that is connected to a simulated bank, and with a person of it who sends money. */
export const startLivePerson = async (t: LiveScope, bankName = 'efi') => {
  const { dataDir, env, people } = await preparePeople(t, 1)
  const [person] = people
  const host = await startRailHost(t, { env, dataDir })
  const bank = await bankFor(t, {
    profile: bankName,
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
