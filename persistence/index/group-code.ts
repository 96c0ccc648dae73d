import { statuses, type TransactionGroup } from '../../engine/payments/transaction/row.ts'
import { assert } from '../../engine/shared/assert.ts'
import { currencies, methods, origins } from '../../engine/shared/method.ts'

/**
 * Status, method, origin, currency and whether it is overdue, of a transaction, in 16 bits: the place of each in its list of words. One number
 * instead of four, so that a filter on any of them is one look into a table.
 */
export const codeOf = ({ status, method, origin, currency, overdue }: TransactionGroup): number =>
  statusCodes.get(status)! |
  methodCodes.get(method)! |
  originCodes.get(origin)! |
  currencyCodes.get(currency)! |
  (overdue ? overdueBit : 0)

export const groupOf = (code: number): TransactionGroup => ({
  status: statuses[code & 31]!,
  method: methods[(code >>> 5) & 15]!,
  origin: origins[(code >>> 9) & 15]!,
  currency: currencies[(code >>> 13) & 3]!,
  overdue: (code & overdueBit) !== 0,
})

const codes = <Word extends string>(
  words: readonly Word[],
  shift: number,
  bits: number,
): Map<Word, number> => {
  assert(words.length <= 1 << bits, 'a group code has room for every word')
  return new Map(words.map((word, place) => [word, place << shift]))
}

const statusCodes = codes(statuses, 0, 5)
const methodCodes = codes(methods, 5, 4)
const originCodes = codes(origins, 9, 4)
const currencyCodes = codes(currencies, 13, 2)
const overdueBit = 1 << 15

/** The words that codes stand for, in order: a snapshot says them, so that a change of their order is noticed. */
export const groupWords = [statuses, methods, origins, currencies].map((words) => words.join(' ')).join('; ')
