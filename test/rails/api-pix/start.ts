import { type Authority, createAuthority, type TlsIdentity } from '../certificates.ts'
import { openClock, type RailClock } from '../clock.ts'
import { openBank, type RailViolation, type SimulatedBank } from './bank.ts'
import type { Receiver } from './context.ts'
import {
  bancoDoBrasilOperations,
  efiOperations,
  interOperations,
  statementOperations,
} from './contract/bank-operations.ts'
import { officialContract } from './contract/official.ts'
import { operations } from './contract/operations.ts'
import { apiPixContract } from './contract/validator.ts'
import { type ControlPort, controlsOf, startControl } from './control.ts'
import { simulatedProfiles } from './profiles/index.ts'
import type { SimulatedProfile } from './profiles/profile.ts'
import { type BankServer, startBankServer } from './server.ts'
import type { BankClient } from './tokens.ts'

/** A bank that runs: its interface, its control port, and all that a client was given. */
export type RunningBank = {
  readonly bank: SimulatedBank
  readonly clock: RailClock
  readonly server: BankServer
  readonly control: ControlPort
  readonly client: BankClient
  /** The client's certificate, and the authority of the bank's own. */
  readonly clientIdentity: TlsIdentity
  readonly authority: Authority
  /** With what the bank reports: the address of the client checks that. */
  readonly hookIdentity: TlsIdentity
  /** Issues further certificates for clients of the bank, such as one that expires. */
  readonly clientAuthority: Authority
  readonly receiver: Receiver
  readonly stop: () => Promise<void>
}

export type StartOptions = {
  /** One of `simulatedProfiles`, or a bank of the test's own. */
  readonly profile?: string | SimulatedProfile
  readonly startMs?: number
  /** Whether time goes on by itself. */
  readonly runs?: boolean
  readonly openingCents?: number
  /** Authorities of the receivers of callbacks, beside the bank's own. */
  readonly trusted?: readonly string[]
  readonly scopes?: readonly string[]
  readonly receiver?: Partial<Receiver>
  readonly port?: number
  readonly controlPort?: number
  /** Hears of each exchange and callback that the contract forbids. */
  readonly report?: (violation: RailViolation) => void
}

/** Starts a bank within this process. */
export const startSimulatedBank = async (options: StartOptions = {}): Promise<RunningBank> => {
  const profile = profileOf(options.profile ?? 'plain')
  const authority = createAuthority(`${profile.label} CA`)
  const clientAuthority = createAuthority(`${profile.label} client CA`)
  const identity = authority.issue({ commonName: 'localhost', hosts: ['localhost', '127.0.0.1'] })
  const hookIdentity = authority.issue({ commonName: `hooks.${profile.name}.example` })
  const receiver: Receiver = { ...someReceiver, ...options.receiver }
  const own = { EFI: efiOperations, INTER: interOperations, BB: bancoDoBrasilOperations }
  const ownOperations = [
    ...(profile.sends === null ? [] : own[profile.sends]),
    ...(profile.medFeed === 'BB' ? own.BB : []),
    ...(profile.statement === null ? [] : [statementOperations[profile.statement]]),
  ]
  const contract = apiPixContract({ own: ownOperations, errors: profile.errors })
  const clock = openClock({
    startMs: options.startMs ?? Date.UTC(2026, 10, 25, 13),
    runs: options.runs ?? false,
  })
  const bank = openBank({
    clock,
    profile,
    receiver,
    openingCents: options.openingCents ?? 100_000_000,
    identity: hookIdentity,
    foreign: createAuthority('Foreign CA').issue({ commonName: 'hooks.foreign.example' }),
    trusted: [authority.cert, ...(options.trusted ?? [])],
    contract,
    ...(options.report === undefined ? {} : { report: options.report }),
  })
  const client: BankClient = {
    clientId: `client-of-${profile.name}`,
    clientSecret: 'a-secret-of-the-simulator',
    appKey: 'app-key-of-the-simulator',
    scopes: options.scopes ?? [...new Set([...operations, ...ownOperations].map(({ scope }) => scope))],
  }
  const document = process.env.API_PIX_DOCUMENT
  const server = await startBankServer({
    bank,
    contract,
    ...(document === undefined ? {} : { official: officialContract(document) }),
    own: ownOperations,
    client,
    identity,
    clientAuthority: clientAuthority.cert,
    ...(options.port === undefined ? {} : { port: options.port }),
  })
  const control = await startControl(controlsOf(bank, server), options.controlPort)
  return {
    bank,
    clock,
    server,
    control,
    client,
    clientIdentity: clientAuthority.issue({ commonName: client.clientId }),
    authority,
    hookIdentity,
    clientAuthority,
    receiver,
    stop: async () => {
      clock.stop()
      await bank.webhooks.idle()
      await server.stop()
      await control.stop()
    },
  }
}

const profileOf = (asked: string | SimulatedProfile): SimulatedProfile => {
  if (typeof asked !== 'string') return asked
  const found = simulatedProfiles[asked]
  if (found === undefined)
    throw new Error(`no bank ${asked}: there are ${Object.keys(simulatedProfiles).join(', ')}`)
  return found
}

const someReceiver: Receiver = {
  nome: 'Loja das Figueiras Ltda',
  cnpj: '11222333000181',
  cidade: 'São Paulo',
  agencia: '0001',
  conta: '1234567',
  chaves: ['7d9f0335-8dcc-4054-9bf9-0dbd61d36906', 'loja@figueiras.example'],
}
