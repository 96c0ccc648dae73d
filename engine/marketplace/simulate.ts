import type { Draft } from '../kernel/draft.ts'
import type { Rejection } from '../kernel/registry.ts'
import type { Account } from '../ledger/account.ts'
import { divide } from '../ledger/divide.ts'
import { type Fees, feeOn } from '../ledger/fees.ts'
import { installmentDay, installmentsOf } from '../ledger/receivables.ts'
import type { SplitItem } from '../ledger/split.ts'
import { methodOf } from '../payments/methods/index.ts'
import { amountRefusal, itemsRefusal, splitFor } from '../recipients/register.ts'
import { dateIn } from '../shared/calendar.ts'
import type { Cents } from '../shared/money.ts'
import type { SimulatedParty, SimulateSplit, Simulation } from './queries.ts'

/** How a charge would be divided, computed by the functions that divide charges; or why it would be refused. */
export const simulateSplit = (
  query: SimulateSplit,
  { find }: Pick<Draft, 'find'>,
  { profile }: Account,
  nowMs: number,
): Simulation | Rejection => {
  const items = itemsOf(query, { find })
  if ('reason' in items) return items
  const { amountCents, method, installments } = query
  const feeCents = query.feeCents ?? feeOf(query, profile.fees)
  const division = divide(items, amountCents, feeCents)
  const rows = installmentsOf({ items }, amountCents, feeCents, installments)
  const today = dateIn(profile.timeZone, nowMs)
  const parties = division.shares.map((share): SimulatedParty => {
    const { partyId } = share
    return {
      share,
      item: items.find(({ recipientId }) => recipientId === partyId) ?? null,
      name: partyId === null ? profile.name : find('recipient', partyId)!.name,
      rows: rows.flatMap((shares, n) => {
        const own = shares.find((row) => row.partyId === partyId)
        if (own === undefined) return []
        const expectedOn = method === 'CREDIT_CARD' ? installmentDay(today, n + 1, method) : today
        return { installment: n + 1, grossCents: own.grossCents, feeCents: own.feeCents, expectedOn }
      }),
    }
  })
  return { amountCents, feeCents, method, installments, division, parties }
}

const itemsOf = (
  { amountCents, divideBy }: SimulateSplit,
  { find }: Pick<Draft, 'find'>,
): readonly SplitItem[] | Rejection => {
  if ('items' in divideBy) {
    const { items } = divideBy
    return itemsRefusal({ find }, items) ?? amountRefusal(items, amountCents) ?? items
  }
  const divided = splitFor({ find }, divideBy.ruleId, amountCents)
  if (!('rejection' in divided)) return divided.split!.items
  const { rejection } = divided
  return rejection.reason === 'REFERENCE_NOT_FOUND' && rejection.field === 'splitRuleId'
    ? { ...rejection, field: 'ruleId' }
    : rejection
}

const feeOf = ({ method, amountCents, brand, installments }: SimulateSplit, fees: Fees): Cents =>
  feeOn(
    amountCents,
    method,
    methodOf({ method }).feeTerms(fees, { origin: 'API', card: { brand, installments } }),
  )
