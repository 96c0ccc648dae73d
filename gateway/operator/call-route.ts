import { type Company, isActive } from '../../engine/companies/company.ts'
import type { Directory } from '../../engine/companies/directory.ts'
import type { Query } from '../../engine/kernel/registry.ts'
import type { AuditAsker } from '../../engine/shared/audit.ts'
import { type AccountId, accountIdOf, type Environment } from '../../engine/shared/ids.ts'
import type { Product } from '../../engine/shared/product.ts'
import { problemOf } from '../api/problem-of.ts'
import { inputOf } from '../api/read.ts'
import { isProblem, type JsonView, type RequestContext, type Route } from '../api/route.ts'
import type { Asker } from '../identity/asked.ts'
import { stranger } from '../identity/caller.ts'
import { companyAt } from '../operations/account/company-operations.ts'
import { type Input, numberOf, readText, requiredEnvironmentOf } from '../operations/input.ts'
import type { OperationsOptions } from '../operations/operation-options.ts'
import { messages } from '../problems/messages/messages.ts'
import { invalid as invalidFields, type Problem } from '../problems/problem.ts'
import { problemTexts } from '../problems/problem-texts.ts'
import { absent, OperationRefusal, refuse, refuseInvalid } from '../problems/refusal.ts'
import { type CardTokens, openCardTokens } from '../providers/card-tokens.ts'
import { compile, compileQuery } from '../schema/schema.ts'
import { askerOf } from '../trail/audit-draft.ts'

export type RouteOptions = Pick<
  OperationsOptions,
  'directory' | 'router' | 'realNow' | 'entropy' | 'personal' | 'pagesOf'
>

/** What the functions of routes need, for requests of operators. */
export type RouteContext = RouteOptions & { readonly cardTokens: Pick<CardTokens, 'seal'> }

/** The context in which operators do requests. */
export const routeContext = (options: RouteOptions & Pick<OperationsOptions, 'masterKey'>): RouteContext => ({
  ...options,
  cardTokens: openCardTokens(options.masterKey),
})

/** Where an operator does what a merchant's server does. */
export type OperatorPlace = { readonly company: Company; readonly environment: Environment }

/**
 * Does a request for an operator without a key at hand. It runs the route of the API, so input, refusals and answers are the same.
 */
export const callRoute = async (
  context: RouteContext,
  asker: Asker,
  { company, environment }: OperatorPlace,
  route: Route,
  { body = {}, query = {}, id = '' }: { body?: object; query?: object; id?: string },
): Promise<object> => {
  const { directory, realNow, entropy, personal, router, cardTokens } = context
  const accountId = accountIdOf(company.id, environment)
  const needs = (product: Product | null): void => {
    if (product !== null && !isActive(company, environment, product))
      refuse(`${company.name} does not have the product ${product} in ${nameOf(environment)}`)
  }
  needs(route.product)
  const request: RequestContext = {
    accountId,
    company,
    environment,
    directory,
    by: { kind: route.sandboxOnly ? 'SANDBOX' : 'OPERATOR', id: null },
    caller: stranger,
    confirmableOf: () => ({ companyId: null, environment: null, digest: '' }),
    origin: 'API',
    id,
    atMs: realNow(),
    entropy,
    accept: undefined,
    address: () => '127.0.0.1',
    cursor: null,
    prefersMinimal: false,
    csvOf: () => Promise.reject(new Error('no operation of operators is an export')),
    personal,
    cardTokens,
    pages: context.pagesOf(accountId),
  }
  const errors = [
    ...(route.body === null ? [] : compile(route.body)(body)),
    ...(route.query === null ? [] : compileQuery(route.query)(query)),
  ]
  if (errors.length > 0) refuseBy(invalidFields(errors))
  const read = inputOf(route, body, query)
  if (!read.ok) return refuseBy(invalidFields(read.errors))
  const input = read.input as never
  route.alsoNeeds?.(input).forEach(needs)
  if (route.action.kind === 'operation' || route.action.kind === 'live')
    return absent('there is no such operation of operators')
  const outcome =
    route.action.kind === 'query'
      ? await route.action.view(
          (await router.query(route.action.query(input, request))) as never,
          input,
          request,
        )
      : await executed(
          context,
          route.action,
          input,
          request,
          route.isAudited ? askerOf({ directory, personal }, asker) : undefined,
        )
  return isProblem(outcome) ? refuseBy(outcome) : (outcome as JsonView).body
}

const nameOf = (environment: Environment): string => (environment === 'SANDBOX' ? 'Sandbox' : 'Production')

const executed = async (
  { router }: RouteContext,
  { command, view }: Extract<Route['action'], { kind: 'command' }>,
  input: never,
  context: RequestContext,
  audit: AuditAsker | undefined,
) => {
  const reply = await router.execute({ ...command(input, context), audit })
  return reply.accepted ? view(reply, input, context) : problemOf(reply.rejection)
}

/** The company that the input names, or the only one there is. */
export const onlyCompany = (directory: Directory, input: Input): Company => {
  if (input.company !== undefined) return companyAt(directory, input, 'company')
  const [only, ...more] = directory.companies.values()
  if (only === undefined) return refuse('there is no company yet')
  return more.length === 0 ? only : refuseInvalid('company is required: there are several')
}

/** The place that the input names. */
export const placeOf = ({ directory }: RouteContext, input: Input): OperatorPlace => ({
  company: onlyCompany(directory, input),
  environment: requiredEnvironmentOf(input),
})

/** The page that the input names, as queries of lists have it. */
export const pageNamed = ({ page = 1 }: Input): { readonly page: number; readonly pageSize: number } => ({
  page: numberOf(page, 'page', 1, 100_000),
  pageSize: 200,
})

/** An operation that does a request about something by its id alone, which does not say whose it is. */
export const callWhereFound =
  (route: Route, what: string, find: (accountId: AccountId, id: string) => Query) =>
  async (context: RouteContext, input: Input, by: Asker): Promise<object> => {
    const { directory, router } = context
    const id = readText(input, 'id')
    for (const company of directory.companies.values())
      for (const environment of ['SANDBOX', 'PRODUCTION'] as const satisfies readonly Environment[]) {
        const found = await router.query(find(accountIdOf(company.id, environment), id))
        if (found !== null) return callRoute(context, by, { company, environment }, route, { id })
      }
    return absent(`there is no ${what} ${id}`)
  }

/** Refuses with the API's own wording. */
const refuseBy = ({ code, detail, status }: Problem): never => {
  const text = detail?.(messages.en) ?? problemTexts.en[code].cause
  if (status === 400) refuseInvalid(text)
  if (status === 404) absent(text)
  throw new OperationRefusal(text)
}
