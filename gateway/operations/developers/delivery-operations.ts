import type { Endpoint } from '../../../engine/companies/endpoint.ts'
import { eventTypes } from '../../../engine/kernel/event-types.ts'
import { type EndpointId, newId } from '../../../engine/shared/ids.ts'
import { type Delivery, deliveryStatuses } from '../../../engine/webhooks/delivery.ts'
import type { ListDeliveries } from '../../../engine/webhooks/queries.ts'
import { bounds } from '../../base/bounds.ts'
import { eventBody } from '../../events/body.ts'
import type { Asker } from '../../identity/asked.ts'
import { OperationRefusal, refuse } from '../../problems/refusal.ts'
import { deliveryWithAttempts, testEventView } from '../../resources/developers/delivery.ts'
import { fiscalPayeeOf } from '../../resources/payments/fiscal.ts'
import { askerOf } from '../../trail/audit-draft.ts'
import { accountOfEndpoint } from '../../webhooks/endpoints.ts'
import { choiceOf, choicesOf, type Input, numberOf, type Operations, operationsOn, taking } from '../input.ts'
import { accepted, accountsOf, type DeliveryContext, initiatorOf, ofAccount } from './delivery-context.ts'
import { endpointAt, hearingEndpoint } from './webhook-operations.ts'

/** The operations on deliveries: what endpoints were sent, and a test. */
export const deliveryOperations = (context: DeliveryContext): Operations =>
  operationsOn(
    { ...context, testedAtMs: new Map() },
    {
      'webhooks test': taking(['id', 'company', 'environment', 'type'], testEndpoint),
      'webhooks deliveries': taking(['id', 'status', 'page'], deliveries),
      'webhooks failures': taking(['id', 'company', 'environment'], failures),
    },
  )

type Testing = DeliveryContext & {
  /** When each endpoint was tested lately. */
  readonly testedAtMs: Map<EndpointId, number[]>
}

const testEndpoint = async (context: Testing, input: Input, by: Asker): Promise<object> => {
  const { directory, realNow, router, entropy } = context
  const endpoint = hearingEndpoint(directory, input)
  const type = choiceOf(input.type ?? 'payment.approved', 'type', eventTypes)
  const atMs = realNow()
  countTest(context, endpoint.id, atMs)
  const accountId = accountOfEndpoint(endpoint)
  const found = await router.query({ type: 'FindAccount', accountId })
  if (found === null) refuse('the account of this endpoint is not open yet')
  const eventId = newId('evt', atMs, entropy)
  const subject = { object: 'sample', account: found.account } as const
  const event = { id: eventId, type, atMs: found.nowMs, subject }
  const body = eventBody(event, endpoint.environment, fiscalPayeeOf(directory, endpoint.companyId))
  const { steps } = await accepted(context, {
    type: 'ScheduleDeliveries',
    accountId,
    by: initiatorOf(by),
    events: [
      {
        eventId,
        eventType: type,
        objectId: eventId,
        body: new Uint8Array(body),
        endpointIds: [endpoint.id],
      },
    ],
    audit: askerOf(context, by),
  })
  return testEventView({ deliveryId: steps[0]!.event.id, eventId, type, endpointId: endpoint.id })
}

/** Counts a test of an endpoint; refuses it beyond the limit per minute. */
const countTest = ({ testedAtMs }: Testing, id: EndpointId, atMs: number): void => {
  const recent = (testedAtMs.get(id) ?? []).filter((ms) => ms > atMs - 60_000)
  if (recent.length >= bounds.testEventsPerMinute)
    throw new OperationRefusal(
      (say) => say.operations.testsPerMinute(bounds.testEventsPerMinute),
      'RATE_LIMITED',
      { retryAfterSeconds: Math.ceil((recent[0]! + 60_000 - atMs) / 1000) },
    )
  testedAtMs.set(id, [...recent, atMs])
}

/** Lists the deliveries of one endpoint, which may be deleted; newest first. */
const deliveries = async ({ directory, router }: DeliveryContext, input: Input): Promise<object> => {
  const endpoint = endpointAt(directory, input)
  const statuses = choicesOf(input, 'status', deliveryStatuses) ?? []
  const page = numberOf(input.page ?? 1, 'page', 1, bounds.pageMax / bounds.pageSizeMax)
  const { rows, total } = await router.query({ ...listing(endpoint), statuses, page })
  return { object: 'list', data: rows.map(deliveryWithAttempts.view), total }
}

/** Lists exhausted deliveries of one endpoint, of a company, or of all; newest first. */
const failures = async (context: DeliveryContext, input: Input): Promise<object> => {
  const { directory, router } = context
  const endpoint = input.id === undefined ? null : endpointAt(directory, input)
  const rows: Delivery[] = []
  let sum = 0
  for (const query of endpoint === null ? accountsOf(context, input).map(ofAccount) : [listing(endpoint)]) {
    const listed = await router.query({ ...query, statuses: ['EXHAUSTED'] })
    rows.push(...listed.rows)
    sum += listed.total
  }
  rows.sort((a, b) => b.createdAtMs - a.createdAtMs)
  return {
    object: 'list',
    data: rows.slice(0, bounds.pageSizeMax).map(deliveryWithAttempts.view),
    total: sum,
  }
}

const listing = (endpoint: Endpoint): ListDeliveries => ({
  ...ofAccount(accountOfEndpoint(endpoint)),
  endpointId: endpoint.id,
})
