import type { Draft } from '../../kernel/draft.ts'
import { factOf } from '../../kernel/fact.ts'
import type { Rejection } from '../../kernel/registry.ts'
import { dueAgain } from '../../payments/transaction/calls.ts'
import { unreachable } from '../../shared/assert.ts'
import { endOfDay } from '../../shared/calendar.ts'
import type { Initiator } from '../../shared/initiator.ts'
import { callOff, changeCharge, lapsesOf } from './charge.ts'
import type { RecordMandateAnswer } from './commands.ts'
import { type ChargeOfMandate, showMandate } from './held.ts'
import type { Mandate, MandateCall } from './mandate.ts'
import type { MandateAnswer } from './mandate-request.ts'
import { endAtBank } from './offer.ts'
import { attemptFailed, chargeClosed, chargeLost, chargeTaken, offerShown } from './outcome.ts'

/** Records a bank's answer. One for a finished call is too late to matter, and so is a repeated silence. */
export const recordMandateAnswer = (
  draft: Draft,
  mandate: Mandate,
  { callId, answer, by }: RecordMandateAnswer,
): Rejection | null => {
  const call = mandate.calls.find(({ id }) => id === callId)
  if (call === undefined || (call.dueAtMs !== null && isUndecided(answer))) return null
  switch (call.operation) {
    case 'MANDATE_CREATE':
      recordOffer(draft, mandate, call, answer, by)
      break
    case 'MANDATE_CANCEL':
      recordEnd(draft, mandate, call, answer, by)
      break
    case 'SCHEDULE':
      recordScheduled(draft, mandate, call, answer, by)
      break
    case 'RESCHEDULE':
      recordRetry(draft, mandate, call, answer, by)
      break
    case 'UNSCHEDULE':
      recordCalledOff(draft, mandate, call, answer, by)
      break
    default:
      unreachable(call.operation)
  }
  return null
}

const isUndecided = ({ type }: MandateAnswer): boolean => type === 'SILENT' || type === 'PENDING'

const recordOffer = (
  draft: Draft,
  mandate: Mandate,
  call: MandateCall,
  answer: MandateAnswer,
  by: Initiator,
): void => {
  const { id } = mandate
  const fact = { callId: call.id, ...factOf(draft, 'mandate', id) }
  if (answer.type === 'DONE' && answer.idRec !== null) {
    const { idRec, copyPaste } = answer
    draft.add({ type: 'MandateMade', idRec, copyPaste, ...fact })
    if (mandate.isEnding) endAtBank(draft, id)
    else offerShown(draft, { mandate: draft.find('mandate', id)! }, by)
  } else if (answer.type === 'REFUSED') {
    const { code } = answer
    const rejected = { status: 'REJECTED', closedBy: null, code, maximumCents: null } as const
    draft.add(
      { type: 'MandateCallRefused', code, ...fact },
      { type: 'MandateStatusChanged', ...rejected, ...factOf(draft, 'mandate', id) },
    )
  } else draft.add({ type: 'MandateCallUnanswered', ...laterOf(draft, call, answer), ...fact })
  showMandate(draft, mandate, by)
}

const recordEnd = (
  draft: Draft,
  mandate: Mandate,
  call: MandateCall,
  answer: MandateAnswer,
  by: Initiator,
): void => {
  const fact = { callId: call.id, ...factOf(draft, 'mandate', mandate.id) }
  switch (answer.type) {
    case 'DONE': {
      draft.add({ type: 'MandateCallDone', ...fact })
      if (mandate.status !== 'CREATED' && mandate.status !== 'ACTIVE') return
      const { maximumCents } = mandate
      const ended = { status: 'CANCELLED', closedBy: 'RECEIVER', code: null, maximumCents } as const
      draft.add({ type: 'MandateStatusChanged', ...ended, ...factOf(draft, 'mandate', mandate.id) })
      showMandate(draft, mandate, by)
      return
    }
    case 'REFUSED':
      draft.add({ type: 'MandateCallRefused', code: answer.code, ...fact })
      return
    default:
      draft.add({ type: 'MandateCallUnanswered', ...laterOf(draft, call, answer), ...fact })
  }
}

const recordScheduled = (
  draft: Draft,
  mandate: Mandate,
  call: MandateCall,
  answer: MandateAnswer,
  by: Initiator,
): void => {
  const of = chargeOf(mandate, call)
  const fact = { callId: call.id, ...factOf(draft, 'mandate', mandate.id) }
  switch (answer.type) {
    case 'DONE':
      draft.add({ type: 'MandateCallDone', ...fact })
      if (of === null) return
      if (of.charge.state === 'CLOSING') callOff(draft, of)
      else chargeTaken(draft, of, by)
      return
    case 'REFUSED':
      draft.add({ type: 'MandateCallRefused', code: answer.code, ...fact })
      if (of === null) return
      if (of.charge.state === 'CLOSING') chargeClosed(draft, of, by, true)
      else chargeLost(draft, of, answer.code, by, true)
      return
    default:
      // What is not wanted any more is not repeated: it may have arrived, so it is called off.
      if (of === null || of.charge.state === 'CLOSING') {
        draft.add({ type: 'MandateCallDropped', ...fact })
        if (of !== null) callOff(draft, of)
        return
      }
      draft.add({ type: 'MandateCallUnanswered', ...laterOf(draft, call, answer), ...fact })
  }
}

const recordRetry = (
  draft: Draft,
  mandate: Mandate,
  call: MandateCall,
  answer: MandateAnswer,
  by: Initiator,
): void => {
  const of = chargeOf(mandate, call)
  const fact = { callId: call.id, ...factOf(draft, 'mandate', mandate.id) }
  const on = call.on!
  switch (answer.type) {
    case 'DONE':
      draft.add({ type: 'MandateCallDone', ...fact })
      if (of === null) return
      changeCharge(draft, of, {
        attempts: [...of.charge.attempts, { on, state: 'REQUESTED', code: null }],
        ...(of.charge.state === 'OPEN' && { nextAtMs: lapsesOf(mandate, on) }),
      })
      return
    case 'REFUSED':
      draft.add({ type: 'MandateCallRefused', code: answer.code, ...fact })
      if (of?.charge.state === 'OPEN') attemptFailed(draft, of, answer.code, by)
      return
    default:
      // It may have arrived, so its day is waited for.
      if (of === null || draft.context.nowMs >= endOfDay(mandate.timeZone, on)) {
        draft.add({ type: 'MandateCallDropped', ...fact })
        if (of?.charge.state === 'OPEN') attemptFailed(draft, of, null, by)
        return
      }
      draft.add({ type: 'MandateCallUnanswered', ...laterOf(draft, call, answer), ...fact })
  }
}

const recordCalledOff = (
  draft: Draft,
  mandate: Mandate,
  call: MandateCall,
  answer: MandateAnswer,
  by: Initiator,
): void => {
  const of = chargeOf(mandate, call)
  const fact = { callId: call.id, ...factOf(draft, 'mandate', mandate.id) }
  switch (answer.type) {
    case 'DONE':
      draft.add({ type: 'MandateCallDone', ...fact })
      if (of !== null) chargeClosed(draft, of, by, true)
      return
    case 'REFUSED':
      draft.add({ type: 'MandateCallRefused', code: answer.code, ...fact })
      // One that never was taken is not there: what comes of it after all is returned.
      if (of !== null && of.charge.attempts.length === 0) chargeClosed(draft, of, by, false)
      return
    default:
      if (of === null) draft.add({ type: 'MandateCallDropped', ...fact })
      else draft.add({ type: 'MandateCallUnanswered', ...laterOf(draft, call, answer), ...fact })
  }
}

const laterOf = (draft: Draft, call: MandateCall, answer: MandateAnswer): { readonly dueAtMs: number } =>
  dueAgain(call, draft, answer)

const chargeOf = (mandate: Mandate, { txid }: MandateCall): ChargeOfMandate | null => {
  const charge = mandate.charges.find((one) => one.txid === txid)
  return charge === undefined ? null : { mandate, charge }
}
