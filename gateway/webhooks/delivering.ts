import type { Endpoint } from '../../engine/companies/endpoint.ts'
import type { Handler } from '../../engine/kernel/handler.ts'
import { byOperator } from '../../engine/shared/initiator.ts'
import type { Traceparent } from '../../engine/shared/traceparent.ts'
import type { EndedAttempt } from '../../engine/webhooks/commands.ts'
import { isByHand } from '../../engine/webhooks/decide.ts'
import type { AttemptOutcome, Delivery } from '../../engine/webhooks/delivery.ts'
import { bounds } from '../base/bounds.ts'
import { delay } from '../base/delay.ts'
import type { EndpointHeaders, EndpointSecrets } from '../base/seal.ts'
import type { Attempts } from './attempt.ts'
import { type Endpoints, formerSecretOf } from './endpoints.ts'
import { newGather } from './gather.ts'
import { openPool, type Pool, type PoolOptions } from './pool.ts'

export type Delivering = Pick<PoolOptions, 'giveBack' | 'onFault'> & {
  /** The shards that hold the deliveries. */
  readonly shards: Pick<Handler, 'perform' | 'answer'>
  readonly endpoints: Pick<Endpoints, 'find'>
  readonly secretOf: EndpointSecrets
  readonly headersOf: EndpointHeaders
  readonly attempt: Attempts['attempt']
  /** Called when an attempt starts. */
  readonly watch: (delivery: Delivery, endpoint: Endpoint) => WatchedAttempt
}

export type WatchedAttempt = {
  /** The trace that the attempt belongs to. */
  readonly traceparent: Traceparent | undefined
  readonly onOutcome: (outcome: AttemptOutcome) => void
}

/** Opens the pool of one worker over its shards and endpoints. The attempts of an account that end in one turn are recorded together. */
export const openDeliveryPool = (delivering: Delivering): Pool => {
  const { shards } = delivering
  const recordAttempt = newGather<EndedAttempt>({
    max: bounds.attemptsRecordedTogetherMax,
    later: setImmediate,
    send: (accountId, attempts, _, to) =>
      shards.perform({ type: 'RecordAttempts', accountId, by: byOperator, attempts }, to),
  })
  return openPool({
    find: ({ accountId, id }, to) => shards.answer({ type: 'FindDelivery', accountId, deliveryId: id }, to),
    attempt: (delivery) => attemptDelivery(delivering, delivery),
    record: ({ accountId, id: deliveryId }, outcome, to) => {
      if (outcome !== null) recordAttempt(accountId, { deliveryId, outcome }, to)
      else shards.perform({ type: 'CancelDelivery', accountId, by: byOperator, deliveryId }, to)
    },
    giveBack: delivering.giveBack,
    onFault: delivering.onFault,
    isByHand,
    pause: () => delay(bounds.recordRetryMs),
  })
}

const attemptDelivery = async (
  { endpoints, secretOf, headersOf, attempt, watch }: Delivering,
  delivery: Delivery,
): Promise<AttemptOutcome | null> => {
  const endpoint = endpoints.find(delivery.endpointId)
  if (endpoint === undefined) return null
  const { traceparent, onOutcome } = watch(delivery, endpoint)
  const outcome = await attempt({
    endpointId: endpoint.id,
    url: endpoint.url,
    environment: endpoint.environment,
    secret: secretOf(endpoint, endpoint.id),
    formerSecret: formerSecretOf(endpoint, Date.now(), secretOf),
    eventId: delivery.eventId,
    eventType: delivery.eventType,
    deliveryId: delivery.id,
    body: delivery.body,
    traceparent,
    signature: endpoint.signature,
    headers: headersOf(endpoint),
  })
  onOutcome(outcome)
  return outcome
}
