import type { Directory } from '../../../engine/companies/directory.ts'
import type { Endpoint } from '../../../engine/companies/endpoint.ts'
import { subscribesTo } from '../../../engine/companies/endpoint.ts'
import { eventTypes, type PublicEvent } from '../../../engine/kernel/event-types.ts'
import type { Command } from '../../../engine/kernel/registry.ts'
import { type AuditDraft, type AuditedFields, auditChanges } from '../../../engine/shared/audit.ts'
import {
  type CalendarDate,
  endOfDay,
  isoInstant,
  readDate,
  startOfDay,
} from '../../../engine/shared/calendar.ts'
import { type AccountId, accountIdOf, type DeliveryId, newId } from '../../../engine/shared/ids.ts'
import {
  attemptErrors,
  type Delivery,
  deliveryStatuses,
  isBodyForgotten,
  statusClasses,
} from '../../../engine/webhooks/delivery.ts'
import type { DeliveryFilter, ListDeliveries } from '../../../engine/webhooks/queries.ts'
import { isFinished } from '../../../engine/webhooks/resend.ts'
import { bounds } from '../../base/bounds.ts'
import { eventBody, objectIdOf } from '../../events/body.ts'
import type { Asker } from '../../identity/asked.ts'
import { absent, refuse, refuseField, refuseInvalid } from '../../problems/refusal.ts'
import { deliveryWithAttempts, replayView, resendJobView } from '../../resources/developers/delivery.ts'
import { fiscalPayeeOf } from '../../resources/payments/fiscal.ts'
import { askerOf } from '../../trail/audit-draft.ts'
import { accountOfEndpoint } from '../../webhooks/endpoints.ts'
import { companyAt } from '../account/company-operations.ts'
import {
  choicesOf,
  type Input,
  instantMsOf,
  numberOf,
  type Operations,
  operationsOn,
  optionalTextOf,
  readText,
  requiredEnvironmentOf,
  taking,
} from '../input.ts'
import { accepted, accountsOf, type DeliveryContext, initiatorOf, ofAccount } from './delivery-context.ts'
import { endpointAt, hearingEndpoint } from './webhook-operations.ts'

/** The operations that send deliveries again. */
export const resendOperations = (context: DeliveryContext): Operations =>
  operationsOn(context, {
    'webhooks resend': taking(['id', ...place], resend),
    'webhooks retry': taking(['id', ...place], retry),
    'webhooks resend-all': taking([...place, ...filterMembers, 'from', 'to'], resendMany),
    'webhooks replay': taking(['id', ...place, 'from', 'to', 'types', 'after'], replay),
  })

const place = ['company', 'environment']

const resend = async (context: DeliveryContext, input: Input, by: Asker): Promise<object> => {
  const { accountId, id } = await hearableDelivery(context, input)
  const command: Command = { type: 'ResendDelivery', deliveryId: id, ...askedBy(context, accountId, by) }
  return deliveryWithAttempts.view((await accepted(context, command)).state as Delivery)
}

/** Makes the next attempt of a delivery that is not finished now instead of at its time. */
const retry = async (context: DeliveryContext, input: Input, by: Asker): Promise<object> => {
  const delivery = await hearableDelivery(context, input)
  const { accountId, id: deliveryId } = delivery
  if (isFinished(delivery)) return refuse((say) => say.details.deliveryFinished)
  await accepted(context, { type: 'AttemptNow', deliveryId, ...askedBy(context, accountId, by) })
  return deliveryWithAttempts.view(
    (await context.router.query({ type: 'FindDelivery', accountId, deliveryId })) ?? delivery,
  )
}

/** The delivery that is named, whose endpoint must be one that hears. */
const hearableDelivery = async (context: DeliveryContext, input: Input): Promise<Delivery> => {
  const { router, directory } = context
  const deliveryId = readText(input, 'id') as DeliveryId
  for (const accountId of accountsOf(context, input)) {
    const found = await router.query({ type: 'FindDelivery', accountId, deliveryId })
    if (found === null) continue
    hearingEndpoint(directory, { id: found.endpointId })
    return found
  }
  return absent(`there is no delivery ${deliveryId}`, 'delivery')
}

/** Whose command it is, and what the audit log says of that. */
const askedBy = (context: DeliveryContext, accountId: AccountId, by: Asker) => ({
  accountId,
  by: initiatorOf(by),
  audit: askerOf(context, by),
})

/**
 * Sends all finished deliveries that match a filter again, oldest first, 50 a second. When it answers, all of them
 * are scheduled: a crash loses none. Unfinished deliveries, and those to endpoints that receive nothing, are left
 * out.
 */
const resendMany = async (context: DeliveryContext, input: Input, by: Asker): Promise<object> => {
  const { directory } = context
  const company = companyAt(directory, input, 'company')
  const accountId = accountIdOf(company.id, requiredEnvironmentOf(input))
  const filter = filterOf(input, directory)
  const query: ListDeliveries = {
    ...ofAccount(accountId),
    ...filter,
    statuses: filter.statuses.length === 0 ? ['EXHAUSTED'] : filter.statuses,
    from: dateOf(input, 'from'),
    to: dateOf(input, 'to'),
  }
  const ids = await resendable(context, query)
  await record(
    context,
    accountId,
    by,
    { type: 'company', id: company.id },
    { deliveries: ids.length, ...filter },
  )
  return resendJobView({ jobId: jobIdOf(context, by), count: await resendAll(context, accountId, ids, by) })
}

/** Resolves to how many were scheduled. */
const resendAll = async (
  context: DeliveryContext,
  accountId: AccountId,
  ids: readonly DeliveryId[],
  by: Asker,
): Promise<number> => {
  const startsAtMs = context.realNow()
  let count = 0
  for (let first = 0; first < ids.length; first += bounds.resentAtOnce) {
    const replies = await Promise.all(
      ids.slice(first, first + bounds.resentAtOnce).map((deliveryId, n) =>
        accepted(context, {
          type: 'ResendDelivery',
          accountId,
          by: initiatorOf(by),
          deliveryId,
          firstAttemptAtMs: startsAtMs + (first + n) * bounds.resentEveryMs,
        }),
      ),
    )
    count += replies.filter(({ steps }) => steps.length > 0).length
  }
  return count
}

/** The deliveries that match a query and can be sent again, oldest first. */
const resendable = async (
  context: DeliveryContext,
  query: ListDeliveries,
): Promise<readonly DeliveryId[]> => {
  const { router } = context
  const { total, asOf } = await router.query({ ...query, pageSize: 0 })
  if (total > bounds.resentMax) refuseInvalid((say) => say.operations.tooManyResent(total, bounds.resentMax))
  const ids: DeliveryId[] = []
  for (let page = 1; (page - 1) * bounds.pageSizeMax < total; page++) {
    const { rows } = await router.query({ ...query, asOf, page })
    ids.unshift(
      ...rows
        .filter((delivery) => isDeliverable(context, delivery))
        .map(({ id }) => id)
        .reverse(),
    )
  }
  return ids
}

const isDeliverable = ({ directory }: DeliveryContext, delivery: Delivery): boolean =>
  isFinished(delivery) &&
  !isBodyForgotten(delivery) &&
  directory.endpoints.get(delivery.endpointId)!.hearsAfter !== null

/** The request's own id, which the log and the audit log name, too. */
const jobIdOf = ({ realNow, entropy }: DeliveryContext, { requestId }: Asker): string =>
  requestId ?? newId('req', realNow(), entropy)

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

/**
 * Sends the events of a period to one endpoint again, including those from while it was disabled or did not exist yet. A replay
 * is bounded; if there is more, the answer says where the next one continues.
 */
const replay = async (context: DeliveryContext, input: Input, by: Asker): Promise<object> => {
  const { directory, realNow, router } = context
  const endpoint = hearingEndpoint(directory, input)
  const { fromMs, toMs } = spanOf(context, input, endpoint)
  const named: readonly string[] | null = choicesOf(input, 'types', eventTypes)
  const types = named ?? endpoint.eventTypes
  const isWanted = ({ type }: PublicEvent): boolean =>
    named === null ? subscribesTo(endpoint, type) : named.length === 0 || named.includes(type)
  const startsAtMs = realNow()
  const endsAtMs = startsAtMs + bounds.replayMsMax
  const accountId = accountOfEndpoint(endpoint)
  const span = { from: isoInstant(fromMs), to: isoInstant(toMs), types }
  await record(context, accountId, by, { type: 'webhook_endpoint', id: endpoint.id }, span)
  let after = input.after === undefined ? null : numberOf(input.after, 'after', 0, Number.MAX_SAFE_INTEGER)
  let events = 0
  let deliveries = 0
  do {
    const page = await router.query({ type: 'ListEvents', accountId, fromMs, toMs, after })
    const wanted = page.events.filter(isWanted)
    events += wanted.length
    deliveries += await sendAgain(
      context,
      endpoint,
      wanted,
      startsAtMs + deliveries * bounds.resentEveryMs,
      by,
    )
    after = page.next?.after ?? null
  } while (after !== null && events < bounds.replayedEventsMax && realNow() < endsAtMs)
  return replayView({
    jobId: jobIdOf(context, by),
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
  context: DeliveryContext,
  endpoint: Endpoint,
  events: readonly PublicEvent[],
  startsAtMs: number,
  by: Asker,
): Promise<number> => {
  let scheduled = 0
  for (let first = 0; first < events.length; first += bounds.replayedAtOnce) {
    const { steps } = await accepted(context, {
      type: 'ReplayEvents',
      accountId: accountOfEndpoint(endpoint),
      by: initiatorOf(by),
      endpointId: endpoint.id,
      events: events.slice(first, first + bounds.replayedAtOnce).map((event, n) => ({
        eventId: event.id,
        eventType: event.type,
        objectId: objectIdOf(event.subject),
        body: eventBody(event, endpoint.environment, fiscalPayeeOf(context.directory, endpoint.companyId)),
        firstAttemptAtMs: startsAtMs + (first + n) * bounds.resentEveryMs,
      })),
    })
    scheduled += steps.length
  }
  return scheduled
}

const spanOf = (
  { directory, realNow }: DeliveryContext,
  { from, to }: Input,
  { companyId }: Endpoint,
): { readonly fromMs: number; readonly toMs: number } => {
  const { timeZone } = directory.companies.get(companyId)!
  const fromMs = instantMsOf(from, 'from', timeZone, startOfDay)
  const toMs = to === undefined ? realNow() : instantMsOf(to, 'to', timeZone, endOfDay)
  if (fromMs >= toMs) refuseInvalid((say) => say.operations.fromBeforeTo())
  if (toMs - fromMs > bounds.replaySpanMsMax)
    refuseInvalid((say) => say.operations.replaySpan(bounds.replaySpanMsMax / 86_400_000))
  return { fromMs, toMs }
}

/** Records an act that takes many commands, before the first of them. */
const record = (
  context: DeliveryContext,
  accountId: AccountId,
  by: Asker,
  object: AuditDraft['object'],
  fields: AuditedFields,
): Promise<unknown> =>
  accepted(context, {
    type: 'RecordAudit',
    accountId,
    by: initiatorOf(by),
    source: null,
    draft: {
      ...askerOf(context, by),
      atMs: context.realNow(),
      object,
      changes: auditChanges({}, fields),
      result: 'DONE',
      code: null,
    },
  })
