import type { MedId, ReceivedPixId } from '../../../shared/ids.ts'
import type { Metadata } from '../../../shared/metadata.ts'
import { toCents } from '../../../shared/money.ts'
import { changed, type Evolvers, nextVersion, without } from '../../transaction/evolvers.ts'
import type { TransactionFact } from '../../transaction/facts.ts'
import type { Med, MedContest, ReturningPix, Transaction } from '../../transaction/transaction.ts'
import type { MedContestLost, MedContestWon, PixFact } from './facts.ts'
import { withPix } from './pix.ts'

/** How PIX facts change a transaction. */
export const pixEvolvers: Evolvers<PixFact> = {
  ChargeIssued: (transaction, event) => {
    const { txid, copyPaste, expiresAtMs, callId } = event
    const means = withPix(transaction, { txid, copyPaste })
    const calls = without(transaction.calls, callId)
    return nextVersion(transaction, event, { status: 'PENDING', expiresAtMs, means, calls })
  },
  ChargePaid: (transaction, event) => {
    const { paidCents, feeCents, receivables, payment, atMs } = event
    const means = withPix(transaction, { payment })
    return nextVersion(transaction, event, {
      status: 'APPROVED',
      paidCents,
      feeCents,
      approvedAtMs: atMs,
      receivables,
      means,
    })
  },
  PaymentReturned: (transaction, event) => {
    const data = {
      receivedPixId: event.payment.receivedPixId,
      returnReason: event.returnReason,
      amount: String(event.amountCents),
    }
    return nextVersion(transaction, event, {}, data)
  },
  ChargeScheduled: (transaction, event) =>
    nextVersion(transaction, event, { status: 'PENDING', expiresAtMs: event.expiresAtMs }),
  ScheduledChargeFailed: (transaction, event) => {
    const { failureReason, failureDetail, atMs } = event
    return nextVersion(transaction, event, {
      status: 'FAILED',
      failureReason,
      failureDetail,
      failedAtMs: atMs,
    })
  },
  ChargeCodeReplaced: (transaction, event) =>
    nextVersion(transaction, event, { means: withPix(transaction, { copyPaste: event.copyPaste }) }),
  RegistrationTimedOut: (transaction, event) =>
    nextVersion(transaction, event, { calls: without(transaction.calls, event.callId) }),
  ReturnBegun: (transaction, event) => {
    const { returnReason, amountCents, payment } = event
    const { receivedPixId, endToEndId } = payment
    const begun: ReturningPix = {
      receivedPixId,
      endToEndId,
      amountCents,
      returnReason,
      status: 'RETURNING',
      attempts: 1,
      retryAtMs: null,
    }
    const returns = [...(transaction.reversals.returns ?? []), begun]
    const data = { receivedPixId, returnReason, amount: String(amountCents) }
    return nextVersion(transaction, event, { reversals: { ...transaction.reversals, returns } }, data)
  },
  ReturnRepeated: (transaction, event) => {
    const { attempts } = returnOf(transaction, event.receivedPixId)!
    return withReturn(transaction, event, { status: 'RETURNING', attempts: attempts + 1, retryAtMs: null })
  },
  ReturnedInPart: (transaction, event) => {
    const { receivedPixId, bankReturnId, amountCents } = event
    const { parts = [] } = returnOf(transaction, receivedPixId)!
    const amount = String(amountCents)
    return withReturn(
      transaction,
      event,
      { parts: [...parts, { bankReturnId, amountCents }] },
      { bankReturnId, amount },
    )
  },
  ReturnCompleted: (transaction, event) => {
    const calls = without(transaction.calls, event.callId)
    return withReturn({ ...transaction, calls }, event, { status: 'RETURNED', retryAtMs: null })
  },
  ReturnRefused: (transaction, event) => {
    const { retryAtMs, callId, message } = event
    const calls = without(transaction.calls, callId)
    const status = retryAtMs === null ? 'FAILED' : 'RETURNING'
    return withReturn({ ...transaction, calls }, event, { status, retryAtMs }, { message })
  },
  MedOpened: (transaction, event) => {
    const { med } = event
    const { reversals } = transaction
    return nextVersion(
      transaction,
      event,
      { reversals: { ...reversals, meds: [...reversals.meds, med] } },
      { medId: med.id, amount: String(med.amountCents) },
    )
  },
  MedBlocked: (transaction, event) => {
    const { medId, cents } = event
    const { blockedCents } = medIn(transaction, medId)
    return withMed(
      transaction,
      event,
      { blockedCents: toCents(blockedCents + cents) },
      { amount: String(cents) },
    )
  },
  MedDefended: (transaction, event) => {
    const { text, files, atMs } = event
    return withMed(transaction, event, { defense: { text, files, submittedAtMs: atMs } })
  },
  MedDefenseRefused: (transaction, event) => {
    const { message, callId } = event
    const calls = without(transaction.calls, callId)
    const refused = { defense: undefined, defenseRefusal: message }
    return withMed({ ...transaction, calls }, event, refused, { message })
  },
  MedContested: (transaction, event) => {
    const { text, files, atMs } = event
    const contest = { text, files, submittedAtMs: atMs, status: 'UNDER_REVIEW', resolvedAtMs: null } as const
    return withMed(transaction, event, { contest })
  },
  MedContestWon: (transaction, event) => {
    const { receivables, amountCents } = event
    return withMed(
      { ...transaction, receivables },
      event,
      { contest: resolved(transaction, event, 'WON') },
      { amount: String(amountCents) },
    )
  },
  MedContestLost: (transaction, event) =>
    withMed(transaction, event, { contest: resolved(transaction, event, 'LOST') }),
  MedClosed: (transaction, event) => {
    const { result, returnedCents, atMs } = event
    const closed = { status: 'CLOSED', result, returnedCents, closedAtMs: atMs } as const
    return withMed(transaction, event, closed, { result })
  },
}

const medIn = ({ reversals: { meds } }: Transaction, medId: MedId): Med =>
  meds.find(({ id }) => id === medId)!

/** The transaction at its next version, with these changes to a MED. */
const withMed = (
  transaction: Transaction,
  event: TransactionFact & { readonly medId: MedId },
  changes: Partial<Med>,
  data: Metadata = {},
): Transaction => {
  const { reversals } = transaction
  const { medId } = event
  const meds = changed(reversals.meds, medId, changes)
  return nextVersion(transaction, event, { reversals: { ...reversals, meds } }, { medId, ...data })
}

/** The return of this PIX; undefined where none of it goes back. */
export const returnOf = ({ reversals }: Transaction, id: ReceivedPixId): ReturningPix | undefined =>
  reversals.returns?.find(({ receivedPixId }) => receivedPixId === id)

/** The transaction at its next version, with these changes to a return. */
const withReturn = (
  transaction: Transaction,
  event: TransactionFact & { readonly receivedPixId: ReceivedPixId },
  changes: Partial<ReturningPix>,
  data: Metadata = {},
): Transaction => {
  const { reversals } = transaction
  const { receivedPixId } = event
  const returns = reversals.returns!.map((one) =>
    one.receivedPixId === receivedPixId ? { ...one, ...changes } : one,
  )
  return nextVersion(transaction, event, { reversals: { ...reversals, returns } }, { receivedPixId, ...data })
}

const resolved = (
  transaction: Transaction,
  { medId, atMs }: MedContestWon | MedContestLost,
  status: 'WON' | 'LOST',
): MedContest => ({ ...medIn(transaction, medId).contest!, status, resolvedAtMs: atMs })
