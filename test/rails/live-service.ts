import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../gateway/base/free-port.ts'
import { modules } from '../../gateway/providers/modules.ts'
import { prepareDirectory } from '../e2e/prepared.ts'
import {
  type Call,
  caller,
  newCompany,
  newDataDir,
  newMerchant,
  type Scope,
  type Service,
  startService,
  until,
} from '../e2e/service.ts'
import { type DirectMember, publicUrl, signInDirectly } from '../e2e/sign-in-directly.ts'
import { settingsFor } from '../gateway/providers/api-pix/bank-connection.ts'
import { type BankForTest, bankFor } from './api-pix/bank-for-test.ts'
import { createAuthority } from './certificates.ts'

/** The service with a company that is connected to a simulated bank: what `npm run rails` shows, and what stories are about. */
export type LiveService = {
  readonly bank: BankForTest
  /** The process that runs now. */
  readonly service: () => Service
  /** Starts the service once more, over the same data and at the same port for notices. */
  readonly start: () => Promise<void>
  readonly company: { readonly id: string }
  readonly key: { readonly secret: string }
  /** As `connections activate` shows it. */
  readonly connection: { readonly id: string; readonly status: string }
  /** Calls the process that runs now with the company's key of Production. */
  readonly call: Call
  /** Calls it as the person does, whose passkey confirms what needs to be confirmed; refuses where there is no person. */
  readonly sign: Call
}

export type LiveOptions = {
  /** One of the banks that companies can connect to. */
  readonly bankName?: string
  readonly env?: Record<string, string>
  /** Whether a person of the company is signed in, who sends money. */
  readonly hasPerson?: boolean
}

type LiveScope = Scope & { readonly fail: (message: string) => unknown }

/** Starts a bank on the time of the machine and the service, and connects a new company of it: created, verified, activated. */
export const startLiveService = async (
  t: LiveScope,
  { bankName = 'efi', env = {}, hasPerson = false }: LiveOptions = {},
): Promise<LiveService> => {
  const folder = mkdtempSync(join(tmpdir(), 'payments-rails-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const ours = createAuthority('CA of the service')
  const bank = await bankFor(t, {
    profile: bankName,
    startMs: Date.now(),
    runs: true,
    trusted: [ours.cert],
  })
  const port = await freePort('127.0.0.1', 0)
  const identity = ours.issue({ commonName: 'localhost', hosts: ['localhost', '127.0.0.1'] })
  const fileOf = (name: string, text: string): string => {
    const file = join(folder, name)
    writeFileSync(file, text, { mode: 0o600 })
    return file
  }
  const allEnv = {
    WORKERS: '1',
    PROVIDER_PORT: String(port),
    PROVIDER_URL: `https://localhost:${port}`,
    PROVIDER_TLS_CERT_FILE: fileOf('notices.pem', identity.cert),
    PROVIDER_TLS_KEY_FILE: fileOf('notices-key.pem', identity.key),
    ...env,
  }
  const begun = hasPerson ? await startWithPerson(t, allEnv) : await startWithKey(t, allEnv)
  const { company, key, dataDir, person } = begun
  let { service } = begun
  const { id } = await service.operate('connections create', {
    company: company.id,
    environment: 'production',
    provider: bankName,
    settings: liveSettings(bank, bankName),
  })
  await service.operate('connections verify', { id })
  const connection = await service.operate('connections activate', { id })
  await until(async () => bank.bank.webhooks.all().length > 0)
  return {
    bank,
    service: () => service,
    start: async () => {
      service = await startService(t, { dataDir, env: { PUBLIC_URL: publicUrl, ...allEnv } })
    },
    company,
    key,
    connection,
    call: (...request) => caller(service.origin, key.secret)(...request),
    sign: async (verb, path, body, headers = {}) => {
      if (person === null) throw new Error('there is no person')
      const confirmed =
        verb === 'GET' ? person.headers : await person.confirmation(verb, path, body, person.headers)
      return caller(service.origin, '')(verb, path, body, { ...person.headers, ...confirmed, ...headers })
    },
  }
}

type Begun = {
  readonly service: Service
  readonly dataDir: string
  readonly company: { readonly id: string }
  readonly key: { readonly secret: string }
  readonly person: DirectMember | null
}

const startWithKey = async (t: LiveScope, env: Record<string, string>): Promise<Begun> => {
  const dataDir = newDataDir(t)
  const service = await startService(t, { dataDir, env })
  const { company, key } = await newMerchant(service, { environment: 'production', scopes })
  return { service, dataDir, company, key, person: null }
}

/** A person can only be signed in before the service starts: the sign-in by mail and passkey takes a browser. */
const startWithPerson = async (t: LiveScope, env: Record<string, string>): Promise<Begun> => {
  const prepared = await prepareDirectory(t)
  const { company, key } = await newCompany(prepared, { environment: 'production', scopes })
  const roles = { SANDBOX: 'OWNER', PRODUCTION: 'OWNER' } as const
  const plan = { companyId: company.id, roles, environment: 'PRODUCTION' } as const
  const { service, members } = await signInDirectly(t, prepared, [plan], { env })
  return { service, dataDir: prepared.dataDir, company, key, person: members[0]! }
}

const scopes = 'charges.create,charges.read,transactions.read,refunds.create,balance.read'

/** The settings of a connection to a simulated bank, with who may report for it. */
export const liveSettings = (bank: BankForTest, bankName: string): Readonly<Record<string, unknown>> => ({
  ...settingsFor(bank, modules[bankName]!),
  noticeAuthority: bank.authority.cert,
  noticeIssuer: `CN=${bank.bank.context.profile.label} CA`,
  noticeSubject: `CN=hooks.${bankName}.example`,
})
