import { suspenseStatuses } from '../../engine/payments/suspense/suspense.ts'
import { reconciliationStatuses } from '../../engine/reconciliation/reconciliation.ts'
import {
  accountIdOf,
  type Environment,
  type ReconciliationId,
  type SuspenseId,
} from '../../engine/shared/ids.ts'
import type { Asker } from '../identity/asked.ts'
import {
  choicesOf,
  type Input,
  numberOf,
  type Operations,
  operationsOn,
  readText,
  requiredEnvironmentOf,
  taking,
} from '../operations/input.ts'
import { absent } from '../problems/refusal.ts'
import { getReconciliationRoute, listReconciliationsRoute } from '../routes/reconciliation/reconciliations.ts'
import { getSuspenseRoute, listSuspenseRoute } from '../routes/reconciliation/suspense.ts'
import { callRoute, onlyCompany, type RouteContext } from './call-route.ts'

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
  const query = { ...pageOf(input), status }
  return callRoute(context, by, placeOf(context, input), listSuspenseRoute, { query })
}

const listReconciliations = async (context: RouteContext, input: Input, by: Asker): Promise<object> => {
  const status = choicesOf(input, 'status', reconciliationStatuses)
  const query = {
    ...pageOf(input),
    ...(status !== null && { status }),
    ...(input.connection !== undefined && { connectionId: readText(input, 'connection') }),
    ...(input.date !== undefined && { date: readText(input, 'date') }),
  }
  return callRoute(context, by, placeOf(context, input), listReconciliationsRoute, { query })
}

const pageOf = ({ page = 1 }: Input): object => ({ page: numberOf(page, 'page', 1, 100_000), pageSize: 200 })

const placeOf = ({ directory }: RouteContext, input: Input) => ({
  company: onlyCompany(directory, input),
  environment: requiredEnvironmentOf(input),
})

const showSuspense = async (context: RouteContext, input: Input, by: Asker): Promise<object> => {
  const id = readText(input, 'id')
  for (const place of placesOf(context)) {
    const accountId = accountIdOf(place.company.id, place.environment)
    const found = await context.router.query({
      type: 'FindSuspense',
      accountId,
      suspenseId: id as SuspenseId,
    })
    if (found !== null) return callRoute(context, by, place, getSuspenseRoute, { id })
  }
  return absent(`there is no money in suspense ${id}`)
}

const showReconciliation = async (context: RouteContext, input: Input, by: Asker): Promise<object> => {
  const id = readText(input, 'id')
  for (const place of placesOf(context)) {
    const accountId = accountIdOf(place.company.id, place.environment)
    const found = await context.router.query({
      type: 'FindReconciliation',
      accountId,
      reconciliationId: id as ReconciliationId,
    })
    if (found !== null) return callRoute(context, by, place, getReconciliationRoute, { id })
  }
  return absent(`there is no reconciliation ${id}`)
}

/** Both accounts of each company: an id does not say whose it is. */
const placesOf = ({ directory }: RouteContext) =>
  [...directory.companies.values()].flatMap((company) =>
    (['PRODUCTION', 'SANDBOX'] as const satisfies readonly Environment[]).map((environment) => ({
      company,
      environment,
    })),
  )
