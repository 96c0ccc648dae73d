import type { Draft } from '../kernel/draft.ts'
import type { Rejection } from '../kernel/registry.ts'
import { timeOfEndToEnd } from '../payments/methods/pix/end-to-end-id.ts'
import { type Declaration, railKey } from '../payments/sent-money.ts'
import { addDays, type CalendarDate, dateIn, dayMs } from '../shared/calendar.ts'
import type { ConnectionId } from '../shared/ids.ts'
import type { Cents } from '../shared/money.ts'
import type { EvidenceRefusal } from './commands.ts'
import { reconciliationIdOf } from './reconciliation.ts'
import type { StrangePix } from './statement.ts'

/** Money whose bank has not said what became of it. */
export type LostMoney = {
  /** Null in the Sandbox, which has no statement of a bank: there people's word is enough. */
  readonly connectionId: ConnectionId | null
  readonly amountCents: Cents
  /** When the bank was first asked for it. */
  readonly openedAtMs: number
}

/**
 * Why the bank's statements do not bear out what a person says of such money; null where they do. What was sent is shown by the statement of its day
 * under its id, and by nothing else that is known; what was not is shown by none of the days on which the bank may have sent it.
 */
export const evidenceRefusal = (
  draft: Draft,
  sent: LostMoney,
  declared: Declaration & { readonly othersCount: number },
): Rejection | null =>
  declared.outcome === 'SENT'
    ? ofSent(draft, sent, declared.endToEndId)
    : ofUnsent(draft, sent, declared.othersCount)

const ofSent = (draft: Draft, sent: LostMoney, endToEndId: string | null): Rejection | null => {
  const madeAtMs = endToEndId === null ? null : timeOfEndToEnd(endToEndId)
  if (endToEndId === null || madeAtMs === null) return refused('ID_UNREADABLE')
  const { nowMs } = draft.context
  if (madeAtMs < sent.openedAtMs - clocksDifferMs || madeAtMs > nowMs + clocksDifferMs)
    return refused('ID_OF_OTHER_TIME')
  if (isKnown(draft, endToEndId)) return refused('ID_KNOWN')
  if (sent.connectionId === null) return null
  const date = dateIn(draft.account().profile.timeZone, madeAtMs)
  const ofDay = strangeOn(draft, sent, date)
  if (ofDay === null) return refused('NO_STATEMENT', date)
  // What was made late in the evening may be in the statement of the next day.
  const shown = [...ofDay, ...(strangeOn(draft, sent, addDays(date, 1)) ?? [])]
  const isShown = shown.some((pix) => pix.endToEndId === null || pix.endToEndId === endToEndId)
  return isShown ? null : refused('NOT_IN_STATEMENT', date)
}

const ofUnsent = (draft: Draft, sent: LostMoney, othersCount: number): Rejection | null => {
  if (sent.connectionId === null) return null
  const { timeZone } = draft.account().profile
  const last = dateIn(timeZone, sent.openedAtMs + repeatedForMs)
  let count = 0
  for (let date = dateIn(timeZone, sent.openedAtMs); date <= last; date = addDays(date, 1)) {
    const strange = strangeOn(draft, sent, date)
    if (strange === null) return refused('NO_STATEMENT', date)
    count += strange.length
  }
  return count === othersCount ? null : refused('OTHERS_COUNT')
}

/** The bank's clock may be before ours, or behind. */
const clocksDifferMs = 600_000
/** A bank is asked to send it for so long, and may do so until then. */
const repeatedForMs = dayMs

/** The PIX of this amount that left on a day for nothing that is known by now; null where no statement of it was compared. */
const strangeOn = (
  draft: Draft,
  { connectionId, amountCents }: LostMoney,
  date: CalendarDate,
): readonly StrangePix[] | null => {
  const day = draft.find('reconciliation', reconciliationIdOf(draft.account().id, connectionId, date))
  if (day?.third === undefined) return null
  return (day.strange ?? []).filter(
    (pix) => pix.amountCents === amountCents && (pix.endToEndId === null || !isKnown(draft, pix.endToEndId)),
  )
}

const isKnown = (draft: Draft, endToEndId: string): boolean =>
  draft.lookup('transfer', railKey(endToEndId)).length > 0 ||
  draft.lookup('splitTransfer', railKey(endToEndId)).length > 0

const refused = (why: EvidenceRefusal, date: CalendarDate | null = null): Rejection => ({
  reason: 'NOT_BORNE_OUT',
  why,
  date,
})
