import type { MedId } from '../../../shared/ids.ts'
import type { Metadata } from '../../../shared/metadata.ts'
import { toCents } from '../../../shared/money.ts'
import { changed, type Evolvers, nextVersion } from '../../transaction/evolvers.ts'
import type { TransactionFact } from '../../transaction/facts.ts'
import type { Med, MedContest, Transaction } from '../../transaction/transaction.ts'
import type { MedContestLost, MedContestWon, PixFact } from './facts.ts'
import { withPix } from './pix.ts'

/** How PIX facts change a transaction. */
export const pixEvolvers: Evolvers<PixFact> = {
  ChargeIssued: (transaction, event) => {
    const { txid, copyPaste, expiresAtMs } = event
    const means = withPix(transaction, { txid, copyPaste })
    return nextVersion(transaction, event, { status: 'PENDING', expiresAtMs, means })
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

const resolved = (
  transaction: Transaction,
  { medId, atMs }: MedContestWon | MedContestLost,
  status: 'WON' | 'LOST',
): MedContest => ({ ...medIn(transaction, medId).contest!, status, resolvedAtMs: atMs })
