import type { Endpoint } from '../../engine/directory/directory.ts'
import { eventTypes, type PublicEvent } from '../../engine/kernel/public-event.ts'
import type { Command } from '../../engine/kernel/registry.ts'
import type { Reply } from '../../engine/kernel/reply.ts'
import { endOfDay, isoInstant, startOfDay } from '../../engine/shared/calendar.ts'
import { type AccountId, type DeliveryId, type EndpointId, newId } from '../../engine/shared/ids.ts'
import { type Delivery, deliveryStatuses } from '../../engine/webhooks/delivery.ts'
import type { ListDeliveries } from '../../engine/webhooks/queries.ts'
import { limits } from '../limits.ts'
import { deliveryView } from '../resources/delivery.ts'
import { eventBody, objectIdOf } from '../webhooks/body.ts'
import { accountOfEndpoint } from '../webhooks/endpoints.ts'
import {
  choiceOf,
  choicesOf,
  type Input,
  instantMsOf,
  numberOf,
  type Operations,
  readText,
  taking,
} from './input.ts'
import type { OperationsOptions } from './operation-options.ts'
import { absent, refuse, refuseInvalid } from './refusal.ts'
import { endpointAt, endpointsOf, hearingEndpoint } from './webhook-operations.ts'

type Options = Pick<OperationsOptions, 'directory' | 'router' | 'realNow' | 'entropy'>

/** The operations on deliveries: what endpoints were sent, and sending it again. */
export const deliveryOperations = ({ directory, router, realNow, entropy }: Options): Operations => {
  const testedAtMs = new Map<EndpointId, number[]>()

  const testEndpoint = async (input: Input): Promise<object> => {
    const endpoint = hearingEndpoint(directory, input)
    const type = choiceOf(input.type ?? 'payment.approved', 'type', eventTypes)
    const atMs = realNow()
    const recent = (testedAtMs.get(endpoint.id) ?? []).filter((ms) => ms > atMs - 60_000)
    if (recent.length >= limits.testEventsPerMinute)
      refuse(`an endpoint gets at most ${limits.testEventsPerMinute} test events a minute`)
    testedAtMs.set(endpoint.id, [...recent, atMs])
    const accountId = accountOfEndpoint(endpoint)
    const found = await router.query({ type: 'FindAccount', accountId })
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

  /** Lists the deliveries of one endpoint, which may be deleted; newest first. */
  const deliveries = async (input: Input): Promise<object> => {
    const endpoint = endpointAt(directory, input)
    const statuses = choicesOf(input, 'status', deliveryStatuses) ?? []
    const page = numberOf(input.page ?? 1, 'page', 1, limits.pageMax / limits.pageSizeMax)
    const { rows, total } = await router.query({ ...listing(endpoint), statuses, page })
    return { object: 'list', data: rows.map(deliveryView), total }
  }

  /** Lists exhausted deliveries of one endpoint, of a company, or of all; newest first. */
  const failures = async (input: Input): Promise<object> => {
    const endpoint = input.id === undefined ? null : endpointAt(directory, input)
    const rows: Delivery[] = []
    let sum = 0
    for (const query of endpoint === null ? accountsOf(input).map(ofAccount) : [listing(endpoint)]) {
      const listed = await router.query({ ...query, statuses: ['EXHAUSTED'] })
      rows.push(...listed.rows)
      sum += listed.total
    }
    rows.sort((a, b) => b.createdAtMs - a.createdAtMs)
    return { object: 'list', data: rows.slice(0, limits.pageSizeMax).map(deliveryView), total: sum }
  }

  const resend = async (input: Input): Promise<object> => {
    const deliveryId = readText(input, 'id') as DeliveryId
    for (const accountId of accountsOf({})) {
      const found = await router.query({ type: 'FindDelivery', accountId, deliveryId })
      if (found === null) continue
      hearingEndpoint(directory, { id: found.endpointId })
      const { state } = await accepted({ type: 'ResendDelivery', accountId, by: operator, deliveryId })
      return deliveryView(state as Delivery)
    }
    return absent(`there is no delivery ${deliveryId}`)
  }

  /**
   * Sends the events of a period to one endpoint again, including those from while it was disabled or did not exist yet. A replay
   * is bounded; if there is more, the answer says where the next one continues.
   */
  const replay = async (input: Input): Promise<object> => {
    const endpoint = hearingEndpoint(directory, input)
    const { fromMs, toMs } = spanOf(input, endpoint)
    const types: readonly string[] = choicesOf(input, 'types', eventTypes) ?? endpoint.eventTypes
    const isWanted = ({ type }: PublicEvent): boolean => types.length === 0 || types.includes(type)
    const endsAtMs = realNow() + limits.replayMsMax
    const accountId = accountOfEndpoint(endpoint)
    let after = input.after === undefined ? null : numberOf(input.after, 'after', 0, Number.MAX_SAFE_INTEGER)
    let events = 0
    let deliveries = 0
    do {
      const page = await router.query({ type: 'ListEvents', accountId, fromMs, toMs, after })
      const wanted = page.events.filter(isWanted)
      events += wanted.length
      deliveries += await sendAgain(endpoint, wanted)
      after = page.next?.after ?? null
    } while (after !== null && events < limits.replayedEventsMax && realNow() < endsAtMs)
    return {
      object: 'replay',
      endpointId: endpoint.id,
      from: isoInstant(fromMs),
      to: isoInstant(toMs),
      events,
      deliveries,
      after,
    }
  }

  /**
   * Sends a few events together: each needs a look-up of earlier deliveries, and requests get their turn in between. Resolves to
   * how many were scheduled.
   */
  const sendAgain = async (endpoint: Endpoint, events: readonly PublicEvent[]): Promise<number> => {
    let scheduled = 0
    for (let first = 0; first < events.length; first += limits.replayedAtOnce) {
      const { steps } = await accepted({
        type: 'ReplayEvents',
        accountId: accountOfEndpoint(endpoint),
        by: operator,
        endpointId: endpoint.id,
        events: events.slice(first, first + limits.replayedAtOnce).map((event) => ({
          eventId: event.id,
          eventType: event.type,
          objectId: objectIdOf(event.subject),
          body: new Uint8Array(eventBody(event, endpoint.environment)),
        })),
      })
      scheduled += steps.length
    }
    return scheduled
  }

  const spanOf = (
    { from, to }: Input,
    { companyId }: Endpoint,
  ): { readonly fromMs: number; readonly toMs: number } => {
    const { timeZone } = directory.companies.get(companyId)!
    const fromMs = instantMsOf(from, 'from', timeZone, startOfDay)
    const toMs = to === undefined ? realNow() : instantMsOf(to, 'to', timeZone, endOfDay)
    if (fromMs >= toMs) refuseInvalid('from must be before to')
    if (toMs - fromMs > limits.replaySpanMsMax)
      refuseInvalid(`a replay spans at most ${limits.replaySpanMsMax / 86_400_000} days`)
    return { fromMs, toMs }
  }

  const accepted = async (command: Command): Promise<Extract<Reply, { accepted: true }>> => {
    const reply = await router.execute(command)
    return reply.accepted ? reply : refuse(`refused: ${reply.rejection.reason}`)
  }

  /** The accounts that have or had endpoints, narrowed to a company and environment if the input names them. */
  const accountsOf = (input: Input): readonly AccountId[] => [
    ...new Set(endpointsOf(directory, input).map(accountOfEndpoint)),
  ]

  return {
    'webhooks test': taking(['id', 'type'], testEndpoint),
    'webhooks deliveries': taking(['id', 'status', 'page'], deliveries),
    'webhooks failures': taking(['id', 'company', 'environment'], failures),
    'webhooks resend': taking(['id'], resend),
    'webhooks replay': taking(['id', 'from', 'to', 'types', 'after'], replay),
  }
}

const operator = { kind: 'OPERATOR', id: null } as const

const ofAccount = (accountId: AccountId): ListDeliveries => ({
  type: 'ListDeliveries',
  accountId,
  endpointId: null,
  statuses: [],
  page: 1,
  pageSize: limits.pageSizeMax,
  asOf: null,
  from: null,
  to: null,
})

const listing = (endpoint: Endpoint): ListDeliveries => ({
  ...ofAccount(accountOfEndpoint(endpoint)),
  endpointId: endpoint.id,
})
