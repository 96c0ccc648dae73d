import { routeOfWay } from '../connections/way.ts'
import type { Decider } from '../kernel/decider.ts'
import type { Draft } from '../kernel/draft.ts'
import { issuerOf } from '../ledger/issuer.ts'
import { assert, unreachable } from '../shared/assert.ts'
import { toCents } from '../shared/money.ts'
import type { AskedMoneyOut } from './asked.ts'
import type { AskAgainForMoneyOut, RecordMoneyOut, ResolveMoneyOut, RunMoneyOut } from './commands.ts'
import { firstPaidKey } from './keys.ts'
import { type LimitedPayment, limitCounts, limitRefusal } from './limits.ts'
import { moneyOutMethodOf } from './methods/index.ts'
import { factAboutMoneyOut, isPlanned, type MoneyOut, type MoneyOutFailure } from './money-out.ts'
import { payeeKeyOf } from './payees/payee.ts'
import { limitedPaymentOf } from './standing.ts'
import { bookMoneyOut, countedBack, type MoneyOutCount } from './sums.ts'
import { absentMoneyOut, moneyOutIn } from './target.ts'

/** Reserves the money and records the intent to call the provider. The payment is no longer planned. */
export const sendMoneyOut = (
  draft: Draft,
  out: MoneyOut,
  limited: LimitedPayment,
  wasPlanned: boolean,
  newCounts: readonly MoneyOutCount[] = [],
): void => {
  const { sentBy, wayNow, follow } = moneyOutMethodOf(out)
  const way = wayNow(draft, out)
  assert(way !== null, 'what has no way waits for one')
  const counts = [...newCounts, ...limitCounts(draft.account(), limited, draft.context.nowMs)]
  // A new payment's counts are not booked yet.
  const uncounted = wasPlanned ? [] : out.counts
  bookMoneyOut(draft, out, 'RESERVED', { wasPlanned, counts: [...uncounted, ...counts] })
  const { connectionId } = way
  if (connectionId !== null)
    draft.add({ type: 'MoneyOutRouted', connectionId, ...factAboutMoneyOut(draft, out) })
  const route = routeOfWay(way)
  if (route !== null) draft.add({ type: 'RouteChosen', route, ...factAboutMoneyOut(draft, out) })
  draft.add({
    type: 'MoneyOutSent',
    callId: firstCallOf(out),
    counts,
    ...sentBy(draft, out, way),
    ...factAboutMoneyOut(draft, out),
  })
  follow?.sent?.(draft, out)
}

/** Sends a payment at its time. Balance and limits are checked again; the bank checks the owner of a PIX key. */
export const runMoneyOut: Decider<RunMoneyOut> = (draft, command) => {
  runScheduled(draft, moneyOutIn(draft, command)!)
  return null
}

/** Runs a scheduled payment if its method allows it now; otherwise postpones it. */
export const runScheduled = (draft: Draft, out: MoneyOut): void => {
  const { nowMs } = draft.context
  const account = draft.account()
  const { fundsRefusal } = moneyOutMethodOf(out)
  const runsAtMs = whenItRuns(draft, out, null)
  if (runsAtMs > nowMs) {
    draft.add({ type: 'MoneyOutPostponed', runsAtMs, ...factAboutMoneyOut(draft, out) })
    return
  }
  const limited = limitedPaymentOf(draft, out)
  const refusal = fundsRefusal(draft, out) ?? limitRefusal(account, limited, nowMs)
  if (refusal === null) sendMoneyOut(draft, out, limited, true)
  else failMoneyOut(draft, out, refusal.reason === 'INSUFFICIENT_BALANCE' ? refusal.reason : 'LIMIT_EXCEEDED')
}

/** When it runs: as its method says, and not before a way is open that can take it. */
export const whenItRuns = (
  draft: Draft,
  asked: AskedMoneyOut,
  scheduledFor: AskedMoneyOut['scheduledFor'],
): number => {
  const { nowMs } = draft.context
  const { runTimeOf, wayNow } = moneyOutMethodOf(asked)
  const runsAtMs = runTimeOf(draft.account().profile.timeZone, scheduledFor, nowMs)
  return runsAtMs <= nowMs && wayNow(draft, asked) === null ? nowMs + closedWayMs : runsAtMs
}

/** How often it is looked whether a way that was closed is open. */
const closedWayMs = 10 * 60_000

/** Asks the provider once more, with the same reference. */
export const askAgainForMoneyOut: Decider<AskAgainForMoneyOut> = (draft, command) => {
  const out = moneyOutIn(draft, command)!
  draft.add({ type: 'MoneyOutSentAgain', callId: out.call!.id, ...factAboutMoneyOut(draft, out) })
  return null
}

/** Records the provider's answer. Answers to calls that are over, or from before a Sandbox reset, are ignored. */
export const recordMoneyOut: Decider<RecordMoneyOut> = (draft, command) => {
  const out = moneyOutIn(draft, command)
  if (out === undefined) return absentMoneyOut(command)
  const { call } = out
  if (call === null || call.id !== command.callId) return null
  const verdict = moneyOutMethodOf(out).verdictOf(draft, out, command.answer)
  const fact = { callId: call.id, ...factAboutMoneyOut(draft, out) }
  switch (verdict.type) {
    case 'PAID':
      completeMoneyOut(draft, out, verdict.railId, verdict.tariffCents)
      return null
    case 'FAILED':
      failMoneyOut(draft, out, verdict.reason, verdict.code)
      return null
    case 'BROADCAST': {
      const { railId, dueAtMs } = verdict
      draft.add({ type: 'MoneyOutBroadcast', railId, dueAtMs, ...fact })
      return null
    }
    case 'UNDECIDED':
      if (call.dueAtMs === null) {
        const { dueAtMs, railId = null } = verdict
        if (railId !== null && railId !== out.railId)
          draft.add({ type: 'MoneyOutIdentified', railId, ...factAboutMoneyOut(draft, out) })
        if (verdict.bankNumber !== undefined && verdict.bankNumber !== call.bankNumber)
          draft.add({ type: 'MoneyOutNumbered', bankNumber: verdict.bankNumber, ...fact })
        if ('isLost' in command.answer && out.lostAtMs === undefined)
          draft.add({ type: 'OutcomeLost', ...factAboutMoneyOut(draft, out) })
        draft.add({ type: 'MoneyOutUnanswered', dueAtMs, ...fact })
      }
      return null
    default:
      return unreachable(verdict)
  }
}

/** Decides in the provider's place, in the Sandbox. */
export const resolveMoneyOut: Decider<ResolveMoneyOut> = (draft, command) => {
  const out = moneyOutIn(draft, command)
  if (out === undefined) return absentMoneyOut(command)
  const { resolvable, resolvedRailId } = moneyOutMethodOf(out)
  if (out.call === null)
    return { reason: 'INVALID_STATE', currentStatus: out.status, allowedStatuses: resolvable }
  if (command.failureReason === null) completeMoneyOut(draft, out, resolvedRailId(draft, out))
  else failMoneyOut(draft, out, command.failureReason)
  return null
}

/** The only call of a payment: its answer may come when it is over. */
const firstCallOf = ({ id }: MoneyOut): string => `${id}.1`

/** Ends a payment as arrived: the reserved money has left, and what the bank took beyond the fee with it. */
export const completeMoneyOut = (
  draft: Draft,
  out: MoneyOut,
  railId: string | null,
  tariffCents = toCents(0),
): void => {
  const { actor, ...fact } = factAboutMoneyOut(draft, out)
  const isFirst = draft.lookup(actor, firstPaidKey(payeeKeyOf(out.payee))).length === 0
  bookMoneyOut(draft, out, 'PAID')
  if (tariffCents > 0) {
    bookMoneyOut(draft, { ...out, amountCents: toCents(0), feeCents: tariffCents }, 'TARIFF')
    draft.add({ type: 'MoneyOutCharged', tariffCents, actor, ...fact })
  }
  const issuer = issuerOf(draft.account().profile)
  draft.add({
    type: 'MoneyOutCompleted',
    callId: out.call?.id ?? firstCallOf(out),
    railId,
    isFirst,
    issuer,
    actor,
    ...fact,
  })
  moneyOutMethodOf(out).follow?.paid?.(draft, out)
}

/** Ends a payment as failed: reserved money returns, and its counts are given back. */
export const failMoneyOut = (
  draft: Draft,
  out: MoneyOut,
  failureReason: MoneyOutFailure,
  providerCode: string | null = null,
): void => {
  const counts = countedBack(out.counts)
  if (isPlanned(out)) bookMoneyOut(draft, out, 'DROPPED', { wasPlanned: true, counts })
  else bookMoneyOut(draft, out, 'RETURNED', { counts })
  draft.add({
    type: 'MoneyOutFailed',
    callId: out.call?.id ?? null,
    failureReason,
    providerCode,
    ...factAboutMoneyOut(draft, out),
  })
}
