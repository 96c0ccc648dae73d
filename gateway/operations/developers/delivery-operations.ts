import type { Directory, Endpoint } from '../../../engine/directory/directory.ts'
import { eventTypes, type PublicEvent } from '../../../engine/kernel/public-event.ts'
import type { Command } from '../../../engine/kernel/registry.ts'
import type { Reply } from '../../../engine/kernel/reply.ts'
import { type AuditDraft, type AuditedFields, auditChanges } from '../../../engine/shared/audit.ts'
import {
  type CalendarDate,
  endOfDay,
  isoInstant,
  readDate,
  startOfDay,
} from '../../../engine/shared/calendar.ts'
import {
  type AccountId,
  accountIdOf,
  type DeliveryId,
  type EndpointId,
  newId,
} from '../../../engine/shared/ids.ts'
import type { Initiator } from '../../../engine/shared/initiator.ts'
import {
  attemptErrors,
  type Delivery,
  deliveryStatuses,
  statusClasses,
} from '../../../engine/webhooks/delivery.ts'
import type { DeliveryFilter, ListDeliveries } from '../../../engine/webhooks/queries.ts'
import { limits } from '../../base/limits.ts'
import { eventBody, objectIdOf } from '../../events/body.ts'
import type { Asker } from '../../identity/asked.ts'
import { absent, OperationRefusal, refuse, refuseField, refuseInvalid } from '../../problems/refusal.ts'
import {
  deliveryWithAttempts,
  replayView,
  resendJobView,
  testEventView,
} from '../../resources/developers/delivery.ts'
import { askerOf } from '../../trail/audit-draft.ts'
import { accountOfEndpoint } from '../../webhooks/endpoints.ts'
import { companyAt } from '../account/company-operations.ts'
import {
  choiceOf,
  choicesOf,
  environmentOf,
  type Input,
  instantMsOf,
  numberOf,
  type Operations,
  optionalTextOf,
  readText,
  taking,
} from '../input.ts'
import type { OperationsOptions } from '../operation-options.ts'
import { endpointAt, endpointsOf, hearingEndpoint } from './webhook-operations.ts'

type Options = Pick<OperationsOptions, 'directory' | 'router' | 'realNow' | 'entropy' | 'personal'>

/** The operations on deliveries: what endpoints were sent, and sending it again. */
export const deliveryOperations = (options: Options): Operations => {
  const { directory, router, realNow, entropy } = options
  const testedAtMs = new Map<EndpointId, number[]>()

  const testEndpoint = async (input: Input, by: Asker): Promise<object> => {
    const endpoint = hearingEndpoint(directory, input)
    const type = choiceOf(input.type ?? 'payment.approved', 'type', eventTypes)
    const atMs = realNow()
    const recent = (testedAtMs.get(endpoint.id) ?? []).filter((ms) => ms > atMs - 60_000)
    if (recent.length >= limits.testEventsPerMinute)
      throw new OperationRefusal(
        (say) => say.operations.testsPerMinute(limits.testEventsPerMinute),
        'RATE_LIMITED',
        { retryAfterSeconds: Math.ceil((recent[0]! + 60_000 - atMs) / 1000) },
      )
    testedAtMs.set(endpoint.id, [...recent, atMs])
    const accountId = accountOfEndpoint(endpoint)
    const found = await router.query({ type: 'FindAccount', accountId })
    if (found === null) refuse('the account of this endpoint is not open yet')
    const eventId = newId('evt', atMs, entropy)
    const subject = { object: 'sample', account: found.account } as const
    const body = eventBody({ id: eventId, type, atMs: found.nowMs, subject }, endpoint.environment)
    const { steps } = await accepted({
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
      audit: askerOf(options, by),
    })
    return testEventView({ deliveryId: steps[0]!.event.id, eventId, type, endpointId: endpoint.id })
  }

  /** Lists the deliveries of one endpoint, which may be deleted; newest first. */
  const deliveries = async (input: Input): Promise<object> => {
    const endpoint = endpointAt(directory, input)
    const statuses = choicesOf(input, 'status', deliveryStatuses) ?? []
    const page = numberOf(input.page ?? 1, 'page', 1, limits.pageMax / limits.pageSizeMax)
    const { rows, total } = await router.query({ ...listing(endpoint), statuses, page })
    return { object: 'list', data: rows.map(deliveryWithAttempts.view), total }
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
    return {
      object: 'list',
      data: rows.slice(0, limits.pageSizeMax).map(deliveryWithAttempts.view),
      total: sum,
    }
  }

  const resend = async (input: Input, by: Asker): Promise<object> => {
    const deliveryId = readText(input, 'id') as DeliveryId
    for (const accountId of accountsOf(input)) {
      const found = await router.query({ type: 'FindDelivery', accountId, deliveryId })
      if (found === null) continue
      hearingEndpoint(directory, { id: found.endpointId })
      const command: Command = {
        type: 'ResendDelivery',
        accountId,
        by: initiatorOf(by),
        deliveryId,
        audit: askerOf(options, by),
      }
      return deliveryWithAttempts.view((await accepted(command)).state as Delivery)
    }
    return absent(`there is no delivery ${deliveryId}`, 'delivery')
  }

  /**
   * Sends all finished deliveries that a filter means again, the oldest first, 50 a second. When it answers, all of them are scheduled: a
   * crash loses none. Those that can still be delivered, and those of endpoints that nothing is sent to, are left out.
   */
  const resendMany = async (input: Input, by: Asker): Promise<object> => {
    const company = companyAt(directory, input, 'company')
    const accountId = accountIdOf(company.id, environmentOf(input))
    const filter = filterOf(input, directory)
    const query: ListDeliveries = {
      ...ofAccount(accountId),
      ...filter,
      statuses: filter.statuses.length === 0 ? ['EXHAUSTED'] : filter.statuses,
      from: dateOf(input, 'from'),
      to: dateOf(input, 'to'),
    }
    const { total, asOf } = await router.query({ ...query, pageSize: 0 })
    if (total > limits.resentMax)
      refuseInvalid((say) => say.operations.tooManyResent(total, limits.resentMax))
    const ids: DeliveryId[] = []
    for (let page = 1; (page - 1) * limits.pageSizeMax < total; page++) {
      const { rows } = await router.query({ ...query, asOf, page })
      ids.unshift(
        ...rows
          .filter(isHeard)
          .map(({ id }) => id)
          .reverse(),
      )
    }
    await record(accountId, by, { type: 'company', id: company.id }, { deliveries: ids.length, ...filter })
    const startsAtMs = realNow()
    let count = 0
    for (let first = 0; first < ids.length; first += limits.resentAtOnce) {
      const replies = await Promise.all(
        ids.slice(first, first + limits.resentAtOnce).map((deliveryId, n) =>
          accepted({
            type: 'ResendDelivery',
            accountId,
            by: initiatorOf(by),
            deliveryId,
            firstAttemptAtMs: startsAtMs + (first + n) * limits.resentEveryMs,
          }),
        ),
      )
      count += replies.filter(({ steps }) => steps.length > 0).length
    }
    return resendJobView({ jobId: jobIdOf(by), count })
  }

  const isHeard = ({ endpointId, status }: Delivery): boolean =>
    status !== 'PENDING' && status !== 'RETRYING' && directory.endpoints.get(endpointId)!.hearsAfter !== null

  /** The request's own id: log and audit log know it, too. */
  const jobIdOf = ({ requestId }: Asker): string => requestId ?? newId('req', realNow(), entropy)

  /**
   * Sends the events of a period to one endpoint again, including those from while it was disabled or did not exist yet. A replay
   * is bounded; if there is more, the answer says where the next one continues.
   */
  const replay = async (input: Input, by: Asker): Promise<object> => {
    const endpoint = hearingEndpoint(directory, input)
    const { fromMs, toMs } = spanOf(input, endpoint)
    const types: readonly string[] = choicesOf(input, 'types', eventTypes) ?? endpoint.eventTypes
    const isWanted = ({ type }: PublicEvent): boolean => types.length === 0 || types.includes(type)
    const startsAtMs = realNow()
    const endsAtMs = startsAtMs + limits.replayMsMax
    const accountId = accountOfEndpoint(endpoint)
    const span = { from: isoInstant(fromMs), to: isoInstant(toMs), types }
    await record(accountId, by, { type: 'webhook_endpoint', id: endpoint.id }, span)
    let after = input.after === undefined ? null : numberOf(input.after, 'after', 0, Number.MAX_SAFE_INTEGER)
    let events = 0
    let deliveries = 0
    do {
      const page = await router.query({ type: 'ListEvents', accountId, fromMs, toMs, after })
      const wanted = page.events.filter(isWanted)
      events += wanted.length
      deliveries += await sendAgain(endpoint, wanted, startsAtMs + deliveries * limits.resentEveryMs, by)
      after = page.next?.after ?? null
    } while (after !== null && events < limits.replayedEventsMax && realNow() < endsAtMs)
    return replayView({
      jobId: jobIdOf(by),
      endpointId: endpoint.id,
      fromMs,
      toMs,
      events,
      count: deliveries,
      after,
    })
  }

  /**
   * Sends a few events together: each needs a look-up of earlier deliveries, and requests get their turn in between. Resolves to
   * how many were scheduled.
   */
  const sendAgain = async (
    endpoint: Endpoint,
    events: readonly PublicEvent[],
    startsAtMs: number,
    by: Asker,
  ): Promise<number> => {
    let scheduled = 0
    for (let first = 0; first < events.length; first += limits.replayedAtOnce) {
      const { steps } = await accepted({
        type: 'ReplayEvents',
        accountId: accountOfEndpoint(endpoint),
        by: initiatorOf(by),
        endpointId: endpoint.id,
        events: events.slice(first, first + limits.replayedAtOnce).map((event, n) => ({
          eventId: event.id,
          eventType: event.type,
          objectId: objectIdOf(event.subject),
          body: eventBody(event, endpoint.environment),
          firstAttemptAtMs: startsAtMs + (first + n) * limits.resentEveryMs,
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
    if (fromMs >= toMs) refuseInvalid((say) => say.operations.fromBeforeTo())
    if (toMs - fromMs > limits.replaySpanMsMax)
      refuseInvalid((say) => say.operations.replaySpan(limits.replaySpanMsMax / 86_400_000))
    return { fromMs, toMs }
  }

  /** Records what takes many commands before the first of them. */
  const record = (
    accountId: AccountId,
    by: Asker,
    object: AuditDraft['object'],
    fields: AuditedFields,
  ): Promise<unknown> =>
    accepted({
      type: 'RecordAudit',
      accountId,
      by: initiatorOf(by),
      source: null,
      draft: {
        ...askerOf(options, by),
        atMs: realNow(),
        object,
        changes: auditChanges({}, fields),
        result: 'DONE',
        code: null,
      },
    })

  const accepted = async (command: Command): Promise<Extract<Reply, { accepted: true }>> => {
    const reply = await router.execute(command)
    return reply.accepted ? reply : refuse(`refused: ${reply.rejection.reason}`)
  }

  /** The accounts that have or had endpoints, narrowed to a company and environment if the input names them. */
  const accountsOf = (input: Input): readonly AccountId[] => [
    ...new Set(endpointsOf(directory, input).map(accountOfEndpoint)),
  ]

  return {
    'webhooks test': taking(['id', ...place, 'type'], testEndpoint),
    'webhooks deliveries': taking(['id', 'status', 'page'], deliveries),
    'webhooks failures': taking(['id', 'company', 'environment'], failures),
    'webhooks resend': taking(['id', ...place], resend),
    'webhooks resend-all': taking([...place, ...filterMembers, 'from', 'to'], resendMany),
    'webhooks replay': taking(['id', ...place, 'from', 'to', 'types', 'after'], replay),
  }
}

const place = ['company', 'environment']

const filterMembers = ['endpointId', 'status', 'type', 'objectId', 'statusClass', 'error']

const filterOf = (input: Input, directory: Directory): DeliveryFilter => ({
  endpointId:
    input.endpointId === undefined ? null : endpointAt(directory, { ...input, id: input.endpointId }).id,
  statuses: choicesOf(input, 'status', deliveryStatuses) ?? [],
  eventTypes: choicesOf(input, 'type', eventTypes) ?? [],
  objectId: optionalTextOf(input, 'objectId'),
  statusClasses: choicesOf(input, 'statusClass', statusClasses) ?? [],
  errors: choicesOf(input, 'error', attemptErrors) ?? [],
})

const dateOf = (input: Input, name: string): CalendarDate | null => {
  const text = optionalTextOf(input, name)
  return text === null
    ? null
    : (readDate(text) ?? refuseField(name, 'INVALID_FORMAT', `${name} must be a date (YYYY-MM-DD)`))
}

/** Who starts what is done for the one who asks. */
const initiatorOf = ({ kind, personId }: Asker): Initiator =>
  kind === 'PERSON' ? { kind, id: personId } : { kind: 'OPERATOR', id: null }

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
