import { contextId } from '../../../kernel/context.ts'
import { accept, reject } from '../../../kernel/decision.ts'
import type { Account } from '../../../ledger/account.ts'
import { restored } from '../../../ledger/receivables.ts'
import { withdrawableOf } from '../../../ledger/withdrawable.ts'
import { dayMs } from '../../../shared/calendar.ts'
import type { MedId } from '../../../shared/ids.ts'
import { type Cents, toCents } from '../../../shared/money.ts'
import { arrivedCents, refundableStatuses, refundedCents } from '../../transaction/amounts.ts'
import {
  type ChargeDecider,
  type ExistingChargeDecider,
  invalidState,
  rejectNotFound,
} from '../../transaction/charge-context.ts'
import type { TransactionFact } from '../../transaction/facts.ts'
import { disputeRefusal, refundCompleted } from '../../transaction/reversal.ts'
import type { Med, Refund, Transaction } from '../../transaction/transaction.ts'
import { defenseCall, lackingAtBank } from './bank/defend-med.ts'
import type { CloseMed, ContestMed, DefendMed, OpenMed, ResolveMedContest } from './commands.ts'
import { pixRefunds } from './refunds.ts'

/**
 * Decisions, section 11: how long after a payment the payer's bank may contest it, how long the analysis takes,
 * and how long the merchant may contest a return.
 */
const windowDays = 80
export const analysisMs: Readonly<Record<Med['reason'], number>> = {
  FRAUD: 7 * dayMs,
  OPERATIONAL_FAILURE: dayMs,
}
const contestDays = 80

/** Opens a MED: the payer's bank contests a PIX, and the balance is blocked up to the contested amount. */
export const openMed: ChargeDecider<OpenMed> = (transaction, command, chargeContext) =>
  transaction === undefined || transaction.method !== 'PIX'
    ? rejectNotFound()
    : medOpened(transaction, command, chargeContext)

/** The same for a transaction that is there. */
export const medOpened: ExistingChargeDecider<
  Pick<OpenMed, 'amountCents' | 'reason' | 'details' | 'rootEndToEndId' | 'isForced'> & {
    /** The id at the bank that reported it. */
    readonly bankMedId?: string
  }
> = (transaction, command, chargeContext) => {
  const { account, context } = chargeContext
  const dispute = disputeRefusal(transaction)
  if (dispute !== null) return reject(dispute)
  if (!refundableStatuses.includes(transaction.status)) return invalidState(transaction, refundableStatuses)
  if (context.nowMs > transaction.approvedAtMs! + windowDays * dayMs && command.isForced !== true)
    return reject({ reason: 'REFUND_WINDOW_EXPIRED', what: 'MED', days: windowDays })
  const refunding = transaction.reversals.refunds.filter(({ status }) => status === 'PROCESSING')
  const contestableCents = toCents(
    arrivedCents(transaction) -
      refundedCents(transaction) -
      refunding.reduce((sum, { amountCents }) => sum + amountCents, 0),
  )
  const amountCents = command.amountCents ?? contestableCents
  if (amountCents > contestableCents || contestableCents === 0)
    return reject({ reason: 'REFUND_EXCEEDS_BALANCE', refundableCents: contestableCents })
  const blockedCents = blockable(account, amountCents)
  const reason = command.reason ?? 'FRAUD'
  const med: Med = {
    id: contextId(context, 'med'),
    amountCents,
    blockedCents,
    returnedCents: toCents(0),
    reason,
    status: 'OPEN',
    result: null,
    details: command.details ?? null,
    rootEndToEndId: command.rootEndToEndId ?? null,
    ...(command.bankMedId !== undefined && { bankMedId: command.bankMedId }),
    openedAtMs: context.nowMs,
    analysisDueAtMs: context.nowMs + analysisMs[reason],
    closedAtMs: null,
  }
  return accept<TransactionFact>({ type: 'MedOpened', med, ...chargeContext.fact })
}

/** The part of an amount that can be blocked: the recipients' share of the balance is theirs. */
export const blockable = (account: Account, wantedCents: number): Cents => {
  const withdrawable = withdrawableOf(account)
  return toCents(withdrawable < BigInt(wantedCents) ? Number(withdrawable) : wantedCents)
}

/** Keeps what the merchant says while a MED is open, once. */
export const defendMed: ChargeDecider<DefendMed> = (transaction, command, chargeContext) => {
  const med = findMed(transaction, command.reversalId)
  if (med === undefined) return rejectNotFound('med')
  if (med.status !== 'OPEN') return invalidState(med, ['OPEN'])
  if (med.defense !== undefined) return reject({ reason: 'ALREADY_DEFENDED' })
  const { text, files } = command
  const defended: TransactionFact = { type: 'MedDefended', medId: med.id, text, files, ...chargeContext.fact }
  if (transaction === undefined || transaction.connectionId === null) return accept(defended)
  const lacking = lackingAtBank(transaction, med, 'DEFEND_MED', command, chargeContext)
  if (lacking !== null) return lacking
  return accept<TransactionFact>(defended, defenseCall(transaction.version + 2, med, chargeContext))
}

/** Closes a MED. An accepted one returns money as an ordinary refund; rejected or cancelled, the payment stays. */
export const closeMed: ChargeDecider<CloseMed> = (transaction, command, chargeContext) => {
  const med = findMed(transaction, command.reversalId)
  if (transaction === undefined || med === undefined) return rejectNotFound('med')
  if (med.status !== 'OPEN') return invalidState(med, ['OPEN'])
  const { result } = command
  const returnedCents = result === 'ACCEPTED' ? (command.returnedCents ?? med.blockedCents) : toCents(0)
  if (returnedCents > med.blockedCents)
    return reject({ reason: 'REFUND_EXCEEDS_BALANCE', refundableCents: med.blockedCents })
  const closed: TransactionFact = {
    type: 'MedClosed',
    medId: med.id,
    result,
    returnedCents,
    ...chargeContext.fact,
  }
  if (returnedCents === 0) return accept(closed)
  const refund = { id: contextId(chargeContext.context, 'rfd'), amountCents: returnedCents }
  return accept<TransactionFact>(
    closed,
    {
      type: 'RefundRequested',
      refundId: refund.id,
      amountCents: returnedCents,
      origin: 'MED',
      reason: med.reason,
      address: null,
      bankReturnId: null,
      ...chargeContext.fact,
    },
    refundCompleted(transaction, refund, null, chargeContext, pixRefunds),
  )
}

/** Contests the return of money by a MED, once, within the time limit. */
export const contestMed: ChargeDecider<ContestMed> = (transaction, command, chargeContext) => {
  const med = findMed(transaction, command.reversalId)
  if (med === undefined) return rejectNotFound('med')
  const untilMs = contestableUntilMs(med)
  if (med.status !== 'CLOSED') return invalidState(med, ['CLOSED'])
  if (untilMs === null) return reject({ reason: 'NOTHING_RETURNED' })
  if (med.contest !== undefined) return invalidState(med.contest, [])
  if (chargeContext.context.nowMs > untilMs)
    return reject({ reason: 'DEFENSE_WINDOW_CLOSED', defenseDueAtMs: untilMs })
  const lacking = lackingAtBank(transaction!, med, 'CONTEST_MED', command, chargeContext)
  if (lacking !== null) return lacking
  const { text, files } = command
  return accept<TransactionFact>({ type: 'MedContested', medId: med.id, text, files, ...chargeContext.fact })
}

/** Decides a contest. A won one credits the returned money to the parties that gave it. */
export const resolveMedContest: ChargeDecider<ResolveMedContest> = (transaction, command, chargeContext) => {
  const med = findMed(transaction, command.reversalId)
  if (transaction === undefined || med?.contest === undefined) return rejectNotFound('med')
  if (med.contest.status !== 'UNDER_REVIEW') return invalidState(med.contest, ['UNDER_REVIEW'])
  if (command.result === 'LOST')
    return accept<TransactionFact>({ type: 'MedContestLost', medId: med.id, ...chargeContext.fact })
  const refund = refundOf(transaction, med)
  return accept<TransactionFact>({
    type: 'MedContestWon',
    medId: med.id,
    amountCents: med.returnedCents,
    receivables: restored(transaction.receivables, refund, chargeContext),
    ...chargeContext.fact,
  })
}

/** When the merchant can no longer ask for what a MED returned; null while it has returned nothing. */
export const contestableUntilMs = ({ closedAtMs, returnedCents }: Med): number | null =>
  closedAtMs === null || returnedCents === 0 ? null : closedAtMs + contestDays * dayMs

/** The refund by which a MED returned money: MEDs follow each other, and so do their refunds. */
const refundOf = ({ reversals: { refunds, meds } }: Transaction, med: Med): Refund => {
  const returning = meds.filter(({ returnedCents }) => returnedCents > 0)
  return refunds.filter(({ origin }) => origin === 'MED')[returning.indexOf(med)]!
}

const findMed = (transaction: Transaction | undefined, medId: MedId): Med | undefined =>
  transaction?.reversals.meds.find(({ id }) => id === medId)
