import { suspenseStatuses } from '../../engine/payments/suspense/suspense.ts'
import { reconciliationStatuses } from '../../engine/reconciliation/reconciliation.ts'
import type { ReconciliationId, SuspenseId } from '../../engine/shared/ids.ts'
import type { Asker } from '../identity/asked.ts'
import {
  choicesOf,
  type Input,
  type Operations,
  operationsOn,
  readText,
  taking,
} from '../operations/input.ts'
import { getReconciliationRoute, listReconciliationsRoute } from '../routes/reconciliation/reconciliations.ts'
import { getSuspenseRoute, listSuspenseRoute } from '../routes/reconciliation/suspense.ts'
import { callRoute, callWhereFound, pageNamed, placeOf, type RouteContext } from './call-route.ts'

/**
 * Money in suspense and compared books of companies, for operators to read. Operators decide nothing about either: that takes people with a
 * second factor, some of it two of them.
 */
export const reconciliationOperations = (context: RouteContext): Operations =>
  operationsOn(context, {
    'suspense list': taking(['company', 'environment', 'status', 'page'], listSuspense),
    'suspense show': taking(['id'], showSuspense),
    'reconciliations list': taking(
      ['company', 'environment', 'status', 'connection', 'date', 'page'],
      listReconciliations,
    ),
    'reconciliations show': taking(['id'], showReconciliation),
  })

const listSuspense = async (context: RouteContext, input: Input, by: Asker): Promise<object> => {
  const status = choicesOf(input, 'status', suspenseStatuses) ?? ['OPEN']
  const query = { ...pageNamed(input), status }
  return callRoute(context, by, placeOf(context, input), listSuspenseRoute, { query })
}

const listReconciliations = async (context: RouteContext, input: Input, by: Asker): Promise<object> => {
  const status = choicesOf(input, 'status', reconciliationStatuses)
  const query = {
    ...pageNamed(input),
    ...(status !== null && { status }),
    ...(input.connection !== undefined && { connectionId: readText(input, 'connection') }),
    ...(input.date !== undefined && { date: readText(input, 'date') }),
  }
  return callRoute(context, by, placeOf(context, input), listReconciliationsRoute, { query })
}

const showSuspense = callWhereFound(getSuspenseRoute, 'money in suspense', (accountId, id) => ({
  type: 'FindSuspense',
  accountId,
  suspenseId: id as SuspenseId,
}))

const showReconciliation = callWhereFound(getReconciliationRoute, 'reconciliation', (accountId, id) => ({
  type: 'FindReconciliation',
  accountId,
  reconciliationId: id as ReconciliationId,
}))
