import { prepareDirectory } from '../e2e/prepared.ts'
import { type Call, caller, newCompany } from '../e2e/service.ts'
import { publicUrl, signInDirectly } from '../e2e/sign-in-directly.ts'
import { bankFor } from './api-pix/bank-for-test.ts'
import { connectBank, startRailHost } from './live-service.ts'

type LiveScope = Parameters<typeof startRailHost>[0]

/** The service with a company that is connected to a simulated bank, and with a person of it who sends money. */
export const startLivePerson = async (t: LiveScope) => {
  const env = { WORKERS: '1', PUBLIC_URL: publicUrl }
  const prepared = await prepareDirectory(t)
  const { company, key } = await newCompany(prepared, {
    environment: 'production',
    scopes: 'charges.create,charges.read,balance.read,marketplace.manage',
  })
  const roles = { SANDBOX: 'OWNER', PRODUCTION: 'OWNER' } as const
  const plan = { companyId: company.id, roles, environment: 'PRODUCTION' } as const
  const { service: first, members } = await signInDirectly(t, prepared, [plan], { env })
  // The service that signs people in has no port for notices.
  await first.kill('SIGKILL')
  const host = await startRailHost(t, { env, dataDir: prepared.dataDir })
  const bank = await bankFor(t, {
    profile: 'efi',
    startMs: Date.now(),
    runs: true,
    trusted: [host.authority],
  })
  await connectBank(host, company.id, bank)
  const { headers, authenticator } = members[0]!
  const ask: Call = (verb, path, body, more = {}) =>
    caller(host.service().origin, '')(verb, path, body, { ...headers, ...more })
  const call: Call = (...request) => caller(host.service().origin, key.secret)(...request)
  /** Asks as the person does, whose passkey confirms what needs to be confirmed. */
  const sign: Call = async (verb, path, body, more = {}) => {
    if (verb === 'GET') return ask(verb, path, body, more)
    const challenge = await ask('POST', '/v1/session/challenge', { verb, path, body: body ?? {} })
    const assertion = challenge.status === 200 ? authenticator.get(challenge.body) : {}
    const text = Buffer.from(JSON.stringify(assertion)).toString('base64url')
    return ask(verb, path, body, { 'Service-Second-Factor': `passkey ${text}`, ...more })
  }
  return { ...host, bank, call, sign }
}

export type LivePerson = Awaited<ReturnType<typeof startLivePerson>>
