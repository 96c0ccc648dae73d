import { type Cents, toCents } from '../../shared/money.ts'
import { taxWithheldOf } from '../methods/pix/pix.ts'
import type { Chargeback, Med, ReturningPix, Transaction } from './transaction.ts'

/** The sum of completed refunds. */
export const refundedCents = ({ reversals }: Pick<Transaction, 'reversals'>): Cents =>
  sum(reversals.refunds.filter(({ status }) => status === 'COMPLETED'))

/** The sum of refunds under way, which must not be promised twice. */
export const refundingCents = ({ reversals }: Pick<Transaction, 'reversals'>): Cents =>
  sum(reversals.refunds.filter(({ status }) => status === 'PROCESSING'))

const lostCents = ({ reversals }: Transaction): Cents =>
  sum(reversals.chargebacks.filter(({ status }) => status === 'LOST'))

/** The sum in chargebacks that were not won, and in open MEDs. */
export const disputedCents = ({ reversals }: Transaction): Cents => {
  const chargebacks = sum(reversals.chargebacks.filter(({ status }) => status !== 'WON'))
  return toCents(chargebacks + sum(reversals.meds.filter(({ status }) => status === 'OPEN')))
}

/** The open chargeback or MED: disputed money cannot be refunded. */
export const openDisputeOf = ({
  reversals: { chargebacks, meds },
}: Pick<Transaction, 'reversals'>): Chargeback | Med | null =>
  chargebacks.find(({ status }) => status === 'OPEN' || status === 'UNDER_REVIEW') ??
  meds.find(({ status }) => status === 'OPEN') ??
  null

/** What arrived of the paid amount: the tax that was withheld did not, and cannot be given back from here. */
export const arrivedCents = (transaction: Pick<Transaction, 'paidCents' | 'means'>): Cents =>
  toCents(transaction.paidCents - taxWithheldOf(transaction))

/** The paid amount that was neither refunded nor lost, with the tax that was withheld of it. */
export const untakenCents = (transaction: Transaction): Cents =>
  toCents(transaction.paidCents - refundedCents(transaction) - lostCents(transaction))

/** The same without that tax: what can still be given back. */
export const keptCents = (transaction: Transaction): Cents =>
  toCents(untakenCents(transaction) - taxWithheldOf(transaction))

/** What arrived and was neither refunded, promised nor lost. */
export const heldCents = (transaction: Transaction): Cents =>
  toCents(keptCents(transaction) - refundingCents(transaction))

/** The sum that won contests of MEDs credited again: the payer has had it, so it cannot be refunded again. */
export const restoredCents = ({ reversals }: Pick<Transaction, 'reversals'>): Cents =>
  toCents(
    reversals.meds.reduce(
      (total, { contest, returnedCents }) => total + (contest?.status === 'WON' ? returnedCents : 0),
      0,
    ),
  )

/** Whether it is not known yet what a chargeback takes: refunds that were on their way when it came are not decided. */
export const isUndecided = (
  { reversals: { refunds } }: Pick<Transaction, 'reversals'>,
  { status, amountCents, disputedCents = amountCents }: Chargeback,
): boolean =>
  disputedCents > amountCents &&
  (status === 'OPEN' || status === 'UNDER_REVIEW') &&
  refunds.some((refund) => refund.status === 'PROCESSING')

/** The fee before any of it was returned. */
export const wholeFeeCents = ({ feeCents, reversals }: Pick<Transaction, 'feeCents' | 'reversals'>): Cents =>
  toCents(
    feeCents +
      reversals.refunds.reduce((total, { feeReversedCents }) => total + feeReversedCents, 0) +
      reversals.chargebacks.reduce(
        (total, { status, feeCents }) => total + (status === 'LOST' ? feeCents : 0),
        0,
      ),
  )

/** The sum of what came, was not kept, and is not back with its payer. */
export const suspendedCents = ({ reversals: { returns = [] } }: Pick<Transaction, 'reversals'>): Cents =>
  toCents(
    returns.reduce(
      (total, returning) => total + (returning.status === 'RETURNED' ? 0 : toReturnCents(returning)),
      0,
    ),
  )

/** What is still to go back of a PIX that is not kept. */
export const toReturnCents = ({
  amountCents,
  parts = [],
}: Pick<ReturningPix, 'amountCents' | 'parts'>): Cents => toCents(amountCents - sum(parts))

export const refundableStatuses: readonly Transaction['status'][] = ['APPROVED', 'PARTIALLY_REFUNDED']

const sum = (parts: readonly { readonly amountCents: Cents }[]): Cents =>
  toCents(parts.reduce((total, { amountCents }) => total + amountCents, 0))
