import { evolvePeople, newPeople } from '../people/evolve.ts'
import type { CompanyId } from '../shared/ids.ts'
import { changeEntry, putEntry } from '../shared/register.ts'
import type { Key } from './api-key.ts'
import { type CheckoutBranding, plainBranding } from './checkout-branding.ts'
import { type Company, initialStates } from './company.ts'
import {
  type Directory,
  type DirectoryFact,
  firstWrittenVersion,
  type ShardCopies,
  type ShardMoves,
} from './directory.ts'
import { evolveConnections, newConnections } from './evolve-connections.ts'
import type { PayerKey } from './payer-key.ts'

/**
 * Applies a fact to the directory. The registers are written in place: a start replays every fact, and copying a
 * register each time would be quadratic. Readers get them as read-only, and entries are never mutated.
 */
export const evolveDirectory = (directory: Directory, event: DirectoryFact): Directory => {
  write(directory, event)
  return directory
}

const write = (directory: Directory, event: DirectoryFact) => {
  const { companies, keys, endpoints, people, opened, pins, copies, payerKeys } = directory
  switch (event.type) {
    case 'CompanyCreated':
      return putEntry(companies, {
        ...companyBefore,
        ...event.company,
        checkout: wholeBranding(event.company.checkout),
        products: withAllProducts(event.company.products),
      })
    case 'CompanyChanged':
      return changeEntry(companies, event.id, {
        revision: (companies.get(event.id)?.revision ?? 0) + 1,
        updatedAtMs: event.atMs,
        ...event.changes,
        ...(event.changes.checkout && { checkout: wholeBranding(event.changes.checkout) }),
        ...(event.changes.products && { products: withAllProducts(event.changes.products) }),
      })
    case 'CompanySuspended':
      return changeEntry(companies, event.id, { suspendedAtMs: event.atMs, updatedAtMs: event.atMs })
    case 'CompanyResumed':
      return changeEntry(companies, event.id, { suspendedAtMs: null, updatedAtMs: event.atMs })
    case 'AccountsOpened':
      return void (opened as Map<CompanyId, number>).set(event.companyId, event.revision)
    case 'KeyCreated':
      return putEntry(keys, wholeKey(event.key))
    case 'KeyRolled':
      changeEntry(keys, event.id, { expiresAtMs: event.expiresAtMs, rolledTo: event.key.id })
      return putEntry(keys, wholeKey(event.key))
    case 'KeyChanged':
      return changeEntry(keys, event.id, event.changes)
    case 'KeyRevoked':
      return changeEntry(keys, event.id, { revokedAtMs: event.atMs })
    case 'EndpointCreated':
      return putEntry(endpoints, { ...endpointBefore, ...event.endpoint })
    case 'EndpointChanged':
      return changeEntry(endpoints, event.id, { updatedAtMs: event.atMs, ...event.changes })
    case 'EndpointDisabled':
      return changeEntry(endpoints, event.id, {
        hearsAfter: null,
        wasSilenced: true,
        updatedAtMs: event.atMs,
      })
    case 'EndpointEnabled':
      return changeEntry(endpoints, event.id, { hearsAfter: event.hearsAfter, updatedAtMs: event.atMs })
    case 'EndpointDeleted':
      return changeEntry(endpoints, event.id, {
        hearsAfter: null,
        wasSilenced: true,
        updatedAtMs: event.atMs,
        deletedAtMs: event.atMs,
      })
    case 'PayerKeyMade':
      return void (payerKeys as Map<number, PayerKey>).set(event.key.number, {
        ...event.key,
        madeAtMs: event.atMs,
      })
    case 'PayerKeyDestroyed': {
      const key = payerKeys.get(event.number)!
      return void (payerKeys as Map<number, PayerKey>).set(key.number, { ...key, sealedKey: null })
    }
    case 'AuditsTold':
      return undefined
    case 'ClusterFormed':
      return raise(directory, event.version ?? firstWrittenVersion)
    case 'VersionRaised':
      return raise(directory, event.version)
    case 'ShardPinned':
      pin(pins as Map<number, string>, event.shard, event.node)
      // What an operator says ends what the load said, also where it takes a pin back.
      return move(directory, event.shard, null)
    case 'ShardBalanced':
      return move(directory, event.shard, event.node)
    case 'CopiesPlaced':
      return void (copies as Map<number, ShardCopies>).set(event.shard, {
        number: (copies.get(event.shard)?.number ?? 0) + 1,
        nodes: event.nodes,
      })
    case 'ConnectionCreated':
    case 'ConnectionVerified':
    case 'ConnectionActivationRequested':
    case 'ConnectionActivated':
    case 'ConnectionSuspended':
    case 'ConnectionResumed':
    case 'ConnectionRotated':
    case 'ConnectionRestored':
    case 'ConnectionRetired':
    case 'ConnectionOutdated':
    case 'ConnectionRecovered':
    case 'ConnectionApplied':
    case 'ConnectionAddressNoted':
      return evolveConnections(directory.connections, event)
    default:
      return evolvePeople(people, event)
  }
}

/** Defaults for members that companies, keys and endpoints did not have when older facts were stored. */
const wholeKey = (key: Key): Key => ({ ...keyBefore, ...key })
const companyBefore = {
  tradeName: null,
  companyType: 'OTHER',
  email: null,
  phone: null,
  website: null,
  statementDescriptor: null,
  logo: null,
  bankAccount: null,
  pendingBankAccount: null,
  pendingTimeZone: null,
  forgetPayersAfterYears: null,
} as const
/** What a company's pages can be told was less at first. */
const wholeBranding = (checkout: CheckoutBranding | undefined): CheckoutBranding => ({
  ...plainBranding,
  ...checkout,
})
/** Companies stored before a product existed get the state that a new company has. */
const withAllProducts = ({ SANDBOX, PRODUCTION }: Company['products']): Company['products'] => ({
  SANDBOX: { ...initialStates('SANDBOX'), ...SANDBOX },
  PRODUCTION: { ...initialStates('PRODUCTION'), ...PRODUCTION },
})

const endpointBefore = {
  formerSecret: null,
  extraEvents: false,
  headers: [],
  signature: 'service',
} as const
const keyBefore = { name: 'API key', ipAllowList: [], createdBy: null } as const

/** An empty directory. */
export const newDirectory = (): Directory => ({
  companies: new Map(),
  keys: new Map(),
  endpoints: new Map(),
  people: newPeople(),
  connections: newConnections(),
  opened: new Map(),
  pins: new Map(),
  copies: new Map(),
  moves: { number: 0, nodes: new Map() },
  payerKeys: new Map(),
  writtenVersion: firstWrittenVersion,
})

const raise = (directory: { writtenVersion: number }, version: number): void => {
  directory.writtenVersion = Math.max(directory.writtenVersion, version)
}

const move = (directory: { moves: ShardMoves }, shard: number, node: string | null): void => {
  const { number, nodes } = directory.moves
  const after = new Map(nodes)
  pin(after, shard, node)
  directory.moves = { number: number + 1, nodes: after }
}

const pin = (pins: Map<number, string>, shard: number, node: string | null): void => {
  if (node === null) pins.delete(shard)
  else pins.set(shard, node)
}
