import type { TransactionGroup } from '../../engine/payments/transaction/row.ts'
import { assert } from '../../engine/shared/assert.ts'
import type { ChargeOrigin, Currency, Method } from '../../engine/shared/method.ts'
import { type Labels, labelNumber } from '../base/labels.ts'

/**
 * A transaction's group as the number of a label in its table. One number instead of seven attributes makes a filter on
 * any of them a single table lookup; labels, because a company may have changed providers any number of times.
 */
export const groupCodeOf = (
  labels: Labels,
  { status, method, origin, currency, overdue, hasDocuments, providerId }: TransactionGroup,
): number => {
  const code = labelNumber(
    labels,
    `${status} ${method} ${origin} ${currency} ${overdue} ${hasDocuments} ${providerId}`,
  )
  assert(code < 65_536, 'a group code has 16 bits')
  return code
}

/** The group behind a code. */
export const groupOf = ({ all }: Labels, code: number): TransactionGroup => {
  const [status, method, origin, currency, overdue, hasDocuments, providerId] = all[code]!.split(' ')
  return {
    status: status as TransactionGroup['status'],
    method: method as Method,
    origin: origin as ChargeOrigin,
    currency: currency as Currency,
    overdue: overdue === 'true',
    hasDocuments: hasDocuments === 'true',
    providerId: providerId!,
  }
}
