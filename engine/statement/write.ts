import type { Draft } from '../kernel/draft.ts'
import type { Account, AccountFact } from '../ledger/account.ts'
import type { Posting } from '../ledger/postings.ts'
import type { MoneyOutBooked } from '../money-out/sums.ts'
import { numberedId } from '../shared/ids.ts'
import { toCents } from '../shared/money.ts'
import type { StatementLine } from './line.ts'

/** Adds a statement line for each change of the available balance among a command's facts. */
export const writeStatement = (draft: Draft): void => {
  const { steps } = draft
  for (let n = 0, { length } = steps; n < length; n++) {
    const { event, after } = steps[n]!
    if (event.actor !== 'account' || !('postings' in event)) continue
    // The statement covers the balance in reais only.
    if ('currency' in event && event.currency !== 'BRL') continue
    const total = availableIn(event.postings)
    if (total === 0) continue
    const account = after as Account
    let balance = account.balances.available - BigInt(total)
    for (const [place, { type, cents, objectId, method }] of movesOf(event, total).entries()) {
      if (cents === 0) continue
      balance += BigInt(cents)
      draft.add({
        actor: 'statementLine',
        type: 'StatementWritten',
        id: numberedId('stl', draft.context.atMs, 2 * (account.bookings ?? 0) + place, draft.context.entropy),
        atMs: event.atMs,
        line: {
          ...{ accountId: account.id, type, cents, balanceAfter: String(balance), objectId },
          ...(method && { method }),
        },
      })
    }
  }
}

type Move = Pick<StatementLine, 'type' | 'cents' | 'objectId' | 'method'>
/** A fact that moves money between ledger accounts. */
type Booking = Extract<AccountFact, { readonly postings: readonly Posting[] }>

const availableIn = (postings: readonly Posting[]): number =>
  postings.reduce((sum, { account, cents }) => sum + (account === 'available' ? cents : 0), 0)

const movesOf = (event: Booking, total: number): readonly Move[] => {
  const cents = toCents(total)
  switch (event.type) {
    case 'SettlementCompleted': {
      const { transactionId, id, method } = event.settlement
      const objectId = transactionId ?? id
      return [{ type: 'SETTLEMENT', cents, objectId, ...(transactionId === null && { method }) }]
    }
    case 'PaymentBooked':
      return [{ type: 'SETTLEMENT', cents, objectId: event.transactionId }]
    case 'ReversalBooked':
      return [{ type: event.cause, cents, objectId: event.transactionId }]
    case 'SharesBooked':
      return [{ type: 'SPLIT', cents, objectId: event.transactionId }]
    case 'FundsMoved':
      return [{ type: movedFor(event), cents, objectId: event.objectId }]
    case 'MoneyOutBooked':
      return movesOut(event, total)
  }
}

/** Why money moved for an object, by where it went. */
const movedFor = ({
  postings,
  objectId,
}: Extract<Booking, { readonly type: 'FundsMoved' }>): StatementLine['type'] => {
  if (postings.some(({ account }) => account === 'taxesWithheld')) return 'TAX_WITHHELD'
  if (objectId.startsWith('spt_')) return 'FEE'
  return postings.some(({ account }) => account === 'feeDifference') ? 'FEE_DIFFERENCE' : 'CONVERSION'
}

/** The fee is a line of its own. */
const movesOut = ({ paymentId: objectId, feeCents }: MoneyOutBooked, total: number): readonly Move[] => {
  const fee = total < 0 ? -feeCents : feeCents
  return [
    { type: 'TRANSFER', cents: toCents(total - fee), objectId },
    { type: 'FEE', cents: toCents(fee), objectId },
  ]
}
