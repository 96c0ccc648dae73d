import { assert, unreachable } from '../../shared/assert.ts'
import type { Mandate, MandateCall, MandateFact } from './mandate.ts'

/** Applies a fact to a mandate. */
export const evolveMandate = (mandate: Mandate | undefined, event: MandateFact): Mandate => {
  const { id, atMs } = event
  if (event.type === 'MandateOffered') {
    assert(mandate === undefined, 'a mandate is offered once')
    return {
      id,
      idRec: null,
      copyPaste: null,
      status: 'CREATED',
      closedBy: null,
      code: null,
      maximumCents: null,
      isEnding: false,
      calls: [event.call],
      callsMade: 1,
      charges: [],
      takenPeriods: [],
      createdAtMs: atMs,
      updatedAtMs: atMs,
      ...event.mandate,
    }
  }
  assert(mandate !== undefined, `${event.type} follows MandateOffered`)
  return { ...mandate, ...changesOf(mandate, event), updatedAtMs: atMs }
}

const changesOf = (
  mandate: Mandate,
  event: Exclude<MandateFact, { readonly type: 'MandateOffered' }>,
): Partial<Mandate> => {
  const { calls, callsMade, charges } = mandate
  switch (event.type) {
    case 'MandateCalled':
      return { calls: [...calls, event.call], callsMade: callsMade + 1 }
    case 'MandateCalledAgain':
      return { calls: withCall(calls, event.callId, () => ({ dueAtMs: null })) }
    case 'MandateCallUnanswered': {
      const { callId, dueAtMs } = event
      return {
        calls: withCall(calls, callId, ({ unanswered }) => ({ dueAtMs, unanswered: unanswered + 1 })),
      }
    }
    case 'MandateMade': {
      const { idRec, copyPaste } = event
      return { idRec, copyPaste, calls: withoutCall(calls, event.callId) }
    }
    case 'MandateCallDone':
    case 'MandateCallRefused':
    case 'MandateCallDropped':
      return { calls: withoutCall(calls, event.callId) }
    case 'MandateEnding':
      return { isEnding: true }
    case 'MandateStatusChanged': {
      const { status, closedBy, code, maximumCents } = event
      return { status, closedBy, code, maximumCents }
    }
    case 'MandateChargeStarted': {
      const { charge } = event
      return {
        charges: [...charges, charge],
        takenPeriods: [...mandate.takenPeriods, charge.periodStart].slice(-takenPeriodsMax),
      }
    }
    case 'MandateChargeChanged':
      return {
        charges: charges.map((charge) =>
          charge.txid === event.txid ? { ...charge, ...event.changes } : charge,
        ),
      }
    case 'MandateChargeEnded': {
      const ended = charges.find(({ txid }) => txid === event.txid)
      const isFreed = event.isPeriodFree && ended !== undefined
      return {
        charges: charges.filter(({ txid }) => txid !== event.txid),
        ...(isFreed && { takenPeriods: mandate.takenPeriods.filter((day) => day !== ended.periodStart) }),
      }
    }
    default:
      return unreachable(event)
  }
}

/** No charge is made for a period so far back. */
const takenPeriodsMax = 8

const withCall = (
  calls: readonly MandateCall[],
  callId: string,
  changes: (call: MandateCall) => Partial<MandateCall>,
): readonly MandateCall[] => calls.map((call) => (call.id === callId ? { ...call, ...changes(call) } : call))

const withoutCall = (calls: readonly MandateCall[], callId: string): readonly MandateCall[] =>
  calls.filter(({ id }) => id !== callId)
