import type { Draft } from '../kernel/draft.ts'
import { factOf } from '../kernel/fact.ts'
import { isByCard } from '../payments/methods/card/terms.ts'
import type { TransactionChange } from '../payments/transaction/change.ts'
import type { Transaction } from '../payments/transaction/transaction.ts'
import { judgeCard } from './guarded.ts'
import { endTry } from './pay.ts'
import type { CheckoutSession } from './session.ts'
import { giveBack, isVerification, offerWithFirstPayment, subscribe } from './subscribing.ts'

/** Applies what became of a charge to the session that asked for it. */
export const followSessionCharge = (draft: Draft, { before, events }: TransactionChange): void => {
  const transaction = draft.find('transaction', events[0]!.id)!
  const sessionId = transaction.details.checkout!.sessionId
  const session = draft.find('checkoutSession', sessionId)
  const one = session?.tries.find(({ transactionId }) => transactionId === transaction.id)
  // A charge that was replaced, or whose session is over, changes nothing any more.
  if (session === undefined || one === undefined || one.status !== 'PENDING') return
  const isCard = isByCard(one.method)
  // Banks register charges later than the Sandbox, which no request waits for.
  const issued = events.find(({ type }) => type === 'ChargeIssued')
  if (issued !== undefined)
    offerWithFirstPayment(draft, session, transaction, before === undefined, issued.by)
  switch (transaction.status) {
    case before?.status:
      break
    case 'APPROVED':
    case 'AUTHORIZED':
      if (isCard) judgeCard(draft, session, false)
      complete(draft, draft.find('checkoutSession', sessionId)!, transaction, events.at(-1)!.by)
      break
    case 'DECLINED':
    case 'FAILED':
    case 'CANCELLED':
    case 'EXPIRED':
      if (isCard) judgeCard(draft, session, true)
      endTry(draft, sessionId, one, transaction.failureReason)
      if (session.isOver || session.expiresAtMs <= draft.context.nowMs)
        draft.add({ type: 'SessionExpired', ...factOf(draft, 'checkoutSession', sessionId) })
      break
  }
}

const complete = (
  draft: Draft,
  session: CheckoutSession,
  transaction: Transaction,
  by: TransactionChange['events'][number]['by'],
): void => {
  const { id, linkId, tries } = session
  const { number, totalCents } = tries.at(-1)!
  const subscriptionId = subscribe(draft, session, transaction, by)
  draft.add({ type: 'SessionCompleted', number, subscriptionId, ...factOf(draft, 'checkoutSession', id) })
  if (isVerification(session)) giveBack(draft, transaction, by)
  if (linkId === null) return
  draft.add({ type: 'LinkPaid', sessionId: id, cents: totalCents, ...factOf(draft, 'paymentLink', linkId) })
}
