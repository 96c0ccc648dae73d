import { differing } from '../../engine/billing/catalog/differing.ts'
import type {
  Directory,
  DirectoryEvent,
  Endpoint,
  EndpointChanges,
} from '../../engine/directory/directory.ts'
import { eventTypes } from '../../engine/kernel/public-event.ts'
import {
  type AccountId,
  accountIdOf,
  type EndpointId,
  type Environment,
  newId,
} from '../../engine/shared/ids.ts'
import { limits as engineLimits } from '../../engine/shared/limits.ts'
import { endpointView } from '../resources/endpoint.ts'
import { seal } from '../seal.ts'
import { accountOfEndpoint } from '../webhooks/endpoints.ts'
import { newWebhookSecret } from '../webhooks/headers.ts'
import { companyAt } from './company-operations.ts'
import {
  choicesOf,
  environmentOf,
  type Input,
  type Operations,
  optionalEnvironmentOf,
  optionalLineOf,
  readText,
  taking,
} from './input.ts'
import type { OperationsOptions } from './operation-options.ts'
import { absent, refuse, refuseInvalid } from './refusal.ts'

type Options = Pick<
  OperationsOptions,
  'directory' | 'commit' | 'router' | 'realNow' | 'entropy' | 'randomBytes' | 'masterKey' | 'readEndpointUrl'
>

/**
 * The operations on webhook endpoints. When one answers, every worker of this node knows the change; other nodes follow in less
 * than a second. The next attempt already uses it.
 */
export const webhookOperations = (options: Options): Operations => {
  const { directory, commit, router, realNow, entropy, randomBytes, masterKey } = options

  const createEndpoint = async (input: Input): Promise<object> => {
    const company = companyAt(directory, input, 'company')
    const environment = environmentOf(input)
    const secret = newWebhookSecret(randomBytes)
    const url = await urlOf(readText(input, 'url'), environment)
    const hearsAfter = await lastEntryOf(accountIdOf(company.id, environment))
    const atMs = realNow()
    const endpoint: Endpoint = {
      id: newId('whk', atMs, entropy),
      companyId: company.id,
      environment,
      url,
      description: descriptionOf(input),
      eventTypes: eventTypesOf(input),
      sealedSecret: seal(secret, masterKey),
      hearsAfter,
      wasSilenced: false,
      createdAtMs: atMs,
      updatedAtMs: atMs,
      deletedAtMs: null,
    }
    await commit(() => {
      const siblings = [...directory.endpoints.values()].filter(
        (other) =>
          other.companyId === company.id && other.environment === environment && other.deletedAtMs === null,
      )
      if (siblings.length >= engineLimits.endpointsPerAccountMax)
        refuse(`a company has at most ${engineLimits.endpointsPerAccountMax} endpoints in an environment`)
      return { type: 'EndpointCreated', endpoint }
    })
    return { ...endpointView(endpoint), secret }
  }

  const listEndpoints = async (input: Input): Promise<object> => {
    const endpoints = endpointsOf(directory, input).filter(
      ({ deletedAtMs }) => input.deleted === true || deletedAtMs === null,
    )
    return { object: 'list', data: endpoints.map(endpointView) }
  }

  /** A new URL is vetted like that of a new endpoint, and pending deliveries go to it. */
  const updateEndpoint = async (input: Input): Promise<object> => {
    const { id, environment } = livingEndpoint(directory, input)
    const changes: EndpointChanges = {
      ...(input.url !== undefined && { url: await urlOf(readText(input, 'url'), environment) }),
      ...(input.description !== undefined && { description: descriptionOf(input) }),
      ...(input.events !== undefined && { eventTypes: eventTypesOf(input) }),
    }
    return changed(input, (endpoint) => {
      const others = differing<EndpointChanges>(endpoint, changes)
      return Object.keys(others).length === 0
        ? null
        : { type: 'EndpointChanged', id, changes: others, atMs: realNow() }
    })
  }

  const disableEndpoint = (input: Input): Promise<object> =>
    changed(input, ({ id, hearsAfter }) =>
      hearsAfter === null ? null : { type: 'EndpointDisabled', id, atMs: realNow() },
    )

  const enableEndpoint = async (input: Input): Promise<object> => {
    const hearsAfter = await lastEntryOf(accountOfEndpoint(livingEndpoint(directory, input)))
    return changed(input, ({ id, hearsAfter: before }) =>
      before === null ? { type: 'EndpointEnabled', id, atMs: realNow(), hearsAfter } : null,
    )
  }

  /** The last entry of an account's shard. Nothing has happened before the account is open. */
  const lastEntryOf = async (accountId: AccountId): Promise<number> =>
    (await router.query({ type: 'FindAccount', accountId }))?.sequence ?? 0

  /** Deleting an endpoint twice changes nothing. */
  const deleteEndpoint = (input: Input): Promise<object> =>
    changed(
      input,
      ({ id, deletedAtMs }) =>
        deletedAtMs === null ? { type: 'EndpointDeleted', id, atMs: realNow() } : null,
      endpointAt,
    )

  /** The new secret signs all attempts from now on, including those of older deliveries (decisions, section 28). */
  const rotateSecret = async (input: Input): Promise<object> => {
    const secret = newWebhookSecret(randomBytes)
    const sealedSecret = seal(secret, masterKey)
    const view = await changed(input, ({ id }) => ({
      type: 'EndpointChanged',
      id,
      changes: { sealedSecret },
      atMs: realNow(),
    }))
    return { ...view, secret }
  }

  const changed = async (
    input: Input,
    decide: (endpoint: Endpoint) => DirectoryEvent | null,
    find: typeof endpointAt = livingEndpoint,
  ): Promise<object> => {
    const { id } = find(directory, input)
    await commit(() => decide(find(directory, input)))
    return endpointView(directory.endpoints.get(id)!)
  }

  const urlOf = async (text: string, environment: Environment): Promise<string> => {
    const read = await options.readEndpointUrl(text, environment)
    return read.ok ? read.url : refuseInvalid(`url is refused: ${read.reason}`)
  }

  return {
    'webhooks create': taking(['company', 'environment', 'url', 'description', 'events'], createEndpoint),
    'webhooks list': taking(['company', 'environment', 'deleted'], listEndpoints),
    'webhooks update': taking(['id', 'url', 'description', 'events'], updateEndpoint),
    'webhooks disable': taking(['id'], disableEndpoint),
    'webhooks enable': taking(['id'], enableEndpoint),
    'webhooks delete': taking(['id'], deleteEndpoint),
    'webhooks rotate': taking(['id'], rotateSecret),
  }
}

/** The endpoints of the company and environment that the input names, or all. Deleted ones are among them. */
export const endpointsOf = (directory: Directory, input: Input): readonly Endpoint[] => {
  const company = input.company === undefined ? null : companyAt(directory, input, 'company')
  const environment = optionalEnvironmentOf(input)
  return [...directory.endpoints.values()].filter(
    (endpoint) =>
      (company === null || endpoint.companyId === company.id) &&
      (environment === null || endpoint.environment === environment),
  )
}

/** The endpoint that the input names. It may be deleted: its deliveries can still be read. */
export const endpointAt = ({ endpoints }: Directory, input: Input): Endpoint => {
  const id = readText(input, 'id') as EndpointId
  return endpoints.get(id) ?? absent(`there is no endpoint ${id}`)
}

/** The endpoint, which must not be deleted. */
const livingEndpoint = (directory: Directory, input: Input): Endpoint => {
  const endpoint = endpointAt(directory, input)
  return endpoint.deletedAtMs === null ? endpoint : refuse(`endpoint ${endpoint.id} was deleted`)
}

/** The endpoint, which must be enabled, so that something can be sent to it. */
export const hearingEndpoint = (directory: Directory, input: Input): Endpoint => {
  const endpoint = livingEndpoint(directory, input)
  return endpoint.hearsAfter === null
    ? refuse(`endpoint ${endpoint.id} is disabled: enable it first`)
    : endpoint
}

const descriptionOf = ({ description }: Input): string | null =>
  optionalLineOf(description, 'description', 255)

/** An empty list means all event types, and so does `all`. */
const eventTypesOf = (input: Input): Endpoint['eventTypes'] =>
  input.events === 'all' ? [] : (choicesOf(input, 'events', eventTypes) ?? [])
