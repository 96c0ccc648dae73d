import type { Idempotency } from '../../kernel/command.ts'
import type { Draft } from '../../kernel/draft.ts'
import { factOf } from '../../kernel/fact.ts'
import type { CalendarDate } from '../../shared/calendar.ts'
import type { MandateId } from '../../shared/ids.ts'
import { type Cents, toCents } from '../../shared/money.ts'
import type { Mandate, MandateCall, MandateOperation } from './mandate.ts'

/** What a call is about. */
export type MandateAsked = {
  readonly operation: MandateOperation
  readonly txid?: string
  readonly on?: CalendarDate
  readonly amountCents?: Cents
  readonly idempotency?: Idempotency | null
}

/** A new call. Its id follows from how many there were, so that replaying gives the same. */
export const newMandateCall = (
  { context: { nowMs } }: Pick<Draft, 'context'>,
  { id, callsMade }: Pick<Mandate, 'id' | 'callsMade'>,
  { operation, txid = undefined, on = undefined, amountCents = toCents(0), idempotency = null }: MandateAsked,
): MandateCall => ({
  id: `${id}.${callsMade + 1}`,
  operation,
  txid: txid ?? null,
  on: on ?? null,
  amountCents,
  idempotency,
  openedAtMs: nowMs,
  unanswered: 0,
  dueAtMs: null,
})

/** Records the intent of a call, which is made once that is on disk. */
export const callBank = (draft: Draft, id: MandateId, asked: MandateAsked): void => {
  const mandate = draft.find('mandate', id)!
  const call = newMandateCall(draft, mandate, asked)
  draft.add({ type: 'MandateCalled', call, ...factOf(draft, 'mandate', id) })
}

/** Gives up the calls about a charge that wait to be repeated. One that is on its way ends with its answer. */
export const dropCalls = (draft: Draft, id: MandateId, txid: string): void => {
  for (const call of draft.find('mandate', id)!.calls)
    if (call.txid === txid && call.dueAtMs !== null)
      draft.add({ type: 'MandateCallDropped', callId: call.id, ...factOf(draft, 'mandate', id) })
}
