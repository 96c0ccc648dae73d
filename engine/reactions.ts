import type { Account } from './account/account.ts'
import { unreachable } from './assert.ts'
import type { Event } from './events.ts'
import type { Posting } from './ledger.ts'
import { toCents } from './money.ts'
import type { ReceivedPixEvent } from './received/received.ts'
import type { ChargePaid, PaymentReturned } from './transaction/events.ts'
import type { Transaction } from './transaction/transaction.ts'

/**
 * What one actor's fact makes other actors of the same account write, in the same journal entry. These actors only keep
 * books: they cannot refuse, so a reaction gives their facts directly. `first` ones go before the fact: a merchant hears
 * that the PIX arrived before hearing that the charge is approved (decisions, section 9).
 */
export const reactionsTo = (
  event: ReactingEvent,
  transaction: Transaction,
  account: Account,
): { readonly first: readonly Event[]; readonly after: readonly Event[] } => {
  switch (event.type) {
    case 'ChargePaid':
      return { first: [receivedPix(event, transaction, account)], after: bookPayment(event, account) }
    case 'PaymentReturned':
      return { first: [], after: [receivedPix(event, transaction, account)] }
    default:
      return unreachable(event)
  }
}

type ReactingEvent = ChargePaid | PaymentReturned

export const hasReactions = (event: Event): event is ReactingEvent =>
  event.type === 'ChargePaid' || event.type === 'PaymentReturned'

const receivedPix = (
  event: ChargePaid | PaymentReturned,
  transaction: Transaction,
  account: Account,
): ReceivedPixEvent => ({
  actor: 'received',
  type: 'PixReceived',
  id: event.payment.receivedPixId,
  received: {
    id: event.payment.receivedPixId,
    accountId: account.id,
    transactionId: transaction.id,
    endToEndId: event.payment.endToEndId,
    txid: transaction.pix.txid,
    externalId: transaction.externalId,
    amountCents: event.type === 'ChargePaid' ? event.paidCents : event.amountCents,
    returnReason: event.type === 'ChargePaid' ? null : event.returnReason,
    pixKeyId: account.pixKey.id,
    pixKey: account.pixKey.key,
    payer: event.payment.payer,
    description: transaction.description,
    receivedAtMs: event.payment.paidAtMs,
  },
})

/** The payment becomes a receivable less the fee, and the receivable becomes balance at once: PIX settles immediately. */
const bookPayment = (event: ChargePaid, account: Account): readonly Event[] => {
  const netCents = toCents(event.paidCents - event.feeCents)
  const [receivable] = event.receivables
  const fact = { actor: 'account', id: account.id, atMs: event.atMs } as const
  const booked: readonly Posting[] = [
    { account: 'payer', cents: toCents(-event.paidCents) },
    { account: 'receivable', cents: netCents },
    { account: 'fees', cents: event.feeCents },
  ]
  const settled: readonly Posting[] = [
    { account: 'receivable', cents: toCents(-netCents) },
    { account: 'available', cents: netCents },
  ]
  return [
    { ...fact, type: 'PaymentBooked', transactionId: event.id, postings: booked },
    {
      ...fact,
      type: 'SettlementCompleted',
      postings: settled,
      settlement: {
        id: receivable!.settlementId!,
        method: 'PIX',
        grossCents: event.paidCents,
        feeCents: event.feeCents,
        receivablesCount: event.receivables.length,
        transactionId: event.id,
        date: receivable!.expectedOn,
        createdAtMs: event.atMs,
        completedAtMs: event.atMs,
      },
    },
  ]
}
