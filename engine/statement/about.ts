import type { Reader } from '../kernel/reader.ts'
import type { MoneyOut } from '../money-out/money-out.ts'
import { pixOf } from '../payments/methods/pix/pix.ts'
import type { Transaction } from '../payments/transaction/transaction.ts'
import type { Method } from '../shared/method.ts'
import type { StatementLine } from './line.ts'

/** What a line is about, as people look for it in a bank's own statement; null where there is no such thing. */
export type AboutLine = {
  /** Who paid, or who was paid. */
  readonly counterpart: string | null
  readonly method: Method | 'TED' | null
  readonly description: string | null
  /** The id of the PIX; for a refund that of its return. */
  readonly endToEndId: string | null
}

/** Looks up what moved the money of a line, as it is now. */
export const aboutLine = ({ find }: Pick<Reader, 'find'>, line: StatementLine): AboutLine => {
  const { objectId } = line
  switch (objectId.slice(0, 3)) {
    case 'txn':
      return aboutTransaction(line, find('transaction', objectId).value)
    case 'trf':
      return aboutMoneyOut(line, find('transfer', objectId).value)
    case 'wdr':
      return aboutMoneyOut(line, find('withdrawal', objectId).value)
    case 'cnv':
      return { ...nothing, method: 'CRYPTO' }
    default:
      // A settlement of many: cards, of any number of payers.
      return { ...nothing, method: line.method ?? null }
  }
}

const nothing: AboutLine = { counterpart: null, method: null, description: null, endToEndId: null }

const aboutTransaction = (line: StatementLine, transaction: Transaction | null): AboutLine => {
  if (transaction === null) return nothing
  const { method, customer, details } = transaction
  const { description } = details
  // A share of a recipient moves inside, and the payer has nothing to do with it.
  if (line.type === 'SPLIT') return { ...nothing, method, description }
  const payment = pixOf(transaction)?.payment ?? null
  return {
    counterpart: payment?.payer?.name || (customer?.name ?? null),
    method,
    description,
    endToEndId: returnIdOf(line, transaction) ?? payment?.endToEndId ?? null,
  }
}

/** A refund has moved its money when it was asked for, or when it was completed. */
const returnIdOf = (
  { type, cents, createdAtMs }: StatementLine,
  { reversals }: Transaction,
): string | null => {
  if (type !== 'REFUND') return null
  const refund = reversals.refunds.find(
    (one) =>
      one.amountCents === -cents && (one.createdAtMs === createdAtMs || one.completedAtMs === createdAtMs),
  )
  return refund?.returnId ?? null
}

const aboutMoneyOut = ({ cents }: StatementLine, out: MoneyOut | null): AboutLine => {
  if (out === null) return nothing
  const { payee, method, status, railId } = out
  // What failed is back under the payment's own id, what had arrived under the id of its return.
  const back = cents > 0 && status === 'COMPLETED' ? returnOf(cents, out) : null
  return {
    counterpart: payee.name,
    method,
    description: out.method === 'CRYPTO' ? null : out.description,
    endToEndId: method === 'PIX' ? (back ?? railId) : null,
  }
}

/** Several returns of the same amount cannot be told apart by a line. */
const returnOf = (cents: number, { returns = [] }: MoneyOut): string | null => {
  const fitting = returns.filter(({ amountCents }) => amountCents === cents)
  return fitting.length === 1 ? fitting[0]!.id : null
}
