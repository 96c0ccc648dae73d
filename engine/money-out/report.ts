import type { Decider } from '../kernel/decider.ts'
import type { Draft } from '../kernel/draft.ts'
import type { Rejection } from '../kernel/registry.ts'
import { endToEndIdOf } from '../payments/methods/pix/end-to-end-id.ts'
import { contradicts, type Declaration, freshReturns, type SentMoney } from '../payments/sent-money.ts'
import { randomAlphanumerics } from '../shared/ids.ts'
import { toCents } from '../shared/money.ts'
import type { ReportPayOut, ReturnMoneyOut } from './commands.ts'
import { factAboutMoneyOut, type MoneyOut, returnedCentsOf } from './money-out.ts'
import { completeMoneyOut, failMoneyOut } from './run.ts'
import { bookMoneyOut } from './sums.ts'

/**
 * What a bank says of money that it was to send, whether it was asked or not: it counts as an answer to the call that is open, so that a
 * return that overtakes that answer finds a payment that has arrived. Each return counts once, by the bank's id, and all of them together
 * never exceed the payment. What contradicts the books is refused, so that a person looks.
 */
export const reportPayOut: Decider<ReportPayOut> = (draft, command) => {
  const out = draft.find('transfer', command.transferId)
  if (out === undefined) return { reason: 'NOT_FOUND', resource: 'transfer' }
  // Two connections may reach the same account at the bank: only the one that sent it speaks for it.
  if (out.connectionId !== command.connectionId) return null
  const { state, amountCents, railId, code } = command.payOut
  if (amountCents !== out.amountCents) return contradicts(out.status)
  const isOpen = out.call !== null
  switch (state) {
    case 'PROCESSING':
      return isOpen ? null : contradicts(out.status)
    case 'REFUSED':
      if (isOpen) failMoneyOut(draft, out, 'REFUSED_BY_BANK', code)
      if (isOpen || out.status === 'FAILED') return null
      return isDeclared(out, 'SENT') ? takeBack(draft, out, [restOf(out)]) : contradicts(out.status)
    case 'DONE':
    case 'RETURNED': {
      if (isOpen) completeMoneyOut(draft, out, railId)
      // It has left, whatever people said of it.
      else if (out.status === 'FAILED' && isDeclared(out, 'NOT_SENT')) {
        bookMoneyOut(draft, out, 'RESERVED')
        completeMoneyOut(draft, out, railId)
      } else if (railId !== null && railId !== out.railId && isDeclared(out, 'SENT'))
        draft.add({ type: 'MoneyOutIdentified', railId, ...factAboutMoneyOut(draft, out) })
      const arrived = draft.find('transfer', out.id)!
      if (arrived.status === 'COMPLETED') return takeBack(draft, arrived, command.payOut.returns)
      // Our own answer to the call was that nothing of it is done in the end, and its money is back.
      return state === 'RETURNED' && arrived.status === 'FAILED' ? null : contradicts(arrived.status)
    }
  }
}

const isDeclared = ({ declared }: MoneyOut, outcome: Declaration['outcome']): boolean =>
  declared?.outcome === outcome && declared.confirmedBy !== null

/** What is left of a payment that never left: it is back in the balance. */
const restOf = (out: MoneyOut): SentMoney['returns'][number] => ({
  id: `${out.id}.0`,
  amountCents: toCents(out.amountCents - returnedCentsOf(out)),
  atMs: null,
})

/** Lets money come back that had arrived, in the Sandbox. */
export const returnMoneyOut: Decider<ReturnMoneyOut> = (draft, { transferId, amountCents }) => {
  const out = draft.find('transfer', transferId)
  if (out === undefined) return { reason: 'NOT_FOUND', resource: 'transfer' }
  if (out.status !== 'COMPLETED')
    return { reason: 'INVALID_STATE', currentStatus: out.status, allowedStatuses: ['COMPLETED'] }
  const leftCents = toCents(out.amountCents - returnedCentsOf(out))
  const wantedCents = amountCents ?? leftCents
  if (wantedCents > leftCents || leftCents === 0)
    return { reason: 'REFUND_EXCEEDS_BALANCE', refundableCents: leftCents }
  const { institution, nowMs, entropy } = draft.context
  const id = endToEndIdOf('D', institution.ispb, nowMs, randomAlphanumerics(11, entropy))
  return takeBack(draft, out, [{ id, amountCents: wantedCents, atMs: nowMs }])
}

/** Books what came back and is not booked yet: it is available once more, and counts towards limits all the same. */
const takeBack = (draft: Draft, out: MoneyOut, returns: SentMoney['returns']): Rejection | null => {
  const fresh = freshReturns(out.returns, returns, draft.context.nowMs)
  const freshCents = fresh.reduce((sum, { amountCents }) => sum + amountCents, 0)
  const leftCents = out.amountCents - returnedCentsOf(out)
  if (freshCents > leftCents) return contradicts(out.status)
  for (const part of fresh) {
    bookMoneyOut(draft, { ...out, amountCents: part.amountCents, feeCents: toCents(0) }, 'CAME_BACK')
    draft.add({ type: 'MoneyOutCameBack', part, ...factAboutMoneyOut(draft, out) })
  }
  return null
}
