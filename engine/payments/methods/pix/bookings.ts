import type { Account, AccountFact } from '../../../ledger/account.ts'
import { type LedgerAccount, transfer } from '../../../ledger/postings.ts'
import type { MedId, ReceivedPixId } from '../../../shared/ids.ts'
import { type Cents, toCents } from '../../../shared/money.ts'
import type { ReceivedPixFact, ReturnProgress } from '../../received/received.ts'
import { toReturnCents } from '../../transaction/amounts.ts'
import { accountFact, type Bookings, bookAtOnce, moveBooked } from '../../transaction/booking.ts'
import type { TransactionFact } from '../../transaction/facts.ts'
import type { Med, Transaction } from '../../transaction/transaction.ts'
import { returnOf } from './evolve.ts'
import type { ChargePaid, PaymentReturned, PixFact, ReturnBegun } from './facts.ts'
import { pixOf } from './pix.ts'

/** The account's bookings for PIX facts: payments, and money that a MED blocks. */
export const pixBookings: Bookings<PixFact> = {
  ChargePaid: (event, transaction, account) => [
    ...bookAtOnce(event, transaction, account),
    ...taxWithheld(event, transaction, account),
  ],
  PaymentReturned: (event, transaction, account) => [pixReceived(event, transaction, account)],
  ReturnBegun: (event, transaction, account) => [
    pixReceived(event, transaction, account),
    moved(event, account, event.payment.receivedPixId, 'payer', 'suspense', event.amountCents),
  ],
  ReturnCompleted: (event, transaction, account) => {
    const { receivedPixId } = event
    const leftCents = toReturnCents(returnOf(transaction, receivedPixId)!)
    return [
      returnChanged(receivedPixId, 'RETURNED'),
      moved(event, account, receivedPixId, 'suspense', 'payer', leftCents),
    ]
  },
  ReturnedInPart: (event, _, account) => [
    moved(event, account, event.receivedPixId, 'suspense', 'payer', event.amountCents),
  ],
  // The clock repeats what is going back; only a person repeats what had failed.
  ReturnRepeated: ({ receivedPixId, by }) =>
    by.kind === 'PERSON' ? [returnChanged(receivedPixId, 'RETURNING')] : [],
  ReturnRefused: ({ receivedPixId, retryAtMs }) =>
    retryAtMs === null ? [returnChanged(receivedPixId, 'RETURN_FAILED')] : [],
  MedOpened: (event, transaction, account) => [
    ...moveForMed(event, account, event.med.blockedCents),
    ...shortageOf(event, event.med.id, transaction, account),
  ],
  MedBlocked: (event, transaction, account) => [
    ...moveForMed(event, account, event.cents),
    ...shortageOf(event, event.medId, transaction, account),
  ],
  MedClosed: (event, transaction, account) => {
    const { blockedCents } = medIn(transaction, event.medId)
    return [
      ...moveForMed(event, account, event.returnedCents - blockedCents),
      ...shortageOf(event, event.medId, transaction, account),
    ]
  },
  MedContestWon: (event, _, account) => [
    moveBooked(event, account, 'MED', 'payer', 'available', event.amountCents),
  ],
}

/** The received PIX of a payment. */
export const pixReceived = (
  event: ChargePaid | PaymentReturned | ReturnBegun,
  transaction: Transaction,
  account: Account,
): ReceivedPixFact => ({
  actor: 'received',
  type: 'PixReceived',
  id: event.payment.receivedPixId,
  received: {
    id: event.payment.receivedPixId,
    accountId: account.id,
    transactionId: transaction.id,
    endToEndId: event.payment.endToEndId,
    txid: pixOf(transaction)!.txid,
    externalId: transaction.details.externalId,
    amountCents:
      event.type === 'ChargePaid'
        ? toCents(event.paidCents - (event.payment.taxWithheldCents ?? 0))
        : event.amountCents,
    returnReason: event.type === 'ChargePaid' ? null : event.returnReason,
    returning: event.type === 'ReturnBegun' ? 'RETURNING' : null,
    pixKeyId: account.pixKey.id,
    pixKey: pixOf(transaction)!.bankKey ?? account.pixKey.key,
    payer: event.payment.payer,
    description: transaction.details.description,
    receivedAtMs: event.payment.paidAtMs,
  },
})

/** The tax that was withheld of a payment never arrived: the company has paid it. */
const taxWithheld = (event: ChargePaid, { id }: Transaction, account: Account): readonly AccountFact[] => {
  const { taxWithheldCents } = event.payment
  return taxWithheldCents ? [moved(event, account, id, 'available', 'taxesWithheld', taxWithheldCents)] : []
}

/** Moves money that is not the account's, or is not there, between ledger accounts. */
const moved = (
  event: TransactionFact,
  account: Account,
  objectId: string,
  from: LedgerAccount,
  to: LedgerAccount,
  cents: Cents,
): AccountFact => ({
  type: 'FundsMoved',
  objectId,
  currency: 'BRL',
  postings: transfer(from, to, cents),
  ...accountFact(event, account),
})

const returnChanged = (id: ReceivedPixId, returning: ReturnProgress): ReceivedPixFact => ({
  actor: 'received',
  type: 'PixReturnChanged',
  id,
  returning,
})

/** Blocks money for a MED; a negative amount is released. */
const moveForMed = (event: TransactionFact, account: Account, cents: number): readonly AccountFact[] => {
  if (cents === 0) return []
  const [from, to] = cents > 0 ? (['available', 'blocked'] as const) : (['blocked', 'available'] as const)
  return [moveBooked(event, account, 'MED', from, to, toCents(Math.abs(cents)))]
}

/** Records the amount still to be blocked for a MED, if it changed. */
const shortageOf = (
  event: TransactionFact,
  medId: MedId,
  transaction: Transaction,
  account: Account,
): readonly AccountFact[] => {
  const { status, amountCents, blockedCents } = medIn(transaction, medId)
  const missingCents = toCents(status === 'OPEN' ? amountCents - blockedCents : 0)
  const known = account.shortMeds?.find((short) => short.medId === medId)?.missingCents ?? 0
  if (missingCents === known) return []
  return [
    {
      type: 'MedShortageChanged',
      medId,
      transactionId: transaction.id,
      missingCents,
      ...accountFact(event, account),
    },
  ]
}

const medIn = ({ reversals }: Transaction, medId: MedId): Med =>
  reversals.meds.find(({ id }) => id === medId)!
