import type { Directory, DirectoryFact } from '../../../engine/companies/directory.ts'
import type { Endpoint, EndpointChanges } from '../../../engine/companies/endpoint.ts'
import { eventTypes } from '../../../engine/kernel/event-types.ts'
import { bounds as engineBounds } from '../../../engine/shared/bounds.ts'
import { differing } from '../../../engine/shared/differing.ts'
import {
  type AccountId,
  accountIdOf,
  type EndpointId,
  type Environment,
  newId,
} from '../../../engine/shared/ids.ts'
import { bounds } from '../../base/bounds.ts'
import { sealEndpointSecret } from '../../base/seal.ts'
import { eventTexts } from '../../events/events.ts'
import { sampleEvent } from '../../events/sample.ts'
import type { Asker } from '../../identity/asked.ts'
import { absent, refuse, refuseField } from '../../problems/refusal.ts'
import {
  endpointStatuses,
  eventTypeView,
  webhookEndpoint,
  webhookHealth,
} from '../../resources/developers/endpoint.ts'
import { accountOfEndpoint } from '../../webhooks/endpoints.ts'
import { newWebhookSecret } from '../../webhooks/headers.ts'
import { companyAt } from '../account/company-operations.ts'
import { confirmed } from '../confirmed.ts'
import {
  choiceOf,
  choicesOf,
  durationMsOf,
  type Input,
  isWithin,
  type Operations,
  operationsOn,
  optionalEnvironmentOf,
  optionalLineOf,
  readText,
  requiredEnvironmentOf,
  taking,
} from '../input.ts'
import { listed, pagingMembers } from '../listed.ts'
import type { OperationsOptions } from '../operation-options.ts'
import { endpointOptions, headersAfter, optionChangesOf, vetEndpoint } from './endpoint-options.ts'

type Options = Pick<
  OperationsOptions,
  | 'directory'
  | 'commit'
  | 'confirm'
  | 'router'
  | 'realNow'
  | 'entropy'
  | 'randomBytes'
  | 'masterKey'
  | 'readEndpointUrl'
>

/**
 * The operations on webhook endpoints. When one answers, every worker of this node knows the change; other nodes follow in less
 * than a second. The next attempt already uses it.
 */
export const webhookOperations = (options: Options): Operations =>
  operationsOn(options, {
    'webhooks types': taking(place, listTypes),
    'webhooks create': taking([...place, ...terms], createEndpoint),
    'webhooks list': taking([...place, 'deleted'], listEndpoints),
    'webhooks health': taking([...place, ...pagingMembers], listWithHealth),
    'webhooks get': taking(['id', ...place], getEndpoint),
    'webhooks update': taking(['id', ...place, ...terms, 'status'], updateEndpoint),
    'webhooks disable': taking(['id'], disableEndpoint),
    'webhooks enable': taking(['id'], enableEndpoint),
    'webhooks delete': taking(['id', ...place], deleteEndpoint),
    'webhooks rotate': taking(['id', ...place, 'overlap'], rotateSecret),
  })

const place = ['company', 'environment']
const terms = ['url', 'description', 'events', ...endpointOptions]

const createEndpoint = async (options: Options, input: Input, by: Asker): Promise<object> => {
  const { directory, randomBytes, realNow, entropy, masterKey, commit } = options
  const company = companyAt(directory, input, 'company')
  const environment = requiredEnvironmentOf(input)
  const secret = newWebhookSecret(randomBytes)
  const url = await urlOf(options, readText(input, 'url'), environment)
  const hearsAfter = await lastEntryOf(options, accountIdOf(company.id, environment))
  const atMs = realNow()
  const id = newId('whk', atMs, entropy)
  const endpoint: Endpoint = {
    id,
    companyId: company.id,
    environment,
    url,
    description: descriptionOf(input),
    eventTypes: eventTypesOf(input),
    extraEvents: false,
    signature: 'service',
    headers: headersAfter([], input.headers, id, masterKey),
    ...optionChangesOf(input),
    sealedSecret: sealEndpointSecret(secret, id, masterKey),
    formerSecret: null,
    hearsAfter,
    wasSilenced: false,
    createdAtMs: atMs,
    updatedAtMs: atMs,
    deletedAtMs: null,
  }
  vetEndpoint(endpoint, null)
  await commit(() => {
    const siblings = [...directory.endpoints.values()].filter(
      (other) =>
        other.companyId === company.id && other.environment === environment && other.deletedAtMs === null,
    )
    if (siblings.length >= engineBounds.endpointsPerAccountMax)
      refuse((say) => say.operations.tooManyEndpoints(engineBounds.endpointsPerAccountMax))
    return { type: 'EndpointCreated', endpoint }
  }, by)
  return { ...webhookEndpoint.view(endpoint, realNow()), secret }
}

const listEndpoints = async ({ directory, realNow }: Options, input: Input): Promise<object> => {
  const endpoints = endpointsOf(directory, input).filter(
    ({ deletedAtMs }) => input.deleted === true || deletedAtMs === null,
  )
  return listed(input, endpoints, (endpoint) => webhookEndpoint.view(endpoint, realNow()))
}

/** Lists endpoints with the health of each, which the shards report. */
const listWithHealth = async (options: Options, input: Input): Promise<object> => {
  const list = listed(
    input,
    endpointsOf(options.directory, input).filter(({ deletedAtMs }) => deletedAtMs === null),
    (endpoint) => endpoint,
  )
  return { ...list, data: await Promise.all(list.data.map((endpoint) => withHealth(options, endpoint))) }
}

const getEndpoint = (options: Options, input: Input): Promise<object> =>
  withHealth(options, endpointAt(options.directory, input))

const withHealth = async ({ router, realNow }: Options, endpoint: Endpoint): Promise<object> => {
  const accountId = accountOfEndpoint(endpoint)
  const health = await router.query({ type: 'ReadEndpointHealth', accountId, endpointId: endpoint.id })
  return { ...webhookEndpoint.view(endpoint, realNow()), health: webhookHealth.view(health) }
}

/** A new URL is vetted like that of a new endpoint, and pending deliveries go to it. */
const updateEndpoint = async (options: Options, input: Input, by: Asker): Promise<object> => {
  const { directory, realNow, masterKey } = options
  const { id, environment } = livingEndpoint(directory, input)
  const status = input.status === undefined ? null : choiceOf(input.status, 'status', endpointStatuses)
  const changes: EndpointChanges = {
    ...(input.url !== undefined && { url: await urlOf(options, readText(input, 'url'), environment) }),
    ...(input.description !== undefined && { description: descriptionOf(input) }),
    ...(input.events !== undefined && { eventTypes: eventTypesOf(input) }),
    ...optionChangesOf(input),
  }
  const view = await changed(options, input, by, (endpoint) => {
    const headers = headersAfter(endpoint.headers, input.headers, id, masterKey)
    const after = vetEndpoint({ ...endpoint, ...changes, headers }, endpoint)
    const others = differing<EndpointChanges>(endpoint, { ...changes, headers: after.headers })
    return Object.keys(others).length === 0
      ? null
      : { type: 'EndpointChanged', id, changes: others, atMs: realNow() }
  })
  if (status === null) return view
  return status === 'ENABLED' ? enableEndpoint(options, input, by) : disableEndpoint(options, input, by)
}

const disableEndpoint = (options: Options, input: Input, by: Asker): Promise<object> =>
  changed(options, input, by, ({ id, hearsAfter }) =>
    hearsAfter === null ? null : { type: 'EndpointDisabled', id, atMs: options.realNow() },
  )

const enableEndpoint = async (options: Options, input: Input, by: Asker): Promise<object> => {
  const { directory, realNow } = options
  const hearsAfter = await lastEntryOf(options, accountOfEndpoint(livingEndpoint(directory, input)))
  return changed(options, input, by, ({ id, hearsAfter: before }) =>
    before === null ? { type: 'EndpointEnabled', id, atMs: realNow(), hearsAfter } : null,
  )
}

/** The last entry of an account's shard. Nothing has happened before the account is open. */
const lastEntryOf = async ({ router }: Options, accountId: AccountId): Promise<number> =>
  (await router.query({ type: 'FindAccount', accountId }))?.sequence ?? 0

/** Deleting an endpoint twice changes nothing. */
const deleteEndpoint = (options: Options, input: Input, by: Asker): Promise<object> =>
  changed(
    options,
    input,
    by,
    ({ id, deletedAtMs }) =>
      deletedAtMs === null ? { type: 'EndpointDeleted', id, atMs: options.realNow() } : null,
    endpointAt,
  )

/**
 * The new secret signs all attempts from now on, including those of older deliveries (decisions, section 28); with an overlap the one
 * before signs as well until that ends.
 */
const rotateSecret = async (options: Options, input: Input, by: Asker): Promise<object> => {
  const { randomBytes, directory, realNow, masterKey } = options
  const secret = newWebhookSecret(randomBytes)
  const overlapMs = durationMsOf(input.overlap ?? 0, 'overlap', bounds.secretOverlapMsMax)
  await confirmed(options, by, () => {
    const former = livingEndpoint(directory, input)
    const atMs = realNow()
    const sealedSecret = sealEndpointSecret(secret, former.id, masterKey)
    const formerSecret =
      overlapMs === 0 ? null : { sealedSecret: former.sealedSecret, untilMs: atMs + overlapMs }
    return { type: 'EndpointChanged', id: former.id, changes: { sealedSecret, formerSecret }, atMs }
  })
  return { ...webhookEndpoint.view(endpointAt(directory, input), realNow()), secret }
}

const changed = async (
  { directory, commit, realNow }: Options,
  input: Input,
  by: Asker,
  decide: (endpoint: Endpoint) => DirectoryFact | null,
  find: typeof endpointAt = livingEndpoint,
): Promise<object> => {
  const { id } = find(directory, input)
  await commit(() => decide(find(directory, input)), by)
  return webhookEndpoint.view(directory.endpoints.get(id)!, realNow())
}

const urlOf = async (options: Options, text: string, environment: Environment): Promise<string> => {
  const read = await options.readEndpointUrl(text, environment)
  return read.ok
    ? read.url
    : refuseField('url', 'INVALID_VALUE', (say) => say.operations.urlRefused(read.reason(say)))
}

const listTypes = async (): Promise<object> => ({
  object: 'list',
  data: eventTypes.map((type) => eventTypeView(type, eventTexts[type], sampleEvent(type))),
})

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
  const endpoint = endpoints.get(id)
  return endpoint !== undefined && isWithin(input, endpoint)
    ? endpoint
    : absent(`there is no endpoint ${id}`, 'webhook_endpoint')
}

/** The endpoint, which must not be deleted. */
const livingEndpoint = (directory: Directory, input: Input): Endpoint => {
  const endpoint = endpointAt(directory, input)
  return endpoint.deletedAtMs === null
    ? endpoint
    : refuse((say) => say.operations.endpointDeleted(endpoint.id))
}

/** The endpoint, which must be enabled, so that something can be sent to it. */
export const hearingEndpoint = (directory: Directory, input: Input): Endpoint => {
  const endpoint = livingEndpoint(directory, input)
  return endpoint.hearsAfter === null
    ? refuse((say) => say.operations.endpointDisabled(endpoint.id))
    : endpoint
}

const descriptionOf = ({ description }: Input): string | null =>
  optionalLineOf(description, 'description', 255)

/** An empty list means all event types, and so does `all`. */
const eventTypesOf = (input: Input): Endpoint['eventTypes'] =>
  input.events === 'all' ? [] : (choicesOf(input, 'events', eventTypes) ?? [])
