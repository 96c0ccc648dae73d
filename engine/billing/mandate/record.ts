import type { Draft } from '../../kernel/draft.ts'
import { factOf } from '../../kernel/fact.ts'
import type { Rejection } from '../../kernel/registry.ts'
import { dueAgain } from '../../payments/transaction/calls.ts'
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
  if (call.operation === 'MANDATE_CREATE') recordOffer(draft, mandate, call, answer, by)
  else record(recorders[call.operation], { draft, mandate, call, by, of: chargeOf(mandate, call) }, answer)
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
  } else draft.add({ type: 'MandateCallUnanswered', ...dueAgain(call, draft, answer), ...fact })
  showMandate(draft, mandate, by)
}

/** A call that its bank has answered, with the charge that it is about; null where it is about none, or that is over. */
type Answered = {
  readonly draft: Draft
  readonly mandate: Mandate
  readonly call: MandateCall
  readonly by: Initiator
  readonly of: ChargeOfMandate | null
}

/** What follows from an answer, behind the fact that it came. */
type Recorder = {
  readonly done: (answered: Answered) => void
  readonly refused?: (answered: Answered, code: string | null) => void
  /** Whether a call without an answer is not repeated. */
  readonly isDropped?: (answered: Answered) => boolean
  readonly dropped?: (answered: Answered) => void
}

const record = (recorder: Recorder, answered: Answered, answer: MandateAnswer): void => {
  const { draft, mandate, call } = answered
  const fact = { callId: call.id, ...factOf(draft, 'mandate', mandate.id) }
  switch (answer.type) {
    case 'DONE':
      draft.add({ type: 'MandateCallDone', ...fact })
      recorder.done(answered)
      return
    case 'REFUSED':
      draft.add({ type: 'MandateCallRefused', code: answer.code, ...fact })
      recorder.refused?.(answered, answer.code)
      return
    default:
      if (recorder.isDropped?.(answered)) {
        draft.add({ type: 'MandateCallDropped', ...fact })
        recorder.dropped?.(answered)
      } else draft.add({ type: 'MandateCallUnanswered', ...dueAgain(call, draft, answer), ...fact })
  }
}

const recorders: Readonly<Record<Exclude<MandateCall['operation'], 'MANDATE_CREATE'>, Recorder>> = {
  MANDATE_CANCEL: {
    done: ({ draft, mandate, by }) => {
      if (mandate.status !== 'CREATED' && mandate.status !== 'ACTIVE') return
      const { maximumCents } = mandate
      const ended = { status: 'CANCELLED', closedBy: 'RECEIVER', code: null, maximumCents } as const
      draft.add({ type: 'MandateStatusChanged', ...ended, ...factOf(draft, 'mandate', mandate.id) })
      showMandate(draft, mandate, by)
    },
  },
  SCHEDULE: {
    done: ({ draft, by, of }) => {
      if (of === null) return
      if (of.charge.state === 'CLOSING') callOff(draft, of)
      else chargeTaken(draft, of, by)
    },
    refused: ({ draft, by, of }, code) => {
      if (of === null) return
      if (of.charge.state === 'CLOSING') chargeClosed(draft, of, by, true)
      else chargeLost(draft, of, code, by, true)
    },
    // What is not wanted any more is not repeated: it may have arrived, so it is called off.
    isDropped: ({ of }) => of === null || of.charge.state === 'CLOSING',
    dropped: ({ draft, of }) => {
      if (of !== null) callOff(draft, of)
    },
  },
  RESCHEDULE: {
    done: ({ draft, mandate, call, of }) => {
      if (of === null) return
      const on = call.on!
      changeCharge(draft, of, {
        attempts: [...of.charge.attempts, { on, state: 'REQUESTED', code: null }],
        ...(of.charge.state === 'OPEN' && { nextAtMs: lapsesOf(mandate, on) }),
      })
    },
    refused: ({ draft, by, of }, code) => {
      if (of?.charge.state === 'OPEN') attemptFailed(draft, of, code, by)
    },
    // It may have arrived, so its day is waited for.
    isDropped: ({ draft, mandate, call, of }) =>
      of === null || draft.context.nowMs >= endOfDay(mandate.timeZone, call.on!),
    dropped: ({ draft, by, of }) => {
      if (of?.charge.state === 'OPEN') attemptFailed(draft, of, null, by)
    },
  },
  UNSCHEDULE: {
    done: ({ draft, by, of }) => {
      if (of !== null) chargeClosed(draft, of, by, true)
    },
    // One that never was taken is not there: what comes of it after all is returned.
    refused: ({ draft, by, of }) => {
      if (of !== null && of.charge.attempts.length === 0) chargeClosed(draft, of, by, false)
    },
    isDropped: ({ of }) => of === null,
  },
}

const chargeOf = (mandate: Mandate, { txid }: MandateCall): ChargeOfMandate | null => {
  const charge = mandate.charges.find((one) => one.txid === txid)
  return charge === undefined ? null : { mandate, charge }
}
