import { type Company, isActive } from '../../engine/companies/company.ts'
import type { Directory } from '../../engine/companies/directory.ts'
import { eventTypes } from '../../engine/kernel/event-types.ts'
import type { Transaction } from '../../engine/payments/transaction/transaction.ts'
import type { AuditAsker } from '../../engine/shared/audit.ts'
import { dateIn } from '../../engine/shared/calendar.ts'
import { accountIdOf, type TransactionId } from '../../engine/shared/ids.ts'
import type { Api } from '../api/api.ts'
import { problemOf } from '../api/problem-of.ts'
import { inputOf } from '../api/read.ts'
import { isProblem, type JsonView, type RequestContext, type Route } from '../api/route.ts'
import { openPageTokens, pagesOf } from '../checkout/page-tokens.ts'
import type { Asker } from '../identity/asked.ts'
import { stranger } from '../identity/caller.ts'
import { companyAt } from '../operations/account/company-operations.ts'
import { choiceOf, type Input, type Operations, operationsOn, readText, taking } from '../operations/input.ts'
import type { OperationsOptions } from '../operations/operation-options.ts'
import { messages } from '../problems/messages/messages.ts'
import { invalid as invalidFields, type Problem } from '../problems/problem.ts'
import { problemTexts } from '../problems/problem-texts.ts'
import { absent, OperationRefusal, refuse, refuseInvalid } from '../problems/refusal.ts'
import { openCardTokens } from '../providers/card-tokens.ts'
import { paySandboxBoletoRoute } from '../routes/developers/sandbox/boletos.ts'
import {
  advanceSandboxClockRoute,
  getSandboxClockRoute,
  resetSandboxClockRoute,
} from '../routes/developers/sandbox/clock.ts'
import { paySandboxChargeRoute } from '../routes/developers/sandbox/pay-charge.ts'
import { sendSandboxEventRoute } from '../routes/developers/sandbox/send-event.ts'
import { compile } from '../schema/schema.ts'
import { askerOf } from '../trail/audit-draft.ts'
import { type CallRoute, type Made, recipes } from './trigger-recipes.ts'

type Options = Pick<OperationsOptions, 'directory' | 'router' | 'realNow' | 'entropy' | 'personal'>

type SandboxContext = Options & Pick<RequestContext, 'cardTokens'> & Pick<Api, 'pagesOf'>

/**
 * The Sandbox's operations for operators without a key at hand. They run the same routes as the API, so input, refusals and
 * answers are the same.
 */
export const sandboxOperations = (options: Options & Pick<OperationsOptions, 'masterKey'>): Operations =>
  operationsOn(
    {
      ...options,
      cardTokens: openCardTokens(options.masterKey),
      pagesOf: pagesOf(openPageTokens(options.masterKey), () => ''),
    },
    {
      'sandbox pay': taking(['id', 'amount', 'by', 'payer'], pay),
      'sandbox clock': taking(['company', 'by', 'to', 'reset'], clock),
      trigger: taking(['company', 'event'], trigger),
    },
  )

const callRoute = async (
  context: SandboxContext,
  asker: Asker,
  company: Company,
  route: Route,
  body: object,
  id = '',
): Promise<object> => {
  const { directory, realNow, entropy, personal, router, cardTokens } = context
  if (route.product !== null && !isActive(company, 'SANDBOX', route.product))
    refuse(`${company.name} does not have the product ${route.product} in Sandbox`)
  const request: RequestContext = {
    accountId: accountIdOf(company.id, 'SANDBOX'),
    company,
    environment: 'SANDBOX',
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
    csvOf: () => Promise.reject(new Error('no operation of the Sandbox is an export')),
    personal,
    cardTokens,
    pages: context.pagesOf(accountIdOf(company.id, 'SANDBOX')),
  }
  const errors = route.body === null ? [] : compile(route.body)(body)
  if (errors.length > 0) refuseBy(invalidFields(errors))
  const read = inputOf(route, body, {})
  if (!read.ok) return refuseBy(invalidFields(read.errors))
  const input = read.input as never
  if (route.action.kind === 'operation' || route.action.kind === 'live')
    return absent('there is no such operation of the Sandbox')
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

const executed = async (
  { router }: SandboxContext,
  { command, view }: Extract<Route['action'], { kind: 'command' }>,
  input: never,
  context: RequestContext,
  audit: AuditAsker | undefined,
) => {
  const reply = await router.execute({ ...command(input, context), audit })
  return reply.accepted ? view(reply, input, context) : problemOf(reply.rejection)
}

/** Pays a PIX charge, a deposit or a boleto of any company. */
const pay = async (context: SandboxContext, input: Input, by: Asker): Promise<object> => {
  const { directory, router } = context
  const transactionId = readText(input, 'id') as TransactionId
  const { id: _, ...body } = input
  for (const company of directory.companies.values()) {
    const accountId = accountIdOf(company.id, 'SANDBOX')
    const found = await router.query({ type: 'FindTransaction', accountId, transactionId, family: null })
    if (found !== null)
      return callRoute(context, by, company, routeOfPaying(found.transaction), body, transactionId)
  }
  return absent(`there is no transaction ${transactionId} in a Sandbox`)
}

const clock = async (
  context: SandboxContext,
  { by, to, reset, ...input }: Input,
  asker: Asker,
): Promise<object> => {
  const company = onlyCompany(context.directory, input)
  const given = [by, to, reset].filter((value) => value !== undefined).length
  if (given > 1) refuseInvalid('the clock is advanced by a duration, or to an instant, or reset')
  if (reset !== undefined) return callRoute(context, asker, company, resetSandboxClockRoute, {})
  return given === 0
    ? callRoute(context, asker, company, getSandboxClockRoute, {})
    : callRoute(context, asker, company, advanceSandboxClockRoute, {
        ...(by !== undefined && { by }),
        ...(to !== undefined && { to }),
      })
}

/** Causes an event, or sends a sample if the event cannot be caused. */
const trigger = async (context: SandboxContext, input: Input, by: Asker): Promise<object> => {
  const event = choiceOf(input.event, 'event', eventTypes)
  const company = onlyCompany(context.directory, input)
  const call: CallRoute = async (route, body, about) =>
    (await callRoute(context, by, company, route, body, (await about)?.id)) as Made
  const recipe = recipes[event]
  if (recipe === null) {
    await callRoute(context, by, company, sendSandboxEventRoute, { type: event })
    return { object: 'trigger', event, companyId: company.id, sample: true, of: null }
  }
  const { id } = await recipe(call, { dueDate: await dayOf(context, company) })
  return { object: 'trigger', event, companyId: company.id, sample: false, of: id }
}

const dayOf = async ({ router }: SandboxContext, company: Company): Promise<string> => {
  const accountId = accountIdOf(company.id, 'SANDBOX')
  const found = await router.query({ type: 'FindAccount', accountId })
  return found === null ? refuse('the account is not open yet') : dateIn(company.timeZone, found.nowMs)
}

/** The company that the input names, or the only one there is. */
export const onlyCompany = (directory: Directory, input: Input): Company => {
  if (input.company !== undefined) return companyAt(directory, input, 'company')
  const [only, ...more] = directory.companies.values()
  if (only === undefined) return refuse('there is no company yet')
  return more.length === 0 ? only : refuseInvalid('company is required: there are several')
}

const routeOfPaying = ({ method }: Transaction): Route => {
  if (method === 'PIX') return paySandboxChargeRoute
  if (method === 'BOLETO') return paySandboxBoletoRoute
  return refuse(`a ${method} payment is not paid by hand: its outcome is decided when it is created`)
}

/** Refuses with the API's own wording. */
const refuseBy = ({ code, detail, status }: Problem): never => {
  const text = detail?.(messages.en) ?? problemTexts.en[code].cause
  if (status === 400) refuseInvalid(text)
  if (status === 404) absent(text)
  throw new OperationRefusal(text)
}
