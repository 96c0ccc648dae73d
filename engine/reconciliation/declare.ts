import { approverRefusal } from '../approval-and-limits/approver.ts'
import type { Decider } from '../kernel/decider.ts'
import type { Draft } from '../kernel/draft.ts'
import { factOf } from '../kernel/fact.ts'
import type { Rejection } from '../kernel/registry.ts'
import { settleDeclared } from '../marketplace/payouts.ts'
import { completeMoneyOut, failMoneyOut } from '../money-out/run.ts'
import { type Declaration, type DeclaredOutcome, isSameOutcome } from '../payments/sent-money.ts'
import type { DeclarePayout, DeclareTransfer } from './commands.ts'
import { evidenceRefusal } from './evidence.ts'

/**
 * A person says what became of a transfer whose bank can be asked about it no more. Both guesses may be wrong, and either loses money: so the bank's
 * statements have to bear it out, and a second person says the same. What the bank shows later is booked all the same.
 */
export const declareTransfer: Decider<DeclareTransfer> = (draft, command) => {
  const out = draft.find('transfer', command.transferId)
  if (out === undefined) return { reason: 'NOT_FOUND', resource: 'transfer' }
  const { lostAtMs, call, connectionId, status, amountCents, declared } = out
  if (lostAtMs === undefined || call === null) return notLost(status)
  const sent = { connectionId: connectionId ?? null, amountCents, openedAtMs: call.openedAtMs }
  const refusal = declarationRefusal(draft, command, declared) ?? evidenceRefusal(draft, sent, command)
  if (refusal !== null) return refusal
  const fact = factOf(draft, 'transfer', out.id)
  if (!isConfirmation(command, declared)) {
    draft.add({ type: 'OutcomeDeclared', by: command.by, declaration: declarationOf(command), ...fact })
    return null
  }
  draft.add({ type: 'OutcomeConfirmed', by: command.by, ...fact })
  const confirmed = draft.find('transfer', out.id)!
  if (command.outcome === 'SENT') completeMoneyOut(draft, confirmed, command.endToEndId)
  else failMoneyOut(draft, confirmed, 'NOT_SENT')
  return null
}

/** The same about a payout to a recipient: one that was not sent is sent on the next business day. */
export const declarePayout: Decider<DeclarePayout> = (draft, command) => {
  const transfer = draft.find('splitTransfer', command.splitTransferId)
  if (transfer === undefined) return { reason: 'NOT_FOUND', resource: 'split_transfer' }
  const { lostAtMs, call, status, dueCents: amountCents, declared } = transfer
  if (lostAtMs === undefined || call === null) return notLost(status)
  const sent = { connectionId: call.connectionId ?? null, amountCents, openedAtMs: call.openedAtMs }
  const refusal = declarationRefusal(draft, command, declared) ?? evidenceRefusal(draft, sent, command)
  if (refusal !== null) return refusal
  const fact = factOf(draft, 'splitTransfer', transfer.id)
  if (!isConfirmation(command, declared)) {
    draft.add({ type: 'OutcomeDeclared', by: command.by, declaration: declarationOf(command), ...fact })
    return null
  }
  draft.add({ type: 'OutcomeConfirmed', by: command.by, ...fact })
  settleDeclared(draft, draft.find('splitTransfer', transfer.id)!, command)
  return null
}

const notLost = (currentStatus: string): Rejection => ({
  reason: 'INVALID_STATE',
  currentStatus,
  allowedStatuses: [],
})

/** Why this person may not say so: keys and the clock are no people, and no one confirms their own word. */
const declarationRefusal = (
  draft: Draft,
  command: DeclareTransfer | DeclarePayout,
  declared: DeclaredOutcome | undefined,
): Rejection | null => {
  const { by, standing } = command
  if (by.kind !== 'PERSON') return { reason: 'OWN_REQUEST' }
  if (declared === undefined || !isSameOutcome(declared, command))
    return approverRefusal(standing, draft.context.atMs)
  return declared.by.id === by.id ? { reason: 'OWN_REQUEST' } : approverRefusal(standing, declared.atMs)
}

/** Whether it is what another person has said before. Anything else takes its place, and waits for a second person. */
const isConfirmation = (command: Declaration, declared: DeclaredOutcome | undefined): boolean =>
  declared !== undefined && isSameOutcome(declared, command)

const declarationOf = ({ outcome, endToEndId, reason }: Declaration): Declaration => ({
  outcome,
  endToEndId,
  reason,
})
