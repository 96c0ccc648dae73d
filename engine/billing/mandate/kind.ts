import type { ActorDefinition } from '../../kernel/actor.ts'
import { earliestOf } from '../../kernel/due-work.ts'
import { byClock } from '../../shared/initiator.ts'
import { evolveMandate } from './evolve.ts'
import { isMandateOpen, type Mandate, type MandateFact } from './mandate.ts'
import { mandateRequest } from './mandate-request.ts'

export const mandateKind: ActorDefinition<Mandate, MandateFact> = {
  prefix: 'mdt',
  namedBy: 'mandateId',
  doesDueWorkFirst: true,
  evolve: evolveMandate,
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  label: ({ status }) => status,
  auditedFields: ({ status, journey, code }) => ({ status, journey, code }),
  lookupKeys: ({ idRec, charges }) => [
    ...(idRec === null ? [] : [idRec]),
    ...charges.map(({ txid }) => txid),
  ],
  timer: ({ accountId, id: mandateId, calls, charges }) =>
    earliestOf([
      ...calls.map(({ id: callId, dueAtMs }) =>
        dueAtMs === null
          ? null
          : ({
              dueAtMs,
              command: { type: 'CallMandateAgain', accountId, by: byClock, mandateId, callId },
            } as const),
      ),
      ...charges.map(({ nextAtMs }) =>
        nextAtMs === null
          ? null
          : ({
              dueAtMs: nextAtMs,
              command: { type: 'RunMandate', accountId, by: byClock, mandateId },
            } as const),
      ),
    ]),
  isOver: (mandate) => !isMandateOpen(mandate) && mandate.calls.length === 0 && mandate.charges.length === 0,
  awaitsProvider: ({ calls }) => calls.some(({ dueAtMs }) => dueAtMs === null),
  calls: {
    madeBy: (event) => {
      if (event.type === 'MandateOffered' || event.type === 'MandateCalled') return event.call.id
      return event.type === 'MandateCalledAgain' ? event.callId : null
    },
    awaitedBy: (event) => (event.type === 'MandateOffered' && event.isAwaited ? event.call.id : null),
    answeredBy: (event) => ('callId' in event && event.type !== 'MandateCalledAgain' ? event.callId : null),
    request: (mandate, callId, nowMs) =>
      mandateRequest(mandate, mandate.calls.find(({ id }) => id === callId)!, nowMs),
    onTheirWay: ({ calls }) => calls.filter(({ dueAtMs }) => dueAtMs === null).map(({ id }) => id),
    isOpen: ({ calls }, callId) => calls.some(({ id }) => id === callId),
    // The first answer, whatever it is, is what the request that waited for it shows.
    keyOfAnswer: ({ calls }, callId) => {
      const call = calls.find(({ id }) => id === callId)
      return call === undefined || call.unanswered > 0 ? null : call.idempotency
    },
    // The subscription stands without its mandate, too.
    withoutCall: (events) => events.filter(({ type }) => type !== 'MandateOffered'),
  },
}
