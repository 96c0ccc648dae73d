import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { modules } from '../../gateway/providers/modules.ts'
import {
  type Call,
  caller,
  newDataDir,
  newMerchant,
  type Scope,
  type Service,
  startService,
  until,
} from '../e2e/service.ts'
import { settingsFor } from '../gateway/providers/api-pix/bank-connection.ts'
import { lastingPort } from '../lasting-port.ts'
import { type BankForTest, bankFor } from './api-pix/bank-for-test.ts'
import { createAuthority } from './certificates.ts'

/** The service with a company that is connected to a simulated bank: what `npm run rails` shows, and what stories are about. */
export type LiveService = RailHost & Shop

/** The service with its port for notices. */
export type RailHost = {
  /** The process that runs now. */
  readonly service: () => Service
  /** Starts the service once more, over the same data and at the same port for notices. */
  readonly start: (more?: Readonly<Record<string, string>>) => Promise<void>
  /** What banks must trust to report. */
  readonly authority: string
}

/** A company that is connected to a simulated bank. */
export type Shop = {
  readonly bank: BankForTest
  readonly company: { readonly id: string }
  readonly key: { readonly secret: string }
  /** As `connections activate` shows it. */
  readonly connection: { readonly id: string; readonly status: string }
  /** Calls the process that runs now with the company's key of Production. */
  readonly call: Call
}

export type LiveOptions = {
  /** One of the banks that companies can connect to. */
  readonly bankName?: string
  readonly env?: Record<string, string>
}

/** What a service and its banks end with, and where they object. */
export type LiveScope = Scope & { readonly fail: (message: string) => unknown }

/** Starts a bank on the time of the machine and the service, and connects a new company of it: created, verified, activated. */
export const startLiveService = async (
  t: LiveScope,
  { bankName = 'efi', env = {} }: LiveOptions = {},
): Promise<LiveService> => {
  const host = await startRailHost(t, { env: { WORKERS: '1', ...env } })
  return { ...host, ...(await openShop(t, host, bankName)) }
}

type HostOptions = {
  readonly env?: Record<string, string>
  readonly program?: string
  readonly dataDir?: string
}

/** Starts the service with a port for notices, for any number of shops. */
export const startRailHost = async (
  t: LiveScope,
  { env = {}, program, dataDir = newDataDir(t) }: HostOptions = {},
): Promise<RailHost> => {
  const folder = mkdtempSync(join(tmpdir(), 'payments-rails-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const ours = createAuthority('CA of the service')
  const port = await lastingPort()
  const identity = ours.issue({ commonName: 'localhost', hosts: ['localhost', '127.0.0.1'] })
  const fileOf = (name: string, text: string): string => {
    const file = join(folder, name)
    writeFileSync(file, text, { mode: 0o600 })
    return file
  }
  const allEnv = {
    PROVIDER_PORT: String(port),
    PROVIDER_URL: `https://localhost:${port}`,
    PROVIDER_TLS_CERT_FILE: fileOf('notices.pem', identity.cert),
    PROVIDER_TLS_KEY_FILE: fileOf('notices-key.pem', identity.key),
    ...env,
  }
  const start = (more: Readonly<Record<string, string>> = {}): Promise<Service> =>
    startService(t, { dataDir, env: { ...allEnv, ...more }, ...(program !== undefined && { program }) })
  let service = await start()
  return {
    service: () => service,
    start: async (more) => {
      service = await start(more)
    },
    authority: ours.cert,
  }
}

/** Opens a bank on the time of the machine, and connects a new company to it. */
export const openShop = async (
  t: LiveScope,
  host: RailHost,
  bankName: string,
  settings: object = {},
): Promise<Shop> => {
  const merchant = await newMerchant(host.service(), { environment: 'production', scopes: liveScopes })
  return openShopOf(t, host, merchant, { bankName, settings })
}

/** Opens a bank on the time of the machine, and connects a company to it that is there already. */
export const openShopOf = async (
  t: LiveScope,
  host: RailHost,
  { company, key }: Pick<Shop, 'company' | 'key'>,
  { bankName, settings }: { readonly bankName: string; readonly settings: object },
): Promise<Shop> => {
  const bank = await bankFor(t, {
    profile: bankName,
    startMs: Date.now(),
    runs: true,
    trusted: [host.authority],
  })
  const connection = await connectBank(host, company.id, bank, { settings })
  return { bank, company, key, connection, call: (...request) => callerAt(host, key.secret)(...request) }
}

const callerAt = ({ service }: RailHost, secret: string): Call => caller(service().origin, secret)

/** Connects a company to a bank: created, verified, activated, and where it has a port for notices registered there. */
export const connectBank = async (
  { service }: RailHost,
  company: string,
  bank: BankForTest,
  more: { readonly role?: 'FALLBACK'; readonly settings?: object } = {},
): Promise<{ readonly id: string; readonly status: string }> => {
  const { operate } = service()
  const { name } = bank.bank.context.profile
  const { id } = await operate('connections create', {
    company,
    environment: 'production',
    provider: name,
    settings: { ...liveSettings(bank, name), ...more.settings },
    ...(more.role && { role: more.role }),
  })
  // A busy machine may take longer for a handshake than a connection waits for it.
  for (let tries = 0; ; tries++)
    try {
      await operate('connections verify', { id })
      break
    } catch (error) {
      if (tries === 3) throw error
    }
  const connection = await operate('connections activate', { id })
  await until(async () => bank.bank.webhooks.all().length > 0)
  return connection
}

/** What keys of shops may do. */
export const liveScopes =
  'charges.create,charges.read,transactions.read,refunds.create,balance.read,marketplace.manage,subscriptions.read,subscriptions.manage'

/** The settings of a connection to a simulated bank, with who may report for it. */
export const liveSettings = (bank: BankForTest, bankName: string): Readonly<Record<string, unknown>> => ({
  ...settingsFor(bank, modules[bankName]!),
  noticeAuthority: bank.authority.cert,
  noticeIssuer: `CN=${bank.bank.context.profile.label} CA`,
  noticeSubject: `CN=hooks.${bankName}.example`,
})
