import type { ActorState } from '../../engine/actors.ts'
import { isoInstant } from '../../engine/calendar.ts'
import type { Command } from '../../engine/commands.ts'
import type { Delivery } from '../../engine/delivery/delivery.ts'
import {
  type Company,
  type Directory,
  type DirectoryEvent,
  defaultScopes,
  type Endpoint,
  type Key,
  type Product,
  products,
  type Scope,
  scopes,
} from '../../engine/directory/directory.ts'
import { readDocument } from '../../engine/documents.ts'
import {
  type AccountId,
  accountIdOf,
  type CompanyId,
  type DeliveryId,
  type EndpointId,
  type Entropy,
  type Environment,
  type KeyId,
  newId,
} from '../../engine/ids.ts'
import { limits as engineLimits } from '../../engine/limits.ts'
import { type EventType, eventTypes } from '../../engine/public-events.ts'
import { hashSecret, newSecret } from '../api-key.ts'
import { limits } from '../limits.ts'
import type { Router } from '../router.ts'
import { seal } from '../seal.ts'
import { deliveryView, endpointView } from '../views/delivery.ts'
import { instant } from '../views/transaction.ts'
import { eventBody } from '../webhooks/body.ts'

/** What an operator can do: companies, keys, endpoints and their deliveries. The command line calls these. */
export type Operations = Readonly<Record<string, (input: Input) => Promise<object>>>
export type Input = Readonly<Record<string, unknown>>

/** An operator's mistake, in words. */
export const OperationRefusal = class extends Error {}

export type OperationsOptions = {
  readonly directory: Directory
  /** Journals a fact and resolves when it is on disk and every worker knows it. */
  readonly commit: (event: DirectoryEvent) => Promise<void>
  /** Resolves to false where the accounts of a company will be open, but are not yet. */
  readonly openAccounts: (company: Company) => Promise<boolean>
  readonly router: Router
  readonly realNow: () => number
  readonly entropy: Entropy
  readonly randomBytes: (count: number) => Buffer
  readonly masterKey: Buffer
  readonly readEndpointUrl: (
    text: string,
    environment: Environment,
  ) => Promise<{ readonly ok: true; readonly url: string } | { readonly ok: false; readonly reason: string }>
}

export const openOperations = (options: OperationsOptions): Operations => {
  const { directory, commit, router, realNow, entropy, randomBytes, masterKey } = options
  const testedAtMs = new Map<EndpointId, number[]>()

  const createCompany = async (input: Input): Promise<object> => {
    const document = readDocument(textOf(input, 'document'))
    if (document === null || document.documentType !== 'CNPJ') refuse('document must be a valid CNPJ')
    const name = textOf(input, 'name').trim()
    if (name.length === 0 || name.length > 120) refuse('name must have 1 to 120 characters')
    const active = listOf(input, 'products', products) ?? products
    const states = Object.fromEntries(
      products.map((product) => [product, active.includes(product) ? 'ACTIVE' : 'DISABLED']),
    ) as Company['products']['SANDBOX']
    const company: Company = {
      id: newId('cmp', realNow(), entropy),
      name,
      document: document.document,
      city: optionalTextOf(input, 'city')?.trim() || 'Sao Paulo',
      timeZone: timeZoneOf(input),
      products: { SANDBOX: states, PRODUCTION: states },
      createdAtMs: realNow(),
    }
    await commit({ type: 'CompanyCreated', company })
    const isOpen = await options.openAccounts(company)
    return { ...companyView(company), ...(!isOpen && { accounts: 'OPENING' }) }
  }

  const createKey = async (input: Input): Promise<object> => {
    const company = companyOf(input)
    const environment = environmentOf(input)
    const secret = newSecret(environment, randomBytes)
    const key: Key = {
      id: newId('key', realNow(), entropy),
      companyId: company.id,
      environment,
      clientId: newId('cli', realNow(), entropy),
      secretHash: hashSecret(secret),
      last4: secret.slice(-4),
      scopes: (listOf(input, 'scopes', scopes) as readonly Scope[] | null) ?? defaultScopes,
      createdAtMs: realNow(),
      revokedAtMs: null,
    }
    await commit({ type: 'KeyCreated', key })
    return { ...keyView(key), secret }
  }

  const revokeKey = async (input: Input): Promise<object> => {
    const id = textOf(input, 'id') as KeyId
    const key = directory.keys.get(id) ?? refuse(`there is no key ${id}`)
    if (key.revokedAtMs === null) await commit({ type: 'KeyRevoked', id, atMs: realNow() })
    return keyView(directory.keys.get(id)!)
  }

  const createEndpoint = async (input: Input): Promise<object> => {
    const company = companyOf(input)
    const environment = environmentOf(input)
    const read = await options.readEndpointUrl(textOf(input, 'url'), environment)
    if (!read.ok) refuse(`url is refused: ${read.reason}`)
    const siblings = [...directory.endpoints.values()].filter(
      (endpoint) => endpoint.companyId === company.id && endpoint.environment === environment,
    )
    if (siblings.length >= engineLimits.endpointsPerAccountMax) {
      refuse(`a company has at most ${engineLimits.endpointsPerAccountMax} endpoints in an environment`)
    }
    const secret = `whsec_${randomBytes(32).toString('base64url')}`
    const endpoint: Endpoint = {
      id: newId('whk', realNow(), entropy),
      companyId: company.id,
      environment,
      url: read.url,
      eventTypes: (listOf(input, 'events', eventTypes) as readonly EventType[] | null) ?? [],
      sealedSecret: seal(secret, masterKey),
      createdAtMs: realNow(),
    }
    await commit({ type: 'EndpointCreated', endpoint })
    return { ...endpointView(endpoint), secret }
  }

  const testEndpoint = async (input: Input): Promise<object> => {
    const endpoint = endpointOf(input)
    const type = (optionalTextOf(input, 'type') ?? 'payment.approved') as EventType
    if (!eventTypes.includes(type)) refuse(`type must be one of ${eventTypes.join(', ')}`)
    const atMs = realNow()
    const recent = (testedAtMs.get(endpoint.id) ?? []).filter((ms) => ms > atMs - 60_000)
    if (recent.length >= limits.testEventsPerMinute) {
      refuse(`an endpoint gets at most ${limits.testEventsPerMinute} test events a minute`)
    }
    testedAtMs.set(endpoint.id, [...recent, atMs])
    const accountId = accountOfEndpoint(endpoint)
    const found = await router.ask({ type: 'FindAccount', accountId })
    if (found === null) refuse('the account of this endpoint is not open yet')
    const eventId = newId('evt', atMs, entropy)
    const subject = { object: 'sample', account: found.account } as const
    const body = eventBody({ id: eventId, type, atMs: found.nowMs, subject }, endpoint.environment)
    await accepted({
      type: 'ScheduleDeliveries',
      accountId,
      by: operator,
      eventId,
      eventType: type,
      objectId: eventId,
      body: new Uint8Array(body),
      endpointIds: [endpoint.id],
    })
    return { object: 'test_event', eventId, type, endpointId: endpoint.id }
  }

  const listDeliveries = async (input: Input): Promise<object> => {
    const endpoint = endpointOf(input)
    const listed = await router.ask({
      type: 'ListDeliveries',
      accountId: accountOfEndpoint(endpoint),
      endpointId: endpoint.id,
      statuses: [],
      page: 1,
      pageSize: limits.pageSizeMax,
      asOf: null,
      from: null,
      to: null,
    })
    return { object: 'list', data: listed.rows.map(deliveryView), total: listed.total }
  }

  const resendDelivery = async (input: Input): Promise<object> => {
    const deliveryId = textOf(input, 'id') as DeliveryId
    for (const accountId of accountsWithEndpoints()) {
      const found = await router.ask({ type: 'FindDelivery', accountId, deliveryId })
      if (found === null) continue
      return deliveryView(
        (await accepted({ type: 'ResendDelivery', accountId, by: operator, deliveryId })) as Delivery,
      )
    }
    return refuse(`there is no delivery ${deliveryId}`)
  }

  const accepted = async (command: Command): Promise<ActorState> => {
    const reply = await router.tell(command)
    return reply.accepted ? reply.state : refuse(`refused: ${reply.rejection.reason}`)
  }

  const accountsWithEndpoints = (): ReadonlySet<AccountId> =>
    new Set([...directory.endpoints.values()].map(accountOfEndpoint))

  const companyOf = (input: Input): Company => {
    const id = textOf(input, 'company') as CompanyId
    return directory.companies.get(id) ?? refuse(`there is no company ${id}`)
  }

  const endpointOf = (input: Input): Endpoint => {
    const id = textOf(input, 'id') as EndpointId
    return directory.endpoints.get(id) ?? refuse(`there is no endpoint ${id}`)
  }

  const listAll = async (rows: Iterable<object>): Promise<object> => ({ object: 'list', data: [...rows] })

  return {
    'companies create': createCompany,
    'companies list': () => listAll([...directory.companies.values()].map(companyView)),
    'keys create': createKey,
    'keys list': () => listAll([...directory.keys.values()].map(keyView)),
    'keys revoke': revokeKey,
    'webhooks create': createEndpoint,
    'webhooks list': () => listAll([...directory.endpoints.values()].map(endpointView)),
    'webhooks test': testEndpoint,
    'webhooks deliveries': listDeliveries,
    'webhooks resend': resendDelivery,
  }
}

const operator = { kind: 'OPERATOR', id: null } as const

const accountOfEndpoint = (endpoint: Endpoint): AccountId =>
  accountIdOf(endpoint.companyId, endpoint.environment)

const companyView = (company: Company) => ({
  id: company.id,
  object: 'company',
  name: company.name,
  document: company.document,
  city: company.city,
  timezone: company.timeZone,
  products: products.filter((product: Product) => company.products.SANDBOX[product] === 'ACTIVE'),
  createdAt: isoInstant(company.createdAtMs),
})

const keyView = (key: Key) => ({
  id: key.id,
  object: 'api_key',
  companyId: key.companyId,
  environment: key.environment,
  clientId: key.clientId,
  last4: key.last4,
  scopes: key.scopes,
  createdAt: isoInstant(key.createdAtMs),
  revokedAt: instant(key.revokedAtMs),
})

export function refuse(message: string): never {
  throw new OperationRefusal(message)
}

const optionalTextOf = (input: Input, name: string): string | null => {
  const value = input[name]
  if (value === undefined || value === null) return null
  return typeof value === 'string' ? value : refuse(`${name} must be a text`)
}

export const textOf = (input: Input, name: string): string =>
  optionalTextOf(input, name) ?? refuse(`${name} is required`)

const environmentOf = (input: Input): Environment => {
  const text = textOf(input, 'environment').toUpperCase()
  return text === 'SANDBOX' || text === 'PRODUCTION'
    ? text
    : refuse('environment must be sandbox or production')
}

const listOf = <Word extends string>(
  input: Input,
  name: string,
  allowed: readonly Word[],
): readonly Word[] | null => {
  const text = optionalTextOf(input, name)
  if (text === null) return null
  return text.split(',').map((part) => {
    const word = allowed.find((word) => word.toLowerCase() === part.trim().toLowerCase())
    return word ?? refuse(`${name}: ${part.trim()} is not one of ${allowed.join(', ')}`)
  })
}

const timeZoneOf = (input: Input): string => {
  const timeZone = optionalTextOf(input, 'timezone') ?? 'America/Sao_Paulo'
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
  } catch {
    return refuse(`timezone ${timeZone} is not an IANA time zone`)
  }
}
