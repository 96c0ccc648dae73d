import type { ActorDefinition } from '../kernel/actor.ts'
import { assert, unreachable } from '../shared/assert.ts'
import type { Delivery, DeliveryFact } from './delivery.ts'
import { labelOfDelivery } from './label.ts'
import { isFinished, openResendOf } from './resend.ts'

/** Applies a fact to a delivery. */
const evolveDelivery = (delivery: Delivery | undefined, event: DeliveryFact): Delivery => {
  if (event.type === 'DeliveryScheduled') {
    assert(delivery === undefined, 'a delivery is scheduled once')
    return {
      id: event.id,
      status: 'PENDING',
      attempts: [],
      nextAttemptAtMs: event.delivery.firstAttemptAtMs ?? event.atMs,
      createdAtMs: event.atMs,
      ...event.delivery,
    }
  }
  assert(delivery !== undefined, `${event.type} follows DeliveryScheduled`)
  switch (event.type) {
    case 'AttemptRecorded':
      return {
        ...delivery,
        status: event.status,
        attempts: [...delivery.attempts, { number: delivery.attempts.length + 1, ...event.outcome }],
        nextAttemptAtMs: event.nextAttemptAtMs,
      }
    case 'DeliveryCancelled':
      return { ...delivery, status: 'CANCELLED', nextAttemptAtMs: null }
    case 'AttemptBroughtForward':
      return { ...delivery, nextAttemptAtMs: event.nextAttemptAtMs }
    default:
      return unreachable(event)
  }
}

export const deliveryKind: ActorDefinition<Delivery, DeliveryFact> = {
  prefix: 'dlv',
  evolve: evolveDelivery,
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  auditedFields: ({ status, endpointId, eventId }) => ({ status, endpointId, eventId }),
  label: labelOfDelivery,
  isOver: isFinished,
  lookupKeys: ({ objectId }) => [objectId],
  madeBy: (command, memory) => {
    if (command.type !== 'ResendDelivery') return null
    const { accountId, deliveryId } = command
    const delivery = memory.find('delivery', deliveryId)!.state
    const siblings = memory.lookup('delivery', accountId, delivery.objectId).map(({ state }) => state)
    return openResendOf(delivery, siblings)!.id
  },
}
